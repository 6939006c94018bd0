// Users, rights, logins and all that belongs to them, as rows of the tables that hold them. Users,
// profiles, roles and API keys are searched, and the first three also written, as documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/private_table.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

struct User {
  Document document;
  std::vector<std::string> profile_ids;

  static PrivateSpec table() { return {.name = users, .database = security_index}; }
  static Result<User> decode(const Document& document);
};

struct Profile {
  Document document;
  Array policies;

  static PrivateSpec table() { return {.name = profiles, .database = security_index}; }
  static Result<Profile> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"policies", policies}}); }
  // What a built-in one begins with.
  static Profile begun(const std::string& id);
};

struct Role {
  Document document;
  Object controllers;

  static PrivateSpec table() { return {.name = roles, .database = security_index}; }
  static Result<Role> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"controllers", controllers}}); }
  static Role begun(const std::string& id);
};

// It is gone at its end.
struct ApiKey {
  std::string id;
  std::string user_id;
  std::string fingerprint;  // the digest of its token
  Object content;           // with both
  Instant ends_at = Instant::never();

  static PrivateSpec table() { return {.name = api_keys, .database = security_index}; }
  static Result<ApiKey> decode(const Document& document);
  Result<Value> encode() const { return Value(content); }
};

// A token that counts no more, by its digest, until it would have ended anyway; or by the digest of
// their user, all that it was given up to an instant.
struct EndedToken {
  std::string user_id;
  std::optional<Instant> issued_until = {};  // of all of a user

  static PrivateSpec table() { return {.name = ended_tokens, .database = security_index}; }
  static Result<EndedToken> decode(const Document& document);
  Result<Value> encode() const;
};

// A name that is logged in with, which is its key.
struct Password {
  std::string name;
  std::string user_id;
  std::string hash;  // empty where it cannot be read

  static PrivateSpec table() { return {.name = passwords, .database = security_index}; }
  static Result<Password> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"kuid", user_id}, {"hash", hash}}); }
};

// What tokens are signed with.
struct SigningKey {
  static constexpr std::size_t bytes = 32;

  Bytes key;

  static PrivateSpec table() { return {.name = secrets, .database = security_index}; }
  static Result<SigningKey> decode(const Document& document);
  Result<Value> encode() const;
};

// Whether an index makes every write visible to searches at once.
struct AutoRefresh {
  std::int64_t index = 0;  // the number of the database: a later one of its name is another
  bool is_on = false;

  static PrivateSpec table() { return {.name = auto_refreshes, .database = security_index}; }
  static Result<AutoRefresh> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"of", index}, {"autoRefresh", is_on}}); }
};

template <class Row>
PrivateTable<Row> find_own(const Catalog& catalog) {
  return PrivateTable<Row>::find(catalog);
}
// Made where it is missing, profiles and roles with those that are there from the beginning, also
// where only they are missing: searches find them.
template <class Row>
Result<PrivateTable<Row>> own_table(Database& database) {
  return PrivateTable<Row>::ensure(database);
}
template <>
Result<PrivateTable<Profile>> own_table<Profile>(Database& database);
template <>
Result<PrivateTable<Role>> own_table<Role>(Database& database);

}  // namespace mayfly::kuzzle
