// Webhooks as they lie in the store: in each workspace that has some, one private table of
// subscriptions, with the place in the feed up to which events have been matched to them, and one
// of deliveries, which die a week after they were made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/names_from_before.h"
#include "db/private_table.h"
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

  static PrivateSpec table();
  static bool is_row(const Document& document);
  static Result<Webhook> decode(const Document& document);
  Result<Value> encode() const { return Value(members); }
};

// One event on its way to one subscription.
struct Delivery {
  enum class Status { pending, delivered, failed, cancelled };

  std::string id;
  Object members;  // subscriptionId, event, payload, status, attempts, nextAttemptAt, …
  Instant created_at;

  std::string text(std::string_view member) const;
  std::int64_t attempts() const;

  static PrivateSpec table();
  static Result<Delivery> decode(const Document& document);
  Result<Value> encode() const { return Value(members); }
};
std::string_view word_of(Delivery::Status status);

// Up to where events have been matched: all commits up to an instant, and so many notices behind
// it.
struct MatchedUpto {
  Instant after;
  std::size_t done = 0;

  static PrivateSpec table();  // beside the subscriptions, as one row
  static Result<MatchedUpto> decode(const Document& document);
  Result<Value> encode() const;
};

// The tables of one workspace. False where it has none yet.
struct WebhookTables {
  PrivateTable<Webhook> subscriptions;
  PrivateTable<MatchedUpto> matched;
  PrivateTable<Delivery> deliveries;

  explicit operator bool() const { return subscriptions && deliveries; }
};
WebhookTables find_webhook_tables(const Catalog& catalog, DatabaseId workspace);
// Makes them where they are missing. Fails with not_found, and contended, where the workspace has
// just been dropped.
Result<void> make_webhook_tables(Database& database, DatabaseId workspace);
std::vector<NameFromBefore> webhook_names_from_before();

// All subscriptions, the oldest first.
Result<std::vector<Webhook>> read_webhooks(View& view, const WebhookTables& tables);
Result<std::optional<Webhook>> read_webhook(View& view, const WebhookTables& tables,
                                            const std::string& id);
Result<void> put_webhook(Transaction& transaction, const WebhookTables& tables,
                         const Webhook& webhook, const std::string& author);

Result<std::optional<MatchedUpto>> read_matched(View& view, const WebhookTables& tables);
Result<void> put_matched(Transaction& transaction, const WebhookTables& tables,
                         const MatchedUpto& upto);

// A delivery that is due at once. Of a notice that does not fit a document its data is left out.
Result<void> put_delivery(Transaction& transaction, const WebhookTables& tables,
                          const std::string& id, const Webhook& webhook, const Notice& notice);
Result<void> change_delivery(Transaction& transaction, const WebhookTables& tables,
                             const Delivery& delivery);
Result<std::optional<Delivery>> read_delivery(View& view, const WebhookTables& tables,
                                              const std::string& id);
// Of one subscription, those whose next attempt is due at `now`, the longest due first.
Result<std::vector<Delivery>> due_deliveries(View& view, const WebhookTables& tables,
                                             const std::string& webhook, Instant now,
                                             std::size_t deliveries_max);
// Of one subscription, the newest first, a page of them at most. `status` may be empty: any.
Result<std::vector<Delivery>> read_deliveries(View& view, const WebhookTables& tables,
                                              const std::string& webhook,
                                              const std::string& status);

}  // namespace mayfly::centrali
