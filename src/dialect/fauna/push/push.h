// A schema is pushed: its files become documents, in one transaction.
#pragma once

#include "dialect/fauna/push/files.h"

namespace mayfly::fauna {

// Makes the database's collections, functions, roles and access providers those of the files: what
// is not there is deleted. Fails with invalid: the message says what is wrong.
Result<void> push_files(Interpreter& run, const SchemaFiles& files);

}  // namespace mayfly::fauna
