// What Redis answers to a command that it refuses, and numbers as it reads and writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::kuzzle::memory {

// Fails with invalid, in the words of Redis.
tl::unexpected<Error> refused(std::string message);
tl::unexpected<Error> wrong_type_of_value();
tl::unexpected<Error> not_an_integer();
tl::unexpected<Error> not_a_real();
tl::unexpected<Error> syntax_error();
tl::unexpected<Error> no_such_key();
tl::unexpected<Error> wrong_number_of_arguments(std::string_view command);
// Of an expiration that is no time at which a document can end.
tl::unexpected<Error> invalid_end(std::string_view command);
tl::unexpected<Error> too_much_at_once();
// In the words of Kuzzle: arguments that exclude each other, and one that is none of these.
tl::unexpected<Error> excludes(std::string_view a, std::string_view b);
tl::unexpected<Error> wrong_argument(std::string_view name, std::string_view expected);

// Decimal digits with an optional minus, nothing else.
std::optional<std::int64_t> integer_of(std::string_view text);
// Also "inf", with an optional sign; NaN is no number.
std::optional<double> real_of(std::string_view text);
bool is_finite(double number);
// The shortest text that reads back as the same number.
std::string render_score(double score);
// With as many digits as incrbyfloat and geopos show: at most 17 behind the point, no exponent.
std::string render_long(long double number);

// The sum as incrbyfloat writes it. Fails with invalid where one is no number, which of the text
// `fault` says, or the sum is none.
Result<std::string> sum_of_reals(const std::string& text, const std::string& step,
                                 std::string_view fault);

// Which of `size` items the positions name, both included; negative ones count from the end.
struct ItemRange {
  std::size_t from = 0;
  std::size_t count = 0;
};
ItemRange range_within(std::size_t size, std::int64_t start, std::int64_t end);

// A text for an answer. JSON has no other bytes than UTF-8: what is none becomes U+FFFD.
Value shown(std::string text);
Value ok();

}  // namespace mayfly::kuzzle::memory
