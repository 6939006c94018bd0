#include "dialect/centrali/triggers/schedules/cron.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialect/centrali/functions/limits.h"

namespace mayfly::centrali {
namespace {

constexpr Span minute = Span::seconds(60);
constexpr int days_searched = 146'097;  // the calendar repeats after 400 years

struct Nickname {
  std::string_view name;
  std::string_view text;
};
constexpr Nickname nicknames[] = {
    {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
    {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
    {"@hourly", "0 * * * *"},
};

constexpr std::string_view month_names[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                            "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::string_view day_names[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

struct CronField {
  std::string_view name;
  int least;
  int most;
  std::span<const std::string_view> names = {};  // of the values from `least` on
};
constexpr int sunday = 7;  // also 0
constexpr CronField cron_fields[] = {{"minute", 0, 59},
                                     {"hour", 0, 23},
                                     {"day of month", 1, 31},
                                     {"month", 1, 12, month_names},
                                     {"day of week", 0, sunday, day_names}};

tl::unexpected<Error> wrong(std::string message) {
  return fail(Code::invalid, std::move(message), "cronExpression");
}

tl::unexpected<Error> wrong_item(const CronField& row, std::string_view item) {
  return wrong(
      fmt::format("'{}' is no {}: a cron text takes values from {} to {}, ranges, lists "
                  "and steps",
                  item, row.name, row.least, row.most));
}

std::string lower_text(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t to = text.find(mark);
    parts.push_back(text.substr(0, to));
    if (to == std::string_view::npos) return parts;
    text.remove_prefix(to + 1);
  }
}

std::vector<std::string_view> fields_in(std::string_view text) {
  constexpr std::string_view blank = " \t";
  std::vector<std::string_view> fields;
  for (std::size_t from = text.find_first_not_of(blank); from != std::string_view::npos;) {
    const std::size_t to = text.find_first_of(blank, from);
    fields.push_back(text.substr(from, to - from));
    from = to == std::string_view::npos ? to : text.find_first_not_of(blank, to);
  }
  return fields;
}

// Of at most three digits.
std::optional<int> number_in(std::string_view text) {
  if (text.empty() || text.size() > 3) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::optional<int> value_in(const CronField& row, std::string_view text) {
  const auto name = std::find(row.names.begin(), row.names.end(), text);
  if (name != row.names.end()) return row.least + static_cast<int>(name - row.names.begin());
  const auto number = number_in(text);
  if (!number || *number < row.least || *number > row.most) return std::nullopt;
  return number;
}

struct CronRange {
  int from = 0;
  int to = 0;
};

std::optional<CronRange> range_in(const CronField& row, std::string_view text, bool has_step) {
  if (text == "*") return CronRange{row.least, row.most == sunday ? sunday - 1 : row.most};
  const std::size_t dash = text.find('-');
  const auto from = value_in(row, text.substr(0, dash));
  if (!from) return std::nullopt;
  if (dash == std::string_view::npos) return CronRange{*from, has_step ? row.most : *from};
  auto to = value_in(row, text.substr(dash + 1));
  if (to && row.most == sunday && *to == 0 && *from > 0) to = sunday;  // fri-sun
  if (!to || *to < *from) return std::nullopt;
  return CronRange{*from, *to};
}

Result<std::uint64_t> parse_field(const CronField& row, std::string_view text) {
  std::uint64_t bits = 0;
  for (const std::string_view item : split(text, ',')) {
    const std::size_t slash = item.find('/');
    const bool has_step = slash != std::string_view::npos;
    const auto range = range_in(row, item.substr(0, slash), has_step);
    const auto step = has_step ? number_in(item.substr(slash + 1)) : std::optional(1);
    if (!range || !step || *step == 0) return wrong_item(row, item);
    for (int value = range->from; value <= range->to; value += *step) {
      bits |= std::uint64_t{1} << (row.most == sunday ? value % sunday : value);
    }
  }
  return bits;
}

std::chrono::sys_days day_of(const CivilMinute& civil) {
  return std::chrono::year_month_day(std::chrono::year(civil.year),
                                     std::chrono::month(static_cast<unsigned>(civil.month)),
                                     std::chrono::day(static_cast<unsigned>(civil.day)));
}

CivilMinute beginning_of(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day()))};
}

template <class Bits>
bool has(Bits bits, int value) {
  return (bits >> value & 1U) != 0;
}

}  // namespace

Result<Cron> Cron::parse(std::string_view text) {
  if (text.size() > limits::cron_bytes_max) {
    return wrong(fmt::format("a cron text has at most {} bytes", limits::cron_bytes_max));
  }
  const std::string lower = lower_text(text);
  std::vector<std::string_view> fields = fields_in(lower);
  for (const Nickname& nickname : nicknames) {
    if (fields.size() == 1 && fields[0] == nickname.name) fields = fields_in(nickname.text);
  }
  if (fields.size() != std::size(cron_fields)) {
    return wrong("a cron text has five fields: minute, hour, day of month, month, day of week");
  }
  Cron cron;
  cron.minutes_ = TRY(parse_field(cron_fields[0], fields[0]));
  cron.hours_ = static_cast<std::uint32_t>(TRY(parse_field(cron_fields[1], fields[1])));
  cron.days_ = static_cast<std::uint32_t>(TRY(parse_field(cron_fields[2], fields[2])));
  cron.months_ = static_cast<std::uint32_t>(TRY(parse_field(cron_fields[3], fields[3])));
  cron.weekdays_ = static_cast<std::uint32_t>(TRY(parse_field(cron_fields[4], fields[4])));
  cron.has_free_days_ = fields[2].starts_with('*');
  cron.has_free_weekdays_ = fields[4].starts_with('*');
  if (!cron.ever_fires()) return wrong("there is no such day: the schedule never fires");
  return cron;
}

bool Cron::fits_day(const CivilMinute& civil) const {
  if (!has(months_, civil.month)) return false;
  const std::chrono::weekday weekday(day_of(civil));
  const bool fits_month = has(days_, civil.day);
  const bool fits_week = has(weekdays_, static_cast<int>(weekday.c_encoding()));
  const bool are_both_needed = has_free_days_ || has_free_weekdays_;
  return are_both_needed ? fits_month && fits_week : fits_month || fits_week;
}

bool Cron::ever_fires() const {
  auto day = day_of({.year = 2000});
  for (int i = 0; i < days_searched; ++i, day += std::chrono::days(1)) {
    if (fits_day(beginning_of(day))) return true;
  }
  return false;
}

bool Cron::matches(const CivilMinute& civil) const {
  return has(minutes_, civil.minute) && has(hours_, civil.hour) && fits_day(civil);
}

bool Cron::fires_every_hour() const {
  constexpr std::uint32_t all_hours = (std::uint32_t{1} << 24) - 1;
  return hours_ == all_hours;
}

Instant Cron::next(Instant t, const Zone& zone) const {
  if (t.is_never()) return t;
  auto day = day_of(zone.civil(t));
  for (int i = 0; i < days_searched; ++i, day += std::chrono::days(1)) {
    const CivilMinute civil = beginning_of(day);
    if (!fits_day(civil)) continue;
    const Instant found = fires_every_hour() ? next_of_every_hour(civil, t, zone)
                                             : next_of_some_hours(civil, t, zone);
    if (!found.is_never()) return found;
  }
  return Instant::never();
}

// Fires once for each time that the clocks show.
Instant Cron::next_of_some_hours(CivilMinute civil, Instant t, const Zone& zone) const {
  for (civil.hour = 0; civil.hour < 24; ++civil.hour) {
    if (!has(hours_, civil.hour)) continue;
    for (civil.minute = 0; civil.minute < 60; ++civil.minute) {
      if (!has(minutes_, civil.minute)) continue;
      const Instant at = zone.instant(civil);
      if (at > t) return at;
    }
  }
  return Instant::never();
}

// Fires at each instant, whatever the clocks show.
Instant Cron::next_of_every_hour(const CivilMinute& day, Instant t, const Zone& zone) const {
  const std::int64_t behind = t.micros / minute.micros - (t.micros % minute.micros < 0 ? 1 : 0) + 1;
  Instant at = std::max(Instant{behind * minute.micros}, zone.instant(day));
  for (CivilMinute civil = zone.civil(at); day_of(civil) == day_of(day); civil = zone.civil(at)) {
    if (has(minutes_, civil.minute)) return at;
    at = at + minute;
  }
  return Instant::never();
}

}  // namespace mayfly::centrali
