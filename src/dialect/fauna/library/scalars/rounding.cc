// Math: functions that keep whole numbers whole.
#include <cmath>
#include <limits>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/library/scalars/arithmetic.h"

namespace mayfly::fauna {
namespace {

Result<FqlValue> math_abs(Run&, const FqlValue&, const Arguments& a) {
  if (a[0].is(FqlKind::real)) return FqlValue(std::abs(a[0].real()));
  const std::int64_t n = a[0].whole().number;
  if (n == INT64_MIN) return FqlValue(-a[0].number());
  return n < 0 ? whole_number(-n) : a[0];
}

template <double (*round)(double)>
Result<FqlValue> math_whole(Run&, const FqlValue&, const Arguments& a) {
  return a[0].is(FqlKind::whole) ? a[0] : FqlValue(round(a[0].real()));
}

Result<FqlValue> math_sign(Run&, const FqlValue&, const Arguments& a) {
  const double d = a[0].number();
  if (std::isnan(d)) return a[0];
  return FqlValue(d > 0 ? 1 : d < 0 ? -1 : 0);
}

// The larger or smaller number; a Double if one of them is.
FqlValue one_of(const FqlValue& a, const FqlValue& b, bool is_first) {
  const FqlValue& one = is_first ? a : b;
  return a.kind() == b.kind() ? one : FqlValue(one.number());
}

bool is_less(const FqlValue& a, const FqlValue& b) {
  const bool are_whole = a.is(FqlKind::whole) && b.is(FqlKind::whole);
  return are_whole ? a.whole().number < b.whole().number : a.number() < b.number();
}

Result<FqlValue> math_max(Run&, const FqlValue&, const Arguments& a) {
  return one_of(a[0], a[1], std::isnan(a[0].number()) || is_less(a[1], a[0]));
}

Result<FqlValue> math_min(Run&, const FqlValue&, const Arguments& a) {
  return one_of(a[0], a[1], std::isnan(a[0].number()) || is_less(a[0], a[1]));
}

Result<FqlValue> math_pow(Run&, const FqlValue&, const Arguments& a) {
  return power_of(a[0], a[1]);
}

// --- rounding to decimals; negative: to tens, hundreds … ---

enum class Cut { nearest, towards_zero };

FqlValue cut_whole(std::int64_t n, std::int64_t decimals, Cut cut) {
  if (decimals >= 0) return long_number(n);
  if (decimals < -18) return long_number(0);
  __int128 unit = 1;
  for (std::int64_t i = decimals; i < 0; ++i) unit *= 10;
  const __int128 half = cut == Cut::nearest ? unit / 2 : 0;
  const __int128 result = (n + (n < 0 ? -half : half)) / unit * unit;
  if (result < INT64_MIN || result > INT64_MAX) return static_cast<double>(result);
  return long_number(static_cast<std::int64_t>(result));
}

using Rounding = double (*)(double);

double cut_real(double d, std::int64_t decimals, Cut cut) {
  constexpr double all_digits = 9'007'199'254'740'992.0;  // from there on all doubles are whole
  const Rounding whole = cut == Cut::nearest ? Rounding(std::round) : Rounding(std::trunc);
  if (decimals < 0) {
    if (decimals < -308) return 0;
    const double unit = std::pow(10, static_cast<double>(-decimals));
    return whole(d / unit) * unit;
  }
  const double scale = std::pow(10, static_cast<double>(decimals));
  const double scaled = d * scale;
  return std::abs(scaled) < all_digits ? whole(scaled) / scale : d;
}

template <Cut cut>
Result<FqlValue> math_cut(Run&, const FqlValue&, const Arguments& a) {
  const std::int64_t decimals = a[1].whole().number;
  if (a[0].is(FqlKind::whole)) return cut_whole(a[0].whole().number, decimals, cut);
  return FqlValue(cut_real(a[0].real(), decimals, cut));
}

// --- reductions ---

class Total {
 public:
  Result<void> add(Run& run, const FqlValue& element) {
    if (!element.is_number()) {
      return run.fail_argument("numbers", "all array elements must be numbers");
    }
    sum_ = add_numbers(sum_, element);
    ++count_;
    return run.step();
  }
  const FqlValue& sum() const { return sum_; }
  FqlValue mean() const { return sum_.number() / static_cast<double>(count_); }

