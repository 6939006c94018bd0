#include "dialect/centrali/webhooks/before.h"

#include "base/service/logging.h"
#include "db/feed/durable_cursor.h"
#include "delivery/rows/log.h"
#include "delivery/rows/stored_members.h"
#include "delivery/subscription.h"
#include "dialect/centrali/webhooks/subscribing.h"
#include "dialect/centrali/webhooks/webhooks.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK, as earlier versions wrote it.
constexpr std::string_view earlier_deliveries = "#centrali.deliveries";
constexpr std::string_view earlier_cursor = "matched";

// A delivery that was to be sent.
struct EarlierPending {
  std::string id;
  std::string webhook;
  std::string event;
  std::string payload;
  Instant created_at;

  static PrivateSpec table() { return {.name = earlier_deliveries}; }
  static bool is_row(const Document& document) {
    const Value status = document.body.unpack().member("status");
    return status.is(Kind::text) && status.text() == "pending";
  }
  static Result<EarlierPending> decode(const Document& document) {
    const Value body = document.body.unpack();
    delivery::StoredMembers in(body);
    EarlierPending row{.id = std::string(document.id),
                       .webhook = in.text("subscriptionId"),
                       .event = in.text("event"),
                       .payload = in.text("payload"),
                       .created_at = document.created_at};
    TRY(in.finish());
    return row;
  }
  Result<Value> encode() const { return fail(Code::unsupported, "it is not written any more"); }
};

delivery::LogRow row_of_pending(const EarlierPending& before, const std::string& workspace) {
  return {.subscription = before.webhook,
          .message = {.id = before.id,
                      .position = {before.created_at, 0},
                      .database = workspace,
                      .event = before.event,
                      .document = before.id,
                      .payload = before.payload},
          .status = delivery::LogRow::Status::cancelled};
}

Result<void> create_subscriptions(Transaction& transaction, const DatabaseInfo& workspace,
                                  Directory& directory) {
  View& view = transaction.view();
  const auto webhooks = webhooks_of(view.catalog(), workspace.id);
  const PrivateTable<DurableCursor> cursors(webhooks.collection());
  const auto cursor = TRY(cursors.get(view, DocumentKey::of(std::string(earlier_cursor))));
  const auto subscriptions =
      PrivateTable<delivery::Subscription>::find(view.catalog(), workspace.id);
  for (const Webhook& webhook : TRY(read_webhooks(view, webhooks))) {
    const DocumentKey key = DocumentKey::of(webhook.id);
    if (TRY(subscriptions.get(view, key))) continue;
    TRY(put_subscription(transaction, workspace.id,
                         directory.workspace(view.catalog_ptr(), workspace.name), webhook));
    if (!cursor || !webhook.is_active()) continue;
    auto made = TRY(subscriptions.get(view, key));
    made->from = {std::max(cursor->after, webhook.created_at), UINT32_MAX};
    TRY(subscriptions.put(transaction, key, *made));
  }
  return {};
}

Result<void> send_pending(Database& database, const DatabaseInfo& workspace) {
  while (true) {
    std::size_t sent = 0;
    TRY(database.transact([&](Transaction& transaction) -> Result<void> {
      constexpr std::size_t at_once = 16;
      View& view = transaction.view();
      const auto table = PrivateTable<EarlierPending>::find(view.catalog(), workspace.id);
      const auto webhooks = webhooks_of(view.catalog(), workspace.id);
      std::vector<EarlierPending> rows;
      const auto keep = [&](EarlierPending row) -> Result<bool> {
        rows.push_back(std::move(row));
        return rows.size() < at_once;
      };
      TRY(table.each(view, keep));
      for (const EarlierPending& row : rows) {
        TRY(table.remove(transaction, DocumentKey::of(row.id)));
        if (!TRY(read_webhook(view, webhooks, row.webhook))) continue;
        TRY(send_again(transaction, workspace.id, row_of_pending(row, workspace.name)));
      }
      sent = rows.size();
      return {};
    }));
    if (sent == 0) return {};
  }
}

Result<void> migrate_workspace(Database& database, Directory& directory,
                               const DatabaseInfo& workspace, CollectionId deliveries) {
  TRY(make_webhook_tables(database, workspace.id));
  TRY(database.transact([&](Transaction& transaction) {
    return create_subscriptions(transaction, workspace, directory);
  }));
  TRY(send_pending(database, workspace));
  return database.drop_collection(deliveries);
}

}  // namespace

void migrate_webhooks(Database& database, Directory& directory) {
  const CatalogPtr catalog = database.catalog();
  for (const DatabaseInfoPtr& workspace : catalog->databases()) {
    const auto deliveries = catalog->find_internal(workspace->id, earlier_deliveries);
    if (!deliveries) continue;
    const auto done = migrate_workspace(database, directory, *workspace, deliveries->id);
    if (done) continue;
    log(LogLevel::error, "webhooks of an earlier version are not served",
        {{"workspace", workspace->name}, {"error", done.error().message}});
  }
}

}  // namespace mayfly::centrali
