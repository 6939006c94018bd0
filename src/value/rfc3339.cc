// RFC 3339 times and dates: strict parsing and exact rendering.
#include "value/rfc3339.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>

#include "base/limits.h"
#include "value/scanner.h"

namespace mayfly {
namespace {

constexpr std::int64_t micros_per_second = 1'000'000;
constexpr std::int64_t seconds_per_day = 86'400;
constexpr Date date_min{-719'162};   // 0001-01-01
constexpr Date date_max{2'932'896};  // 9999-12-31

std::optional<Date> scan_date(Scanner& in) {
  const std::chrono::year year{in.digits(4)};
  in.any("-");
  const std::chrono::month month{static_cast<unsigned>(in.digits(2))};
  in.any("-");
  const std::chrono::day day{static_cast<unsigned>(in.digits(2))};
  const std::chrono::year_month_day written{year, month, day};
  if (!in.ok || !written.ok() || year < std::chrono::year{1}) return std::nullopt;
  return Date{static_cast<std::int32_t>(std::chrono::sys_days(written).time_since_epoch().count())};
}

// The fraction after the seconds, cut to microseconds; 0 if there is none.
std::int64_t scan_fraction(Scanner& in) {
  if (!in.at_any(".")) return 0;
  in.any(".");
  std::int64_t micros = 0;
  int count = 0;
  for (; in.at_any("0123456789"); ++count) {
    const int digit = in.digits(1);
    if (count < 6) micros = micros * 10 + digit;
  }
  if (count < 1 || count > 9) in.ok = false;
  for (; count < 6; ++count) micros *= 10;
  return micros;
}

// Seconds that local time is ahead of UTC.
std::int64_t scan_offset(Scanner& in) {
  const char sign = in.any("Zz+-");
  if (!in.ok || sign == 'Z' || sign == 'z') return 0;
  const int hours = in.digits(2);
  in.any(":");
  const int minutes = in.digits(2);
  if (hours > 23 || minutes > 59) in.ok = false;
  const std::int64_t seconds = hours * 3600 + minutes * 60;
  return sign == '-' ? -seconds : seconds;
}

std::optional<Instant> scan_time(Scanner& in) {
  const auto date = scan_date(in);
  if (!date) return std::nullopt;
  in.any("Tt");
  const int hour = in.digits(2);
  in.any(":");
  const int minute = in.digits(2);
  in.any(":");
  const int second = in.digits(2);
  const std::int64_t fraction = scan_fraction(in);
  const std::int64_t offset = scan_offset(in);
  if (!in.ok || !in.rest.empty() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const std::int64_t day_start = date->days * seconds_per_day;
  const std::int64_t seconds = day_start + hour * 3600 + minute * 60 + second - offset;
  // Leap seconds are inserted at the end of a UTC day, whatever the local time is.
  if (second == 60 && seconds % seconds_per_day != 0) return std::nullopt;
  const Instant t{seconds * micros_per_second + fraction};
  if (t < limits::instant_min || t > limits::instant_max) return std::nullopt;
  return t;
}

// "00" to "99" in a row.
constexpr auto two_digits = [] {
  std::array<char, 200> digits = {};
  for (std::size_t i = 0; i < 100; ++i) {
    digits[2 * i] = static_cast<char>('0' + i / 10);
    digits[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return digits;
}();

// The output in order, with room for the longest time.
class Digits {
 public:
  template <std::size_t count>
  void number(std::uint32_t value) {
    std::size_t i = count;
    for (; i >= 2; i -= 2, value /= 100) {
      std::memcpy(&text_[size_ + i - 2], &two_digits[2 * (value % 100)], 2);
    }
    if (i == 1) text_[size_] = static_cast<char>('0' + value % 10);
    size_ += count;
  }
  void sign(char c) { text_[size_++] = c; }
  std::string_view text() const { return {text_.data(), size_}; }

 private:
  std::array<char, sizeof "2026-01-02T03:04:05.000006Z"> text_;
  std::size_t size_ = 0;
};

void put_date(Date date, Digits& out) {
  const std::chrono::year_month_day day{
      std::chrono::sys_days(std::chrono::days(std::clamp(date, date_min, date_max).days))};
  out.number<4>(static_cast<std::uint32_t>(static_cast<int>(day.year())));
  out.sign('-');
  out.number<2>(static_cast<unsigned>(day.month()));
  out.sign('-');
  out.number<2>(static_cast<unsigned>(day.day()));
}

void put_fraction(std::uint32_t micros, Fraction fraction, Digits& out) {
  if (fraction == Fraction::shortest) {
    fraction = micros == 0          ? Fraction::none
               : micros % 1000 == 0 ? Fraction::millis
                                    : Fraction::micros;
  }
  if (fraction == Fraction::none) return;
  out.sign('.');
  if (fraction == Fraction::millis) {
    out.number<3>(micros / 1000);
  } else {
    out.number<6>(micros);
  }
}

Digits digits_of(Instant t, Fraction fraction) {
  t = std::clamp(t, limits::instant_min, limits::instant_max);
  const std::int64_t seconds = t.whole_seconds();
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::seconds(seconds)).count();
  const auto of_day = static_cast<std::uint32_t>(seconds - days * seconds_per_day);
  Digits out;
  put_date(Date{static_cast<std::int32_t>(days)}, out);
  out.sign('T');
  out.number<2>(of_day / 3600);
  out.sign(':');
  out.number<2>(of_day / 60 % 60);
  out.sign(':');
  out.number<2>(of_day % 60);
  put_fraction(static_cast<std::uint32_t>(t.micros - seconds * micros_per_second), fraction, out);
  out.sign('Z');
  return out;
}

}  // namespace

Result<Instant> parse_rfc3339(std::string_view text) {
  Scanner in{text};
  if (const auto t = scan_time(in)) return *t;
  return fail(Code::invalid, "not an RFC 3339 time such as 2026-09-01T00:00:00Z");
}

std::string render_rfc3339(Instant t, Fraction fraction) {
  return std::string(digits_of(t, fraction).text());
}

void append_rfc3339(Instant t, std::string& out) {
  out += digits_of(t, Fraction::shortest).text();
}

Result<Date> parse_date(std::string_view text) {
  Scanner in{text};
  const auto date = scan_date(in);
  if (date && in.rest.empty()) return *date;
  return fail(Code::invalid, "not a date such as 2026-09-01");
}

std::string render_date(Date date) {
  Digits out;
  put_date(date, out);
  return std::string(out.text());
}

}  // namespace mayfly
