// The syntax tree of a schema's files. Expressions, lambdas and types are kept as text; the code
// that compiles them knows their place in the schema and names them in diagnostics. All is plain
// data; only spans point into the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dialect/fauna/syntax/diagnostics/source.h"
#include "dialect/fauna/syntax/parser.h"

namespace mayfly::fauna::fsl {

struct Name {
  std::string text;
  Span span = {};
};
// FQL code, or a type, that parsed without errors. Lambdas have their parameters in brackets: `(a,
// b) => a + b`; short ones stand in brackets: `(.a == 0)`.
struct Code {
  std::string text;
  Span span = {};
  // The part of the file that equals the end of `text`: all of it, or the part after the parameters
  // of a lambda. Empty if the file spells it differently.
  Span as_written = {};
};

// --- members of collections ---

struct Field {
  Name name;
  Code type;
  std::optional<Code> default_value;
};
// *: Any
struct Wildcard {
  Code type;
};
struct Computed {
  Name name;
  std::optional<Code> type;
  Code body;  // a lambda
};
struct Term {
  FieldPath path;
  bool is_multiple = false;  // mva(…): one index entry for each element of an array
  bool operator==(const Term&) const = default;
};
enum class Order : std::uint8_t { ascending, descending };
struct IndexValue {
  Term term;
  Order order = Order::ascending;
};
struct Index {
  Name name;
  std::vector<Term> terms;
  std::vector<IndexValue> values;
};
struct Unique {
  std::vector<Term> terms;
};
struct Check {
  Name name;
  Code body;  // a lambda
};
struct HistoryDays {
  std::int64_t days = 0;
};
struct TtlDays {
  std::int64_t days = 0;
};
struct DocumentTtls {
  bool are_allowed = false;
};

struct AddField {
  FieldPath path;
};
struct DropField {
  FieldPath path;
};
struct MoveField {
  FieldPath from;
  FieldPath to;
};
struct SplitField {
  FieldPath from;
  std::vector<FieldPath> into;
};
struct Backfill {
  FieldPath path;
  Code value;
};
struct MoveConflicts {
  FieldPath into;
};
struct MoveWildcard {
  FieldPath into;
};
struct AddWildcard {};
struct Migration {
  std::variant<AddField, DropField, MoveField, SplitField, Backfill, MoveConflicts, MoveWildcard,
               AddWildcard>
      what;
  Span span = {};
};
struct Migrations {
  std::vector<Migration> steps;
};

// In the order in which they are printed.
struct Member {
  std::variant<Field, Computed, Wildcard, Index, Unique, Check, HistoryDays, TtlDays, DocumentTtls,
               Migrations>
      what;
  Span span = {};
  std::string comment = {};  // the lines above it, with their marks
};
struct Collection {
  std::vector<Member> members;
};

// --- functions ---

struct FunctionParameter {
  Name name;
  std::optional<Code> type;
  bool takes_rest = false;  // the last one only
};
struct Function {
  std::optional<Name> role;
  std::vector<FunctionParameter> parameters;
  std::optional<Code> result;
  Code body;  // a block
};
// The function as a lambda, and its type if it declares types: `(a: Int, b: ...Int) => Int`.
std::string lambda_of(const Function& function);
std::optional<std::string> signature_of(const Function& function);

// --- roles, access providers ---

struct Action {
  std::string name;  // read, write, create, …
  std::optional<Code> predicate;
  Span span = {};
};
struct Privileges {
  Name resource;
  std::vector<Action> actions;
};
struct Membership {
  Name resource;
  std::optional<Code> predicate;
};
struct RoleMember {
  std::variant<Privileges, Membership> what;
  Span span = {};
  std::string comment = {};
};
struct Role {
  std::vector<RoleMember> members;
};

struct ProviderRole {
  Name name;
  std::optional<Code> predicate;
  Span span = {};
};
struct AccessProvider {
  std::string issuer;
  std::string jwks_uri;
  std::vector<ProviderRole> roles;
};

// --- files ---

struct Item {
  Name name;
  std::optional<Name> alias;
  std::variant<Collection, Function, Role, AccessProvider> what;
  Span span = {};            // starts at its annotations
  std::string comment = {};  // the lines above it, with their marks
  Span comment_span = {};    // if it has none, empty and at the item
};

struct File {
  SourcePtr source;
  std::vector<Item> items;
};

}  // namespace mayfly::fauna::fsl
