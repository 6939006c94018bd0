// Expr: an expression as an immutable tree. All dialects lower their expressions to these ten
// nodes. The tree spells out what differs between dialects; evaluation never switches on a dialect.
//
// A tree is evaluated in a Scope (evaluation/evaluate.h), which has values in numbered slots. Slot
// 0 is the row itself (a document with its metadata, or a value); each Unnest of the query and each
// enclosing Each binds one more. The code that builds a tree assigns the numbers: a slot is bound
// once on the way from the root to the node that uses it.
//
// There are two levels of failure. A value that does not exist or has the wrong kind is missing,
// and missing is a value like any other. An Error ends the request; only Must, Foreign and bounds
// of limits.h cause errors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;
using ExprList = std::vector<ExprPtr>;
struct Function;
class Meter;
class Scope;

// The side effects of an evaluation; each includes those before it.
enum class Effect : std::uint8_t { pure, reads, writes };
std::string_view name_of(Effect effect);

using Slot = std::uint32_t;

namespace expr {

struct Literal {
  Value value;
};

// The value at a path in a slot's value, or in the metadata of the row's document (slot 0 only).
struct FieldOf {
  Field field;
  Slot slot = 0;
  bool operator==(const FieldOf&) const = default;
};

// The result of preparing a function's arguments before rows are read, such as a compiled pattern.
class Prepared {
 public:
  virtual ~Prepared() = default;
};

// All arguments are evaluated, in order.
struct FunctionCall {
  const Function* function = nullptr;
  ExprList arguments;
  std::shared_ptr<const Prepared> prepared;  // null if the function prepares nothing, or could not
};

// Three-valued. False decides And and true decides Or, even after a missing operand; otherwise a
// missing operand makes the result missing. An operand that is no boolean counts as missing.
// Operands after the decisive one are not evaluated.
struct And {
  ExprList operands;
};
struct Or {
  ExprList operands;
};
// Missing if the operand is no boolean.
struct Not {
  ExprPtr operand;
};

// The first unless it is missing; null is not missing.
struct IfMissing {
  ExprPtr first;
  ExprPtr otherwise;
};

// The operand; if it is missing, the request fails with invalid and this message.
struct Must {
  ExprPtr operand;
  std::string message;
};

// For each item of an array, which the body reads from `slot`. Missing if `over` is no array.
//   any     three-valued Or of the bodies, false for an empty array
//   all     three-valued And of the bodies, true for an empty array
//   map     the array of the bodies; missing ones are left out
//   filter  the items for which the body is true
struct Each {
  enum class Mode : std::uint8_t { any, all, map, filter };
  Mode mode = Mode::any;
  Slot slot = 0;
  ExprPtr over;
  ExprPtr body;
};

// Code that only its dialect understands. It receives the scope of the node, whose row() is a
// query::QueryRow in a query, and the meter of the request, which it must tick as evaluation does.
using ForeignFunction = std::function<Result<Value>(const Scope&, std::span<const Value>, Meter&)>;
struct Foreign {
  std::string name;  // shown by explain
  Effect effect = Effect::reads;
  ForeignFunction call;
  ExprList arguments;
  // Everything that the result depends on beside the arguments: the source and the captured values
  // of the code, or a hash of them. Two nodes with the same name, arguments and identity are equal.
  // Empty: the name is enough.
  std::string identity = {};
};

// --- builders ---

ExprPtr literal(Value value);
ExprPtr field(Field field, Slot slot = 0);
// A member of the row's body, and a field of its metadata.
ExprPtr body(std::string_view name);
ExprPtr metadata(std::string_view name);
// The whole value of a slot; slot 0 is the row's body.
ExprPtr slot(Slot slot);
// A call of a library function by name. The caller guarantees that it exists and takes this number
// of arguments; for a name from a client, check find_function first.
ExprPtr call(std::string_view function, ExprList arguments);
ExprPtr call(const Function& function, ExprList arguments);
// Flattens nested nodes of the same kind; returns the operand itself if it is the only one and
// always a truth.
ExprPtr all_of(ExprList operands);
ExprPtr any_of(ExprList operands);
ExprPtr negation(ExprPtr operand);
ExprPtr if_missing(ExprPtr first, ExprPtr otherwise);
ExprPtr must(ExprPtr operand, std::string message);
ExprPtr each(Each::Mode mode, Slot slot, ExprPtr over, ExprPtr body);
ExprPtr foreign(std::string name, Effect effect, ForeignFunction call, ExprList arguments,
                std::string identity = {});

inline ExprPtr equal(ExprPtr a, ExprPtr b) {
  return call("equal", {std::move(a), std::move(b)});
}
inline ExprPtr less(ExprPtr a, ExprPtr b) {
  return call("less", {std::move(a), std::move(b)});
}
inline ExprPtr greater(ExprPtr a, ExprPtr b) {
  return call("greater", {std::move(a), std::move(b)});
}

}  // namespace expr

struct Expr {
  std::variant<expr::Literal, expr::FieldOf, expr::FunctionCall, expr::And, expr::Or, expr::Not,
               expr::IfMissing, expr::Must, expr::Each, expr::Foreign>
      node;

  template <class Node>
  const Node* as() const {
    return std::get_if<Node>(&node);
  }
};

}  // namespace mayfly
