// The tree of a query, made for a fast interpreter: who evaluates it needs no names but those of
// globals and fields. A tree is made by the parser, completed by resolve.h, and never changes then;
// it points into its source. What recurs over it recurs at most limits::fql_depth_max deep.
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
// The parser owns alone; a default value of a type is shared.
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
  std::uint32_t slot = 0;  // where the value goes in the frame
};
// The last statement is an expression, whose value the block has.
struct Block {
  std::vector<std::variant<Let, ExpressionPtr>> statements;
};

struct If {
  ExpressionPtr condition;
  ExpressionPtr yes;
  ExpressionPtr no;  // null: without it the value is null
};
struct At {
  ExpressionPtr time;
  ExpressionPtr body;
};

struct Parameter {
  std::string name;  // empty for `_`, which takes a value and no name
  Span span;
};
// A frame has a slot for each value that its lambda's body names. The slots begin with the
// parameters, one each, ignored ones too; with the arrays of what is left where the last parameter
// is variadic. Slots of captures and lets follow, mixed.
struct Capture {
  std::uint32_t from = 0;  // in the frame where the lambda stands, when it is evaluated
  std::uint32_t to = 0;    // in the frame of each call
  std::uint32_t name = 0;  // among the program's names
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

// A name that is bound within the query, as an argument or as a value of the template ($0, …) has a
// slot of the frame; others are global: what they stand for is known when the query runs.
struct Variable {
  std::string name;
  std::optional<std::uint32_t> slot;
};

// The steps of a chain, from left to right. An optional step (?.) on null, or on a document that
// does not exist, skips what follows it in this chain, but for `!`.
struct FieldStep {
  std::string name;
  Span name_span;
};
struct IndexStep {
  ExpressionList arguments;  // [a, b]: one where it has a meaning
};
struct CallStep {
  ExpressionList arguments;
};
// a.b(c): the receiver is known, then the arguments are evaluated, then the method is looked up.
struct MethodStep {
  std::string name;
  Span name_span;
  ExpressionList arguments;
  bool is_call_optional = false;  // a.b?.(c)
};
struct BangStep {};
struct Step {
  std::variant<FieldStep, IndexStep, CallStep, MethodStep, BangStep> what;
  Span span;  // of a call or an index its brackets with all in them
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
// a + b - c: operators that bind alike, from left to right, so that a long chain is no deep tree.
struct Operations {
  ExpressionPtr first;
  std::vector<Operation> rest;
};

// a { b, c: d }: the lambda makes an object of one element. Who projects applies it to each, or to
// the only one.
struct Projection {
  ExpressionPtr of;
  ExpressionPtr element;  // a Lambda of hidden form, whose body is an ObjectOf
};

struct Expression {
  using Node = std::variant<Literal, TextTemplate, ObjectOf, ArrayOf, Block, If, At, Lambda,
                            Variable, Chain, Unary, Operations, Projection>;
  Node node;
  Span span;
  std::uint32_t height = 1;     // nodes from here to the deepest leaf
  bool is_in_brackets = false;  // round ones, which the span takes in

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

// Of the tree that has this node: one more than that of the highest child.
std::uint32_t height_of(const Expression::Node& node);

// A whole text that was parsed. The frame of its root begins with the values of the template, then
// come the arguments, in the order in which they were given.
struct Program {
  SourcePtr source;
  ExpressionPtr root;
  std::uint32_t values = 0;
  std::uint32_t frame_size = 0;
  std::vector<std::string> names = {};  // of all variables, each once
};
using ProgramPtr = std::shared_ptr<const Program>;

}  // namespace mayfly::fauna
