#include "dialect/cosmos/ranges/named_range.h"

namespace mayfly::cosmos {

Error range_is_gone() {
  return {Code::not_found, "The requested partition key range is gone."};
}

// "3", or with the rid of the container before it: "AAAAAYAAAAI=,3".
std::string_view named_range_id(const CosmosCall& call) {
  std::string_view id = call.header(range_header);
  id.remove_prefix(id.rfind(',') + 1);
  return id;
}

Result<const KeyRange*> named_range(CosmosCall& call, const Container& container) {
  const std::string_view id = named_range_id(call);
  if (id.empty()) return nullptr;
  const KeyRange* range = container.definition.ranges.find(id);
  if (range != nullptr) return range;
  call.status = gone_status;
  call.substatus = range_is_gone_substatus;
  return tl::unexpected(range_is_gone());
}

}  // namespace mayfly::cosmos
