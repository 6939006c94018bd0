// Parses times of any precision.
#include "expr/functions/times/iso_time.h"

#include <chrono>

#include "base/limits.h"
#include "value/scanner.h"

namespace mayfly {
namespace {

namespace calendar = std::chrono;
constexpr std::int64_t second_micros = 1'000'000;

struct TimeOfDay {
  std::int64_t first = 0;  // microseconds
  std::int64_t last = 86'400 * second_micros - 1'000;
};

std::int64_t scan_number(Scanner& in, int greatest) {
  const int number = in.digits(2);
  if (number > greatest) in.ok = false;
  return number;
}

// The digits of a fraction, in microseconds.
std::int64_t scan_fraction(Scanner& in) {
  std::int64_t micros = 0;
  std::int64_t unit = second_micros / 10;
  do {
    micros += in.digits(1) * unit;
    unit /= 10;
  } while (in.at_any("0123456789"));
  return micros;
}

TimeOfDay scan_time(Scanner& in) {
  constexpr std::int64_t minute_micros = 60 * second_micros;
  std::int64_t first = scan_number(in, 23) * 60 * minute_micros;
  std::int64_t open = 60 * minute_micros;  // the span of the omitted parts
  if (in.skip(':')) {
    first += scan_number(in, 59) * minute_micros;
    open = minute_micros;
    if (in.skip(':')) {
      first += scan_number(in, 59) * second_micros;
      open = second_micros;
      if (in.at_any(".,")) {
        in.any(".,");
        first += scan_fraction(in);
        open = 1'000;
      }
    }
  }
  return {first, first + open - 1'000};
}

// Microseconds that local time is ahead of UTC.
std::int64_t scan_offset(Scanner& in) {
  if (in.rest.empty() || in.skip('Z') || in.skip('z')) return 0;
  const char sign = in.any("+-");
  const std::int64_t hours = scan_number(in, 23);
  in.skip(':');
  const std::int64_t minutes = in.rest.empty() ? 0 : scan_number(in, 59);
  const std::int64_t micros = (hours * 60 + minutes) * 60 * second_micros;
  return sign == '-' ? -micros : micros;
}

}  // namespace

std::optional<IsoTime> parse_iso_time(std::string_view text) {
  Scanner in{text};
  const calendar::year year{in.digits(4)};
  unsigned month = 1;
  unsigned day = 1;
  TimeOfDay time;
  std::int64_t offset = 0;
  const char between = in.at_any("-/") ? in.rest[0] : '-';
  if (in.skip(between)) {
    month = static_cast<unsigned>(in.digits(2));
    if (in.skip(between)) {
      day = static_cast<unsigned>(in.digits(2));
      if (in.at_any("Tt ")) {
        in.any("Tt ");
        time = scan_time(in);
      }
      offset = scan_offset(in);
    }
  }
  const calendar::year_month_day date{year, calendar::month{month}, calendar::day{day}};
  if (!in.ok || !in.rest.empty() || !date.ok() || year < calendar::year{1}) return std::nullopt;
  const std::int64_t midnight =
      calendar::sys_days(date).time_since_epoch().count() * 86'400 * second_micros - offset;
  const IsoTime found{{midnight + time.first}, {midnight + time.last}};
  if (found.first < limits::instant_min || found.last > limits::instant_max) return std::nullopt;
  return found;
}

}  // namespace mayfly
