// The indexing policy of a container. Source: spec cosmos.md, section 21.
#pragma once

#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos {

// Clients by their version of the API, which determines the form of a container.
enum class Client : std::uint8_t {
  of_today,
  of_2018,  // before 2018-12-31
  of_2017,  // before 2018-09-17: every included path has kinds of indexes
};
// The policy as such a client expects it.
Value policy_for(const Value& policy, Client client);

// Checked and with all defaults; missing: the default policy. Fails with invalid.
Result<Object> complete_indexing_policy(const Value& sent);
// Whether the row that matches the path ("/a/b") most precisely includes it.
bool is_included(const Value& policy, std::string_view path);
// Whether a row includes exactly this path: "/a/b/?".
bool is_included_by_name(const Value& policy, std::string_view path);
// Whether nothing is indexed (mode none).
bool is_unindexed(const Object& policy);

}  // namespace mayfly::cosmos
