// The static check of a schema: of the names that its roles and access providers refer to, of the
// types that it declares, and of all FQL that it holds.
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
  std::string code;  // of its document: `computed_fields.a.body`; a constraint by its name
  Diagnostic what;
  SchemaPart part = SchemaPart::code;  // what the place is in; of others the name that is missing
};
struct CheckedSchema {
  std::vector<SchemaError> errors;
  std::vector<SourcePtr> sources;  // that they point into
};

// Of the schema as the query has left it. Where the database is not typechecked, only names are
// checked. Fails with timed_out, and as the reading does.
Result<CheckedSchema> check_schema(Interpreter& run);

// "Invalid database schema update." with the diagnostics below it, indented.
std::string schema_update_text(const std::string& diagnostics);

// For a query that has changed the schema: fails with invalid_schema where the schema is not right.
Result<void> check_changed_schema(Interpreter& run);

}  // namespace mayfly::fauna
