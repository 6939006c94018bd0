#include "dialect/centrali/triggers/subscribing.h"

#include <fmt/format.h>

#include "delivery/rows/progress.h"
#include "dialect/centrali/functions/compute_function.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/triggers/asked.h"
#include "dialect/centrali/triggers/target.h"

namespace mayfly::centrali {

using delivery::Subscription;
using delivery::SubscriptionProgress;

Result<void> check_subscribing(const CentraliCall& call, const Trigger& trigger) {
  if (trigger.type() != Trigger::Type::event_driven || call.services.deliveries != nullptr) {
    return {};
  }
  return fail(Code::unsupported, "this server sends no events");
}

Result<void> put_subscription(CentraliCall& call, Transaction& transaction, DatabaseId workspace,
                              const Trigger& before, const Trigger& trigger) {
  View& view = transaction.view();
  if (trigger.type() != Trigger::Type::event_driven) {
    return remove_subscription(transaction, workspace, trigger.id);
  }
  const auto table = PrivateTable<Subscription>::find(view.catalog(), workspace);
  const DocumentKey key = DocumentKey::of(trigger.id);
  auto one = TRY(table.get(view, key));
  auto collection = collection_of(call, trigger);
  // The subscription of a structure that has been deleted stays with the structure's slug.
  const bool is_kept = one && !collection && names_same_structure(before, trigger);
  if (!collection && !is_kept) return tl::unexpected(std::move(collection).error());
  if (!one) {
    if (TRY(table.list(view)).size() >= limits::subscriptions_max) {
      return fail(Code::too_large, fmt::format("a workspace has at most {} subscriptions",
                                               limits::subscriptions_max));
    }
    one = Subscription{.id = trigger.id, .from = {transaction.now(), UINT32_MAX}};
  }
  one->name = trigger.text("name");
  one->owner = subscription_owner;
  if (!is_kept) one->collections.clear();
  if (collection && !collection->empty()) one->collections.push_back(*collection);
  one->kinds.clear();
  if (const auto kind = event_of_trigger(text_in(trigger.metadata(), "event"))) {
    one->kinds.insert(*kind);
  }
  one->format = function_format_name;
  one->target = function_target_name;
  one->is_paused = trigger.is_paused();
  one->attempts_max = limits::function_attempts_max;
  return table.put(transaction, key, *one);
}

Result<void> remove_subscription(Transaction& transaction, DatabaseId workspace,
                                 const std::string& trigger) {
  View& view = transaction.view();
  const DocumentKey key = DocumentKey::of(trigger);
  const auto table = PrivateTable<Subscription>::find(view.catalog(), workspace);
  if (TRY(table.get(view, key))) TRY(table.remove(transaction, key));
  const auto progress = PrivateTable<SubscriptionProgress>::find(view.catalog(), workspace);
  if (TRY(progress.get(view, key))) TRY(progress.remove(transaction, key));
  return {};
}

}  // namespace mayfly::centrali
