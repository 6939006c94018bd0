// Hints: where a document's TTL will not do what its writer may think, the answer says so, in a
// header that no client minds.
#pragma once

#include <string_view>

#include "dialect/cosmos/containers/definition.h"
#include "value/packed.h"

namespace mayfly::cosmos {

inline constexpr std::string_view hint_header = "x-mayfly-hint";

// Empty where there is nothing to say.
std::string_view hint_of(const Packed& body, const Definition& definition);

}  // namespace mayfly::cosmos
