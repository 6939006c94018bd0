// The rows of the private tables for users, rights and logins. Clients search users, profiles,
// roles and API keys as documents, and also write the first three as documents.
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
  // The initial content of a built-in one.
  static Profile initial(const std::string& id);
};

struct Role {
  Document document;
  Object controllers;

  static PrivateSpec table() { return {.name = roles, .database = security_index}; }
  static Result<Role> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"controllers", controllers}}); }
  static Role initial(const std::string& id);
};

// Its document expires at the same instant.
struct ApiKey {
  std::string id;
  std::string user_id;
  std::string fingerprint;  // the digest of its token
  Object content;           // contains the user and the fingerprint, too
  Instant ends_at = Instant::never();

  static PrivateSpec table() { return {.name = api_keys, .database = security_index}; }
  static Result<ApiKey> decode(const Document& document);
  Result<Value> encode() const { return Value(content); }
};

// A revoked token, under its digest, until it would have expired anyway. Or, under the digest of a
// user, all tokens that were issued to the user up to an instant.
struct EndedToken {
  std::string user_id;
  std::optional<Instant> issued_until = {};  // for all tokens of a user

  static PrivateSpec table() { return {.name = ended_tokens, .database = security_index}; }
  static Result<EndedToken> decode(const Document& document);
  Result<Value> encode() const;
};

// A login; its key is the name.
struct Password {
  std::string name;
  std::string user_id;
  std::string hash;  // empty if it cannot be read

  static PrivateSpec table() { return {.name = passwords, .database = security_index}; }
  static Result<Password> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"kuid", user_id}, {"hash", hash}}); }
};

// The key that tokens are signed with.
struct SigningKey {
  static constexpr std::size_t bytes = 32;

  Bytes key;

  static PrivateSpec table() { return {.name = secrets, .database = security_index}; }
  static Result<SigningKey> decode(const Document& document);
  Result<Value> encode() const;
};

// Whether searches of an index find every write immediately.
struct AutoRefresh {
  std::int64_t index = 0;  // the database's number; a later database of the same name has another
  bool is_on = false;

  static PrivateSpec table() { return {.name = auto_refreshes, .database = security_index}; }
  static Result<AutoRefresh> decode(const Document& document);
  Result<Value> encode() const { return Value(Object{{"of", index}, {"autoRefresh", is_on}}); }
};

template <class Row>
PrivateTable<Row> find_security_table(const Catalog& catalog) {
  return PrivateTable<Row>::find(catalog);
}
// Creates the table if it is missing, and adds missing built-in profiles and roles, so that
// searches find them.
template <class Row>
Result<PrivateTable<Row>> ensure_security_table(Database& database) {
  return PrivateTable<Row>::ensure(database);
}
template <>
Result<PrivateTable<Profile>> ensure_security_table<Profile>(Database& database);
template <>
Result<PrivateTable<Role>> ensure_security_table<Role>(Database& database);

}  // namespace mayfly::kuzzle
