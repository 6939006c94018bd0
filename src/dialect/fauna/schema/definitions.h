// Writes system documents, which FQL itself defines: Collection, Function, Database, Role, Key …
#pragma once

#include "base/result.h"
#include "dialect/fauna/documents/writing.h"

namespace mayfly::fauna {

Result<FqlValue> create_definition(Interpreter& run, const SystemCollection& of,
                                   const FqlObject& input);
Result<FqlValue> change_definition(Interpreter& run, const DocumentHandle& handle,
                                   const FqlObject& input, WriteMode mode);
Result<FqlValue> delete_definition(Interpreter& run, const DocumentHandle& handle);

// Makes a new version of the schema, even if no documents change.
Result<void> put_schema_version(Interpreter& run);

}  // namespace mayfly::fauna
