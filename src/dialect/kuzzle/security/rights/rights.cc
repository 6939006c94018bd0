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

const std::string signing_key_id = "jwt";
constexpr std::string_view anonymous_profile = "anonymous";

tl::unexpected<Error> invalid_token(const char* why) {
  return problem("security.token.invalid", why);
}

DocumentKey key_of_ended(const std::string& token) {
  return DocumentKey::of(encode_hex(sha256(token)));
}

DocumentKey key_of_all_ended(const std::string& user_id) {
  return key_of_ended("all of " + user_id);  // no token has a space
}

Result<Bytes> signing_key(Database& database) {
  const auto table = find_security_table<SigningKey>(*database.catalog());
  const auto stored = TRY(table.get(database, DocumentKey::of(signing_key_id)));
  return stored ? stored->key : Bytes();
}

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

// A login belongs to the user that logged in, not to a later one with the same id. A token of an
// earlier version does not say which; then it must not be older than the user.
bool is_token_of(const Value& claims, const User& user) {
  const Value created = claims.member(user_created_claim);
  const Instant made_at = user.document.created_at;
  if (created.is(Kind::integer)) return created.integer() == made_at.micros;
  const Value issued = claims.member("iat");
  return issued.is(Kind::integer) && made_at <= Instant::from_seconds(issued.integer());
}

// Whether all tokens of its user have been revoked since. A token of an earlier version has only
// the second of its issue.
bool was_ended_with_all(const Value& claims, const std::optional<EndedToken>& all) {
  if (!all || !all->issued_until) return false;
  const Value issued = claims.member(issued_claim);
  if (issued.is(Kind::integer)) return issued.integer() <= all->issued_until->micros;
  const Value second = claims.member("iat");
  return !second.is(Kind::integer) || Instant::from_seconds(second.integer()) <= *all->issued_until;
}

}  // namespace

bool role_allows(const Value& role, const std::string& controller, const std::string& action) {
  const Value of_controller = named_or_any(role.member("controllers"), controller);
  return named_or_any(of_controller.member("actions"), action).is_true();
}

Result<Bytes> make_signing_key(Database& database) {
  if (Bytes stored = TRY(signing_key(database)); !stored.empty()) return stored;
  const auto table = TRY(ensure_security_table<SigningKey>(database));
  const SigningKey fresh{random_bytes(SigningKey::bytes)};
  const auto made = database.transact([&](Transaction& transaction) {
    return table.put(transaction, DocumentKey::of(signing_key_id), fresh,
                     {.expect = PutOptions::Expect::absent});
  });
  if (made) return fresh.key;
  if (made.error().code != Code::exists) return tl::unexpected(made.error());
  if (Bytes stored = TRY(signing_key(database)); !stored.empty()) return stored;
  const auto now = find_security_table<SigningKey>(*database.catalog());
  const bool is_reset = !now || now.collection()->id != table.collection()->id;
  if (is_reset) return fail(Code::contended, "users and rights are being reset");
  return fail(Code::corrupt, "what tokens are signed with cannot be read");
}

Result<Token> verify_token(Database& database, const std::string& token) {
  const Bytes key = TRY(signing_key(database));
  if (key.empty()) return invalid_token("Json Web Token Error");
  const bool is_api_key = token.starts_with(api_key_prefix);
  const auto claims_text =
      verify_jwt(is_api_key ? token.substr(api_key_prefix.size()) : token, key);
  const auto claims = claims_text ? parse_json(*claims_text) : tl::unexpected(claims_text.error());
  if (!claims) return invalid_token("Json Web Token Error");
  if (is_api_key) return verify_api_key(database, token, *claims);
  const Value id = claims->member("_id");
  const Value exp = claims->member("exp");
  // The token of an API key without its prefix is not a login.
  const bool is_login =
      id.is(Kind::text) && exp.is(Kind::integer) && claims->member(api_key_claim).is_missing();
  if (!is_login) return invalid_token("Json Web Token Error");
  const Instant ends_at = Instant::from_seconds(exp.integer());
  if (database.now() >= ends_at) return problem("security.token.expired", "Token expired");
  const auto ended = find_security_table<EndedToken>(*database.catalog());
  if (TRY(ended.get(database, key_of_ended(token)))) return invalid_token("Invalid token");
  const auto all_ended = TRY(ended.get(database, key_of_all_ended(id.text())));
  if (was_ended_with_all(*claims, all_ended)) return invalid_token("Invalid token");
  const auto user = TRY(read_user(database, id.text()));
  if (!user || !is_token_of(*claims, *user)) return invalid_token("Invalid token");
  return Token{.user_id = id.text(),
               .user_created_at = user->document.created_at,
               .ends_at = ends_at,
               .is_single_use = claims->member(single_use_claim).is_true()};
}

Principal principal_of(const Token& token) {
  return {.id = token.user_id,
          .token_ends_at = token.ends_at,
          .created_at = token.user_created_at,
          .has_api_key = token.is_api_key,
          .has_single_use = token.is_single_use};
}

Result<Issued> issue_token(Database& database, const UserRef& user, Span for_time, TokenUse use) {
  const Bytes key = TRY(make_signing_key(database));
  const Instant now = database.now();
  // Whole seconds, rounded up: a token lasts at least as long as requested.
  const Instant ends_at = Instant::from_seconds((now + for_time + Span{999'999}).whole_seconds());
  Object claims{{"_id", user.id},
                {std::string(user_created_claim), user.created_at.micros},
                {std::string(issued_claim), now.micros},
                {"iat", now.whole_seconds()},
                {"exp", ends_at.whole_seconds()},
                {"jti", encode_base64url(random_bytes(12))}};
  if (use == TokenUse::single) claims.append(std::string(single_use_claim), true);
  auto token = TRY(sign_jwt(render_json(claims), key));
  return Issued{std::move(token), ends_at, for_time};
}

namespace {

// It is remembered for as long as it would have been valid.
Result<void> put_ended(Database& database, const std::string& token, PutOptions::Expect expect) {
  const Token known = TRY(verify_token(database, token));
  const auto table = TRY(ensure_security_table<EndedToken>(database));
  TRY(database.transact([&](Transaction& transaction) {
    return table.put(transaction, key_of_ended(token), {known.user_id},
                     {.expect = expect, .lifetime = Lifetime{At{known.ends_at}}});
  }));
  return {};
}

}  // namespace

Result<void> end_token(Database& database, const std::string& token) {
  return put_ended(database, token, PutOptions::Expect::anything);
}

Result<void> use_up_token(Database& database, const std::string& token) {
  const auto used = put_ended(database, token, PutOptions::Expect::absent);
  if (used || used.error().code != Code::exists) return used;
  return invalid_token("Invalid token");
}

Result<void> end_all_tokens(Database& database, const std::string& user_id) {
  const auto table = TRY(ensure_security_table<EndedToken>(database));
  const Instant now = database.now();
  // The last of them expires at most a second later, because expirations are rounded up.
  const Instant forgotten_at = now + login_for_max + Span::seconds(1);
  TRY(database.transact([&](Transaction& transaction) {
    return table.put(transaction, key_of_all_ended(user_id), {user_id, now},
                     {.lifetime = Lifetime{At{forgotten_at}}});
  }));
  return {};
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
  return invalid_token(
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
