#include "dialect/kuzzle/specifications/fields/date_formats.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>

#include "expr/functions/times/iso_time.h"
#include "value/rfc3339.h"

namespace mayfly::kuzzle::specifications {
namespace {

// A pattern has letters for the parts of a date; other characters are literal:
//   Y year  M month  D day  J day of the year
//   G year of the week  w week  e day of the week, from 1
//   H hour  m minute  s second  S milliseconds  Z offset
struct Format {
  std::string_view name;  // without `strict_`
  std::string_view pattern;
  enum class Kinds { strict, both } kinds = Kinds::both;
};
constexpr Format formats[] = {
    {"basic_date", "YMD", Format::Kinds::strict},
    {"basic_date_time", "YMDTHms.SZ", Format::Kinds::strict},
    {"basic_date_time_no_millis", "YMDTHmsZ", Format::Kinds::strict},
    {"basic_ordinal_date", "YJ", Format::Kinds::strict},
    {"basic_ordinal_date_time", "YJTHms.SZ", Format::Kinds::strict},
    {"basic_ordinal_date_time_no_millis", "YJTHmsZ", Format::Kinds::strict},
    {"basic_time", "Hms.SZ", Format::Kinds::strict},
    {"basic_time_no_millis", "HmsZ", Format::Kinds::strict},
    {"basic_t_time", "THms.SZ", Format::Kinds::strict},
    {"basic_t_time_no_millis", "THmsZ", Format::Kinds::strict},
    {"basic_week_date", "GWwe"},
    {"basic_week_date_time", "GWweTHms.SZ"},
    {"basic_week_date_time_no_millis", "GWweTHmsZ"},
    {"date", "Y-M-D"},
    {"date_hour", "Y-M-DTH"},
    {"date_hour_minute", "Y-M-DTH:m"},
    {"date_hour_minute_second", "Y-M-DTH:m:s"},
    {"date_hour_minute_second_fraction", "Y-M-DTH:m:s.S"},
    {"date_hour_minute_second_millis", "Y-M-DTH:m:s.S"},
    {"date_time", "Y-M-DTH:m:s.SZ"},
    {"date_time_no_millis", "Y-M-DTH:m:sZ"},
    {"hour", "H"},
    {"hour_minute", "H:m"},
    {"hour_minute_second", "H:m:s"},
    {"hour_minute_second_fraction", "H:m:s.S"},
    {"hour_minute_second_millis", "H:m:s.S"},
    {"ordinal_date", "Y-J"},
    {"ordinal_date_time", "Y-JTH:m:s.SZ"},
    {"ordinal_date_time_no_millis", "Y-JTH:m:sZ"},
    {"time", "H:m:s.SZ"},
    {"time_no_millis", "H:m:sZ"},
    {"t_time", "TH:m:s.SZ"},
    {"t_time_no_millis", "TH:m:sZ"},
    {"week_date", "G-Ww-e"},
    {"week_date_time", "G-Ww-eTH:m:s.SZ"},
    {"week_date_time_no_millis", "G-Ww-eTH:m:sZ"},
    {"weekyear", "G"},
    {"weekyear_week", "Gw"},
    {"weekyear_week_day", "Gwe"},
    {"year", "Y"},
    {"year_month", "YM"},
    {"year_month_day", "YMD"},
};
constexpr std::string_view strict = "strict_";
// Formats that are not patterns.
constexpr std::string_view epoch_millis = "epoch_millis";
constexpr std::string_view epoch_second = "epoch_second";
constexpr std::string_view iso_time = "strict_date_optional_time";

struct Parts {
  std::optional<int> year, month, day, day_of_year, week_year, week, day_of_week;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millis = 0;
  int offset_minutes = 0;
};

struct FormatPart {
  char letter;
  int digits;
};
constexpr FormatPart known_parts[] = {{'Y', 4}, {'M', 2}, {'D', 2}, {'J', 3}, {'G', 4}, {'w', 2},
                                      {'e', 1}, {'H', 2}, {'m', 2}, {'s', 2}, {'S', 3}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void keep(char letter, int number, Parts& parts) {
  switch (letter) {
    case 'Y': parts.year = number; break;
    case 'M': parts.month = number; break;
    case 'D': parts.day = number; break;
    case 'J': parts.day_of_year = number; break;
    case 'G': parts.week_year = number; break;
    case 'w': parts.week = number; break;
    case 'e': parts.day_of_week = number; break;
    case 'H': parts.hour = number; break;
    case 'm': parts.minute = number; break;
    case 's': parts.second = number; break;
    default: parts.millis = number;
  }
}

// Parses a text by a pattern. If strict, each part needs all its digits; otherwise one digit is
// enough, and separators may be missing.
class Reader {
 public:
  Reader(std::string_view text, bool is_strict) : text_(text), is_strict_(is_strict) {}

  std::optional<Parts> read(std::string_view pattern) {
    for (const char letter : pattern) {
      if (!step(letter)) return std::nullopt;
    }
    if (at_ != text_.size()) return std::nullopt;
    return parts_;
  }

 private:
  bool step(char letter) {
    if (letter == 'Z') return offset();
    for (const FormatPart& part : known_parts) {
      if (part.letter == letter) return number(part);
    }
    if (at_ < text_.size() && text_[at_] == letter) {
      ++at_;
      return true;
    }
    return !is_strict_;
  }

  bool number(const FormatPart& part) {
    if (!is_strict_ && at_ < text_.size() && text_[at_] == '-') ++at_;
    int digits = 0;
    int read = 0;
    while (at_ < text_.size() && digits < part.digits && is_digit(text_[at_])) {
      read = 10 * read + (text_[at_++] - '0');
      ++digits;
    }
    if (digits == 0 || (is_strict_ && digits < part.digits)) return false;
    if (part.letter == 'S') {
      for (int i = digits; i < part.digits; ++i) read *= 10;
    }
    keep(part.letter, read, parts_);
    return true;
  }

  // Z, +02:00, +0200.
  bool offset() {
    if (at_ < text_.size() && text_[at_] == 'Z') {
      ++at_;
      return true;
    }
    if (at_ == text_.size()) return !is_strict_;
    const char sign = text_[at_++];
    std::string digits;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == ':')) {
      if (text_[at_] != ':') digits += text_[at_];
      ++at_;
    }
    if ((sign != '+' && sign != '-') || digits.size() != 4) return false;
    const int hours = 10 * (digits[0] - '0') + (digits[1] - '0');
    const int minutes = 10 * (digits[2] - '0') + (digits[3] - '0');
    if (hours > 23 || minutes > 59) return false;
    parts_.offset_minutes = (sign == '-' ? -1 : 1) * (60 * hours + minutes);
    return true;
  }

