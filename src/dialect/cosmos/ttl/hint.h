// Hints: where a document's TTL will not do what its writer may think, the answer says so, in a
// header that no client minds.
#pragma once

#include <string_view>

#include "dialect/common/hint.h"
#include "dialect/cosmos/containers/definition.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos {

// Empty where there is nothing to say.
std::string_view hint_of(const Packed& body, const Definition& definition);

}  // namespace mayfly::cosmos
