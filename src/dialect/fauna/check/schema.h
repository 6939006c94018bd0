// The static check of a schema: of the types that it declares, and of all FQL that it holds.
#pragma once

#include <string>
#include <vector>

#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/syntax/diagnostic.h"
#include "expr/meter.h"

namespace mayfly::fauna {

class Interpreter;

struct SchemaError {
  std::string kind;  // `Collection`, `Function`, `Role`
  std::string name;
  Diagnostic what;
};
struct CheckedSchema {
  std::vector<SchemaError> errors;
  std::vector<SourcePtr> sources;  // that they point into
};

// Fails with timed_out, and as the reading does.
Result<CheckedSchema> check_schema(Reading& reading, Meter& meter);

// "Invalid database schema update." with the diagnostics below it, indented.
std::string schema_update_text(const std::string& diagnostics);

// For a query that has changed the schema of a typechecked database: fails with invalid_schema
// where the schema is not right.
Result<void> check_changed_schema(Interpreter& run);

}  // namespace mayfly::fauna
