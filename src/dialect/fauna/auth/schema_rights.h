// Who may use `/schema/1`: administrators do all; server keys of both kinds read; a principal with
// roles of the schema reads what its roles let it read always, and writes as they say.
#pragma once

#include "base/result.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// Items of one kind, or of all where it is null. A text is read whole or not at all, so a role must
// have `read` without a predicate for each kind that the schema has items of, and for one at least.
Result<bool> may_read_schema(Interpreter& run, const SystemCollection* kind);
// Whether it may write any item at all: what it changes is checked item by item. It must also be
// able to read, because differences show what is there.
Result<bool> may_write_schema(Interpreter& run, const SystemCollection* kind);

}  // namespace mayfly::fauna
