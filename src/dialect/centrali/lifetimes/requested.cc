#include "dialect/centrali/lifetimes/requested.h"

#include <algorithm>

#include "base/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/parameters.h"

namespace mayfly::centrali {
namespace {

struct LifetimeMembers {
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

Result<void> read_parameters(const net::Request& request, LifetimeMembers& members) {
  if (auto text = TRY(text_parameter(request, "expiresAt"))) {
    if (*text == "null") {
      members.has_null = true;
    } else {
      members.expires_at = TRY(parse_expires_at(std::move(*text)));
    }
  }
  members.seconds = TRY(integer_parameter(request, "ttlSeconds", 1, limits::ttl_seconds_max));
  members.is_cleared = TRY(boolean_parameter(request, "clearTtl")).value_or(false);
  return {};
}

// A parameter of the query string takes precedence over a member of that name.
Result<void> read_members(const Object& body, LifetimeMembers& members) {
  MemberReader reader(body);
  if (!members.expires_at && !members.has_null) {
    members.has_null = reader.has_null("expiresAt");
    if (!members.has_null) members.expires_at = TRY(reader.time("expiresAt"));
  }
  if (!members.seconds && !reader.has_null("ttlSeconds")) {
    members.seconds = TRY(reader.integer("ttlSeconds", 1, limits::ttl_seconds_max));
  }
  if (!members.is_cleared) members.is_cleared = TRY(reader.boolean("clearTtl")).value_or(false);
  return {};
}

}  // namespace

Result<RequestedLifetime> parse_lifetime(const net::Request& request, const Object& body) {
  LifetimeMembers members;
  TRY(read_parameters(request, members));
  TRY(read_members(body, members));
  const bool is_set = members.expires_at || members.seconds;
  if (is_set && (members.is_cleared || members.has_null)) {
    return fail(Code::invalid, "clearTtl cannot be combined with expiresAt or ttlSeconds",
                members.is_cleared ? "clearTtl" : "expiresAt");
  }
  if (members.is_cleared || members.has_null)
    return RequestedLifetime{RequestedLifetime::Forever{}};
  if (members.expires_at)
    return RequestedLifetime{RequestedLifetime::Until{floor_millis(*members.expires_at)}};
  if (members.seconds)
    return RequestedLifetime{RequestedLifetime::For{Span::seconds(*members.seconds)}};
  return RequestedLifetime{};
}

LifetimeChange lifetime_of_update(const RequestedLifetime& requested, Instant now) {
  if (std::holds_alternative<RequestedLifetime::Forever>(requested.value)) return Lifetime{Never{}};
  if (const auto* until = std::get_if<RequestedLifetime::Until>(&requested.value)) {
    return Lifetime{At{until->instant}};
  }
  if (const auto* span = std::get_if<RequestedLifetime::For>(&requested.value)) {
    return Lifetime{At{floor_millis(now) + span->span}};
  }
  return Keep{};
}

LifetimeChange lifetime_of_creation(const RequestedLifetime& requested,
                                    const Collection& collection, const Value& data, Instant now) {
  if (requested.is_set()) return lifetime_of_update(requested, now);
  if (collection.body.specifies_lifetime && !data.member(lifetime_member).is_missing())
    return Keep{};
  const Policy& policy = collection.policy;
  // The database would stamp the same instant, but to the microsecond.
  const bool stamps = policy.stamp && policy.stamp->when == Stamp::When::creation;
  if (!stamps || !policy.writers_may_set_lifetime) return Keep{};
  return Lifetime{At{floor_millis(now) + policy.stamp->span}};
}

}  // namespace mayfly::centrali
