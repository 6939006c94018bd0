// Method: one function of FQL's standard library, as a row of a table. The row declares everything
// about the function: its signature, its effects, its documentation, and an example that is run as
// a test.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// The arguments of a call, checked against the signature. A missing argument is null.
class Arguments {
 public:
  explicit Arguments(std::span<const FqlValue> values) : values_(values) {}
  std::size_t count() const { return values_.size(); }  // as in the call
  bool has(std::size_t i) const { return i < values_.size(); }
  const FqlValue& operator[](std::size_t i) const;
  std::span<const FqlValue> all() const { return values_; }
  std::span<const FqlValue> from(std::size_t i) const;

 private:
  std::span<const FqlValue> values_;
};

struct Method {
  using Implementation = Result<FqlValue> (*)(Run& run, const FqlValue& self,
                                              const Arguments& arguments);

  // The type that has the method: `String`; `Any` for all types but Null. For a static function its
  // module: `Math`. Empty for a global function.
  std::string_view of;
  std::string_view name;
  // `(other: String, count?: Number, ...rest: Any) => String`. A call with other arguments fails
  // before it reaches `call`: with invalid_function_invocation for their number, invalid_argument
  // for their types. Types: Any Boolean Number Int Long Double String Bytes Time Date ID Array Set
  // Object Function Document Null, `A | B`, `Array<A>`, `(A) => B`. The result type is for static
  // checks and the documentation. There, and in callbacks, `A` is the element type of the receiver,
  // `B` the result of the callback, `D` the document, or the documents of the collection. A field,
  // which is not called, has a signature without parentheses: `Int`.
  std::string_view signature;
  std::string_view description;    // a sentence for the documentation
  std::string_view example;        // FQL
  std::string_view example_value;  // value of the example in the decorated format
  Implementation call = nullptr;
  Effect effect = Effect::pure;
  bool is_static = false;  // called on the module, not on a value
};

// Null if there is none.
const Method* find_method(std::string_view of, std::string_view name);
const Method* find_static(std::string_view module, std::string_view name);
const Method* find_global(std::string_view name);
// Whether it is read without a call; and otherwise the number of arguments that it takes.
bool is_field(const Method& method);
Arity arity_of(const Method& method);
// The module with every name of the library: `FQL.Math`.
inline constexpr std::string_view fql_module = "FQL";
inline constexpr std::string_view fql_schema_module = "FQL.Schema";
// Whether the library has a module of that name: `Math`, `String`.
bool is_library_module(std::string_view name);
// All rows, in the order of the documentation.
std::span<const Method> all_methods();

// Checks the effect and the arguments, counts one operation, and calls the function. `method` must
// come from one of the functions above.
Result<FqlValue> call_method(Run& run, const Method& method, const FqlValue& self,
                             std::span<const FqlValue> arguments);

// The name under which a value's methods are listed: `String`, `Number` for all numbers, `Array`.
std::string_view type_of_methods(const FqlValue& value);

}  // namespace mayfly::fauna
