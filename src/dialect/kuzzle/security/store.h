// Where users, profiles, roles and passwords are kept: rows of private tables (rows.h). While
// there are none, nothing has been set up, and every client may do everything.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// REACHES DISK: the internal database of all that no client sees as documents, and its name before
// it was internal.
inline constexpr std::string_view security_index = "#kuzzle";
inline constexpr std::string_view visible_security_index = "%kuzzle";

// The collections.
inline constexpr std::string_view users = "users";
inline constexpr std::string_view profiles = "profiles";
inline constexpr std::string_view roles = "roles";
inline constexpr std::string_view passwords = "passwords";       // by name: {kuid, hash}
inline constexpr std::string_view ended_tokens = "endedTokens";  // by digest, until they end anyway
inline constexpr std::string_view secrets = "secrets";
inline constexpr std::string_view api_keys = "apiKeys";            // gone at their end
inline constexpr std::string_view auto_refreshes = "autoRefresh";  // by index

// A user, named by its id and by when it was created: a later one of the same id is another user.
struct UserRef {
  std::string id;
  Instant created_at;
};

// The document of a user, profile or role; nothing where there is none that can be read as one.
Result<std::optional<Document>> find_security(View& view, std::string_view collection,
                                              const std::string& id);
// For a search of a table, or a write as a client writes it. Made where it is not there.
Result<CollectionPtr> security_collection(Database& database, std::string_view name);
// Null where nothing has been set up.
DatabaseInfoPtr security_database(const Catalog& catalog);
bool has_security(Database& database);

// What is known of a collection's fields: what it begins with, and what was added.
Value security_mapping(const Collection& collection);
// Those that are there before anybody makes any, and stay: `admin`, `default` and `anonymous`.
inline constexpr std::array<std::string_view, 3> built_in{"admin", "default", "anonymous"};
bool is_built_in(std::string_view profile_or_role);

// Whether somebody is an administrator.
Result<bool> has_admin(Database& database);
Result<bool> has_admin(View& view);
// Whether that user is one, and the id of the first who is; empty where there is none.
Result<bool> is_admin(View& view, const std::string& id);
Result<std::string> find_admin(View& view);

// Profiles and roles as they are, or as they begin: `admin`, `default` and `anonymous`. Missing
// where there is none, also where a built-in one cannot be read: it might have been restricted.
Result<Value> read_profile(View& view, const std::string& id);
Result<Value> read_role(View& view, const std::string& id);

}  // namespace mayfly::kuzzle
