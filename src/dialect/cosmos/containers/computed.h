// Computed properties: named expressions over a document, which queries may use like properties
// that are stored. Source: spec cosmos.md, section 21.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/cosmos/containers/container.h"
#include "value/value.h"

namespace mayfly::cosmos {

// Checks the member `computedProperties` of a definition. Fails with invalid if there are more than
// limits::computed_properties_max, if a name is `id`, a system property's or repeated, or if a
// query is not a `SELECT VALUE` of one deterministic expression over the container.
Result<void> check_computed_properties(const Value& sent);

// The query of the computed property of that name; nothing if there is none.
std::optional<std::string> computed_property(const Container& container, std::string_view name);

}  // namespace mayfly::cosmos
