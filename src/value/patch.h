// Changing a value with a value.
#pragma once

#include "value/value.h"

namespace mayfly {

// RFC 7396: members of `patch` replace those of `target`, objects are merged, null removes. A patch
// that is not an object takes the target's place. Missing members change nothing, here and below.
Value merge_patch(Value target, const Value& patch);
// Members of `over` replace those of `target`, one level deep; null is a value like any other.
// Where `over` is not an object, nothing changes.
Value assign(Value target, const Value& over);

}  // namespace mayfly
