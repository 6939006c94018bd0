// Strict parser of ISO 8601.
#include "dialect/fauna/values/text/times.h"

#include <fmt/format.h>

#include "dialect/fauna/values/calendar.h"
#include "value/scanner.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view decimal_digits = "0123456789";

std::int64_t scan_year(Scanner& in) {
  const char sign = in.at_any("+-") ? in.any("+-") : '\0';
  std::int64_t year = 0;
  int count = 0;
  for (; in.at_any(decimal_digits) && count < 10; ++count) year = year * 10 + in.digits(1);
  const bool may_be_short = sign != '+';
  const bool may_be_long = sign != '\0';
  if (count < 4 || (count == 4 && !may_be_short) || (count > 4 && !may_be_long)) in.ok = false;
  return sign == '-' ? -year : year;
}

std::optional<FqlDate> scan_day(Scanner& in) {
  const std::int64_t year = scan_year(in);
  in.expect('-');
  const int month = in.digits(2);
  in.expect('-');
  const int day = in.digits(2);
  if (!in.ok) return std::nullopt;
  return date_of(year, static_cast<unsigned>(month), static_cast<unsigned>(day));
}

std::int32_t scan_nanos(Scanner& in) {
  if (!in.skip('.')) return 0;
  std::int32_t nanos = 0;
  int count = 0;
  for (; in.at_any(decimal_digits) && count < 9; ++count) nanos = nanos * 10 + in.digits(1);
  if (count == 0) in.ok = false;
  for (; count < 9; ++count) nanos *= 10;
  return nanos;
}

// The offset from UTC in seconds.
std::int64_t scan_zone(Scanner& in) {
  constexpr std::int64_t most = 18 * 3'600;
  const char sign = in.any("Zz+-");
  if (sign != '+' && sign != '-') return 0;
  const int hours = in.digits(2);
  in.skip(':');
  const int minutes = in.digits(2);
  const std::int64_t seconds = hours * 3'600 + minutes * 60;
  if (minutes > 59 || seconds > most) in.ok = false;
  return sign == '-' ? -seconds : seconds;
}

// Appends a non-negative number with exactly `count` digits.
void put_digits(std::string& out, std::size_t count, int number) {
  out.append(count, '0');
  for (std::size_t at = out.size(); number > 0; number /= 10) {
    out[--at] = static_cast<char>('0' + number % 10);
  }
}

std::string text_of_day(const CalendarFields& at) {
  std::string text;
  if (at.year >= 0 && at.year <= 9'999) {
    put_digits(text, 4, static_cast<int>(at.year));
  } else {
    text = fmt::format("{}{:04}", at.year < 0 ? '-' : '+', at.year < 0 ? -at.year : at.year);
  }
  put_digits(text += '-', 2, at.month);
  put_digits(text += '-', 2, at.day_of_month);
  return text;
}

}  // namespace

std::optional<FqlTime> parse_time(std::string_view text) {
  Scanner in{text};
  const auto date = scan_day(in);
  if (!date) return std::nullopt;
  in.any("Tt");
  const int hour = in.digits(2);
  in.expect(':');
  const int minute = in.digits(2);
  const bool has_seconds = in.skip(':');
  const int second = has_seconds ? in.digits(2) : 0;
  const std::int32_t nanos = has_seconds ? scan_nanos(in) : 0;
  const std::int64_t ahead = scan_zone(in);
  if (!in.ok || !in.rest.empty() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const FqlTime t{date->days * 86'400 + hour * 3'600 + minute * 60 + second - ahead, nanos};
  if (!is_within_calendar(t)) return std::nullopt;
  return t;
}

std::optional<FqlDate> parse_day(std::string_view text) {
  Scanner in{text};
  const auto date = scan_day(in);
  if (!in.ok || !in.rest.empty()) return std::nullopt;
  return date;
}

std::string render_day(const FqlDate& date) {
  return text_of_day(calendar_fields(date));
}

std::string render_time(const FqlTime& t) {
  const CalendarFields at = calendar_fields(t);
  std::string text = text_of_day(at);
  put_digits(text += 'T', 2, at.hour);
  put_digits(text += ':', 2, at.minute);
  put_digits(text += ':', 2, at.second);
  if (t.nanos % 1'000 != 0) {
    put_digits(text += '.', 9, t.nanos);
  } else if (t.nanos % 1'000'000 != 0) {
    put_digits(text += '.', 6, t.nanos / 1'000);
  } else if (t.nanos != 0) {
    put_digits(text += '.', 3, t.nanos / 1'000'000);
  }
  return text + "Z";
}

}  // namespace mayfly::fauna
