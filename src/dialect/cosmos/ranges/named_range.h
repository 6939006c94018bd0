// The key range that a request names.
#pragma once

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"

namespace mayfly::cosmos {

inline constexpr std::string_view range_header = "x-ms-documentdb-partitionkeyrangeid";

// Empty if the request names none.
std::string_view named_range_id(const CosmosCall& call);
// Points into the container; null if the request names none. Fails with not_found, which is
// answered as gone (it sets the status in the call), if the container no longer has such a range.
Result<const KeyRange*> named_range(CosmosCall& call, const Container& container);
// The error for a range that has split; clients then look for its children.
Error range_is_gone();
inline constexpr int gone_status = 410;
inline constexpr int range_is_gone_substatus = 1002;

}  // namespace mayfly::cosmos