  std::string_view text_;
  const bool is_strict_;
  std::size_t at_ = 0;
  Parts parts_;
};

std::optional<std::int64_t> day_number(int year, int month, int day) {
  const auto date = parse_date(fmt::format("{:04}-{:02}-{:02}", year, month, day));
  return date ? std::optional<std::int64_t>(date->days) : std::nullopt;
}

// Days since 1970-01-01, which was a Thursday. The first week of a year has its 4th of January.
std::optional<std::int64_t> day_of_week(int year, int week, int day) {
  constexpr int days_in_week = 7;
  constexpr int thursday = 3;  // from Monday
  const auto fourth = day_number(year, 1, 4);
  if (!fourth || week < 1 || week > 53 || day < 1 || day > days_in_week) return std::nullopt;
  const std::int64_t since_monday =
      ((*fourth + thursday) % days_in_week + days_in_week) % days_in_week;
  return *fourth - since_monday + std::int64_t{days_in_week} * (week - 1) + (day - 1);
}

std::optional<std::int64_t> day_of(const Parts& parts, Instant now) {
  constexpr std::int64_t seconds_in_day = 86'400;
  if (parts.week_year) {
    return day_of_week(*parts.week_year, parts.week.value_or(1), parts.day_of_week.value_or(1));
  }
  if (!parts.year) return now.whole_seconds() / seconds_in_day;
  if (!parts.day_of_year) {
    return day_number(*parts.year, parts.month.value_or(1), parts.day.value_or(1));
  }
  const auto first = day_number(*parts.year, 1, 1);
  const auto last = day_number(*parts.year, 12, 31);
  if (!first || !last || *parts.day_of_year < 1) return std::nullopt;
  const std::int64_t day = *first + *parts.day_of_year - 1;
  return day <= *last ? std::optional(day) : std::nullopt;
}

std::optional<Instant> instant_of(const Parts& parts, Instant now) {
  const auto day = day_of(parts, now);
  if (!day || parts.hour > 23 || parts.minute > 59 || parts.second > 59) return std::nullopt;
  const std::int64_t minutes =
      24 * 60 * *day + 60 * parts.hour + parts.minute - parts.offset_minutes;
  return Instant{(60 * minutes + parts.second) * 1'000'000 + parts.millis * std::int64_t{1'000}};
}

// A number of `unit` since 1970, also as a text.
std::optional<Instant> since_epoch(const Value& value, Span unit) {
  std::int64_t count = 0;
  if (value.is(Kind::integer)) {
    count = value.integer();
  } else if (value.is(Kind::text)) {
    const std::string& text = value.text();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  } else {
    return std::nullopt;
  }
  const std::int64_t most = INT64_MAX / unit.micros;
  if (count > most || count < -most) return std::nullopt;
  return Instant{count * unit.micros};
}

struct Found {
  const Format* format = nullptr;
  bool is_strict = false;
};

Found find_format(std::string_view name) {
  const bool says_strict = name.starts_with(strict);
  if (says_strict) name.remove_prefix(strict.size());
  for (const Format& format : formats) {
    if (format.name != name) continue;
    const bool is_only_strict = format.kinds == Format::Kinds::strict;
    if (is_only_strict && says_strict) return {};
    return {&format, says_strict || is_only_strict};
  }
  return {};
}

}  // namespace

bool is_date_format(std::string_view name) {
  return name == epoch_millis || name == epoch_second || name == iso_time ||
         find_format(name).format != nullptr;
}

std::optional<Instant> parse_dated(std::string_view format, const Value& value, Instant now) {
  if (format == epoch_millis) return since_epoch(value, Span::millis(1));
  if (format == epoch_second) return since_epoch(value, Span::seconds(1));
  if (!value.is(Kind::text)) return std::nullopt;
  if (format == iso_time) {
    const auto time = parse_iso_time(value.text());
    return time ? std::optional(time->first) : std::nullopt;
  }
  const Found found = find_format(format);
  if (found.format == nullptr) return std::nullopt;
  const auto parts = Reader(value.text(), found.is_strict).read(found.format->pattern);
  return parts ? instant_of(*parts, now) : std::nullopt;
}

}  // namespace mayfly::kuzzle::specifications
