#include "dialect/cosmos/ttl.h"

#include <cmath>

#include "base/limits.h"
#include "dialect/cosmos/errors.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::int64_t never_seconds = -1;

// A whole number of seconds; 5.0 is one.
std::optional<std::int64_t> seconds_of(const Value& value) {
  std::int64_t seconds = 0;
  if (value.is(Kind::integer)) {
    seconds = value.integer();
  } else if (value.is(Kind::real) && std::trunc(value.real()) == value.real() &&
             std::abs(value.real()) <= static_cast<double>(limits::ttl_seconds_max)) {
    seconds = static_cast<std::int64_t>(value.real());
  } else {
    return std::nullopt;
  }
  const bool is_valid =
      seconds == never_seconds || (seconds > 0 && seconds <= limits::ttl_seconds_max);
  return is_valid ? std::optional(seconds) : std::nullopt;
}

std::string shown(const Value& value) {
  return value.is(Kind::text) ? value.text() : render_json(value);
}

// The start of the clock as a property of the document tells it, in seconds.
std::optional<Instant> start_of(const Value& body, const Path& path) {
  const Value start = at(body, path);
  if (!start.is_number()) return std::nullopt;
  const double seconds = std::floor(start.number());
  const double most = static_cast<double>(limits::instant_max.whole_seconds());
  if (!(seconds >= 0 && seconds <= most)) return std::nullopt;
  return Instant::from_seconds(static_cast<std::int64_t>(seconds));
}

}  // namespace

Result<Default> parse_default_ttl(const Value& asked) {
  if (asked.is_missing()) return Default(Unset{});
  const auto seconds = seconds_of(asked);
  if (!seconds) {
    return tl::unexpected(
        bad_request("The input DefaultTimeToLive '" + shown(asked) +
                        "' is invalid. Ensure to provide a nonzero positive "
                        "integer less than or equal to '2147483647', or '-1' which "
                        "means never expire.",
                    "defaultTtl"));
  }
  if (*seconds == never_seconds) return Default(Never{});
  return Default(After{Span::seconds(*seconds)});
}

Value told_default_ttl(const Default& in_force) {
  if (const After* after = std::get_if<After>(&in_force)) return after->span.whole_seconds();
  if (std::holds_alternative<Never>(in_force)) return never_seconds;
  return {};
}

Result<Lifetime> parse_ttl(const Value& asked) {
  if (asked.is_missing()) return Lifetime(Inherit{});
  const auto seconds = seconds_of(asked);
  if (!seconds) {
    return tl::unexpected(
        bad_request("The input ttl '" + shown(asked) +
                        "' is invalid. Ensure to provide a nonzero positive integer "
                        "less than or equal to '2147483647', or '-1' which means "
                        "never expire.",
                    "ttl"));
  }
  if (*seconds == never_seconds) return Lifetime(Never{});
  return Lifetime(After{Span::seconds(*seconds)});
}

Result<Lifetime> lifetime_in(const Value& body, const Definition& definition) {
  const Lifetime asked = TRY(parse_ttl(body.member("ttl")));
  if (!definition.ttl_path || std::holds_alternative<Never>(asked)) return asked;
  const auto start = start_of(body, *definition.ttl_path);
  if (!start) return Lifetime(Never{});
  const After* own = std::get_if<After>(&asked);
  const After* inherited = std::get_if<After>(&definition.default_lifetime);
  if (own == nullptr && inherited == nullptr) return asked;
  return Lifetime(At{*start + (own != nullptr ? own->span : inherited->span)});
}

}  // namespace mayfly::cosmos
