// Migrates the documents of a collection whose fields change. Migrations run immediately, in the
// transaction of the change.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// Migrates from one definition to the other, both in normal form: runs the new steps of
// `migrations`, fills defaults into new fields, and adds a failure for each change that the
// documents do not fit.
Result<void> migrate(Interpreter& run, const std::string& collection, const FqlObject& before,
                     const FqlObject& after, Failures& failures);

}  // namespace mayfly::fauna
