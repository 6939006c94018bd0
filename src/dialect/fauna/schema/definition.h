// CollectionDefinition: the parsed document of a collection. The stored document itself is what
// clients see (schema/definitions.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "dialect/fauna/syntax/ast.h"
#include "expr/stored.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly::fauna {

// Old and expired versions, and events, stay readable for this much longer than the definition
// says, for the sake of cursors and feeds.
inline constexpr mayfly::Span history_margin = mayfly::Span::seconds(15 * 60);

// FQL code of a definition, parsed once.
struct FqlCode {
  SourcePtr source;
  ProgramPtr program;  // null if it does not parse; it was checked when it was written
};

struct FieldDefinition {
  std::string name;
  std::string signature;               // a type
  std::optional<std::string> initial;  // FQL
  SourcePtr type_source = {};
  TypePtr type = {};          // null if the signature does not parse
  FqlCode initial_code = {};  // of `initial`
};
struct ComputedField {
  std::string name;
  std::string body;  // FQL: a lambda
  std::optional<std::string> signature;
  FqlCode code = {};  // parsed `body`
};
// A path of an index or of a unique constraint.
struct Term {
  std::string text;  // as written: `.a.b` or `a.b`
  Path path;
  bool is_each = false;  // `mva`: one entry per element
  bool is_descending = false;
  StoredExpression computed = {};  // of a computed field
};
struct IndexDefinition {
  std::string name;
  std::vector<Term> terms;
  std::vector<Term> values;
  bool is_failed = false;  // some document could not be indexed: the index is not kept
};
struct UniqueDefinition {
  std::vector<Term> terms;
  bool is_failed = false;  // existing documents violate it: it is not enforced
};
struct CheckDefinition {
  std::string name;
  std::string body;  // FQL: a lambda
  FqlCode code = {};
};

struct CollectionDefinition {
  std::string name;
  std::string alias;  // empty: none
  std::vector<FieldDefinition> fields;
  std::vector<ComputedField> computed_fields;
  bool has_wildcard = false;  // as declared
  std::vector<IndexDefinition> indexes;
  std::vector<UniqueDefinition> uniques;
  std::vector<CheckDefinition> checks;
  std::int64_t history_days = 0;
  std::optional<std::int64_t> ttl_days;
  std::optional<bool> document_ttls;

  // Whether undeclared fields are allowed.
  bool takes_any_field() const { return has_wildcard || fields.empty(); }
  bool allows_document_ttl() const { return document_ttls.value_or(fields.empty()); }
  const FieldDefinition* find_field(std::string_view field) const;
  const ComputedField* find_computed(std::string_view field) const;
  const IndexDefinition* find_index(std::string_view index) const;
};
using DefinitionPtr = std::shared_ptr<const CollectionDefinition>;

struct FunctionDefinition {
  std::string name;
  std::string alias;  // empty: none
  std::string role;   // empty: none
  FqlCode body;
};
using FunctionPtr = std::shared_ptr<const FunctionDefinition>;

// Parses the stored body of a collection's document. Invalid parts are left out; the document was
// checked when it was written.
CollectionDefinition read_definition(std::string name, const Value& body);
// Null if the document has no body.
FunctionPtr read_function(std::string name, const Value& body);

// REACHES DISK: the name of the index of a collection's ids, in numeric order.
inline constexpr std::string_view ids_index = "ids";
// The names under which the database keeps an index, and the index of a unique constraint.
std::string core_index_name(const IndexDefinition& index);
std::string core_index_name(const UniqueDefinition& unique);

}  // namespace mayfly::fauna
