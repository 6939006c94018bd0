#include "dialect/kuzzle/security/rights/rights.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/security/auth/api_keys.h"
#include "dialect/kuzzle/security/definitions.h"
#include "dialect/kuzzle/security/rights/admins.h"
#include "dialect/kuzzle/security/rows.h"
#include "dialect/kuzzle/security/users/users.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view anonymous_profile = "anonymous";

// A member with that name takes precedence over `*`.
Value named_or_any(const Value& object, const std::string& name) {
  Value named = object.member(name);
  return named.is_missing() ? object.member("*") : named;
}

// Whether a policy applies to that collection: without a restriction to all, with an invalid one to
// none.
bool is_for(const Value& policy, const std::string& index, const std::string& collection) {
  const Value places = policy.member("restrictedTo");
  if (!check_restriction(places)) return false;
  if (!places.is(Kind::array) || places.array().empty() || index.empty()) return true;
  for (const Value& place : places.array()) {
    if (place.member("index").text() != index) continue;
    const Value collections = place.member("collections");
    if (!collections.is(Kind::array) || collections.array().empty()) return true;
    for (const Value& name : collections.array()) {
      if (name.text() == collection) return true;
    }
  }
  return false;
}

Array policies_of(const Value& profile) {
  const Value policies = profile.member("policies");
  return policies.is(Kind::array) ? policies.array() : Array();
}

std::string role_of(const Value& policy) {
  const Value id = policy.member("roleId");
  return id.is(Kind::text) ? id.text() : std::string();
}

// A setting closes the server and no user can log in yet: only the creation of the first
// administrator is open, which needs a key, and what clients need to connect.
Result<bool> is_closed(const ServerContext& shared, RightsView& seen) {
  if (shared.services.credentials.is_open()) return false;
  return !TRY(shared.admins.exist(seen));
}

// A setting closes the server, or other machines reach the port.
bool is_guarded(const ServerContext& shared) {
  return !shared.services.credentials.is_open() || shared.options.is_reached_by_others;
}

// There are no users, profiles and roles yet, and nothing protects the port: everything is allowed.
bool has_no_rules(const ServerContext& shared) {
  return !is_guarded(shared) && !has_security(shared.services.database);
}

bool is_open(std::string_view controller, std::string_view action) {
  const Route* route = find_route(controller, action);
  return route != nullptr && route->effect == RouteEffect::open;
}

bool stays_after_reset(std::string_view controller, std::string_view action) {
  const Route* route = find_route(controller, action);
  return route != nullptr &&
         (route->effect == RouteEffect::open || route->traits.stays_after_reset);
}

AnonymousRights anonymous_rights_by(const Value& role) {
  AnonymousRights rights = AnonymousRights::restricted;
  const Value controllers = role.member("controllers");
  if (!controllers.is(Kind::object)) return rights;
  for (const auto& [controller, what] : controllers.object()) {
    const Value actions = what.member("actions");
    if (!actions.is(Kind::object)) continue;
    for (const auto& [action, allowed] : actions.object()) {
      if (!allowed.is_true()) continue;
      if (controller == "*" && action == "*") return AnonymousRights::all;
      if (!stays_after_reset(controller, action)) rights = AnonymousRights::some;
    }
  }
  return rights;
}

// If a setting closes the server or other machines reach the port, the profile `anonymous` gives
// any client only the open actions while its role allows everything: that is the role's initial
// content, which no administrator has chosen.
Result<bool> is_anonymous_closed_by_settings(const ServerContext& shared, RightsView& seen) {
  return is_guarded(shared) && TRY(shared.admins.anonymous(seen)) == AnonymousRights::all;
}

Value open_role() {
  Object controllers;
  for (const Route& route : routes()) {
    if (route.effect != RouteEffect::open) continue;
    const std::string name(route.controller);
    Value actions = Value(controllers).member(name).member("actions");
    if (actions.is_missing()) actions = Object();
    actions.mutable_object().set(route.action, true);
    controllers.set(name, Object{{"actions", std::move(actions)}});
  }
  return Object{{"controllers", std::move(controllers)}};
}

