// Webhooks as they lie in the store: in each workspace that has some, one collection of
// subscriptions, with the place in the feed up to which events have been matched to them, and one
// of deliveries, which die a week after they were made. Both are hidden from the workspace's
// structures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/database.h"
#include "dialect/centrali/events/choice.h"

namespace mayfly::centrali {

struct Webhook {
  std::string id;
  Object members;  // name, url, events, recordSlugs, active, secret, …
  Instant created_at;
  Instant updated_at;

  std::string text(std::string_view member) const;
  bool is_active() const;
  Choice choice() const;
  // The secret, and for a day after a rotation the one before it.
  std::vector<std::string> secrets(Instant now) const;
};

// One event on its way to one subscription.
struct Delivery {
  enum class Status { pending, delivered, failed, cancelled };

  std::string id;
  Object members;  // subscriptionId, event, payload, status, attempts, nextAttemptAt, …
  Instant created_at;

  std::string text(std::string_view member) const;
  std::int64_t attempts() const;
};
std::string_view word_of(Delivery::Status status);

// Up to where events have been matched: all commits up to an instant, and so many notices behind
// it.
struct MatchedUpto {
  Instant after;
  std::size_t done = 0;
};

// The collections of one workspace. Null where it has none yet.
struct WebhookRooms {
  CollectionPtr subscriptions;
  CollectionPtr deliveries;

  explicit operator bool() const { return subscriptions && deliveries; }
};
WebhookRooms find_rooms(const Catalog& catalog, DatabaseId workspace);
// Makes them where they are missing. Fails with not_found, and contended, where the workspace has
// just been dropped.
Result<WebhookRooms> make_rooms(Database& database, DatabaseId workspace);
// Makes internal what lies under the names from before.
Result<void> hide_rooms(Database& database);

// All subscriptions, the oldest first.
Result<std::vector<Webhook>> read_webhooks(View& view, const WebhookRooms& rooms);
Result<std::optional<Webhook>> read_webhook(View& view, const WebhookRooms& rooms,
                                            const std::string& id);
Result<void> put_webhook(Transaction& transaction, const WebhookRooms& rooms, const std::string& id,
                         const Object& members, const std::string& author);

Result<std::optional<MatchedUpto>> read_matched(View& view, const WebhookRooms& rooms);
Result<void> put_matched(Transaction& transaction, const WebhookRooms& rooms,
                         const MatchedUpto& upto);

// A delivery that is due at once. Where the notice does not fit a document its data is left out.
Result<void> put_delivery(Transaction& transaction, const WebhookRooms& rooms,
                          const std::string& id, const Webhook& webhook, const Notice& notice);
Result<void> change_delivery(Transaction& transaction, const WebhookRooms& rooms,
                             const Delivery& delivery);
Result<std::optional<Delivery>> read_delivery(View& view, const WebhookRooms& rooms,
                                              const std::string& id);
// Of one subscription, those whose next attempt is due at `now`, the longest due first.
Result<std::vector<Delivery>> due_deliveries(View& view, const WebhookRooms& rooms,
                                             const std::string& webhook, Instant now,
                                             std::size_t deliveries_max);
// Of one subscription, the newest first, a page of them at most. `status` may be empty: any.
Result<std::vector<Delivery>> read_deliveries(View& view, const WebhookRooms& rooms,
                                              const std::string& webhook,
                                              const std::string& status);
Delivery delivery_of(const Document& document);

}  // namespace mayfly::centrali
