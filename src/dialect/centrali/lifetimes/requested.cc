#include "dialect/centrali/lifetimes/requested.h"

#include <algorithm>

#include "base/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/parameters.h"

namespace mayfly::centrali {
namespace {

struct Given {
  std::optional<Instant> expires_at;
  std::optional<std::int64_t> seconds;
  bool is_cleared = false;
  bool has_null = false;  // expiresAt: null
};

// A plus sign in a query string is decoded to a space. No time has a space in it.
Result<Instant> parse_expires_at(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '+');
  return parse_time(text, "expiresAt");
}

Result<void> read_parameters(const net::Request& request, Given& given) {
  if (auto text = TRY(text_parameter(request, "expiresAt"))) {
    if (*text == "null") {
      given.has_null = true;
    } else {
      given.expires_at = TRY(parse_expires_at(std::move(*text)));
    }
  }
  given.seconds = TRY(integer_parameter(request, "ttlSeconds", 1, limits::ttl_seconds_max));
  given.is_cleared = TRY(boolean_parameter(request, "clearTtl")).value_or(false);
  return {};
}

// A parameter of the query string takes precedence over a member of that name.
Result<void> read_members(const Object& body, Given& given) {
  MemberReader reader(body);
  if (!given.expires_at && !given.has_null) {
    given.has_null = reader.has_null("expiresAt");
    if (!given.has_null) given.expires_at = TRY(reader.time("expiresAt"));
  }
  if (!given.seconds && !reader.has_null("ttlSeconds")) {
    given.seconds = TRY(reader.integer("ttlSeconds", 1, limits::ttl_seconds_max));
  }
  if (!given.is_cleared) given.is_cleared = TRY(reader.boolean("clearTtl")).value_or(false);
  return {};
}

}  // namespace

Result<AskedLifetime> parse_lifetime(const net::Request& request, const Object& body) {
  Given given;
  TRY(read_parameters(request, given));
  TRY(read_members(body, given));
  const bool is_set = given.expires_at || given.seconds;
  if (is_set && (given.is_cleared || given.has_null)) {
    return fail(Code::invalid, "clearTtl cannot be combined with expiresAt or ttlSeconds",
                given.is_cleared ? "clearTtl" : "expiresAt");
  }
  if (given.is_cleared || given.has_null) return AskedLifetime{AskedLifetime::Forever{}};
  if (given.expires_at) return AskedLifetime{AskedLifetime::Until{floor_millis(*given.expires_at)}};
  if (given.seconds) return AskedLifetime{AskedLifetime::For{Span::seconds(*given.seconds)}};
  return AskedLifetime{};
}

LifetimeChange lifetime_of_update(const AskedLifetime& asked, Instant now) {
  if (std::holds_alternative<AskedLifetime::Forever>(asked.asked)) return Lifetime{Never{}};
  if (const auto* until = std::get_if<AskedLifetime::Until>(&asked.asked)) {
    return Lifetime{At{until->instant}};
  }
  if (const auto* span = std::get_if<AskedLifetime::For>(&asked.asked)) {
    return Lifetime{At{floor_millis(now) + span->span}};
  }
  return Keep{};
}

LifetimeChange lifetime_of_creation(const AskedLifetime& asked, const Collection& collection,
                                    const Value& data, Instant now) {
  if (asked.is_given()) return lifetime_of_update(asked, now);
  if (collection.body.says_lifetime && !data.member(lifetime_member).is_missing()) return Keep{};
  const Policy& policy = collection.policy;
  // The database would stamp the same instant, but to the microsecond.
  const bool stamps = policy.stamp && policy.stamp->when == Stamp::When::creation;
  if (!stamps || !policy.writers_may_set_lifetime) return Keep{};
  return Lifetime{At{floor_millis(now) + policy.stamp->span}};
}

}  // namespace mayfly::centrali
