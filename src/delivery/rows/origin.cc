#include "delivery/rows/origin.h"

#include <algorithm>

#include "db/private_table.h"
#include "delivery/rows/stored_members.h"
#include "delivery/subscription.h"

namespace mayfly::delivery {
namespace {

// REACHES DISK
constexpr std::string_view origin_table = "origin of events";
constexpr std::string_view only_row = "origin";

struct OriginRow {
  std::string text;

  static PrivateSpec table() { return {.name = origin_table, .database = server_database}; }
  static Result<OriginRow> decode(const Document& document) {
    const Value body = document.body.unpack();
    StoredMembers in(body);
    OriginRow row{in.text("text")};
    TRY(in.finish());
    return row;
  }
  Result<Value> encode() const { return Value(Object{{"text", text}}); }
};

constexpr std::size_t origin_length = 8;

bool has_subscriptions(const Catalog& catalog) {
  return std::ranges::any_of(catalog.databases(), [&](const DatabaseInfoPtr& database) {
    return static_cast<bool>(PrivateTable<Subscription>::find(catalog, database->id));
  });
}

}  // namespace

Result<std::string> read_origin(Database& database) {
  const auto table = PrivateTable<OriginRow>::find(*database.catalog());
  if (!table) return std::string();
  const auto kept = TRY(table.get(database, DocumentKey::of(std::string(only_row))));
  if (!kept) return fail(Code::contended, "the origin of events is being made");
  return kept->text;
}

Result<void> ensure_origin(Database& database, Random& random) {
  const CatalogPtr catalog = database.catalog();
  const bool has_table = static_cast<bool>(PrivateTable<OriginRow>::find(*catalog));
  if (!has_table && has_subscriptions(*catalog)) return {};
  if (has_table && read_origin(database)) return {};
  const auto table = TRY(PrivateTable<OriginRow>::ensure(database));
  const OriginRow origin{random.uuid().substr(0, origin_length)};
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    const DocumentKey key = DocumentKey::of(std::string(only_row));
    if (TRY(table.get(transaction.view(), key))) return {};
    return table.put(transaction, key, origin);
  }));
  return {};
}

}  // namespace mayfly::delivery
