#include "dialect/cosmos/sql/print.h"

#include <charconv>
#include <cmath>

#include "dialect/cosmos/sql/parser/lexer.h"
#include "value/json/json.h"
#include "value/json/number.h"

namespace mayfly::cosmos::sql {
namespace {

constexpr int indent_width = 4;
constexpr int plan_digits = 17;

const char* symbol_of(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::plus: return "+";
    case UnaryOperator::minus: return "-";
    case UnaryOperator::bitwise_not: return "~";
    case UnaryOperator::logical_not: return "NOT";
  }
  return "";
}

const char* symbol_of(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::multiply: return "*";
    case BinaryOperator::divide: return "/";
    case BinaryOperator::modulo: return "%";
    case BinaryOperator::add: return "+";
    case BinaryOperator::subtract: return "-";
    case BinaryOperator::shift_left: return "<<";
    case BinaryOperator::shift_right: return ">>";
    case BinaryOperator::shift_right_zero: return ">>>";
    case BinaryOperator::less: return "<";
    case BinaryOperator::less_equal: return "<=";
    case BinaryOperator::greater: return ">";
    case BinaryOperator::greater_equal: return ">=";
    case BinaryOperator::equal: return "=";
    case BinaryOperator::not_equal: return "!=";
    case BinaryOperator::bitwise_and: return "&";
    case BinaryOperator::bitwise_xor: return "^";
    case BinaryOperator::bitwise_or: return "|";
    case BinaryOperator::concat: return "||";
    case BinaryOperator::coalesce: return "??";
  }
  return "";
}

const char* symbol_of(LogicalOperator op) {
  return op == LogicalOperator::logical_and ? "AND" : "OR";
}

const char* word_of(SubqueryKind kind) {
  switch (kind) {
    case SubqueryKind::scalar: return "";
    case SubqueryKind::exists: return "EXISTS";
    case SubqueryKind::array: return "ARRAY";
    case SubqueryKind::all: return "ALL";
    case SubqueryKind::first: return "FIRST";
    case SubqueryKind::last: return "LAST";
  }
  return "";
}

class Printer {
 public:
  explicit Printer(Layout layout) : layout_(layout) {}
  std::string take() { return std::move(out_); }

  void put(const Query& query);
  void put(const Scalar& scalar) {
    std::visit([this](const auto& node) { put(node); }, scalar.node);
  }

 private:
  template <class... Parts>
  void add(const Parts&... parts) {
    (put(parts), ...);
  }
  void put(std::string_view text) { out_.append(text); }
  void put(const char* text) { out_.append(text); }
  void put(const ScalarPtr& scalar) { put(*scalar); }
  void put(const ScalarList& list);

  void put(const Literal& node);
  void put(const Parameter& node) { put(node.name); }
  void put(const Name& node) { put(node.name); }
  void put(const Member& node);
  void put(const Index& node);
  void put(const ArrayOf& node) { add("[", node.items, "]"); }
  void put(const ObjectOf& node);
  void put(const Unary& node) { add("(", symbol_of(node.op), " ", node.operand, ")"); }
  void put(const Binary& node) {
    add("(", node.left, " ", symbol_of(node.op), " ", node.right, ")");
  }
  void put(const Logical& node);
  void put(const Between& node) {
    add("(", node.value, negation(node.is_negated), " BETWEEN ", node.low, " AND ", node.high, ")");
  }
  void put(const In& node) {
    add("(", node.value, negation(node.is_negated), " IN (", node.items, "))");
  }
  void put(const Like& node);
  void put(const Conditional& node) {
    add("(", node.condition, " ? ", node.yes, " : ", node.no, ")");
  }
  void put(const ScalarCall& node);
  void put(const Subquery& node) { add(word_of(node.kind), node.query); }
  void put(const OrderByFilter&) { add("(", order_by_filter_text, ")"); }

  static const char* negation(bool is_negated) { return is_negated ? " NOT" : ""; }
  void put_text(std::string_view text) { render_json_text(text, out_); }
  void put_real(double real);
  void put_base(const Scalar& scalar);

  void put(const QueryPtr& query);
  void put(const Selection& selection);
  void put(const SelectAll&) { put("*"); }
  void put(const SelectValue& select) { add("VALUE ", select.value); }
  void put(const SelectList& select);
  void put(const Source& source);
  void put(const Ordering& ordering);
  void put(const Count& count);
  void put_clause(std::string_view word);
  void put_line(int indent);

  Layout layout_;
  int indent_ = 0;
  std::string out_;
};

void Printer::put(const ScalarList& list) {
  const char* between = "";
  for (const ScalarPtr& item : list) {
    add(between, item);
    between = ", ";
  }
}

void Printer::put(const Literal& node) {
  const Value& value = node.value;
  if (value.is_missing()) return put("undefined");
  if (value.is(Kind::real)) return put_real(value.real());
  render_json(value, out_);
}

