// Formats times that are texts by a pattern.
#include <fmt/format.h>

#include <algorithm>

#include "expr/functions/families.h"
#include "expr/functions/times/ticks.h"

namespace mayfly {
namespace {

std::string padded(std::int64_t number, std::size_t width) {
  return fmt::format("{:0{}}", number, width);
}

// The first `digits` digits of the fraction; without trailing zeros if `is_trimmed`.
std::string fraction(const CivilTime& t, std::size_t digits, bool is_trimmed) {
  std::string text = padded(t.fraction, 7).substr(0, digits);
  while (is_trimmed && text.ends_with('0')) text.pop_back();
  return text;
}

constexpr std::string_view letters = "ydMHhmsfF";

std::size_t longest(char letter) {
  if (letter == 'y') return 4;
  return letter == 'f' || letter == 'F' ? 7 : 2;
}

// The text for a run of one pattern letter; nullopt if the letter has no meaning.
std::optional<std::string> field(const CivilTime& t, char letter, std::size_t count) {
  if (count > longest(letter) || (letter == 'y' && count == 3)) return std::nullopt;
  switch (letter) {
    case 'y': {
      const int year = static_cast<int>(t.date.year());
      return padded(count == 4 ? year : year % 100, count);
    }
    case 'M': return padded(static_cast<unsigned>(t.date.month()), count);
    case 'd': return padded(static_cast<unsigned>(t.date.day()), count);
    case 'H': return padded(t.hour, count);
    case 'h': return padded((t.hour + 11) % 12 + 1, count);
    case 'm': return padded(t.minute, count);
    case 's': return padded(t.second, count);
    case 'f': return fraction(t, count, false);
    default: return fraction(t, count, true);
  }
}

Result<Value> format(const Arguments& a) {
  const auto ticks = ticks_of(a[0]);
  if (!ticks || !a[1].is(Kind::text)) return Value();
  const CivilTime t = civil(*ticks);
  const std::string_view pattern = a[1].text();
  std::string out;
  for (std::size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      out += pattern[i + 1];
      i += 2;
    } else if (pattern.substr(i).starts_with("tt")) {
      out += t.hour < 12 ? "AM" : "PM";
      i += 2;
    } else if (letters.find(c) == std::string_view::npos) {
      out += c;
      ++i;
    } else {
      const std::size_t end = std::min(pattern.find_first_not_of(c, i), pattern.size());
      const auto text = field(t, c, end - i);
      if (!text) return Value();
      out += *text;
      i = end;
    }
    TRY(check_text_size(out.size()));
  }
  return Value(std::move(out));
}

}  // namespace

std::span<const Function> time_format_functions() {
  static const Function table[] = {
      binary("format_time_text",
             "A time as a pattern says: y, M, d, H (h: of 12 hours, with tt), m and s as often as "
             "there shall be digits, f and F (without zeros at the end) for the fraction. What "
             "follows a \\ stands for itself, as all other characters do.",
             format,
             {{R"("2024-10-10 14:40:20", "yyyyMMdd")", R"("20241010")"},
              {R"("2024-10-10 14:40:20", "yyyy-MM-dd [HH:mm:ss]")", R"("2024-10-10 [14:40:20]")"},
              {R"("2024-10-10 14:40:20", "To\\da\\y i\\s: yyyy-MM-ddTHH:mm:ss.fff")",
               R"("Today is: 2024-10-10T14:40:20.000")"},
              {R"("2024-10-10 14:40:20", "To\\da\\y i\\s: yyyy-MM-ddTHH:mm:ss.FFF")",
               R"("Today is: 2024-10-10T14:40:20.")"},
              {R"("2024-01-02T00:05:06.1203", "yy M d h tt ffff FFFF")",
               R"("24 1 2 12 AM 1203 1203")"},
              {R"("2024-01-02", "MMM")", "missing"},
              {R"("x", "yyyy")", "missing"},
              {R"("2024-01-02", 1)", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
