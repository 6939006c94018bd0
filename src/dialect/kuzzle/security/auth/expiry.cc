#include "dialect/kuzzle/security/auth/expiry.h"

#include <algorithm>

#include "dialect/common/requests/parameters.h"
#include "dialect/kuzzle/errors.h"

namespace mayfly::kuzzle {
namespace {

struct ExpiryUnit {
  std::string_view name;
  std::int64_t millis;
};
constexpr ExpiryUnit expiry_units[] = {{"ms", 1},        {"s", 1'000},         {"m", 60'000},
                                       {"h", 3'600'000}, {"d", 86'400'000},    {"w", 604'800'000},
                                       {"", 1},          {"y", 31'557'600'000}};
constexpr std::int64_t number_max = INT64_MAX / 31'557'600'000;
// A span beyond every supported date.
constexpr Span longest = Span::seconds(1'000LL * 366 * 86'400);

// Milliseconds; negative if it is not a duration.
std::int64_t duration_of(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_integer(text.substr(0, digits), "expiresIn", 0, INT64_MAX);
  if (!number) return -1;
  for (const ExpiryUnit& unit : expiry_units) {
    if (unit.name != text.substr(digits)) continue;
    if (unit.millis > 1 && *number > number_max) return -1;
    return *number * unit.millis;
  }
  return -1;
}

}  // namespace

Result<std::optional<Span>> requested_expiry(const KuzzleCall& call, Span most) {
  const Value* asked = call.message.arguments.find("expiresIn");
  if (asked == nullptr || asked->is_null()) return std::nullopt;
  const bool is_number = asked->is(Kind::integer);
  const bool is_for_ever =
      is_number ? asked->integer() == -1 : asked->is(Kind::text) && asked->text() == "-1";
  if (is_for_ever && most == Span::infinite()) return std::optional(Span::infinite());
  std::int64_t millis = -1;
  if (is_number) millis = asked->integer();
  if (asked->is(Kind::text)) millis = duration_of(asked->text());
  const Span span = Span::millis(millis);
  if (millis > 0 && span <= most && span <= longest) return std::optional(span);
  return problem("api.assert.invalid_argument",
                 "Invalid expiresIn value: a duration as \"1h\", or milliseconds, and not too far "
                 "in the future");
}

}  // namespace mayfly::kuzzle
