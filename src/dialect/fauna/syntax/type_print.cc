// Renders types.
#include <fmt/format.h>

#include <utility>

#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/print.h"
#include "dialect/fauna/syntax/tokens/lexer.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {
namespace {

// The precedence of the enclosing operator.
enum class EnclosingOperator : std::uint8_t {
  nothing,
  result,
  parameter,
  member_of_union,
  member,
  nullable
};

class TypePrinter {
 public:
  explicit TypePrinter(bool is_in_full) : is_in_full_(is_in_full) {}

  std::string print(const Type& type, EnclosingOperator enclosing) {
    return std::visit([&](const auto& node) { return text_of_node(node, enclosing); }, type.node);
  }

 private:
  static std::string in_brackets(bool if_so, std::string text) {
    return if_so ? "(" + text + ")" : text;
  }
  std::string list(const TypeList& types, std::string_view between, EnclosingOperator enclosing) {
    std::string out;
    for (const TypePtr& type : types) {
      if (!out.empty()) out += between;
      out += print(*type, enclosing);
    }
    return out;
  }

  std::string text_of_node(const AnyType&, EnclosingOperator) { return "Any"; }
  std::string text_of_node(const NeverType&, EnclosingOperator) { return "Never"; }
  std::string text_of_node(const LiteralType& literal, EnclosingOperator) {
    if (const auto* const text = std::get_if<std::string>(&literal.value)) return in_quotes(*text);
    if (const auto* const flag = std::get_if<bool>(&literal.value)) return *flag ? "true" : "false";
    if (const auto* const whole = std::get_if<std::int64_t>(&literal.value)) {
      return std::to_string(*whole);
    }
    return fmt::format("{}", std::get<double>(literal.value));
  }
  std::string text_of_node(const NamedType& named, EnclosingOperator) {
    if (named.arguments.empty()) return named.name;
    return named.name + "<" + list(named.arguments, ", ", EnclosingOperator::nothing) + ">";
  }
  std::string text_of_node(const ObjectType& object, EnclosingOperator) {
    std::string out;
    const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
    for (const FieldType& field : object.fields) {
      std::string text =
          key_text(field.name) + ": " + print(*field.type, EnclosingOperator::nothing);
      if (field.default_value) text.append(" = ").append(text_of(field.default_value->span));
      add(text);
    }
    if (object.wildcard) add("*: " + print(*object.wildcard, EnclosingOperator::nothing));
    if (object.is_open) add("...");
    return out.empty() ? "{}" : "{ " + out + " }";
  }
  std::string text_of_node(const TupleType& tuple, EnclosingOperator) {
    return "[" + list(tuple.items, ", ", EnclosingOperator::nothing) + "]";
  }
  std::string parameter(const ParameterType& parameter, bool is_rest) {
    std::string out = parameter.name.empty() ? "" : parameter.name + ": ";
    return out + (is_rest ? "..." : "") + print(*parameter.type, EnclosingOperator::result);
  }
  std::string text_of_node(const FunctionType& function, EnclosingOperator enclosing) {
    std::string out;
    const bool is_short = function.parameters.size() == 1 && !function.rest &&
                          function.parameters.front().name.empty();
    if (is_short) {
      out = print(*function.parameters.front().type, EnclosingOperator::parameter);
    } else {
      for (const ParameterType& one : function.parameters) {
        out += (out.empty() ? "" : ", ") + parameter(one, false);
      }
      if (function.rest) out += (out.empty() ? "" : ", ") + parameter(*function.rest, true);
      out = "(" + out + ")";
    }
    out += " => " + print(*function.result, EnclosingOperator::result);
    return in_brackets(enclosing > EnclosingOperator::result, std::move(out));
  }
  std::string text_of_node(const UnionType& whole, EnclosingOperator enclosing) {
    return in_brackets(enclosing > EnclosingOperator::member_of_union,
                       list(whole.members, " | ", EnclosingOperator::member_of_union));
  }
  std::string text_of_node(const IntersectionType& whole, EnclosingOperator enclosing) {
    return in_brackets(enclosing > EnclosingOperator::member,
                       list(whole.members, " & ", EnclosingOperator::member));
  }
  std::string text_of_node(const NullableType& nullable, EnclosingOperator enclosing) {
    if (!is_in_full_) return print(*nullable.type, EnclosingOperator::nullable) + "?";
    return in_brackets(enclosing > EnclosingOperator::member_of_union,
                       print(*nullable.type, EnclosingOperator::member_of_union) + " | Null");
  }

  bool is_in_full_;
};

}  // namespace

std::string render_type(const Type& type) {
  return TypePrinter(false).print(type, EnclosingOperator::nothing);
}
std::string render_type_in_full(const Type& type) {
  return TypePrinter(true).print(type, EnclosingOperator::nothing);
}

}  // namespace mayfly::fauna