 private:
  FqlValue sum_ = 0;
  std::size_t count_ = 0;
};

// Accumulates the elements of a set.
class IntoTotal final : public Callable {
 public:
  explicit IntoTotal(Total& total) : total_(total) {}
  std::string_view name() const override { return "<lambda>"; }
  Arity arity() const override { return {1, 1}; }
  Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const override {
    TRY(total_.add(run, arguments[0]));
    return FqlValue();
  }

 private:
  Total& total_;
};

Result<Total> total_of(Run& run, const FqlValue& numbers) {
  Total total;
  if (numbers.is(FqlKind::array)) {
    for (const FqlValue& element : numbers.array()) TRY(total.add(run, element));
    return total;
  }
  const Method* const for_each = find_method("Set", "forEach");
  if (for_each == nullptr) return fail(Code::unsupported, "Sets have no forEach().");
  const FqlValue into(std::shared_ptr<const Callable>(std::make_shared<const IntoTotal>(total)));
  TRY(call_method(run, *for_each, numbers, {&into, 1}));
  return total;
}

Result<FqlValue> math_sum(Run& run, const FqlValue&, const Arguments& a) {
  return TRY(total_of(run, a[0])).sum();
}

Result<FqlValue> math_mean(Run& run, const FqlValue&, const Arguments& a) {
  return TRY(total_of(run, a[0])).mean();
}

constexpr std::string_view of_two = "(x: Number, y: Number) => Number";
constexpr std::string_view of_decimals = "(x: Number, decimals: Int) => Number";

}  // namespace

std::span<const Method> rounding_methods() {
  constexpr Effect pure = Effect::pure;
  static const Method table[] = {
      {"Math", "abs", "(x: Number) => Number", "The number without its sign.", "Math.abs(-5)", "5",
       math_abs, pure, true},
      {"Math", "ceil", "(x: Number) => Number", "The next whole number that is not less.",
       "Math.ceil(1.2)", "2.0", math_whole<::ceil>, pure, true},
      {"Math", "floor", "(x: Number) => Number", "The next whole number that is not larger.",
       "Math.floor(1.8)", "1.0", math_whole<::floor>, pure, true},
      {"Math", "max", of_two, "The larger of both.", "Math.max(1, 3)", "3", math_max, pure, true},
      {"Math", "mean", "(numbers: Array | Set) => Double",
       "The sum of all elements by their number; NaN, where there are none.",
       "Math.mean([1, 2, 6])", "3.0", math_mean, pure, true},
      {"Math", "min", of_two, "The smaller of both.", "Math.min(1, 3)", "1", math_min, pure, true},
      {"Math", "pow", of_two, "The first to the power of the second, as `**`.", "Math.pow(2, 10)",
       "1024", math_pow, pure, true},
      {"Math", "round", of_decimals,
       "The nearest number with so many decimals; a negative count rounds to tens.",
       "Math.round(3.14159, 2)", "3.14", math_cut<Cut::nearest>, pure, true},
      {"Math", "sign", "(x: Number) => Number", "-1, 0 or 1: whether it is negative, 0 or more.",
       "Math.sign(-5)", "-1", math_sign, pure, true},
      {"Math", "sum", "(numbers: Array | Set) => Number", "The sum of all elements.",
       "Math.sum([1, 2, 6])", "9", math_sum, pure, true},
      {"Math", "trunc", of_decimals,
       "The number cut to so many decimals; a negative count cuts to tens.",
       "Math.trunc(3.14159, 2)", "3.14", math_cut<Cut::towards_zero>, pure, true},
  };
  return table;
}

}  // namespace mayfly::fauna
