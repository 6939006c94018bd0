// Principal: who runs a query, and what for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/fauna/places.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

enum class BuiltInRole : std::uint8_t { none, client, server_readonly, server, admin };
// By its name in keys, functions and scopes: `server-readonly`; nothing where there is none.
std::optional<BuiltInRole> built_in_role(std::string_view name);

struct Principal {
  Place place;  // the database of its queries
  BuiltInRole role = BuiltInRole::none;
  std::vector<std::string> roles = {};          // defined by users
  std::optional<DocumentHandle> identity = {};  // of a token
  std::optional<DocumentHandle> token = {};
  Instant identity_began = Instant::never();  // the life of the identity's document
  Instant until = Instant::never();           // the secret is good so long
  bool is_root = false;                       // the secret of the settings

  bool is_admin() const { return role == BuiltInRole::admin; }
  // Whether no privilege has to be asked for documents.
  bool may_all() const { return role == BuiltInRole::admin || role == BuiltInRole::server; }
};

}  // namespace mayfly::fauna
