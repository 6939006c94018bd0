// Principal: the identity and the rights with which a query runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/fauna/database_path.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

enum class BuiltInRole : std::uint8_t { none, client, server_readonly, server, admin };
// Parses the name used in keys, functions and scopes, such as `server-readonly`; nullopt if
// unknown.
std::optional<BuiltInRole> built_in_role(std::string_view name);

struct Principal {
  DatabasePath database_path;  // the database that its queries use
  BuiltInRole role = BuiltInRole::none;
  std::vector<std::string> roles = {};             // defined by users
  std::optional<DocumentHandle> identity = {};     // of a token, or of a scope `@doc/COLLECTION/ID`
  std::optional<DocumentHandle> token = {};        // only for a token
  Instant identity_created_at = Instant::never();  // when the identity's document was created
  Instant until = Instant::never();                // when the secret expires
  bool is_root = false;  // authenticated by the root secret, without a scope

  bool is_admin() const { return role == BuiltInRole::admin; }
  // Whether documents can be accessed without checking privileges.
  bool has_all_rights() const { return role == BuiltInRole::admin || role == BuiltInRole::server; }
};

}  // namespace mayfly::fauna
