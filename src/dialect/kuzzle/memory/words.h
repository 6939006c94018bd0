// Redis's error messages, and numbers in the formats that Redis reads and writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::kuzzle::memory {

// An error with invalid and this message of Redis.
tl::unexpected<Error> refused(std::string message);
tl::unexpected<Error> wrong_type_of_value();
tl::unexpected<Error> not_an_integer();
tl::unexpected<Error> not_a_real();
tl::unexpected<Error> syntax_error();
tl::unexpected<Error> no_such_key();
tl::unexpected<Error> wrong_number_of_arguments(std::string_view command);
// For an expiration at which no document can expire.
tl::unexpected<Error> invalid_end(std::string_view command);
tl::unexpected<Error> too_much_at_once();
// Errors with Kuzzle's messages: arguments that exclude each other, and an argument with an
// unexpected value.
tl::unexpected<Error> excludes(std::string_view a, std::string_view b);
tl::unexpected<Error> wrong_argument(std::string_view name, std::string_view expected);

// Decimal digits with an optional minus, nothing else.
std::optional<std::int64_t> integer_of(std::string_view text);
// Also "inf", with an optional sign; NaN is no number.
std::optional<double> real_of(std::string_view text);
bool is_finite(double number);
// The shortest text that reads back as the same number.
std::string render_score(double score);
// With the digits of incrbyfloat and geopos: at most 17 after the point, no exponent.
std::string render_long(long double number);

// The sum in the format of incrbyfloat. Fails with invalid if an operand is not a number (with the
// message `fault` if it is `text`), or if the sum is not finite.
Result<std::string> sum_of_reals(const std::string& text, const std::string& step,
                                 std::string_view fault);

// The part of `size` items between two positions, both included; negative positions count from the
// end.
struct ItemRange {
  std::size_t from = 0;
  std::size_t count = 0;
};
ItemRange range_within(std::size_t size, std::int64_t start, std::int64_t end);

// A text for an answer. JSON must be UTF-8: other bytes become U+FFFD.
Value shown(std::string text);
Value ok();

}  // namespace mayfly::kuzzle::memory
