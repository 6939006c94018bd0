// Webhooks as they lie in the store: in each workspace that has some, one private table of
// subscriptions, with the place in the feed up to which events have been matched to them, and one
// of deliveries, which die a week after they were made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/feed/durable_cursor.h"
#include "db/names_from_before.h"
#include "db/private_table.h"
#include "dialect/centrali/events/choice.h"
#include "expr/meter.h"

namespace mayfly::centrali {

struct Webhook {
  std::string id;
  Object members;  // name, url, events, recordSlugs, active, secret, …
  Instant created_at;
  Instant updated_at;

  std::string text(std::string_view member) const;
  bool is_active() const;
  Instant active_since() const;  // while it is active
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
  Instant next_attempt_at() const;  // never() where there is none
  void cancel();                    // if it is pending

  static PrivateSpec table();
  static Result<Delivery> decode(const Document& document);
  Result<Value> encode() const { return Value(members); }
};
std::string_view word_of(Delivery::Status status);

// The tables of one workspace. False where it has none yet.
struct WebhookTables {
  PrivateTable<Webhook> subscriptions;
  PrivateTable<DurableCursor> cursors;  // one row, beside the subscriptions
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

// Up to where events have been matched to all of them.
Result<std::optional<DurableCursor>> read_cursor(View& view, const WebhookTables& tables);
Result<void> put_cursor(Transaction& transaction, const WebhookTables& tables,
                        const DurableCursor& cursor);

// A delivery that is due at once. Of a notice that does not fit a document its data is left out.
Result<void> put_delivery(Transaction& transaction, const WebhookTables& tables,
                          const std::string& id, const Webhook& webhook, const Notice& notice);
Result<void> change_delivery(Transaction& transaction, const WebhookTables& tables,
                             const Delivery& delivery);
Result<std::optional<Delivery>> read_delivery(View& view, const WebhookTables& tables,
                                              const std::string& id);
// Of one subscription, the one whose next attempt comes first, also where it is not due yet.
Result<std::optional<Delivery>> first_pending(View& view, const WebhookTables& tables,
                                              const std::string& webhook);
// Of one subscription, the newest first, limits::deliveries_listed_max of them at most; without
// the payloads beyond limits::deliveries_listed_bytes_max. `status` may be empty: any.
Result<std::vector<Delivery>> read_deliveries(View& view, const WebhookTables& tables,
                                              const std::string& webhook, const std::string& status,
                                              const Meter& meter);

}  // namespace mayfly::centrali