Result<bool> may(const ServerContext& shared, RightsView& seen,
                 const std::vector<std::string>& profile_ids, const Message& message) {
  const bool is_anonymous_closed = TRY(is_anonymous_closed_by_settings(shared, seen));
  // A request on an index concerns all of its collections, whichever it names.
  const std::string collection = message.controller == "index" ? "" : message.collection;
  for (const std::string& id : profile_ids) {
    if (is_anonymous_closed && id == anonymous_profile) {
      if (is_open(message.controller, message.action)) return true;
      continue;
    }
    for (const Value& policy : policies_of(TRY(read_profile(seen.view, id)))) {
      if (!is_for(policy, message.index, collection)) continue;
      if (role_allows(TRY(read_role(seen.view, role_of(policy))), message.controller,
                      message.action))
        return true;
    }
  }
  return false;
}

bool is_first_admin(const Message& message) {
  return message.controller == "security" && message.action == "createFirstAdmin";
}

Result<void> authorize_while_closed(const Credentials& credentials, const Principal& principal,
                                    const Message& message) {
  if (is_open(message.controller, message.action)) return {};
  if (is_first_admin(message) && principal.has_server_key) return {};
  if (credentials.keys.empty()) {
    return problem("security.rights.unauthorized",
                   fmt::format("Unauthorized: {} closes the server and there is no administrator "
                               "yet; set auth.keys, and make one with security:createFirstAdmin "
                               "and one of the keys as its token",
                               credentials.closing_setting()));
  }
  return problem("security.rights.unauthorized",
                 "Unauthorized: the server has keys (auth.keys) and no administrator yet; make one "
                 "with security:createFirstAdmin and one of the keys as its token");
}

Result<void> authorize_without_login(const Credentials& credentials, const Message& message) {
  if (is_open(message.controller, message.action)) return {};
  const std::string why = credentials.is_open()
                              ? "other machines reach the server"
                              : fmt::format("{} closes the server", credentials.closing_setting());
  return problem("security.rights.unauthorized",
                 fmt::format("Unauthorized: {}, so a role anonymous that allows everything allows "
                             "nothing; log in, or let an administrator restrict that role",
                             why));
}

void add_rights(const Value& role, const Value& policy, Array& rights) {
  const Value controllers = role.member("controllers");
  if (!controllers.is(Kind::object) || !check_restriction(policy.member("restrictedTo"))) return;
  Array places;
  if (policy.member("restrictedTo").is(Kind::array)) places = policy.member("restrictedTo").array();
  if (places.empty()) places.push_back(Object{{"index", "*"}});
  for (const auto& [controller, what] : controllers.object()) {
    const Value actions = what.member("actions");
    if (!actions.is(Kind::object)) continue;
    for (const auto& [action, allowed] : actions.object()) {
      for (const Value& place : places) {
        Array collections{"*"};
        if (place.member("collections").is(Kind::array)) {
          collections = place.member("collections").array();
        }
        for (const Value& collection : collections) {
          rights.push_back(Object{{"controller", controller},
                                  {"action", action},
                                  {"index", place.member("index")},
                                  {"collection", collection},
                                  {"value", allowed.is_true() ? "allowed" : "denied"}});
        }
      }
    }
  }
}

}  // namespace

bool role_allows(const Value& role, const std::string& controller, const std::string& action) {
  const Value of_controller = named_or_any(role.member("controllers"), controller);
  return named_or_any(of_controller.member("actions"), action).is_true();
}

Result<Principal> authenticate(const ServerContext& shared, const Message& message) {
  const std::string& token = message.token;
  const bool has_key = !token.empty() && shared.services.credentials.has_key(token);
  if (!has_key && !is_first_admin(message)) return authenticate(shared.services.database, message);
  RightsView seen = shared.admins.view(shared.services.database);
  const bool is_closed_now = TRY(is_closed(shared, seen));
  if (has_key && is_closed_now) return Principal{.has_server_key = true};
  auto known = authenticate(shared.services.database, message);
  if (known || known.error().code != Code::unauthenticated) return known;
  // A server's key only allows the creation of the first administrator.
  if (has_key && is_first_admin(message)) return admin_is_set();
  if (!is_closed_now) return known;
  return problem(
      "security.token.invalid",
      "security:createFirstAdmin asks for one of the server's keys (auth.keys) as its token");
}