void Printer::put_real(double real) {
  if (std::isnan(real)) return put("NaN");
  if (std::isinf(real)) return put(real < 0 ? "-Infinity" : "Infinity");
  if (real == 0 && std::signbit(real)) return put("-0.0");
  if (layout_ != Layout::clauses || real == std::trunc(real)) return mayfly::put_real(out_, real);
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, real, std::chars_format::general, plan_digits);
  out_.append(digits, end.ptr);
}

// Prints the base of a member access. A point after a number would be part of the number.
void Printer::put_base(const Scalar& scalar) {
  const auto* literal = scalar.as<Literal>();
  const bool is_number = literal != nullptr && literal->value.is_number();
  if (is_number) {
    add("(", scalar, ")");
  } else {
    put(scalar);
  }
}

void Printer::put(const Member& node) {
  put_base(*node.of);
  if (layout_ != Layout::normal && is_name(node.name)) return add(".", node.name);
  put("[");
  put_text(node.name);
  put("]");
}

void Printer::put(const Index& node) {
  put_base(*node.of);
  add("[", node.index, "]");
}

void Printer::put(const ScalarCall& node) {
  std::string name = node.name;
  for (char& c : name) {
    const bool is_small = c >= 'a' && c <= 'z';
    if (layout_ == Layout::normal && !node.is_user_defined && is_small)
      c = static_cast<char>(c - 32);
  }
  add(node.is_user_defined ? "udf." : "", name, "(", node.arguments, ")");
}

void Printer::put(const ObjectOf& node) {
  const char* between = "{";
  for (const auto& [name, value] : node.members) {
    put(between);
    put_text(name);
    add(": ", value);
    between = ", ";
  }
  put(node.members.empty() ? "{}" : "}");
}

void Printer::put(const Logical& node) {
  out_.append(node.operands.size() - 1, '(');
  put(node.operands.front());
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    add(" ", symbol_of(node.op), " ", node.operands[i], ")");
  }
}

void Printer::put(const Like& node) {
  add("(", node.value, negation(node.is_negated), " LIKE ", node.pattern);
  if (node.escape) {
    put(" ESCAPE ");
    put_text(*node.escape);
  }
  put(")");
}

// --- queries ---

void Printer::put_line(int indent) {
  indent_ = indent;
  out_.push_back('\n');
  out_.append(indent * indent_width, ' ');
}

void Printer::put_clause(std::string_view word) {
  if (layout_ != Layout::clauses) {
    out_.push_back(' ');
  } else {
    put_line(indent_);
  }
  add(word, " ");
}

void Printer::put(const QueryPtr& query) {
  put("(");
  if (layout_ == Layout::clauses) put_line(indent_ + 1);
  put(*query);
  if (layout_ == Layout::clauses) put_line(indent_ - 1);
  put(")");
}

void Printer::put(const Query& query) {
  add("SELECT ", query.is_distinct ? "DISTINCT " : "");
  if (query.top) add("TOP ", *query.top, " ");
  put(query.selection);
  const char* word = "FROM";
  for (const Source& source : query.from) {
    put_clause(word);
    put(source);
    word = "JOIN";
  }
  if (query.where) {
    put_clause("WHERE");
    put(query.where);
  }
  if (!query.group_by.empty()) {
    put_clause("GROUP BY");
    put(query.group_by);
  }
  if (query.order_by) {
    put_clause("ORDER BY");
    put(*query.order_by);
  }
  if (query.slice) {
    put_clause("OFFSET");
    add(query.slice->offset, " LIMIT ", query.slice->limit);
  }
}

void Printer::put(const Selection& selection) {
  std::visit([this](const auto& kind) { put(kind); }, selection);
}

void Printer::put(const SelectList& select) {
  const char* between = "";
  for (const SelectItem& item : select.items) {
    add(between, item.value);
    if (item.alias) add(" AS ", *item.alias);
    between = ", ";
  }
}

void Printer::put(const Source& source) {
  const bool is_of_items = source.binding == Source::Binding::items;
  if (is_of_items) add(*source.alias, " IN ");
  std::visit([this](const auto& collection) { put(collection); }, source.collection);
  if (!is_of_items && source.alias) add(" AS ", *source.alias);
}

void Printer::put(const Ordering& ordering) {
  const bool is_by_rank = ordering.by == Ordering::By::rank;
  const bool states_all = layout_ != Layout::clauses && !is_by_rank;
  const char* between = is_by_rank ? "RANK " : "";
  for (const OrderItem& item : ordering.items) {
    add(between, item.value);
    if (item.direction == Direction::descending) put(" DESC");
    if (item.direction == Direction::ascending ||
        (item.direction == Direction::unstated && states_all)) {
      put(" ASC");
    }
    between = ", ";
  }
}

void Printer::put(const Count& count) {
  if (const auto* parameter = std::get_if<Parameter>(&count.rows)) return put(*parameter);
  put_integer(out_, std::get<std::int64_t>(count.rows));
}

}  // namespace

std::string print(const Query& query, Layout layout) {
  Printer printer(layout);
  printer.put(query);
  return printer.take();
}

std::string print(const Scalar& scalar, Layout layout) {
  Printer printer(layout);
  printer.put(scalar);
  return printer.take();
}

}  // namespace mayfly::cosmos::sql
