// Access to users, profiles, roles and passwords, which are rows of private tables (rows.h). While
// there are none, nothing has been set up, and every client may do everything, unless a setting
// closes the server or other machines reach the port (rights/rights.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// REACHES DISK: the internal database of everything that clients do not see as documents, and its
// name before it was internal.
inline constexpr std::string_view security_index = "#kuzzle";
inline constexpr std::string_view visible_security_index = "%kuzzle";

// The collections.
inline constexpr std::string_view users = "users";
inline constexpr std::string_view profiles = "profiles";
inline constexpr std::string_view roles = "roles";
inline constexpr std::string_view passwords = "passwords";  // by name: {kuid, hash}
inline constexpr std::string_view ended_tokens =
    "endedTokens";  // by digest, until they expire anyway
inline constexpr std::string_view secrets = "secrets";
inline constexpr std::string_view api_keys = "apiKeys";            // removed when they expire
inline constexpr std::string_view auto_refreshes = "autoRefresh";  // by index

// A user, identified by id and creation time: a later one with the same id is another user.
struct UserRef {
  std::string id;
  Instant created_at;
};

// The document of a user, profile or role; nothing if there is none or it is not valid.
Result<std::optional<Document>> find_security(View& view, std::string_view collection,
                                              const std::string& id);
// A table as a collection, for a search or a client's write. Created if it is missing.
Result<CollectionPtr> security_collection(Database& database, std::string_view name);
// Null if nothing has been set up.
DatabaseInfoPtr security_database(const Catalog& catalog);
bool has_security(Database& database);

// The mapping of a table: its initial fields, and those that clients have added.
Value security_mapping(const Collection& collection);
// The profiles and roles that always exist: `admin`, `default` and `anonymous`.
inline constexpr std::array<std::string_view, 3> built_in{"admin", "default", "anonymous"};
bool is_built_in(std::string_view profile_or_role);

// Whether there is an administrator.
Result<bool> has_admin(Database& database);
Result<bool> has_admin(View& view);
// Whether that user is an administrator; and the id of the first administrator, empty if there is
// none.
Result<bool> is_admin(View& view, const std::string& id);
Result<std::string> find_admin(View& view);

// Profiles and roles as stored, or the initial content of `admin`, `default` and `anonymous`.
// Missing if there is none, also if a built-in one cannot be read: it might have been restricted.
Result<Value> read_profile(View& view, const std::string& id);
Result<Value> read_role(View& view, const std::string& id);

}  // namespace mayfly::kuzzle
