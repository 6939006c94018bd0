// StaticType: the type of a value as known before the query runs. Types are immutable and share
// their parts. A type that would grow over limits::fql_type_size_max becomes Any, which fits
// everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/syntax/diagnostics/source.h"

namespace mayfly::fauna {

enum class StaticKind : std::uint8_t {
  any,
  never,         // the result of abort(): no value at all
  literal,       // one value
  scalar,        // `Int`, `String`, `Null`, `Time`, …
  array,         // `Array<T>`
  tuple,         // an array with a type for each element
  set,           // `Set<T>`
  event_source,  // `EventSource<T>`
  object,
  function,
  document,   // a document that exists
  reference,  // a document that may be missing: `Ref<Foo>`
  missing,    // a document that does not exist: `NullFoo`
  module,     // a collection, or a module of the library
  one_of      // `A | B`
};

struct StaticType;
using StaticPtr = std::shared_ptr<const StaticType>;
using StaticList = std::vector<StaticPtr>;

struct StaticField {
  std::string name;
  StaticPtr type;
};

struct StaticType {
  StaticKind kind = StaticKind::any;
  // For a scalar its name; for a literal its spelling; else the name of the collection or module.
  std::string name = {};
  // For a literal `Int` or the like; for a module `Collection` or `Module`.
  std::string base = {};
  StaticList parts = {};                 // the element; items, members, parameters
  std::vector<StaticField> fields = {};  // of an object
  StaticPtr rest = {};                   // an object's other fields, a function's result
  Arity arity = {};                      // of a function
  Span inferred_at = {};                 // the expression from which it was inferred
  bool is_sent = false;                  // for a literal: sent as data, not written in the query
  std::uint32_t size = 1;                // number of nodes, with all parts

  bool is(StaticKind other) const { return kind == other; }
  bool is_scalar(std::string_view scalar) const { return is(StaticKind::scalar) && name == scalar; }
  const StaticPtr* find_field(std::string_view field) const;
};

StaticPtr any_type();
StaticPtr never_type();
StaticPtr scalar_type(std::string_view name);
StaticPtr null_type();
// `written`: its spelling in a query. A long literal becomes its base type.
StaticPtr literal_type(std::string written, std::string_view base);
StaticPtr text_literal_type(std::string_view text);
StaticPtr array_type(StaticPtr element);
// With many items, an array of the union of their types.
StaticPtr tuple_type(StaticList items);
StaticPtr set_type(StaticPtr element);
StaticPtr event_source_type(StaticPtr element);
// `rest`: the type of all other fields; null if no others are allowed.
StaticPtr object_type(std::vector<StaticField> fields, StaticPtr rest = nullptr);
StaticPtr function_type(StaticList parameters, StaticPtr result, Arity arity);
// A document, reference or missing document of that collection.
StaticPtr named_type(StaticKind kind, std::string_view name);
StaticPtr collection_type(std::string_view name);
StaticPtr module_type(std::string_view name);
// Keeps the order, without repetitions; Any if there are more than limits::fql_type_members_max.
StaticPtr union_type(const StaticList& members);

// The same type, marked as inferred from that expression.
StaticPtr inferred(const StaticPtr& type, Span at);
// The base of a literal; every other type unchanged.
StaticPtr widened(const StaticPtr& type);
// The element type of an array, tuple, set or event source; Any for every other type.
StaticPtr element_of(const StaticType& type);
bool is_same(const StaticType& a, const StaticType& b);

// For messages: `{ a: 1, b: String | Null }`. A long text is truncated.
std::string render_static(const StaticType& type);

}  // namespace mayfly::fauna
