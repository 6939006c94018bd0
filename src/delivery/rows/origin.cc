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

struct Origin {
  std::string text;

  static PrivateSpec table() { return {.name = origin_table, .database = server_database}; }
  static Result<Origin> decode(const Document& document) {
    const Value body = document.body.unpack();
    StoredMembers in(body);
    Origin row{in.text("text")};
    TRY(in.finish());
    return row;
  }
  Result<Value> encode() const { return Value(Object{{"text", text}}); }
};

constexpr std::size_t origin_length = 8;

}  // namespace

bool has_ids_without_origin(const Catalog& catalog) {
  if (PrivateTable<Origin>::find(catalog)) return false;
  return std::ranges::any_of(catalog.databases(), [&](const DatabaseInfoPtr& database) {
    return static_cast<bool>(PrivateTable<Subscription>::find(catalog, database->id));
  });
}

Result<std::string> read_origin(Database& database, Random& random, bool without_origin) {
  const auto table = TRY(PrivateTable<Origin>::ensure(database));
  const Origin fresh{without_origin ? "" : random.uuid().substr(0, origin_length)};
  std::string origin;
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    const DocumentKey key = DocumentKey::of(std::string(only_row));
    const auto kept = TRY(table.get(transaction.view(), key));
    origin = kept ? kept->text : fresh.text;
    return kept ? Result<void>() : table.put(transaction, key, fresh);
  }));
  return origin;
}

}  // namespace mayfly::delivery
