// The indexing policy of a container. Source: spec cosmos.md, section 21.
#pragma once

#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos {

// Checked and with all defaults; missing: the default policy. Fails with invalid.
Result<Object> complete_indexing_policy(const Value& asked);
// Whether nothing is indexed (mode none).
bool is_unindexed(const Object& policy);

}  // namespace mayfly::cosmos
