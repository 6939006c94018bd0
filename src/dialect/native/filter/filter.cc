// The parser: recursive descent, with one function for each level of precedence.
#include "dialect/native/filter/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "dialect/native/filter/lexer.h"
#include "expr/analyse.h"
#include "expr/function.h"
#include "value/rfc3339.h"

namespace mayfly::native {
namespace {

constexpr std::array<std::string_view, 5> time_facts{"created_at", "written_at", "updated_at",
                                                     "expires_at", "removed_at"};
constexpr std::array<std::string_view, 5> other_facts{"id", "id_number", "revision", "author",
                                                      "updater"};
constexpr std::array<std::string_view, 8> keywords{"and",      "or",   "not",   "in",
                                                   "contains", "true", "false", "null"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Operator {
  std::string_view symbol;
  std::string_view function;
};
constexpr std::array<Operator, 6> comparisons{{{"=", "equal"},
                                               {"!=", "not_equal"},
                                               {"<", "less"},
                                               {"<=", "less_or_equal"},
                                               {">", "greater"},
                                               {">=", "greater_or_equal"}}};

// Part of a filter, and its position.
struct Operand {
  ExprPtr expr;
  std::size_t at = 0;
};

bool is_time(const Operand& operand) {
  const auto* of = operand.expr->as<expr::FieldOf>();
  if (of == nullptr || of->field.part != Part::metadata) return false;
  return is_one_of(std::get<std::string>(of->field.path.steps.front()), time_facts);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) {}

  Result<ExprPtr> filter() {
    TRY(advance());
    Operand whole = TRY(condition());
    if (token_.kind != TokenKind::end) {
      return tl::unexpected(wrong("expected 'and', 'or' or the end"));
    }
    return std::move(whole.expr);
  }

 private:
  Result<void> advance() {
    token_ = TRY(lexer_.next());
    return {};
  }
  Result<bool> take(std::string_view word) {
    if (!token_.is(word)) return false;
    TRY(advance());
    return true;
  }
  Result<void> expect(std::string_view symbol, std::string_view where) {
    if (TRY(take(symbol))) return {};
    return tl::unexpected(wrong(fmt::format("expected '{}' {}", symbol, where)));
  }
  Error wrong(std::string message) const { return diagnose(text_, token_.at, std::move(message)); }

  // Counts nodes, so that the tree stays within the evaluator's bound.
  Result<void> count() {
    if (++nodes_ <= limits::filter_nodes_max) return {};
    return fail(Code::too_large,
                fmt::format("a filter has at most {} parts", limits::filter_nodes_max), "filter");
  }
  struct Depth {
    explicit Depth(std::size_t& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
    std::size_t& depth;
  };
  Result<void> check_depth() const {
    if (depth_ <= limits::filter_depth_max) return {};
    return fail(Code::too_large,
                fmt::format("a filter is nested at most {} deep", limits::filter_depth_max),
                "filter");
  }

  Result<Operand> condition() {
    const Depth depth(depth_);
    TRY(check_depth());
    const std::size_t at = token_.at;
    ExprList operands;
    operands.push_back(TRY(alternative()).expr);
    while (TRY(take("or"))) operands.push_back(TRY(alternative()).expr);
    return Operand{operands.size() == 1 ? operands[0] : expr::any_of(std::move(operands)), at};
  }

  Result<Operand> alternative() {
    const std::size_t at = token_.at;
    ExprList operands;
    operands.push_back(TRY(term()).expr);
    while (TRY(take("and"))) operands.push_back(TRY(term()).expr);
    return Operand{operands.size() == 1 ? operands[0] : expr::all_of(std::move(operands)), at};
  }

  Result<Operand> term() {
    const std::size_t at = token_.at;
    if (!TRY(take("not"))) return comparison();
    const Depth depth(depth_);
    TRY(check_depth());
    TRY(count());
    const Operand negated = TRY(term());
    return Operand{expr::negation(negated.expr), at};
  }

  Result<Operand> comparison() {
    Operand left = TRY(operand());
    if (TRY(take("contains"))) {
      Operand right = TRY(operand());
      TRY(count());
      return Operand{expr::if_missing(expr::call("array_contains", {left.expr, right.expr}),
                                      expr::call("contains", {left.expr, right.expr})),
                     left.at};
    }
    std::string_view function;
    for (const Operator& row : comparisons) {
      if (token_.is(row.symbol)) function = row.function;
    }
    if (token_.is("in")) function = "in";
    if (function.empty()) return left;
    TRY(advance());
    Operand right = TRY(operand());
    if (is_time(left)) TRY(read_as_time(right));
    if (is_time(right)) TRY(read_as_time(left));
    TRY(count());
    return Operand{expr::call(function, {std::move(left.expr), std::move(right.expr)}), left.at};
  }

  Result<Operand> operand() {
    const std::size_t at = token_.at;
    TRY(count());
    if (TRY(take("("))) {
      Operand inner = TRY(condition());
      TRY(expect(")", "here"));
      return inner;
    }
    if (token_.is("@")) return operand_of(fact(), at);
    if (TRY(take("."))) {
      if (token_.kind != TokenKind::name) return tl::unexpected(wrong("expected a field's name"));
      return operand_of(field(), at);
    }
    const bool is_name = token_.kind == TokenKind::name && !is_one_of(token_.raw, keywords);
    if (is_name) return operand_of(field_or_call(), at);
    const auto value = TRY(literal());
    return Operand{expr::literal(value), at};
  }

  static Result<Operand> operand_of(Result<ExprPtr> parsed, std::size_t at) {
    ExprPtr expr = TRY(std::move(parsed));
    return Operand{std::move(expr), at};
  }

  Result<Value> literal() {
    if (token_.kind == TokenKind::text || token_.kind == TokenKind::number) {
      Value value = std::move(token_.value);
      TRY(advance());
      return value;
    }
    if (TRY(take("true"))) return Value(true);
    if (TRY(take("false"))) return Value(false);
    if (TRY(take("null"))) return Value(Null{});
    if (TRY(take("["))) return list();
    return tl::unexpected(wrong(token_.kind == TokenKind::end
                                    ? "the filter ends where a value is expected"
                                    : "expected a value, a field or a function"));
  }

  Result<Value> list() {
    const Depth depth(depth_);
    TRY(check_depth());
    Array items;
    if (TRY(take("]"))) return Value(std::move(items));
    do {
      TRY(count());
      items.push_back(TRY(literal()));
    } while (TRY(take(",")));
    TRY(expect("]", "or ',' in this list"));
    return Value(std::move(items));
  }

  Result<ExprPtr> fact() {
    TRY(expect("@", "here"));
    const std::string name(token_.raw);
    if (token_.kind != TokenKind::name ||
        (!is_one_of(name, time_facts) && !is_one_of(name, other_facts))) {
      return tl::unexpected(
          wrong(fmt::format("expected one of {}, {} after '@'", fmt::join(other_facts, ", "),
                            fmt::join(time_facts, ", "))));
    }
    TRY(advance());
    return expr::metadata(name);
  }

  Result<ExprPtr> field_or_call() {
    const Token name = token_;
    Lexer ahead = lexer_;
    const auto following = ahead.next();
    if (following && following->is("(")) return call();
    return field();
  }

  // Parses a field from its first name on.
  Result<ExprPtr> field() {
    Path path = Path::of(token_.raw);
    TRY(advance());
    for (;;) {
      if (TRY(take("."))) {
        if (token_.kind != TokenKind::name) return tl::unexpected(wrong("expected a name"));
        path.steps.emplace_back(std::string(token_.raw));
        TRY(advance());
      } else if (TRY(take("["))) {
        path.steps.push_back(TRY(step_in_brackets()));
        TRY(expect("]", "here"));
      } else {
        return expr::field({Part::body, std::move(path)});
      }
      if (path.steps.size() > limits::document_depth_max) {
        return tl::unexpected(wrong("this path is deeper than a document can be"));
      }
    }
  }

  Result<Step> step_in_brackets() {
    const bool is_position = token_.value.is(Kind::integer) && token_.value.integer() >= 0;
    if (!is_position && !token_.value.is(Kind::text)) {
      return tl::unexpected(wrong("expected a position or a name in quotes"));
    }
    Step step = is_position ? Step(static_cast<std::size_t>(token_.value.integer()))
                            : Step(token_.value.text());
    TRY(advance());
    return step;
  }

  Result<ExprPtr> call() {
    const Token name = token_;
    TRY(advance());
    TRY(expect("(", "here"));
    std::vector<Operand> arguments;
    if (!token_.is(")")) {
      do {
        arguments.push_back(TRY(condition()));
      } while (TRY(take(",")));
    }
    TRY(expect(")", "or ',' here"));
    if (name.raw == "time" && arguments.size() == 1) {
      TRY(read_as_time(arguments[0]));
      const auto* literal = arguments[0].expr->as<expr::Literal>();
      if (literal != nullptr && literal->value.is(Kind::time)) return arguments[0].expr;
    }
    return call_of(name, arguments);
  }

  Result<ExprPtr> call_of(const Token& name, const std::vector<Operand>& arguments) {
    const Function* function = find_function(name.raw);
    if (function == nullptr) {
      return tl::unexpected(diagnose(text_, name.at, "there is no function of this name"));
    }
    if (arguments.size() < function->arguments_min || arguments.size() > function->arguments_max) {
      const bool is_exact = function->arguments_min == function->arguments_max;
      const std::string upper = function->arguments_max == any_number
                                    ? "any number of"
                                    : std::to_string(function->arguments_max);
      return tl::unexpected(diagnose(text_, name.at,
                                     is_exact
                                         ? fmt::format("{} takes {} arguments", name.raw, upper)
                                         : fmt::format("{} takes from {} to {} arguments", name.raw,
                                                       function->arguments_min, upper)));
    }
    ExprList list;
    for (const Operand& argument : arguments) list.push_back(argument.expr);
    ExprPtr made = expr::call(*function, std::move(list));
    if (is_malformed(*made)) {
      return tl::unexpected(
          diagnose(text_, arguments[1].at, "this pattern is malformed, or too long"));
    }
    return made;
  }

  // Compiles a literal pattern now. A malformed pattern would match nothing, as if there were no
  // such documents.
  static bool is_malformed(const Expr& expr) {
    const auto* call = expr.as<expr::FunctionCall>();
    if (call == nullptr || call->prepared != nullptr) return false;
    const bool has_pattern = call->function->name == "matches" || call->function->name == "like";
    return has_pattern && std::all_of(call->arguments.begin() + 1, call->arguments.end(),
                                      [](const ExprPtr& one) { return one->as<expr::Literal>(); });
  }

  // Turns a text literal, or a list of them, into times, read as RFC 3339.
  Result<void> read_as_time(Operand& operand) const {
    const auto* literal = operand.expr->as<expr::Literal>();
    if (literal == nullptr) return {};
    Value value = literal->value;
    const auto convert = [&](Value& v) -> Result<void> {
      if (!v.is(Kind::text)) return {};
      const auto time = parse_rfc3339(v.text());
      if (!time) {
        return tl::unexpected(diagnose(
            text_, operand.at, "expected a time in RFC 3339, as in \"2026-09-01T00:00:00Z\""));
      }
      v = Value(*time);
      return {};
    };
    if (value.is(Kind::array)) {
      for (Value& item : value.mutable_array()) TRY(convert(item));
    } else {
      TRY(convert(value));
    }
    operand.expr = expr::literal(std::move(value));
    return {};
  }

  std::string_view text_;
  Lexer lexer_;
  Token token_;
  std::size_t nodes_ = 0;
  std::size_t depth_ = 0;
};

tl::unexpected<Error> wrong_sort(std::string_view part) {
  return fail(
      Code::invalid,
      fmt::format("'{}' is nothing to sort by; a sort is as in -age,name,@written_at", part),
      "sort");
}

}  // namespace

Result<ExprPtr> parse_filter(std::string_view text) {
  ExprPtr expr = TRY(Parser(text).filter());
  auto size = check_size(*expr);
  if (size) return expr;
  size.error().field = "filter";
  return tl::unexpected(std::move(size).error());
}

Result<std::vector<query::SortKey>> parse_sort(std::string_view text) {
  std::vector<query::SortKey> keys;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    query::SortKey key{.is_descending = part.starts_with('-')};
    std::string_view path = part.substr(key.is_descending ? 1 : 0);
    const bool is_fact = path.starts_with('@');
    if (is_fact) path.remove_prefix(1);
    if (is_fact && !is_one_of(path, time_facts) && !is_one_of(path, other_facts)) {
      return wrong_sort(part);
    }
    auto parsed = Path::parse(path);
    if (!parsed || parsed->steps.empty()) return wrong_sort(part);
    key.value = expr::field({is_fact ? Part::metadata : Part::body, *std::move(parsed)});
    keys.push_back(std::move(key));
  }
  if (keys.size() > limits::sort_keys_max) {
    return fail(Code::too_large, fmt::format("a sort has at most {} keys", limits::sort_keys_max),
                "sort");
  }
  return keys;
}

}  // namespace mayfly::native
