// The rows of users and rights that no client searches, beside the tables that hold them: store.h
// has those that are searched, as documents.
#pragma once

#include <string>

#include "db/private_table.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// A name that is logged in with, which is its key.
struct Password {
  std::string name;
  std::string user_id;
  std::string hash;  // empty where it cannot be read

  static PrivateSpec table() { return {.name = passwords}; }
  static Result<Password> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"kuid", user_id}, {"hash", hash}}); }
};

// What tokens are signed with.
struct SigningKey {
  static constexpr std::size_t bytes = 32;

  Bytes key;

  static PrivateSpec table() { return {.name = secrets}; }
  static Result<SigningKey> decode(const Document& document);
  Result<Value> encode() const;
};

// Whether an index makes every write visible to searches at once.
struct AutoRefresh {
  std::int64_t index = 0;  // the number of the database: a later one of its name is another
  bool is_on = false;

  static PrivateSpec table() { return {.name = auto_refreshes}; }
  static Result<AutoRefresh> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"of", index}, {"autoRefresh", is_on}}); }
};

template <class Row>
PrivateTable<Row> find_own(const Catalog& catalog) {
  return PrivateTable<Row>(find_security_collection(catalog, Row::table().name));
}
// Made where it is missing.
template <class Row>
Result<PrivateTable<Row>> own_table(Database& database) {
  return PrivateTable<Row>(TRY(security_collection(database, Row::table().name)));
}

}  // namespace mayfly::kuzzle
