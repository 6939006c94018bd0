// CollectionDefinition: what the document of a collection says, read once for each use. The
// document itself, as clients see it, is what is stored (schema/definitions.h).
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

// Superseded and dead versions stay readable so much longer than the definition says, and events,
// too: for cursors and for feeds.
inline constexpr mayfly::Span history_margin = mayfly::Span::seconds(15 * 60);

// FQL of a definition, parsed once for all that it is used for.
struct FqlCode {
  SourcePtr source;
  ProgramPtr program;  // null where it does not parse: it was checked when it was written
};

struct FieldDefinition {
  std::string name;
  std::string signature;               // a type
  std::optional<std::string> initial;  // FQL
  SourcePtr type_source = {};
  TypePtr type = {};          // null where the signature does not parse
  FqlCode initial_code = {};  // of `initial`
};
struct ComputedField {
  std::string name;
  std::string body;  // FQL: a lambda
  std::optional<std::string> signature;
  FqlCode code = {};  // of the body
};
// A path of an index or of a unique constraint.
struct Term {
  std::string text;  // as it was written: `.a.b` or `a.b`
  Path path;
  bool is_each = false;  // `mva`: one entry for each element
  bool is_descending = false;
  StoredExpression computed = {};  // of a computed field
};
struct IndexDefinition {
  std::string name;
  std::vector<Term> terms;
  std::vector<Term> values;
  bool is_failed = false;  // some document could not be in it: it is not kept
};
struct UniqueDefinition {
  std::vector<Term> terms;
  bool is_failed = false;  // documents that are there break it: it is not enforced
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
  bool has_wildcard = false;  // as it was written
  std::vector<IndexDefinition> indexes;
  std::vector<UniqueDefinition> uniques;
  std::vector<CheckDefinition> checks;
  std::int64_t history_days = 0;
  std::optional<std::int64_t> ttl_days;
  std::optional<bool> document_ttls;

  // Whether fields that are not declared are taken.
  bool takes_any_field() const { return has_wildcard || fields.empty(); }
  bool lets_write_ttl() const { return document_ttls.value_or(fields.empty()); }
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

// Of the stored body of a collection's document. What does not fit is left out: it was checked when
// it was written.
CollectionDefinition read_definition(std::string name, const Value& body);
// Null where the document says no body.
FunctionPtr read_function(std::string name, const Value& body);

// REACHES DISK: the index of the ids of a collection, in the order of their numbers.
inline constexpr std::string_view ids_index = "ids";
// The name under which the database keeps an index, and that of the one behind a unique constraint.
std::string core_index_name(const IndexDefinition& index);
std::string core_index_name(const UniqueDefinition& unique);

}  // namespace mayfly::fauna
