// Changes a value by another value.
#pragma once

#include "value/value.h"

namespace mayfly {

// RFC 7396: members of `patch` replace those of `target`, objects are merged, null removes. A patch
// that is not an object replaces the target. Missing members change nothing, at any depth.
Value merge_patch(Value target, const Value& patch);
// Members of `over` replace those of `target`, one level deep; null is a value like any other.
// If `over` is not an object, nothing changes.
Value assign(Value target, const Value& over);

}  // namespace mayfly
