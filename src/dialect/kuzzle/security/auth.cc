// The actions of `auth`: who asks, and what he may.
#include <fmt/format.h>

#include "base/passwords.h"
#include "dialect/common/parameters.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/rights.h"
#include "dialect/kuzzle/security/store.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view local = "local";
constexpr Span login_default_for = Span::seconds(3'600);
constexpr Span login_for_max = Span::seconds(366 * 86'400);

tl::unexpected<Error> wrong_password() {
  return problem("plugin.strategy.missing_user", "wrong username or password");
}

Result<void> check_strategy(const Call& call) {
  const auto strategy = TRY(call.text("strategy"));
  if (!strategy || strategy->empty()) {
    return problem("api.assert.missing_argument",
                   "The request must specify an attribute \"strategy\".");
  }
  if (*strategy == local) return {};
  return problem("security.credentials.unknown_strategy",
                 fmt::format("Unknown authentication strategy \"{}\"", *strategy));
}

struct Unit {
  std::string_view name;
  std::int64_t millis;
};
constexpr Unit units[] = {{"ms", 1},        {"s", 1'000},      {"m", 60'000},
                          {"h", 3'600'000}, {"d", 86'400'000}, {"", 1}};

// "1h", or a number of milliseconds.
Result<Span> asked_time(const Call& call) {
  const Value* asked = call.message.arguments.find("expiresIn");
  if (asked == nullptr || asked->is_null()) return login_default_for;
  std::int64_t millis = -1;
  if (asked->is(Kind::integer)) millis = asked->integer();
  if (asked->is(Kind::text)) {
    const std::string_view text = asked->text();
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number =
        parse_integer(text.substr(0, digits), "expiresIn", 0, INT64_MAX / 86'400'000);
    for (const Unit& unit : units) {
      if (number && unit.name == text.substr(digits)) {
        millis = *number * unit.millis;
        break;
      }
    }
  }
  if (millis > 0 && Span::millis(millis) <= login_for_max) return Span::millis(millis);
  return problem(
      "api.assert.invalid_argument",
      "Invalid expiresIn value: a duration as \"1h\", or milliseconds, of a year at most");
}

std::string render_login(const Call& call, const std::string& id, const Issued& issued) {
  Object told{{"_id", id}, {"jwt", issued.text}};
  if (call.shape() != Shape::v1) {
    told.append("expiresAt", to_millis(issued.ends_at));
    told.append("ttl", issued.for_time.micros / 1'000);
  }
  return render_json(told);
}

Result<std::string> asked_text(const Call& call, const std::string& name) {
  const Value in_body = call.message.body.member(name);
  if (in_body.is(Kind::text)) return in_body.text();
  if (const auto argument = TRY(call.text(name))) return *argument;
  return missing_argument(fmt::format("body attribute \"{}\"", name));
}

Result<void> must_be_known(const Call& call) {
  if (!call.principal.is_anonymous()) return {};
  return problem("security.rights.unauthorized", "Unauthorized: nobody has logged in");
}

tl::unexpected<Error> no_credentials(const std::string& id) {
  return problem("security.user.not_found",
                 fmt::format("User \"{}\" has no credentials for strategy \"local\".", id));
}

// One's own, or as `security` has it, those of whom the request names.
Result<std::string> whose_credentials(const Call& call) {
  TRY(check_strategy(call));
  if (call.message.controller == "auth") {
    TRY(must_be_known(call));
    return call.principal.id;
  }
  const std::string id = TRY(call.id());
  if (TRY(find_security(call.database(), users, id))) return id;
  return problem("security.user.not_found", fmt::format("User with id \"{}\" not found", id));
}

}  // namespace

Result<std::string> log_in(Call& call) {
  TRY(check_strategy(call));
  const std::string name = TRY(asked_text(call, "username"));
  const std::string password = TRY(asked_text(call, "password"));
  const Span for_time = TRY(asked_time(call));
  const Value kept = name.empty() ? Value() : TRY(read_security(call.database(), passwords, name));
  const Value hash = kept.member("hash");
  // Who is not there takes as long to be refused as who is.
  static const std::string nobodys = *hash_password("nobody's");
  const bool is_right = is_password(password, hash.is(Kind::text) ? hash.text() : nobodys);
  if (!is_right || !hash.is(Kind::text)) return wrong_password();
  const std::string id = kept.member("kuid").text();
  return render_login(call, id, TRY(issue_token(call.database(), id, for_time)));
}

Result<std::string> log_out(Call& call) {
  if (!call.message.token.empty()) TRY(end_token(call.database(), call.message.token));
  return R"({"acknowledged":true})";
}

Result<std::string> refresh_token(Call& call) {
  TRY(must_be_known(call));
  const Issued issued = TRY(issue_token(call.database(), call.principal.id, TRY(asked_time(call))));
  TRY(end_token(call.database(), call.message.token));
  return render_login(call, call.principal.id, issued);
}

Result<std::string> check_token(Call& call) {
  const Value in_body = call.message.body.member("token");
  const std::string token = in_body.is(Kind::text) ? in_body.text() : call.message.token;
  if (token.empty() && call.is_v2()) {
    return fmt::format(R"({{"valid":true,"kuid":"{}","expiresAt":-1}})", anonymous_id);
  }
  const auto known = verify_token(call.database(), token);
  if (!known && known.error().code != Code::unauthenticated) return tl::unexpected(known.error());
  if (!known) return render_json(Object{{"valid", false}, {"state", known.error().message}});
  Object told{{"valid", true}, {"expiresAt", to_millis(known->ends_at)}};
  if (call.is_v2()) told.append("kuid", known->user_id);
  return render_json(told);
}

Result<std::string> get_current_user(Call& call) {
  if (call.principal.is_anonymous()) {
    return render_json(Object{{"_id", anonymous_id},
                              {"_source", Object{{"profileIds", Array{"anonymous"}}}},
                              {"strategies", Array()}});
  }
  const auto found = TRY(find_security(call.database(), users, call.principal.id));
  if (!found) return wrong_password();
  std::string out = render_security(call, *found);
  out.pop_back();
  return out + R"(,"strategies":["local"]})";
}

Result<std::string> get_my_rights(Call& call) {
  const Array rights =
      TRY(rights_of(call.database(), TRY(profiles_of(call.database(), call.principal))));
  return render_json(Object{{"hits", rights}, {"total", static_cast<std::int64_t>(rights.size())}});
}

Result<std::string> update_self(Call& call) {
  TRY(must_be_known(call));
  const Object& body = *TRY(call.body());
  for (const std::string_view name : {"_id", "profileIds"}) {
    if (body.find(name) == nullptr) continue;
    return problem("api.assert.invalid_argument",
                   fmt::format("The request must not specify the body attribute \"{}\".", name));
  }
  return write_security(call, users, call.principal.id, body, Writing::update);
}

Result<std::string> get_strategies(Call&) {
  return R"(["local"])";
}

Result<std::string> have_credentials(Call& call) {
  const std::string id = TRY(whose_credentials(call));
  return std::string(TRY(name_of_user(call, id)).empty() ? "false" : "true");
}

Result<std::string> get_credentials(Call& call) {
  const std::string id = TRY(whose_credentials(call));
  const std::string name = TRY(name_of_user(call, id));
  if (name.empty()) return no_credentials(id);
  return render_json(Object{{"username", name}, {"kuid", id}});
}

Result<std::string> create_credentials(Call& call) {
  const std::string id = TRY(whose_credentials(call));
  if (!TRY(name_of_user(call, id)).empty()) {
    return problem("services.storage.document_already_exists",
                   fmt::format("User \"{}\" already has credentials for strategy \"local\".", id));
  }
  TRY(keep_password(call, id, TRY(call.body()), PasswordIs::fresh));
  return get_credentials(call);
}

Result<std::string> update_credentials(Call& call) {
  const std::string id = TRY(whose_credentials(call));
  if (TRY(name_of_user(call, id)).empty()) return no_credentials(id);
  TRY(keep_password(call, id, TRY(call.body()), PasswordIs::changed));
  return get_credentials(call);
}

Result<std::string> delete_credentials(Call& call) {
  const std::string id = TRY(whose_credentials(call));
  if (!TRY(forget_password(call, id))) return no_credentials(id);
  return R"({"acknowledged":true})";
}

}  // namespace mayfly::kuzzle
