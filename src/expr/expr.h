// Expr: what a value is made of, as an immutable tree. All dialects lower their expressions into
// these ten nodes; what differs between dialects is spelled out in the tree, never switched on
// while evaluating.
//
// A tree is evaluated against a Scope (evaluation/evaluate.h), in which values stand in numbered
// slots: slot 0 is the row itself (a document with its metadata, or a value), each Unnest of the
// query and each enclosing Each binds one more. Who builds a tree gives out the numbers: a slot is
// bound once on the way from the root to the node that names it.
//
// Two levels of failure: a value that is not there, or whose kind does not fit, is missing, and
// missing is a value like any other; an Error ends the request. Only Must, Foreign and bounds of
// limits.h make errors.
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

// What evaluating may do beside giving a value; each includes those before it.
enum class Effect : std::uint8_t { pure, reads, writes };
std::string_view name_of(Effect effect);

using Slot = std::uint32_t;

namespace expr {

struct Literal {
  Value value;
};

// What lies at a path in a slot's value, or in the metadata of the row's document (slot 0 only).
struct FieldOf {
  Field field;
  Slot slot = 0;
  bool operator==(const FieldOf&) const = default;
};

// What a function makes of its arguments before it sees a row: a compiled pattern.
class Prepared {
 public:
  virtual ~Prepared() = default;
};

// All arguments are evaluated, in order.
struct Call {
  const Function* function = nullptr;
  ExprList arguments;
  std::shared_ptr<const Prepared> prepared;  // where the function prepares, and could
};

// Three-valued. False decides And and true decides Or, also before an operand that is missing;
// otherwise missing wins. An operand that is no boolean counts as missing. Operands after the one
// that decides are not evaluated.
struct And {
  ExprList operands;
};
struct Or {
  ExprList operands;
};
// Missing where the operand is no boolean.
struct Not {
  ExprPtr operand;
};

// The first unless it is missing; null is not missing.
struct IfMissing {
  ExprPtr first;
  ExprPtr otherwise;
};

// The operand; where it is missing, the request fails with invalid and this message.
struct Must {
  ExprPtr operand;
  std::string message;
};

// For each item of an array, which the body finds in `slot`. Over anything else than an array:
// missing.
//   any     three-valued Or of the bodies, false over nothing
//   all     three-valued And of the bodies, true over nothing
//   map     the array of the bodies; what is missing is left out
//   filter  the items for which the body is true
struct Each {
  enum class Mode : std::uint8_t { any, all, map, filter };
  Mode mode = Mode::any;
  Slot slot = 0;
  ExprPtr over;
  ExprPtr body;
};

// Code that only its dialect understands. It gets the scope it stands in, whose row() is a
// query::Row in a query, and the meter of the request, which it has to ask as evaluation does.
using ForeignCall = std::function<Result<Value>(const Scope&, std::span<const Value>, Meter&)>;
struct Foreign {
  std::string name;  // shown by explain
  Effect effect = Effect::reads;
  ForeignCall call;
  ExprList arguments;
  // What the code depends on beside its arguments, its source and what it has captured, or a hash
  // of that. Two with the same name, arguments and identity are the same. Empty: the name says all.
  std::string identity = {};
};

// --- builders ---

ExprPtr literal(Value value);
ExprPtr field(Field field, Slot slot = 0);
// A member of the row's body, and a fact of its metadata.
ExprPtr body(std::string_view name);
ExprPtr metadata(std::string_view name);
// What a slot holds as a whole; slot 0 is the row's body.
ExprPtr slot(Slot slot);
// A function of the library by name. That it exists and takes so many arguments is the caller's
// promise; who has the name from a client asks find_function first.
ExprPtr call(std::string_view function, ExprList arguments);
ExprPtr call(const Function& function, ExprList arguments);
// With nested ones of the same kind taken in; of one operand that is a truth in itself, that
// operand.
ExprPtr all_of(ExprList operands);
ExprPtr any_of(ExprList operands);
ExprPtr negation(ExprPtr operand);
ExprPtr if_missing(ExprPtr first, ExprPtr otherwise);
ExprPtr must(ExprPtr operand, std::string message);
ExprPtr each(Each::Mode mode, Slot slot, ExprPtr over, ExprPtr body);
ExprPtr foreign(std::string name, Effect effect, ForeignCall call, ExprList arguments,
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
  std::variant<expr::Literal, expr::FieldOf, expr::Call, expr::And, expr::Or, expr::Not,
               expr::IfMissing, expr::Must, expr::Each, expr::Foreign>
      node;

  template <class Node>
  const Node* as() const {
    return std::get_if<Node>(&node);
  }
};

}  // namespace mayfly
