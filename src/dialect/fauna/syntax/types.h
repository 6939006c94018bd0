// The syntax tree of types: in `let x: T`, in signatures and in schemas.
//
//   type     := operand { "?" | ("|" | "&" | "=>") operand }  loose to tight: =>  |  &  ?
//   operand  := Any | Never | true | false | number | text | name ["<" type {, type} ">"]
//             | "{" [field {sep field}] "}" | "[" [type {, type}] "]" | "(" [parameter {, …}] ")"
//   field    := (name | text) ":" type ["=" expression] | "*" ":" type | "..."
//   parameter := [name ":"] ["..."] type                       sep := , or ; or a new line
//
// `(A)` is A and `(A, B)` a tuple, unless `=>` follows. Only schemas give fields defaults.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dialect/fauna/syntax/diagnostics/source.h"
#include "dialect/fauna/syntax/parsed.h"

namespace mayfly::fauna {

struct Expression;
struct Type;
using TypePtr = std::shared_ptr<const Type>;
using TypeList = std::vector<TypePtr>;

struct AnyType {};
struct NeverType {};
// A type with a single value: a literal text, a number, true or false.
struct LiteralType {
  std::variant<bool, std::int64_t, double, std::string> value;
};
// Int, User, Array<String>, Ref<User>; a name may contain dots.
struct NamedType {
  std::string name;
  TypeList arguments;
};
struct FieldType {
  std::string name;
  Span name_span;
  TypePtr type;
  std::shared_ptr<const Expression> default_value = nullptr;
};
struct ObjectType {
  std::vector<FieldType> fields;
  TypePtr wildcard;      // of `*: T`; may be null
  bool is_open = false;  // `...` at its end: other fields are allowed
};
struct TupleType {
  TypeList items;
};
struct ParameterType {
  std::string name;  // empty where it has none
  TypePtr type;
};
struct FunctionType {
  std::vector<ParameterType> parameters;
  std::optional<ParameterType> rest;  // of `...T`
  TypePtr result;
};
struct UnionType {
  TypeList members;
};
struct IntersectionType {
  TypeList members;
};
struct NullableType {
  TypePtr type;
};

struct Type {
  using Node = std::variant<AnyType, NeverType, LiteralType, NamedType, ObjectType, TupleType,
                            FunctionType, UnionType, IntersectionType, NullableType>;
  Node node;
  Span span = {};

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

// The source must outlive the type. Fields have no defaults.
Parsed<TypePtr> parse_type(const SourcePtr& source);

// In the form of schemas: `Int?`, `{ a: String, *: Any }`. Defaults appear as in their source.
std::string render_type(const Type& type);
// In the form of messages: a nullable type is a union with Null.
std::string render_type_in_full(const Type& type);

}  // namespace mayfly::fauna
