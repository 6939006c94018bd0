// What a container says of its vectors and its full texts: the policies, and the indexes that go
// with them. Source: spec cosmos.md, sections 8 and 21.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos {

// What a client sends; what was kept is not checked again. Fails with invalid where a policy is
// malformed, or where an index is of a path that is not in the policy. `definition` is
// what is shown of it.
Result<void> check_search_policies(const Object& definition);

// Of the policy's rows that of the path; missing where there is none.
Value policy_row(const Object& definition, std::string_view policy, std::string_view rows,
                 std::string_view path);

// By what the words of the texts at the path are stemmed ("english"); none where the path is not in
// the container's policy.
std::optional<std::string> full_text_language(const Object& definition, std::string_view path);

}  // namespace mayfly::cosmos
