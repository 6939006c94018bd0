// A container's policies for vectors and full texts, and the indexes that belong to them. Source:
// spec cosmos.md, sections 8 and 21.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos {

// Checks a definition that a client sends; a stored one is not checked again. Fails with invalid if
// a policy is malformed, or if an index has a path that is not in the policy. `definition` is the
// definition as shown.
Result<void> check_search_policies(const Object& definition);

// The row for a path: of the list `rows` in the member `policy` of the definition, as in
// "vectorEmbeddings" of "vectorEmbeddingPolicy". `path` is as render_key_path() writes it; the row
// may spell it otherwise. Missing if there is none.
Value policy_row(const Object& definition, std::string_view policy, std::string_view rows,
                 std::string_view path);

// The language by which texts at the path are stemmed ("english"); nothing if the path is not in
// the container's policy.
std::optional<std::string> full_text_language(const Object& definition, std::string_view path);

}  // namespace mayfly::cosmos
