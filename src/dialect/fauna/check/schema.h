// The static check of a schema: names that its roles and access providers refer to, declared types,
// and all FQL code in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

class Interpreter;

enum class SchemaPart : std::uint8_t { code, privileges, membership, provider_role };
struct SchemaError {
  std::string kind;  // `Collection`, `Function`, `Role`, `AccessProvider`
  std::string name;
  std::string code;  // path in its document: `computed_fields.a.body`, `constraints.NAME`
  Diagnostic what;
  // where the error is; unless `code`, it is about a missing name
  SchemaPart part = SchemaPart::code;
};
struct CheckedSchema {
  std::vector<SchemaError> errors;
  std::vector<SourcePtr> sources;  // the sources that the errors point into
};

// Checks the schema as the query has changed it. In a database that is not typechecked, only names
// are checked. Fails with timed_out, or as reading fails.
Result<CheckedSchema> check_schema(Interpreter& run);

// "Invalid database schema update." with the diagnostics below it, indented.
std::string schema_update_text(const std::string& diagnostics);

// For a query that has changed the schema: fails with invalid_schema if the schema has errors.
Result<void> check_changed_schema(Interpreter& run);

}  // namespace mayfly::fauna