Result<Principal> authenticate(Database& database, const Message& message) {
  if (message.token.empty()) return Principal{};
  return principal_of(TRY(verify_token(database, message.token)));
}

Result<std::vector<std::string>> profiles_of(View& view, const Principal& principal) {
  if (principal.is_anonymous()) return std::vector<std::string>{std::string(anonymous_profile)};
  auto user = TRY(read_user(view, principal.id));
  if (!user || user->document.created_at != principal.created_at) {
    return std::vector<std::string>();
  }
  return std::move(user->profile_ids);
}

Result<void> authorize(const KuzzleCall& call, const Message& message) {
  return authorize(call.shared, call.principal, message);
}

Result<void> authorize(const ServerContext& shared, const Principal& principal,
                       const Message& message) {
  if (has_no_rules(shared)) return {};
  RightsView seen = shared.admins.view(shared.services.database);
  const Credentials& credentials = shared.services.credentials;
  if (TRY(is_closed(shared, seen))) return authorize_while_closed(credentials, principal, message);
  if (principal.is_anonymous() && TRY(is_anonymous_closed_by_settings(shared, seen))) {
    return authorize_without_login(credentials, message);
  }
  if (TRY(may(shared, seen, TRY(profiles_of(seen.view, principal)), message))) return {};
  const std::string what = fmt::format("[{}/{}/{}/{}]", message.index, message.collection,
                                       message.controller, message.action);
  if (principal.is_anonymous()) {
    return problem("security.rights.unauthorized",
                   fmt::format("Unauthorized action {} for anonymous user", what));
  }
  return problem("security.rights.forbidden",
                 fmt::format("Forbidden action {} for user {}", what, principal.id));
}

Result<PermittedCollections> PermittedCollections::of(const KuzzleCall& call) {
  PermittedCollections places;
  if (has_no_rules(call.shared)) return places;
  places.policies_.emplace();
  RightsView seen = call.shared.admins.view(call.database());
  const bool is_anonymous_closed = TRY(is_anonymous_closed_by_settings(call.shared, seen));
  for (const std::string& id : TRY(profiles_of(seen.view, call.principal))) {
    // No open action shows collections.
    if (is_anonymous_closed && id == anonymous_profile) continue;
    for (Value& policy : policies_of(TRY(read_profile(seen.view, id)))) {
      const Value role = TRY(read_role(seen.view, role_of(policy)));
      if (!role_allows(role, call.message.controller, call.message.action)) continue;
      places.policies_->push_back(std::move(policy));
    }
  }
  return places;
}

bool PermittedCollections::contains(const std::string& index, const std::string& collection) const {
  return !policies_ || std::any_of(policies_->begin(), policies_->end(), [&](const Value& policy) {
    return is_for(policy, index, collection);
  });
}

Result<AnonymousRights> named_anonymous_rights(View& view) {
  AnonymousRights rights = AnonymousRights::restricted;
  for (const std::string& id : TRY(profiles_of(view, Principal()))) {
    for (const Value& policy : policies_of(TRY(read_profile(view, id)))) {
      rights = std::max(rights, anonymous_rights_by(TRY(read_role(view, role_of(policy)))));
    }
  }
  return rights;
}

Result<AnonymousRights> anonymous_rights(const ServerContext& shared) {
  if (has_no_rules(shared)) return AnonymousRights::all;
  RightsView seen = shared.admins.view(shared.services.database);
  const bool is_shut =
      TRY(is_closed(shared, seen)) || TRY(is_anonymous_closed_by_settings(shared, seen));
  return is_shut ? AnonymousRights::restricted : shared.admins.anonymous(seen);
}

Result<Array> rights_of(const ServerContext& shared, const std::vector<std::string>& profile_ids) {
  RightsView seen = shared.admins.view(shared.services.database);
  const bool is_anonymous_closed = TRY(is_anonymous_closed_by_settings(shared, seen));
  Array rights;
  for (const std::string& id : profile_ids) {
    if (is_anonymous_closed && id == anonymous_profile) {
      add_rights(open_role(), Value(), rights);
      continue;
    }
    for (const Value& policy : policies_of(TRY(read_profile(seen.view, id)))) {
      add_rights(TRY(read_role(seen.view, role_of(policy))), policy, rights);
    }
  }
  return rights;
}

}  // namespace mayfly::kuzzle
