// Hints: if a document's TTL will not have the effect that its writer may expect, the answer says
// so in an extra header, which clients ignore.
#pragma once

#include <string_view>

#include "dialect/common/hint.h"
#include "dialect/cosmos/containers/definition.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos {

// Empty if there is no hint.
std::string_view hint_of(const Packed& body, const Definition& definition);

}  // namespace mayfly::cosmos
