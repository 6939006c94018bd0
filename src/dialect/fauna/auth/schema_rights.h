// Access rules of `/schema/1`: administrators may do everything; both kinds of server keys may
// read. A principal with roles of the schema may read what its roles allow without a predicate, and
// write as they allow.
#pragma once

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// Whether it may read the items of one kind, or of all kinds if `kind` is null. A file can only be
// shown whole, so a role needs `read` without a predicate for every kind that occurs in the schema,
// and for at least one kind.
Result<bool> may_read_schema(Interpreter& run, const SystemCollection* kind);
// Whether it may write any item at all; each change is checked item by item later. It must also be
// able to read, because diffs show existing items.
Result<bool> may_write_schema(Interpreter& run, const SystemCollection* kind);

}  // namespace mayfly::fauna
