// Files that are put over a schema: their items replace those of the same kind and name, all others
// stay.
#pragma once

#include "dialect/fauna/push/files.h"

namespace mayfly::fauna {

// The files that the schema has then. Items that stay and whose file is given, too, stand at its
// end. Fails with invalid where `given` does not parse.
Result<SchemaFiles> merged_files(const SchemaFiles& active, SchemaFiles given);

}  // namespace mayfly::fauna
