// The actions of `auth`: authentication, and the caller's rights.
#include <fmt/format.h>

#include "base/crypto/passwords.h"
#include "base/service/logging.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/exports/exports.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/security/auth/expiry.h"
#include "dialect/kuzzle/security/auth/logins.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/rights/grants.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/security/users/users.h"
#include "expr/evaluation/evaluate.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view local = "local";
constexpr Span login_default_for = Span::seconds(3'600);

tl::unexpected<Error> wrong_password() {
  return problem("plugin.strategy.missing_user", "wrong username or password");
}

// The user name of an attempt, shortened for the log.
void log_failed_login(const KuzzleCall& call, std::string_view user) {
  constexpr std::size_t shown_bytes_max = 64;
  log(LogLevel::warn, "a login failed",
      {{"api", "kuzzle"}, {"user", user.substr(0, shown_bytes_max)}, {"peer", call.peer}});
}

Result<void> check_strategy(const KuzzleCall& call) {
  const auto strategy = TRY(call.text("strategy"));
  if (!strategy || strategy->empty()) {
    return problem("api.assert.missing_argument",
                   "The request must specify an attribute \"strategy\".");
  }
  if (*strategy == local) return {};
  return problem("security.credentials.unknown_strategy",
                 fmt::format("Unknown authentication strategy \"{}\"", *strategy));
}

Result<Span> requested_time(const KuzzleCall& call) {
  return TRY(requested_expiry(call, login_for_max)).value_or(login_default_for);
}

// Whether the client keeps its token in a cookie, which its pages cannot read.
Result<bool> requests_cookie(const KuzzleCall& call) {
  if (!TRY(call.flag("cookieAuth"))) return false;
  if (call.message.protocol == Protocol::http) return true;
  return problem("api.assert.unsupported_protocol",
                 "A login by cookie goes over HTTP: a message on a WebSocket sets none.");
}

std::string render_login(const KuzzleCall& call, const std::string& id, const Issued& issued) {
  Object answer{{"_id", id}};
  if (!call.cookie) answer.append("jwt", issued.text);
  if (call.generation().shows_login_expiry) {
    answer.append("expiresAt", to_millis(issued.ends_at));
    answer.append("ttl", issued.for_time.micros / 1'000);
  }
  return render_json(answer);
}

Result<std::string> requested_text(const KuzzleCall& call, const std::string& name) {
  const Value in_body = call.message.body.member(name);
  if (in_body.is(Kind::text)) return in_body.text();
  if (const auto argument = TRY(call.text(name))) return *argument;
  return missing_in_body(name);
}

// The fields that a strategy stores for a user, and those that can be searched.
const Array local_fields{"username", "password"};
constexpr std::string_view credentials_mapping =
    R"({"properties":{"username":{"type":"keyword"},"kuid":{"type":"keyword"}}})";

Result<void> must_be_known(const KuzzleCall& call) {
  if (!call.principal.is_anonymous()) return {};
  return problem("security.rights.unauthorized", "Unauthorized: no user is logged in");
}

UserRef self_of(const KuzzleCall& call) {
  return {call.principal.id, call.principal.created_at};
}

struct Account {
  UserRef user;
  std::string hash;  // of the password; empty: there is no login with that name
};

// The password and its user, in one snapshot.
Result<Account> read_account(Database& database, const std::string& name) {
  View view = database.view();
  const auto password =
      TRY(find_security_table<Password>(view.catalog()).get(view, DocumentKey::of(name)));
  if (!password) return Account{};
  const auto user = TRY(read_user(view, password->user_id));
  if (!user) return Account{};
  return Account{{password->user_id, user->document.created_at}, password->hash};
}

Result<std::optional<Password>> find_password(Database& database, const std::string& name) {
  return find_security_table<Password>(*database.catalog()).get(database, DocumentKey::of(name));
}

tl::unexpected<Error> no_credentials(const std::string& id) {
  return problem("security.user.not_found",
                 fmt::format("User \"{}\" has no credentials for strategy \"local\".", id));
}

// Those of the caller, or of the user that the request names.
Result<UserRef> credentials_owner(const KuzzleCall& call) {
  TRY(check_strategy(call));
  if (call.route->traits.is_of_caller) {
    TRY(must_be_known(call));
    return self_of(call);
  }
  return find_user(call.database(), TRY(call.id()));
}

}  // namespace

Result<std::string> log_in(KuzzleCall& call) {
  const bool is_too_often =
      call.logins != nullptr &&
      !call.logins->may_try(call.database().now(), call.shared.options.logins_max);
  if (is_too_often) {
    return problem("api.process.too_many_logins_requests",
                   "Rejected: Too many login attempts per second");
  }
  TRY(check_strategy(call));
  const std::string name = TRY(requested_text(call, "username"));
  const std::string password = TRY(requested_text(call, "password"));
  const Span for_time = TRY(requested_time(call));
  const bool by_cookie = TRY(requests_cookie(call));
  const Account account = TRY(read_account(call.database(), name));
  // A refusal takes as long for an unknown user as for a known one.
  static const std::string nobodys = *hash_password("nobody's");
  const bool is_right = is_password(password, account.hash.empty() ? nobodys : account.hash);
  if (!is_right || account.hash.empty()) {
    log_failed_login(call, name);
    return wrong_password();
  }
  const std::string& id = account.user.id;
  const Issued issued = TRY(issue_token(call.database(), account.user, for_time));
  if (call.connection) {
    call.shared.grants.move(*call.connection, issued.text, issued.ends_at);
    call.shared.grants.recheck(call.shared, {.connection = call.connection});
  }
  call.principal = {
      .id = id, .token_ends_at = issued.ends_at, .created_at = account.user.created_at};
  if (by_cookie) call.cookie = {issued.text, issued.for_time};
  return render_login(call, id, issued);
}

Result<std::string> log_out(KuzzleCall& call) {
  if (TRY(requests_cookie(call))) call.cookie = CookieToken{};
  // An API key is valid until it is deleted.
  const bool has_logged_in = !call.message.token.empty() && !call.principal.has_api_key;
  if (!has_logged_in) return R"({"acknowledged":true})";
  TRY(end_token(call.database(), call.message.token));
  if (call.connection) call.shared.grants.leave(*call.connection, call.message.token);
  return R"({"acknowledged":true})";
}

Result<std::string> refresh_token(KuzzleCall& call) {
  TRY(must_be_known(call));
  if (call.principal.has_api_key) {
    return problem("security.token.refresh_forbidden", "An API key cannot be refreshed.");
  }
  if (call.principal.has_single_use) {
    return problem("security.token.refresh_forbidden",
                   "A token for a single request cannot be refreshed.");
  }
  const bool by_cookie = TRY(requests_cookie(call));
  const Issued issued = TRY(issue_token(call.database(), self_of(call), TRY(requested_time(call))));
  if (by_cookie) call.cookie = {issued.text, issued.for_time};
  call.shared.grants.replace_token(call.message.token, issued.text, issued.ends_at);
  call.shared.exports.replace_token(call.message.token, issued.text);
  TRY(end_token(call.database(), call.message.token));
  return render_login(call, call.principal.id, issued);
}

// Another token for the caller, which may be for a single request, such as a link to be shared. A
// token with an expiration cannot create one that outlives it.
Result<void> must_have_logged_in(const KuzzleCall& call) {
  TRY(must_be_known(call));
  if (!call.principal.has_api_key && !call.principal.has_single_use) return {};
  return problem("security.token.refresh_forbidden",
                 "An API key or a token for a single request cannot be exchanged for a token.");
}

Result<std::string> create_token(KuzzleCall& call) {
  TRY(must_have_logged_in(call));
  const bool is_single = TRY(call.flag("singleUse")) || TRY(call.flag("unique"));
  const Issued issued = TRY(issue_token(call.database(), self_of(call), TRY(requested_time(call)),
                                        is_single ? TokenUse::single : TokenUse::many));
  return render_json(Object{{"expiresAt", to_millis(issued.ends_at)},
                            {"singleUse", is_single},
                            {"token", issued.text},
                            {"ttl", issued.for_time.micros / 1'000}});
}

Result<std::string> check_token(KuzzleCall& call) {
  const Value in_body = call.message.body.member("token");
  const std::string token = in_body.is(Kind::text) ? in_body.text() : call.message.token;
  const std::string_view answer_without = call.generation().empty_token_check;
  if (token.empty() && !answer_without.empty()) return std::string(answer_without);
  const auto known = verify_token(call.database(), token);
  if (!known && known.error().code != Code::unauthenticated) return tl::unexpected(known.error());
  if (!known) return render_json(Object{{"valid", false}, {"state", known.error().message}});
  call.principal = principal_of(*known);
  const bool ends = !known->ends_at.is_never();
  std::string out;
  JsonWriter json(out);
  call.renderer().valid_token({known->user_id, ends ? to_millis(known->ends_at) : -1}, json);
  return out;
}

Result<std::string> get_current_user(KuzzleCall& call) {
  if (call.principal.is_anonymous()) {
    return render_json(Object{{"_id", anonymous_id},
                              {"_source", Object{{"profileIds", Array{"anonymous"}}}},
                              {"strategies", Array()}});
  }
  const auto found = TRY(read_user(call.database(), call.principal.id));
  if (!found) return wrong_password();
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  render_document(found->document, call.generation(), json);
  json.member("strategies", Value(Array{local}));
  json.end_object();
  return out;
}

Result<std::string> get_my_rights(KuzzleCall& call) {
  View view = call.database().view();
  const Array rights = TRY(rights_of(call.shared, TRY(profiles_of(view, call.principal))));
  return render_json(Object{{"hits", rights}, {"total", static_cast<std::int64_t>(rights.size())}});
}

Result<std::string> update_self(KuzzleCall& call) {
  TRY(must_be_known(call));
  const Object& body = *TRY(call.body());
  for (const std::string_view name : {"_id", "profileIds"}) {
    if (body.find(name) == nullptr) continue;
    return problem("api.assert.invalid_argument",
                   fmt::format("The request must not specify the body attribute \"{}\".", name));
  }
  return write_security(call, users,
                        {.how = WriteKind::update, .id = call.principal.id, .body = body},
                        self_of(call));
}

Result<std::string> get_strategies(KuzzleCall&) {
  return R"(["local"])";
}

Result<std::string> have_credentials(KuzzleCall& call) {
  const std::string id = TRY(credentials_owner(call)).id;
  return std::string(TRY(name_of_user(call, id)).empty() ? "false" : "true");
}

Result<std::string> get_credentials(KuzzleCall& call) {
  const std::string id = TRY(credentials_owner(call)).id;
  const std::string name = TRY(name_of_user(call, id));
  if (name.empty()) return no_credentials(id);
  return render_json(Object{{"username", name}, {"kuid", id}});
}

Result<std::string> create_credentials(KuzzleCall& call) {
  const UserRef user = TRY(credentials_owner(call));
  if (!TRY(name_of_user(call, user.id)).empty()) {
    return problem(
        "services.storage.document_already_exists",
        fmt::format("User \"{}\" already has credentials for strategy \"local\".", user.id));
  }
  TRY(store_password(call, user, TRY(call.body()), PasswordWrite::first));
  return get_credentials(call);
}

Result<std::string> update_credentials(KuzzleCall& call) {
  const UserRef user = TRY(credentials_owner(call));
  if (TRY(name_of_user(call, user.id)).empty()) return no_credentials(user.id);
  TRY(store_password(call, user, TRY(call.body()), PasswordWrite::changed));
  return get_credentials(call);
}

Result<std::string> delete_credentials(KuzzleCall& call) {
  const UserRef user = TRY(credentials_owner(call));
  if (!TRY(remove_password(call, user))) return no_credentials(user.id);
  return R"({"acknowledged":true})";
}

// Whether they could be stored.
Result<std::string> validate_credentials(KuzzleCall& call) {
  const std::string id = TRY(credentials_owner(call)).id;
  for (const char* name : {"username", "password"}) {
    if (TRY(call.body_text(name)).empty()) {
      return missing_in_body(name);
    }
  }
  const std::string name = TRY(call.body_text("username"));
  const auto stored = TRY(find_password(call.database(), name));
  if (!stored || stored->user_id == id) return std::string("true");
  return problem("services.storage.document_already_exists",
                 fmt::format("Login \"{}\" is already used.", name));
}

// By login name.
Result<std::string> get_credentials_by_id(KuzzleCall& call) {
  TRY(check_strategy(call));
  const std::string name = TRY(call.id());
  const auto stored = TRY(find_password(call.database(), name));
  if (!stored) return no_credentials(name);
  return render_json(Object{{"username", name}, {"kuid", stored->user_id}});
}

// By the fields that a strategy shows; passwords are not searchable. Ordered by name.
Result<std::string> search_users_by_credentials(KuzzleCall& call) {
  TRY(check_strategy(call));
  View view = call.database().view();
  const auto mapping = TRY(search::Mapping::parse(*parse_json(credentials_mapping)));
  search::Language language{.mapping = mapping, .now = view.now()};
  language.read_query = TRY(query_language_of(call));
  search::Search users_search =
      TRY(phrased_as_search(search::parse_search(TRY(search_body(call)), language)));
  TRY(set_page(call, users_search));
  if (!users_search.sort.empty() || !users_search.aggregations.empty()) {
    return fail(Code::unsupported, "a search of credentials has a query, from and size alone");
  }
  Meter meter = meter_of(call);
  Array hits;
  std::size_t total = 0;
  TRY(find_security_table<Password>(view.catalog())
          .each(view, [&](const Password& row) -> Result<bool> {
            Value shown = Object{{"kuid", row.user_id}, {"username", row.name}};
            const ValueScope scope(shown);
            TRY(meter.tick());
            if (users_search.query && TRY(truth(*users_search.query, scope, meter)) != Truth::yes)
              return true;
            if (total++ >= users_search.from && hits.size() < users_search.size)
              hits.push_back(std::move(shown));
            return true;
          }));
  return render_json(
      Object{{"hits", std::move(hits)}, {"total", static_cast<std::int64_t>(total)}});
}

Result<std::string> get_credential_fields(KuzzleCall& call) {
  TRY(check_strategy(call));
  return render_json(local_fields);
}

Result<std::string> get_all_credential_fields(KuzzleCall&) {
  return render_json(Object{{std::string(local), local_fields}});
}

Result<std::string> get_user_strategies(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  const bool is_anonymous = id == anonymous_id;
  if (!is_anonymous) TRY(find_user(call.database(), id));
  Array strategies;
  if (!is_anonymous && !TRY(name_of_user(call, id)).empty()) strategies.emplace_back(local);
  const auto total = static_cast<std::int64_t>(strategies.size());
  return render_json(Object{{"strategies", strategies}, {"total", total}});
}

// Whether the caller, or the user that the request names, may run this request.
Result<std::string> check_rights(KuzzleCall& call) {
  Message users_search;
  users_search.controller = TRY(call.body_text("controller"));
  users_search.action = TRY(call.body_text("action"));
  const Value index = call.message.body.member("index");
  const Value collection = call.message.body.member("collection");
  if (index.is(Kind::text)) users_search.index = index.text();
  if (collection.is(Kind::text)) users_search.collection = collection.text();
  Principal who = call.principal;
  if (!call.route->traits.is_of_caller) {
    who = Principal();
    who.id = TRY(call.text("userId")).value_or("");
    if (who.id.empty()) return missing_argument("userId");
    if (!who.is_anonymous()) who.created_at = TRY(find_user(call.database(), who.id)).created_at;
  }
  const auto allowed = authorize(call.shared, who, users_search);
  if (!allowed && allowed.error().code != Code::forbidden) return tl::unexpected(allowed.error());
  return render_json(Object{{"allowed", allowed.has_value()}});
}

}  // namespace mayfly::kuzzle
