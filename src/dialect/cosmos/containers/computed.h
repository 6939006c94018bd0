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

// Fails with invalid: at most 20, with names that no system property has, each a `SELECT VALUE` of
// one expression over the container.
Result<void> check_computed_properties(const Value& sent);

// The query of the computed property of that name; nothing if there is none.
std::optional<std::string> computed_property(const Container& container, std::string_view name);

}  // namespace mayfly::cosmos
