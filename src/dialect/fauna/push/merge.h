// Merges files into a schema: their items replace those of the same kind and name; all others stay.
#pragma once

#include "dialect/fauna/push/files.h"

namespace mayfly::fauna {

// Returns the resulting files. Items that stay, but whose file is also in `new_files`, are appended
// to that file. Fails with invalid if `new_files` do not parse.
Result<SchemaFiles> merged_files(const SchemaFiles& active, SchemaFiles new_files);

}  // namespace mayfly::fauna
