#include "dialect/cosmos/ttl/ttl.h"

#include "base/limits.h"
#include "db/write/rules/body_rules.h"
#include "dialect/cosmos/errors.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

std::string shown(const Value& value) {
  return value.is(Kind::text) ? value.text() : render_json(value);
}

}  // namespace

Result<Default> parse_default_ttl(const Value& sent) {
  if (sent.is_missing()) return Default(Unset{});
  const auto seconds = specified_seconds(sent);
  if (!seconds) {
    return tl::unexpected(
        bad_request("The input DefaultTimeToLive '" + shown(sent) +
                        "' is invalid. Ensure to provide a nonzero positive "
                        "integer less than or equal to '2147483647', or '-1' which "
                        "means never expire.",
                    "defaultTtl"));
  }
  if (*seconds == specified_never) return Default(Never{});
  return Default(After{Span::seconds(*seconds)});
}

Value reported_default_ttl(const Default& in_force) {
  if (const After* after = std::get_if<After>(&in_force)) return after->span.whole_seconds();
  if (std::holds_alternative<Never>(in_force)) return specified_never;
  return {};
}

Result<void> check_ttl(const Value& sent) {
  if (sent.is_missing() || specified_seconds(sent)) return {};
  return tl::unexpected(
      bad_request("The input ttl '" + shown(sent) +
                      "' is invalid. Ensure to provide a nonzero positive integer "
                      "less than or equal to '2147483647', or '-1' which means "
                      "never expire.",
                  "ttl"));
}

}  // namespace mayfly::cosmos
