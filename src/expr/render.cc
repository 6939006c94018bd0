#include "expr/render.h"

#include <cmath>

#include "expr/function.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

// The precedence of a node; operands with no higher precedence are put in parentheses.
enum class Precedence { choice, conjunction, negation, infix, closed };

Precedence tightness(const Expr& e) {
  if (e.as<expr::Or>()) return Precedence::choice;
  if (e.as<expr::And>()) return Precedence::conjunction;
  if (e.as<expr::Not>()) return Precedence::negation;
  if (e.as<expr::IfMissing>()) return Precedence::infix;
  const auto* call = e.as<expr::FunctionCall>();
  return call && !call->function->symbol.empty() ? Precedence::infix : Precedence::closed;
}

class Renderer {
 public:
  std::string take() && { return std::move(out_); }
  void expression(const Expr& e) {
    std::visit([this](const auto& node) { of(node); }, e.node);
  }

 private:
  void operand(const Expr& e, Precedence around) {
    const bool closed = tightness(e) > around;
    if (!closed) out_ += '(';
    expression(e);
    if (!closed) out_ += ')';
  }
  void joined(const ExprList& operands, std::string_view word, Precedence around) {
    if (operands.size() < 2) out_ += word, out_ += ' ';
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i > 0) out_ += ' ', out_ += word, out_ += ' ';
      operand(*operands[i], around);
    }
    if (operands.empty()) out_ += "()";
  }
  void list(const ExprList& operands) {
    out_ += '(';
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i > 0) out_ += ", ";
      expression(*operands[i]);
    }
    out_ += ')';
  }

  void of(const expr::Literal& node) { out_ += render_literal(node.value); }
  void of(const expr::FieldOf& node) {
    const std::string path = node.field.render();
    if (node.slot > 0) out_ += '$' + std::to_string(node.slot);
    const bool is_whole = node.field.part == Part::body && node.field.path.steps.empty();
    if (!is_whole) out_ += path;
    if (is_whole && node.slot == 0) out_ += '.';
  }
  void of(const expr::FunctionCall& node) {
    const Function& f = *node.function;
    if (f.symbol.empty() || node.arguments.size() != 2) {
      out_ += f.name;
      return list(node.arguments);
    }
    operand(*node.arguments[0], Precedence::infix);
    out_ += ' ';
    out_ += f.symbol;
    out_ += ' ';
    operand(*node.arguments[1], Precedence::infix);
  }
  void of(const expr::And& node) { joined(node.operands, "and", Precedence::conjunction); }
  void of(const expr::Or& node) { joined(node.operands, "or", Precedence::choice); }
  void of(const expr::Not& node) {
    out_ += "not ";
    const bool is_fallback = node.operand->as<expr::IfMissing>() != nullptr;
    operand(*node.operand, is_fallback ? Precedence::infix : Precedence::conjunction);
  }
  void of(const expr::IfMissing& node) {
    operand(*node.first, Precedence::infix);
    out_ += " ?? ";
    operand(*node.otherwise, Precedence::infix);
  }
  void of(const expr::Must& node) {
    out_ += "must(";
    expression(*node.operand);
    out_ += ", " + render_literal(Value(node.message)) + ')';
  }
  void of(const expr::Each& node) {
    static constexpr const char* modes[] = {"any", "all", "map", "filter"};
    out_ += modes[static_cast<std::size_t>(node.mode)];
    out_ += "($" + std::to_string(node.slot) + " in ";
    expression(*node.over);
    out_ += ": ";
    expression(*node.body);
    out_ += ')';
  }
  void of(const expr::Foreign& node) {
    out_ += "foreign " + node.name;
    list(node.arguments);
  }

  std::string out_;
};

std::string quoted(std::string_view text) {
  std::string out;
  render_json_text(text, out);
  return out;
}

std::string render_items(const Value& value) {
  std::string out = "[";
  for (const Value& item : value.array()) {
    if (out.size() > 1) out += ", ";
    out += render_literal(item);
  }
  return out + "]";
}

std::string render_members(const Value& value) {
  std::string out = "{";
  for (const auto& [name, member] : value.object()) {
    if (out.size() > 1) out += ", ";
    out += quoted(name) + ": " + render_literal(member);
  }
  return out + "}";
}

}  // namespace

std::string render_literal(const Value& value) {
  switch (value.kind()) {
    case Kind::missing: return "missing";
    case Kind::time: return "time(" + quoted(render_rfc3339(value.time())) + ")";
    case Kind::date: return "date(" + quoted(render_date(value.date())) + ")";
    case Kind::binary: return "binary(" + render_json(value) + ")";
    case Kind::reference:
      return "reference(" + quoted(value.reference().collection) + ", " +
             quoted(value.reference().id) + ")";
    case Kind::real:
      if (std::isnan(value.real())) return "nan";
      if (std::isinf(value.real())) return value.real() > 0 ? "infinity" : "-infinity";
      return render_json(value);
    case Kind::array: return render_items(value);
    case Kind::object: return render_members(value);
    default: return render_json(value);
  }
}

std::string render(const Expr& expr) {
  Renderer renderer;
  renderer.expression(expr);
  return std::move(renderer).take();
}

}  // namespace mayfly
