#include "dialect/centrali/webhooks/subscribing.h"

#include <fmt/format.h>

#include <utility>

#include "delivery/rows/dead_letter.h"
#include "delivery/rows/log.h"
#include "dialect/centrali/events/notice.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/triggers/subscribing.h"
#include "dialect/centrali/webhooks/target.h"

namespace mayfly::centrali {

using delivery::DeadLetter;
using delivery::LogRow;
using delivery::Subscription;

namespace {

// The names in the catalog. The name of a structure that is not there stays as the client wrote it.
std::vector<std::string> collections_named(const WorkspacePtr& workspace,
                                           const NoticeFilter& filter) {
  std::vector<std::string> names;
  for (const std::string& called : filter.structures) {
    const StructurePtr known = workspace ? workspace->find(called) : nullptr;
    names.push_back(known ? known->collection->name : called);
  }
  return names;
}

std::set<std::string, std::less<>> message_names_of(const NoticeFilter& filter) {
  if (!filter.events.empty()) return filter.events;
  std::set<std::string, std::less<>> all;
  for (const std::string_view name : usual_event_names()) all.emplace(name);
  return all;
}

Object settings_of_webhook(const Webhook& webhook) {
  Object settings;
  for (const char* name : {"url", "secret", "previousSecret", "previousSecretValidUntil"}) {
    if (const Value* value = webhook.members.find(name)) settings.set(name, *value);
  }
  return settings;
}

// Schedules the deliveries that have had an attempt and are to have further ones.
Result<void> resume_pending(Transaction& transaction, DatabaseId database,
                            const std::string& webhook) {
  View& view = transaction.view();
  const auto log = PrivateTable<LogRow>::find(view.catalog(), database);
  std::vector<LogRow> pending;
  const auto keep = [&](LogRow row) -> Result<bool> {
    if (row.status == LogRow::Status::pending) pending.push_back(std::move(row));
    return pending.size() < limits::window_messages_max;
  };
  TRY(log.each(view, keep, LogRow::of(webhook)));
  const auto again = PrivateTable<DeadLetter>::find(view.catalog(), database, DeadLetter::again);
  for (LogRow& row : pending) {
    const DocumentKey key = row.key();
    TRY(again.put(transaction, key, {.subscription = webhook, .message = std::move(row.message)},
                  LogRow::kept_from(transaction.now())));
  }
  return {};
}

}  // namespace

Result<void> put_subscription(Transaction& transaction, DatabaseId database,
                              const WorkspacePtr& workspace, const Webhook& webhook) {
  View& view = transaction.view();
  const auto table = PrivateTable<Subscription>::find(view.catalog(), database);
  const DocumentKey key = DocumentKey::of(webhook.id);
  auto one = TRY(table.get(view, key));
  const bool is_new = !one;
  if (is_new) {
    if (TRY(table.list(view)).size() >= limits::subscriptions_max) {
      return fail(Code::too_large, fmt::format("a workspace has at most {} subscriptions",
                                               limits::subscriptions_max));
    }
    one = Subscription{.id = webhook.id, .from = {transaction.now(), UINT32_MAX}};
  }
  const bool is_resumed = one->is_paused && webhook.is_active();
  if (is_resumed) {
    one->from = {transaction.now(), UINT32_MAX};
    ++one->round;
    TRY(resume_pending(transaction, database, webhook.id));
  }
  const NoticeFilter filter = webhook.filter();
  one->name = webhook.text("name");
  one->owner = subscription_owner;
  one->collections = collections_named(workspace, filter);
  one->names = message_names_of(filter);
  one->format = webhook_format_name;
  one->target = webhook_target_name;
  one->settings = settings_of_webhook(webhook);
  one->is_paused = !webhook.is_active();
  one->is_logged = true;
  one->attempts_max = limits::webhook_attempts_max;
  return table.put(transaction, key, *one);
}

Result<void> send_again(Transaction& transaction, DatabaseId database, LogRow row) {
  const Catalog& catalog = transaction.view().catalog();
  const bool was_pending =
      std::exchange(row.status, LogRow::Status::pending) == LogRow::Status::pending;
  row.attempts = 0;
  row.next_at = transaction.now();
  row.asked_at = transaction.now();
  const DocumentKey key = row.key();
  const PutOptions kept = LogRow::kept_from(transaction.now());
  TRY(PrivateTable<LogRow>::find(catalog, database).put(transaction, key, row, kept));
  if (was_pending) return {};
  const auto again = PrivateTable<DeadLetter>::find(catalog, database, DeadLetter::again);
  return again.put(transaction, key,
                   {.subscription = row.subscription, .message = std::move(row.message)}, kept);
}

}  // namespace mayfly::centrali
