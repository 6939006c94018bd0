// Signature: the parameters and the result of a library function, parsed from its row.
//
//   signature  := "(" [parameter {", " parameter}] ")" " => " result
//               | result                              of a field
//   parameter  := ["..."] name ["?"] ": " type {" | " type}
//   type       := word | "Array<" word ">" | ["("] type {", " type} [")"] " => " type
//
// Calls are checked against the type words only. Results and the types of callbacks are used by the
// static checks (check/types/type_resolver.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// A word of a signature that stands for a type.
struct TypeWord {
  std::string_view word;
  std::string_view shown;  // in messages
  bool (*takes)(const FqlValue& value);
};

struct MethodParameter {
  struct Type {
    const TypeWord* word;
    bool is_array_of = false;
  };
  std::string_view name;
  std::string_view text;    // its type, as it is written
  std::vector<Type> types;  // it takes any of them
  bool is_optional = false;
  bool is_rest = false;

  bool takes(const FqlValue& value) const;
  std::string shown_type() const;  // "Number", "Array<String> | Set<Any>"
};

struct Signature {
  std::vector<MethodParameter> parameters;
  std::string_view result;  // its type, as it is written
  bool is_field = false;
  Arity arity;

  // `text` must outlive the signature.
  static Signature parse(std::string_view text);
  // Fails with invalid_function_invocation for the number of arguments, with invalid_argument for
  // their types.
  Result<void> check(Run& run, std::span<const FqlValue> arguments) const;
};

struct Method;
const Signature& signature_of(const Method& method);

}  // namespace mayfly::fauna
