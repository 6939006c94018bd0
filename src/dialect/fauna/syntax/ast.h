// The tree of a query, designed for fast interpretation: evaluation needs no names except those of
// globals and fields. A tree is made by the parser, completed by resolve.h, and immutable from then
// on; it points into its source. Its depth, and so any recursion over it, is at most
// limits::fql_depth_max.
//
// Short lambdas (`.where(.a > 1)`) and projections are lambdas with one hidden parameter, the
// variable named hidden_parameter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dialect/fauna/syntax/diagnostics/source.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {

struct Expression;
// Unique ownership; only the default value in a type is shared.
using ExpressionPtr = std::unique_ptr<Expression>;
using ExpressionList = std::vector<ExpressionPtr>;

inline constexpr std::string_view hidden_parameter = ".";

struct Literal {
  // null, true, Int, Long, Double, text
  std::variant<std::monostate, bool, std::int32_t, std::int64_t, double, std::string> value;
};
// "a #{b} c": at least one part is an expression.
struct TextTemplate {
  std::vector<std::variant<std::string, ExpressionPtr>> parts;
};
struct ObjectField {
  std::string name;
  Span name_span;
  ExpressionPtr value;
};
struct ObjectOf {
  std::vector<ObjectField> fields;
};
// [a, b] and (a, b)
struct ArrayOf {
  ExpressionList items;
};

struct Let {
  std::string name;
  Span name_span;
  TypePtr type;  // may be null
  ExpressionPtr value;
  Span span = {};
  std::uint32_t slot = 0;  // of the value in the frame
};
// The last statement is an expression; its value is the block's.
struct Block {
  std::vector<std::variant<Let, ExpressionPtr>> statements;
};

struct If {
  ExpressionPtr condition;
  ExpressionPtr yes;
  ExpressionPtr no;  // null: if the condition is false, the value is null
};
struct At {
  ExpressionPtr time;
  ExpressionPtr body;
};

struct Parameter {
  std::string name;  // empty for `_`, which ignores its value
  Span span;
};
// A frame has a slot for each value that its lambda's body names. First come the parameters, one
// slot each, also ignored ones; a variadic last parameter has one slot, for the array of the
// remaining arguments. Slots of captures and lets follow in any order.
struct Capture {
  std::uint32_t from = 0;  // slot in the enclosing frame, when the lambda is evaluated
  std::uint32_t to = 0;    // slot in the frame of each call
  std::uint32_t name = 0;  // index in Program::names
};
struct Lambda {
  enum class Form : std::uint8_t { written, hidden };  // hidden: a short lambda, a projection
  Form form = Form::written;
  std::vector<Parameter> parameters;
  bool is_variadic = false;
  ExpressionPtr body;
  std::vector<Capture> captures;  // in the order of their slots
  std::uint32_t frame_size = 0;
};

// A name that is bound within the query, an argument, or a value of the template ($0, …) has a slot
// in the frame. Other names are global and resolved when the query runs.
struct Variable {
  std::string name;
  std::optional<std::uint32_t> slot;
};

// The steps of a chain, from left to right. An optional step (?.) on null, or on a document that
// does not exist, skips the following steps of this chain, except `!`.
struct FieldStep {
  std::string name;
  Span name_span;
};
struct IndexStep {
  ExpressionList arguments;  // [a, b]: only one is valid
};
struct CallStep {
  ExpressionList arguments;
};
// a.b(c): first the receiver is evaluated, then the arguments, then the method is looked up.
struct MethodStep {
  std::string name;
  Span name_span;
  ExpressionList arguments;
  bool is_call_optional = false;  // a.b?.(c)
};
struct BangStep {};
struct Step {
  std::variant<FieldStep, IndexStep, CallStep, MethodStep, BangStep> what;
  Span span;  // for a call or an index: the brackets with their content
  bool is_optional = false;
};
struct Chain {
  ExpressionPtr receiver;
  std::vector<Step> steps;
};

enum class UnaryOperator : std::uint8_t { negate, bitwise_not, logical_not };
struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};

enum class BinaryOperator : std::uint8_t {
  coalesce,
  logical_or,
  logical_and,
  equal,
  not_equal,
  matches,
  matches_not,
  greater,
  less,
  greater_equal,
  less_equal,
  isa,
  bitwise_or,
  bitwise_xor,
  bitwise_and,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  power
};
std::string_view symbol_of(BinaryOperator op);
std::string_view symbol_of(UnaryOperator op);

struct Operation {
  BinaryOperator op;
  Span op_span;
  ExpressionPtr operand;
};
// a + b - c: operators of equal precedence, from left to right. A long chain does not make a deep
// tree.
struct Operations {
  ExpressionPtr first;
  std::vector<Operation> rest;
};

// a { b, c: d }: the lambda makes an object from one element. It is applied to each element, or to
// a single value.
struct Projection {
  ExpressionPtr of;
  ExpressionPtr element;  // a Lambda of hidden form, whose body is an ObjectOf
};

struct Expression {
  using Node = std::variant<Literal, TextTemplate, ObjectOf, ArrayOf, Block, If, At, Lambda,
                            Variable, Chain, Unary, Operations, Projection>;
  Node node;
  Span span;
  std::uint32_t height = 1;     // number of nodes on the longest path to a leaf
  bool is_in_brackets = false;  // in parentheses, which the span includes

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

// The height of the tree with this root: one more than that of its highest child.
std::uint32_t height_of(const Expression::Node& node);

// A parsed text. The frame of its root begins with the values of the template, then the arguments,
// in the order in which they were passed to the parser.
struct Program {
  SourcePtr source;
  ExpressionPtr root;
  std::uint32_t values = 0;
  std::uint32_t frame_size = 0;
  std::vector<std::string> names = {};  // distinct names of all variables
};
using ProgramPtr = std::shared_ptr<const Program>;

}  // namespace mayfly::fauna
