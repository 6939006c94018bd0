#include "dialect/kuzzle/memory/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/memory/limits.h"
#include "net/utf8.h"

namespace mayfly::kuzzle::memory {
namespace {

template <class Number>
std::optional<Number> parsed_whole(std::string_view text) {
  Number number{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Parses with the precision of Redis; NaN is no number.
std::optional<long double> long_real_of(const std::string& text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    return std::nullopt;
  }
  char* end = nullptr;
  const long double number = std::strtold(text.c_str(), &end);
  const bool is_whole = end == text.c_str() + text.size();
  if (!is_whole || std::isnan(number)) return std::nullopt;
  return number;
}

// The length of the first character in bytes; 0 if it is not valid.
std::size_t character_bytes(std::string_view text) {
  for (std::size_t n = 1; n <= 4 && n <= text.size(); ++n) {
    if (net::is_utf8(text.substr(0, n))) return n;
  }
  return 0;
}

}  // namespace

tl::unexpected<Error> refused(std::string message) {
  return fail(Code::invalid, std::move(message));
}
tl::unexpected<Error> wrong_type_of_value() {
  return refused("WRONGTYPE Operation against a key holding the wrong kind of value");
}
tl::unexpected<Error> not_an_integer() {
  return refused("ERR value is not an integer or out of range");
}
tl::unexpected<Error> not_a_real() {
  return refused("ERR value is not a valid float");
}
tl::unexpected<Error> syntax_error() {
  return refused("ERR syntax error");
}
tl::unexpected<Error> no_such_key() {
  return refused("ERR no such key");
}
tl::unexpected<Error> wrong_number_of_arguments(std::string_view command) {
  return refused(fmt::format("ERR wrong number of arguments for '{}' command", command));
}
tl::unexpected<Error> invalid_end(std::string_view command) {
  return refused(fmt::format("ERR invalid expire time in '{}' command", command));
}
tl::unexpected<Error> excludes(std::string_view a, std::string_view b) {
  return problem("api.assert.invalid_argument",
                 fmt::format("Arguments \"{}\" and \"{}\" exclude each other.", a, b));
}
tl::unexpected<Error> wrong_argument(std::string_view name, std::string_view expected) {
  return problem("api.assert.invalid_argument",
                 fmt::format("Invalid argument \"{}\". Expected: {}", name, expected));
}
tl::unexpected<Error> too_much_at_once() {
  return fail(Code::too_large,
              fmt::format("a command of the memory storage reads or answers at most {} bytes",
                          limits::memory_read_bytes_max));
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  return parsed_whole<std::int64_t>(text);
}

std::optional<double> real_of(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto number = parsed_whole<double>(text);
  if (!number || std::isnan(*number)) return std::nullopt;
  return number;
}

bool is_finite(double number) {
  return std::isfinite(number);
}

std::string render_score(double score) {
  if (std::isinf(score)) return score > 0 ? "inf" : "-inf";
  if (score == 0) return "0";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, score).ptr};
}

std::string render_long(long double number) {
  // fmt puts a zero before some numbers of 100 digits and more.
  char digits[limits::memory_real_bytes_max];
  const int count = std::snprintf(digits, sizeof digits, "%.17Lf", number);
  std::string text(digits, static_cast<std::size_t>(count));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

Result<std::string> sum_of_reals(const std::string& text, const std::string& step,
                                 std::string_view fault) {
  const auto before = long_real_of(text);
  const auto added = long_real_of(step);
  if (!added) return not_a_real();
  if (!before) return refused(std::string(fault));
  const long double sum = *before + *added;
  if (!std::isfinite(sum)) return refused("ERR increment would produce NaN or Infinity");
  return render_long(sum);
}

ItemRange range_within(std::size_t size, std::int64_t start, std::int64_t end) {
  const auto length = static_cast<std::int64_t>(size);
  const auto from_front = [&](std::int64_t at) { return at < 0 ? at + length : at; };
  const std::int64_t first = std::max<std::int64_t>(from_front(start), 0);
  const std::int64_t last = std::min(from_front(end), length - 1);
  if (first > last) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)};
}

Value shown(std::string text) {
  if (net::is_utf8(text)) return text;
  std::string valid;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t bytes = character_bytes(rest);
    valid += bytes == 0 ? std::string_view("\xEF\xBF\xBD") : rest.substr(0, bytes);
    rest.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return valid;
}

Value ok() {
  return "OK";
}

}  // namespace mayfly::kuzzle::memory
