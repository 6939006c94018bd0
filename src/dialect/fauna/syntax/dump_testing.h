// Renders trees as one line of text, for tests:
//
//   1  2L  1.5  "a"  null        literals             (text "a" b)     an interpolated text
//   {a: 1}  [1 2]                                     (block (let a 1) a)
//   (if a b c)  (at a b)  (- a)  (+ a b)              (a + b - c)      operators that bind alike
//   (=> (a ...b) c)              a lambda             (.. (. .a))      a short one; `.` is hidden
//   (a .b ?.c .d(1) (2) [3] !)   a chain              (project a {…})
#pragma once

#include <fmt/format.h>

#include <string>

#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/print.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna::testing {

class Dump {
 public:
  static std::string of(const Expression& tree) { return std::visit(Dump(), tree.node); }

  std::string operator()(const Literal& literal) const {
    struct Visitor {
      std::string operator()(std::monostate) const { return "null"; }
      std::string operator()(bool flag) const { return flag ? "true" : "false"; }
      std::string operator()(std::int32_t number) const { return std::to_string(number); }
      std::string operator()(std::int64_t number) const { return std::to_string(number) + "L"; }
      std::string operator()(double number) const { return fmt::format("{}", number); }
      std::string operator()(const std::string& text) const { return in_quotes(text); }
    };
    return std::visit(Visitor(), literal.value);
  }
  std::string operator()(const Variable& variable) const { return variable.name; }
  std::string operator()(const TextTemplate& text) const {
    std::string out = "(text";
    for (const auto& part : text.parts) {
      const auto* const piece = std::get_if<std::string>(&part);
      out += " " + (piece == nullptr ? of(*std::get<ExpressionPtr>(part)) : in_quotes(*piece));
    }
    return out + ")";
  }
  std::string operator()(const ObjectOf& object) const {
    std::string out;
    for (const ObjectField& field : object.fields) {
      out += (out.empty() ? "" : ", ") + key_text(field.name) + ": " + of(*field.value);
    }
    return "{" + out + "}";
  }
  std::string operator()(const ArrayOf& array) const { return "[" + list(array.items) + "]"; }
  std::string operator()(const Block& block) const {
    std::string out = "(block";
    for (const auto& statement : block.statements) {
      const auto* const let = std::get_if<Let>(&statement);
      if (let == nullptr) {
        out += " " + of(*std::get<ExpressionPtr>(statement));
        continue;
      }
      const std::string type = let->type ? ": " + render_type(*let->type) : "";
      out += fmt::format(" (let {}{} {})", let->name, type, of(*let->value));
    }
    return out + ")";
  }
  std::string operator()(const If& whole) const {
    const std::string no = whole.no ? " " + of(*whole.no) : "";
    return fmt::format("(if {} {}{})", of(*whole.condition), of(*whole.yes), no);
  }
  std::string operator()(const At& whole) const {
    return fmt::format("(at {} {})", of(*whole.time), of(*whole.body));
  }
  std::string operator()(const Lambda& lambda) const {
    if (lambda.form == Lambda::Form::hidden) return fmt::format("(.. {})", of(*lambda.body));
    std::string names;
    for (const Parameter& parameter : lambda.parameters) {
      if (!names.empty()) names += " ";
      if (lambda.is_variadic && &parameter == &lambda.parameters.back()) names += "...";
      names += parameter.name.empty() ? "_" : parameter.name;
    }
    return fmt::format("(=> ({}) {})", names, of(*lambda.body));
  }
  std::string operator()(const Chain& chain) const {
    std::string out = "(" + of(*chain.receiver);
    for (const Step& step : chain.steps) out += " " + dump(step);
    return out + ")";
  }
  std::string operator()(const Unary& unary) const {
    return fmt::format("({} {})", symbol_of(unary.op), of(*unary.operand));
  }
  std::string operator()(const Operations& operations) const {
    std::string out = "(" + of(*operations.first);
    for (const Operation& operation : operations.rest) {
      out += fmt::format(" {} {}", symbol_of(operation.op), of(*operation.operand));
    }
    return out + ")";
  }
  std::string operator()(const Projection& projection) const {
    const auto& element = std::get<Lambda>(projection.element->node);
    return fmt::format("(project {} {})", of(*projection.of), of(*element.body));
  }

 private:
  static std::string list(const ExpressionList& trees) {
    std::string out;
    for (const ExpressionPtr& tree : trees) out += (out.empty() ? "" : " ") + of(*tree);
    return out;
  }
  static std::string dump(const Step& step) {
    const std::string prefix = step.is_optional ? "?." : "";
    if (const auto* const field = std::get_if<FieldStep>(&step.what)) {
      return (step.is_optional ? "?." : ".") + field->name;
    }
    if (const auto* const index = std::get_if<IndexStep>(&step.what)) {
      return prefix + "[" + list(index->arguments) + "]";
    }
    if (const auto* const call = std::get_if<CallStep>(&step.what)) {
      return prefix + "(" + list(call->arguments) + ")";
    }
    if (const auto* const method = std::get_if<MethodStep>(&step.what)) {
      return (step.is_optional ? "?." : ".") + method->name +
             (method->is_call_optional ? "?." : "") + "(" + list(method->arguments) + ")";
    }
    return "!";
  }
};

}  // namespace mayfly::fauna::testing
