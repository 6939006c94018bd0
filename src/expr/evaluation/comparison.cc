#include "expr/evaluation/comparison.h"

#include <charconv>
#include <compare>

#include "base/check.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

Truth decide(Comparison how, std::strong_ordering order) {
  switch (how) {
    case Comparison::equal: return to_truth(order == 0);
    case Comparison::not_equal: return to_truth(order != 0);
    case Comparison::less: return to_truth(order < 0);
    case Comparison::less_or_equal: return to_truth(order <= 0);
    case Comparison::greater: return to_truth(order > 0);
    case Comparison::greater_or_equal: return to_truth(order >= 0);
    case Comparison::none: break;
  }
  return Truth::unknown;
}

bool is_ordering(Comparison how) {
  return how != Comparison::equal && how != Comparison::not_equal;
}

// For two values of different kinds, neither of them missing.
Truth across_kinds(Comparison how) {
  if (is_ordering(how)) return Truth::unknown;
  return to_truth(how == Comparison::not_equal);
}

std::optional<Truth> compare_number(Comparison how, std::string_view json, const Value& literal) {
  const char* end = json.data() + json.size();
  std::int64_t whole = 0;
  const auto read = std::from_chars(json.data(), end, whole);
  if (read.ec == std::errc() && read.ptr == end) {
    if (literal.is(Kind::integer)) return decide(how, whole <=> literal.integer());
    return decide(how, order_numbers(whole, literal.real()));
  }
  double real = 0;
  const auto read_real = std::from_chars(json.data(), end, real);
  if (read_real.ec != std::errc() || read_real.ptr != end) return std::nullopt;
  if (literal.is(Kind::integer)) {
    return decide(how, 0 <=> order_numbers(literal.integer(), real));
  }
  return decide(how, order(Value(real), literal));
}

std::optional<Truth> compare_text(Comparison how, std::string_view json, const Value& literal) {
  const std::string_view inside = json.substr(1, json.size() - 2);
  if (inside.find('\\') != std::string_view::npos) return std::nullopt;
  return decide(how, std::string_view(inside).compare(literal.text()) <=> 0);
}

Kind kind_of_json(char first) {
  switch (first) {
    case '"': return Kind::text;
    case 't':
    case 'f': return Kind::boolean;
    case 'n': return Kind::null;
    case '{':
    case '[': return Kind::object;  // or an array, or a value that JSON cannot express
    default: return Kind::integer;
  }
}

}  // namespace

Truth compare(Comparison how, const Value& a, const Value& b) {
  if (a.is_missing() || b.is_missing()) return Truth::unknown;
  if (a.kind() != b.kind() && !(a.is_number() && b.is_number())) return across_kinds(how);
  if (is_ordering(how) && (a.is(Kind::array) || a.is(Kind::object))) return Truth::unknown;
  return decide(how, order(a, b));
}

std::optional<Truth> compare_json(Comparison how, std::string_view json, const Value& literal) {
  if (json.empty() || literal.is_missing()) return Truth::unknown;
  const Kind kind = kind_of_json(json[0]);
  if (kind == Kind::object || literal.kind() > Kind::text) return std::nullopt;
  if (kind == Kind::integer) {
    return literal.is_number() ? compare_number(how, json, literal) : across_kinds(how);
  }
  if (literal.kind() != kind) return across_kinds(how);
  if (kind == Kind::text) return compare_text(how, json, literal);
  if (kind == Kind::null) return decide(how, std::strong_ordering::equal);
  return decide(how, (json[0] == 't' ? 1 : 0) <=> (literal.boolean() ? 1 : 0));
}

Comparison mirrored(Comparison how) {
  switch (how) {
    case Comparison::less: return Comparison::greater;
    case Comparison::less_or_equal: return Comparison::greater_or_equal;
    case Comparison::greater: return Comparison::less;
    case Comparison::greater_or_equal: return Comparison::less_or_equal;
    default: return how;
  }
}

const Function& function_of(Comparison how) {
  static constexpr std::string_view names[] = {
      "", "equal", "not_equal", "less", "less_or_equal", "greater", "greater_or_equal"};
  const Function* function = find_function(names[static_cast<std::size_t>(how)]);
  CHECK(function != nullptr);
  return *function;
}

}  // namespace mayfly
