// StaticType: what is known of a value before the query runs. Types are immutable and share their
// parts; one that grows over limits::fql_type_size_max is Any, of which nothing is known and which
// fits everywhere.
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
  never,         // of abort(): no value at all
  literal,       // one value
  scalar,        // `Int`, `String`, `Null`, `Time`, …
  array,         // `Array<T>`
  tuple,         // an array whose elements are known one by one
  set,           // `Set<T>`
  event_source,  // `EventSource<T>`
  object,
  function,
  document,   // one that is there
  reference,  // one that may be missing: `Ref<Foo>`
  missing,    // one that is not there: `NullFoo`
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
  // Of a scalar its name; of a literal how it is written; else of the collection or module.
  std::string name = {};
  // Of a literal `Int`, of a module `Collection` or `Module`.
  std::string base = {};
  StaticList parts = {};                 // the element; items, members, parameters
  std::vector<StaticField> fields = {};  // of an object
  StaticPtr rest = {};                   // an object's other fields, a function's result
  Arity arity = {};                      // of a function
  Span inferred_at = {};                 // the expression that it was found out of
  bool is_sent = false;                  // of a literal: it is data, and stands not in the query
  std::uint32_t size = 1;                // with all its parts

  bool is(StaticKind other) const { return kind == other; }
  bool is_scalar(std::string_view scalar) const { return is(StaticKind::scalar) && name == scalar; }
  const StaticPtr* find_field(std::string_view field) const;
};

StaticPtr any_type();
StaticPtr never_type();
StaticPtr scalar_type(std::string_view name);
StaticPtr null_type();
// `written`: as in a query. One that is long is its base.
StaticPtr literal_type(std::string written, std::string_view base);
StaticPtr text_literal_type(std::string_view text);
StaticPtr array_type(StaticPtr element);
// With many items the array of what they are.
StaticPtr tuple_type(StaticList items);
StaticPtr set_type(StaticPtr element);
StaticPtr event_source_type(StaticPtr element);
// `rest`: of other fields; null: there are none.
StaticPtr object_type(std::vector<StaticField> fields, StaticPtr rest = nullptr);
StaticPtr function_type(StaticList parameters, StaticPtr result, Arity arity);
// A document, reference or missing document of that collection.
StaticPtr named_type(StaticKind kind, std::string_view name);
StaticPtr collection_type(std::string_view name);
StaticPtr module_type(std::string_view name);
// Without repetitions, in the order given; one over limits::fql_type_members_max is Any.
StaticPtr union_type(const StaticList& members);

// The same, found out of that expression.
StaticPtr inferred(const StaticPtr& type, Span at);
// A literal's base; all else is itself.
StaticPtr widened(const StaticPtr& type);
// Of an array, a tuple, a set, an event source; Any of all else.
StaticPtr element_of(const StaticType& type);
bool is_same(const StaticType& a, const StaticType& b);

// As messages have it: `{ a: 1, b: String | Null }`. A long one is cut.
std::string render_static(const StaticType& type);

}  // namespace mayfly::fauna
