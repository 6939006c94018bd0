// Webhooks as stored: one private table in each workspace that has some. Each has a subscription of
// the delivery engine (subscribing.h) with the same id, which selects its events.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/catalog/names_from_before.h"
#include "db/private_table.h"
#include "dialect/centrali/events/notice_filter.h"

namespace mayfly::centrali {

struct Webhook {
  std::string id;
  Object members;  // name, url, events, recordSlugs, active, secret, …
  Instant created_at;
  Instant updated_at;

  std::string text(std::string_view member) const;
  bool is_active() const;
  NoticeFilter filter() const;

  static PrivateSpec table();
  static bool is_row(const Document& document);
  static Result<Webhook> decode(const Document& document);
  Result<Value> encode() const { return Value(members); }
};

PrivateTable<Webhook> webhooks_of(const Catalog& catalog, DatabaseId workspace);
// Creates the tables that webhooks need, if they are missing. Fails with not_found or contended if
// the workspace has just been dropped.
Result<void> make_webhook_tables(Database& database, DatabaseId workspace);
std::vector<NameFromBefore> webhook_names_from_before();

// All webhooks, the oldest first.
Result<std::vector<Webhook>> read_webhooks(View& view, const PrivateTable<Webhook>& table);
Result<std::optional<Webhook>> read_webhook(View& view, const PrivateTable<Webhook>& table,
                                            const std::string& id);

}  // namespace mayfly::centrali
