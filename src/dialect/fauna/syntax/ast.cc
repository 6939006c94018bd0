#include "dialect/fauna/syntax/ast.h"

#include <algorithm>
#include <array>

namespace mayfly::fauna {
namespace {

// Finds the height of the highest child that was visited.
struct Highest {
  std::uint32_t height = 0;

  void see(const ExpressionPtr& child) {
    if (child) height = std::max(height, child->height);
  }
  void see(const ExpressionList& children) {
    for (const ExpressionPtr& child : children) see(child);
  }
  void see(const Step& step) {
    if (const auto* const index = std::get_if<IndexStep>(&step.what)) see(index->arguments);
    if (const auto* const call = std::get_if<CallStep>(&step.what)) see(call->arguments);
    if (const auto* const method = std::get_if<MethodStep>(&step.what)) see(method->arguments);
  }

  void operator()(const Literal&) {}
  void operator()(const Variable&) {}
  void operator()(const TextTemplate& text) {
    for (const auto& part : text.parts) {
      if (const auto* const tree = std::get_if<ExpressionPtr>(&part)) see(*tree);
    }
  }
  void operator()(const ObjectOf& object) {
    for (const ObjectField& field : object.fields) see(field.value);
  }
  void operator()(const ArrayOf& array) { see(array.items); }
  void operator()(const Block& block) {
    for (const auto& statement : block.statements) {
      const auto* const let = std::get_if<Let>(&statement);
      see(let == nullptr ? std::get<ExpressionPtr>(statement) : let->value);
    }
  }
  void operator()(const If& whole) {
    see(whole.condition);
    see(whole.yes);
    see(whole.no);
  }
  void operator()(const At& whole) {
    see(whole.time);
    see(whole.body);
  }
  void operator()(const Lambda& lambda) { see(lambda.body); }
  void operator()(const Chain& chain) {
    see(chain.receiver);
    for (const Step& step : chain.steps) see(step);
  }
  void operator()(const Unary& unary) { see(unary.operand); }
  void operator()(const Operations& operations) {
    see(operations.first);
    for (const Operation& operation : operations.rest) see(operation.operand);
  }
  void operator()(const Projection& projection) {
    see(projection.of);
    see(projection.element);
  }
};

constexpr std::array<std::string_view, 21> binary_symbols{"??", "||", "&&", "==", "!=", "=~",
                                                          "!~", ">",  "<",  ">=", "<=", "isa",
                                                          "|",  "^",  "&",  "+",  "-",  "*",
                                                          "/",  "%",  "**"};
constexpr std::array<std::string_view, 3> unary_symbols{"-", "~", "!"};

}  // namespace

std::uint32_t height_of(const Expression::Node& node) {
  Highest highest;
  std::visit(highest, node);
  return highest.height + 1;
}

std::string_view symbol_of(BinaryOperator op) {
  return binary_symbols.at(static_cast<std::size_t>(op));
}
std::string_view symbol_of(UnaryOperator op) {
  return unary_symbols.at(static_cast<std::size_t>(op));
}

}  // namespace mayfly::fauna
