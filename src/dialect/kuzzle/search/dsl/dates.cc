#include "dialect/kuzzle/search/dsl/dates.h"

#include <charconv>

#include "expr/evaluation/evaluate.h"
#include "expr/functions/times/iso_time.h"
#include "value/rfc3339.h"

namespace mayfly::kuzzle::search {
namespace {

std::optional<std::int64_t> whole(const Value& value) {
  return value.is(Kind::integer) ? std::optional(value.integer()) : std::nullopt;
}

// The library's calendar types of literals.
Value computed(std::string_view function, std::initializer_list<Value> arguments) {
  ExprList literals;
  for (const Value& argument : arguments) literals.push_back(expr::literal(argument));
  const Value nothing;
  Meter meter;
  const auto result =
      evaluate(*expr::call(function, std::move(literals)), ValueScope(nothing), meter);
  return result ? *result : Value();
}

std::optional<std::int64_t> millis_of(Instant t) {
  return whole(computed("to_millis", {Value(t)}));
}

std::string_view unit_named(char letter) {
  switch (letter) {
    case 'y': return "year";
    case 'M': return "month";
    case 'w': return "week";
    case 'd': return "day";
    case 'h':
    case 'H': return "hour";
    case 'm': return "minute";
    case 's': return "second";
    default: return "";
  }
}

std::optional<std::int64_t> rounded(std::int64_t millis, std::string_view unit, Rounding rounding) {
  const int later = rounding == Rounding::up ? 1 : 0;
  const auto begin = whole(computed("millis_begin", {Value(millis), Value(unit), Value(later)}));
  return begin && later == 1 ? std::optional(*begin - 1) : begin;
}

// +1d, -3M, /h, one after another.
std::optional<std::int64_t> summed(std::int64_t millis, std::string_view sums, Rounding rounding) {
  std::optional<std::int64_t> at = millis;
  while (!sums.empty() && at) {
    const char sign = sums[0];
    sums.remove_prefix(1);
    std::int64_t count = 1;
    if (sign != '/') {
      if (sign != '+' && sign != '-') return std::nullopt;
      const auto read = std::from_chars(sums.data(), sums.data() + sums.size(), count);
      const bool has_count = read.ec == std::errc();
      if (!has_count && !sums.empty() && sums[0] >= '0' && sums[0] <= '9') return std::nullopt;
      if (has_count) sums.remove_prefix(static_cast<std::size_t>(read.ptr - sums.data()));
      if (count < 0 || !has_count) count = has_count ? -1 : 1;
      if (count < 0) return std::nullopt;
    }
    const std::string_view unit = sums.empty() ? "" : unit_named(sums[0]);
    if (unit.empty()) return std::nullopt;
    sums.remove_prefix(1);
    if (sign == '/') {
      at = rounded(*at, unit, rounding);
      continue;
    }
    constexpr std::int64_t millis_max = 1'000'000'000'000'000;
    if (*at > millis_max || *at < -millis_max) return std::nullopt;
    const Value later = computed("time_add", {Value(Instant{*at * 1'000}),
                                              Value(sign == '-' ? -count : count), Value(unit)});
    at = later.is(Kind::time) ? millis_of(later.time()) : std::nullopt;
  }
  return at;
}

std::optional<std::int64_t> written(std::string_view text, Rounding rounding) {
  if (const auto time = parse_iso_time(text)) {
    return millis_of(rounding == Rounding::up ? time->last : time->first);
  }
  return whole(computed("to_millis", {Value(text)}));
}

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text, Instant now, Rounding rounding) {
  if (text.starts_with("now")) return summed(*millis_of(now), text.substr(3), rounding);
  const std::size_t bars = text.find("||");
  if (bars == std::string_view::npos) return written(text, rounding);
  const auto anchor = written(text.substr(0, bars), Rounding::down);
  return anchor ? summed(*anchor, text.substr(bars + 2), rounding) : std::nullopt;
}

std::optional<std::int64_t> date_of(const Value& value, Instant now, Rounding rounding) {
  if (value.is(Kind::text)) return parse_date(value.text(), now, rounding);
  return whole(computed("to_millis", {value}));
}

bool looks_like_date(std::string_view text) {
  constexpr std::size_t month_size = 7;  // 2026-09
  if (text.starts_with("now")) return text.size() == 3 || text.find_first_of("+-/") == 3;
  return text.size() >= month_size && parse_iso_time(text.substr(0, text.find("||"))).has_value();
}

std::string render_date(std::int64_t millis) {
  constexpr std::int64_t millis_max = 1'000'000'000'000'000;
  const std::int64_t within = std::clamp(millis, -millis_max, millis_max);
  return render_rfc3339(Instant{within * 1'000}, Fraction::millis);
}

}  // namespace mayfly::kuzzle::search
