// Parses numbers in strings. Other strings give null.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/run/weight.h"

namespace mayfly::fauna {
namespace {

FqlValue not_a_number() {
  return null_because(NullCause::invalid_number);
}

// A sign and digits, nothing else.
std::optional<std::int64_t> parse_whole(std::string_view text, int radix) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t n = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, n, radix);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return n;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

// Parses like Java: surrounding white space, NaN and Infinity are accepted.
std::optional<double> parse_real(std::string_view text) {
  text = trimmed(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const double sign = is_negative ? -1 : 1;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return sign * std::numeric_limits<double>::infinity();
  const bool begins_number =
      !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  if (!begins_number) return std::nullopt;
  double d = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, d);
  if (read.ptr != end || read.ec == std::errc::invalid_argument) return std::nullopt;
  if (read.ec != std::errc::result_out_of_range) return sign * d;
  // Too large, or as small as 0.
  const bool is_small = text.find("e-") != text.npos || text.find("E-") != text.npos ||
                        text.starts_with("0.") || text.starts_with('.');
  return is_small ? sign * 0.0 : sign * std::numeric_limits<double>::infinity();
}

Result<int> radix_of(Run& run, const Arguments& a) {
  if (!a.has(0)) return 10;
  const std::int64_t radix = a[0].whole().number;
  if (radix >= 2 && radix <= 36) return static_cast<int>(radix);
  return run.fail_argument("format", "invalid radix, expected a number from 2-36");
}

Result<FqlValue> parse_int(Run& run, const FqlValue& self, const Arguments& a) {
  const int radix = TRY(radix_of(run, a));
  TRY(step_bytes(run, self.text().size()));
  const auto n = parse_whole(self.text(), radix);
  if (!n || *n < INT32_MIN || *n > INT32_MAX) return not_a_number();
  return whole_number(*n);
}

Result<FqlValue> parse_long(Run& run, const FqlValue& self, const Arguments& a) {
  const int radix = TRY(radix_of(run, a));
  TRY(step_bytes(run, self.text().size()));
  const auto n = parse_whole(self.text(), radix);
  return n ? long_number(*n) : not_a_number();
}

Result<FqlValue> parse_double(Run& run, const FqlValue& self, const Arguments&) {
  TRY(step_bytes(run, self.text().size()));
  const auto d = parse_real(self.text());
  return d ? FqlValue(*d) : not_a_number();
}

Result<FqlValue> parse_number(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(step_bytes(run, self.text().size()));
  if (const auto n = parse_whole(self.text(), 10)) return whole_number(*n);
  return parse_double(run, self, a);
}

}  // namespace

std::span<const Method> parse_methods() {
  static const Method table[] = {
      {"String", "parseInt", "(radix?: Int) => Int | Null",
       "The Int that it writes, in base 10 or another; null, where it is none.",
       R"("2a".parseInt(16))", "42", parse_int},
      {"String", "parseLong", "(radix?: Int) => Long | Null",
       "The Long that it writes, in base 10 or another; null, where it is none.",
       R"("4294967296".parseLong())", "4294967296", parse_long},
      {"String", "parseDouble", "() => Double | Null",
       "The Double that it writes; null, where it is none.", R"("2.5e3".parseDouble())", "2500.0",
       parse_double},
      {"String", "parseNumber", "() => Number | Null",
       "The Int, Long or Double that it writes; null, where it is none.", R"("2.5".parseNumber())",
       "2.5", parse_number},
  };
  return table;
}

}  // namespace mayfly::fauna
