// Pushes a schema: turns its files into documents, in one transaction.
#pragma once

#include "dialect/fauna/push/files.h"

namespace mayfly::fauna {

// Makes the database's collections, functions, roles and access providers those of the files, and
// deletes all others. Fails with invalid; the message lists the errors.
Result<void> push_files(Interpreter& run, const SchemaFiles& files);

}  // namespace mayfly::fauna
