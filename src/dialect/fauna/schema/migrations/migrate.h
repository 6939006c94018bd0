// What becomes of the documents of a collection whose fields change. Migrations are run at once, in
// the transaction of the change.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// From one definition to the other, both in their normal form: runs the steps of `migrations` that
// are new, puts defaults into fields that are new, and adds a failure for each change that the
// documents do not fit.
Result<void> migrate(Interpreter& run, const std::string& collection, const FqlObject& before,
                     const FqlObject& after, Failures& failures);

}  // namespace mayfly::fauna
