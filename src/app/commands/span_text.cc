// Parses a number and an optional letter after it.
#include "app/commands/span_text.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "value/rfc3339.h"

namespace mayfly::app {

Result<double> parse_span(const std::string& text) {
  static const std::pair<char, double> units[] = {{'s', 1}, {'m', 60}, {'h', 3'600}, {'d', 86'400}};
  double amount = 0;
  const char* const begin = text.c_str();
  const auto [end, error] =
      std::from_chars(begin, begin + text.size(), amount, std::chars_format::fixed);
  double unit = 1;
  for (const auto& [letter, seconds] : units) {
    if (*end == letter) unit = seconds;
  }
  const bool has_unit = unit != 1 || *end == 's';
  const bool is_number = error == std::errc() && std::isfinite(amount) && amount >= 0;
  if (!is_number || end + (has_unit ? 1 : 0) != begin + text.size()) {
    return fail(Code::invalid, "'" + text + "' is no span of time; say 90, 15m, 24h or 60d");
  }
  return amount * unit;
}

Result<std::int64_t> parse_whole_span(const std::string& text) {
  constexpr double greatest = 1e15;  // far beyond every bound of the server, which reports it
  const double seconds = TRY(parse_span(text));
  if (seconds != std::floor(seconds) || seconds > greatest) {
    return fail(Code::invalid, "'" + text + "' is no whole number of seconds");
  }
  return static_cast<std::int64_t>(seconds);
}

std::string check_span(const std::string& text) {
  const auto span = parse_span(text);
  return span ? "" : span.error().message;
}

std::string check_whole_span(const std::string& text) {
  const auto span = parse_whole_span(text);
  return span ? "" : span.error().message;
}

std::string check_time(const std::string& text) {
  if (parse_rfc3339(text)) return "";
  return "'" + text + "' is no time in RFC 3339; write it as 2026-09-01T00:00:00Z";
}

}  // namespace mayfly::app
