#include "dialect/kuzzle/requests/answer.h"

#include <fmt/format.h>

#include "base/threads/no_wait.h"
#include "dialect/common/limits.h"
#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/mappings/learnt_fields.h"
#include "dialect/kuzzle/security/rights/admins.h"
#include "dialect/kuzzle/security/rights/grants.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/server/statistics.h"

namespace mayfly::kuzzle {
namespace {

// The action failed in part. In version 2 the result says what failed; before, an error beside the
// result does.
Reply partial_reply(const KuzzleCall& call, std::string result) {
  constexpr int partial = 206;
  auto error = call.renderer().partial_error(
      {.status = partial, .message = call.partial_message, .errors = call.partial_errors});
  if (error) return {.status = partial, .result = std::move(result), .error = *std::move(error)};
  if (call.generation().takes_strict_flag && call.flag("strict").value_or(false)) {
    return reply_of({Code::invalid, "Incomplete request: some of its documents failed.",
                     "api.process.incomplete_multiple_request"},
                    call.message);
  }
  return {.result = std::move(result)};
}

// Authenticates the token. A single-use token is used up then, except for this request.
Result<Principal> asker_of(const KuzzleCall& call) {
  const std::string& token = call.message.token;
  UsedToken* const used = call.used_token;
  if (used != nullptr && !token.empty() && used->token == token) return used->principal;
  Principal known = TRY(authenticate(call.shared, call.message));
  if (!known.has_single_use) return known;
  TRY(use_up_token(call.database(), token));
  if (used != nullptr) *used = {token, known};
  return known;
}

// The same; an invalid cookie counts as none.
Result<Principal> caller_of(KuzzleCall& call) {
  auto known = asker_of(call);
  // Pages cannot remove an invalid cookie, and another server on this host may have set it. So it
  // is removed, and the request counts as one without a login.
  const bool is_old_cookie =
      !known && call.message.has_cookie_token && known.error().code == Code::unauthenticated;
  if (!is_old_cookie) return known;
  call.cookie = CookieToken{};
  return Principal{};
}

// Checks the caller's right by the route, the collection and the token.
Result<void> admit(const Route& route, KuzzleCall& call) {
  call.route = &route;
  if (!route.traits.judges_token) call.principal = TRY(caller_of(call));
  return authorize(call, call.message);
}

// A change of rights applies immediately to everything that was granted under them.
void record_changes(const Route& route, const KuzzleCall& call, bool has_succeeded) {
  const RightsChange change = route.traits.change;
  if (change == RightsChange::none) return;
  const bool is_about_token = change == RightsChange::own_token;
  if (!has_succeeded && change != RightsChange::in_steps) return;
  if (!is_about_token) return call.shared.grants.recheck(call.shared, {});
  if (call.message.token.empty()) return;
  call.shared.grants.recheck(call.shared, {.token = call.message.token});
}

// While an action changes rights, and afterwards, cached rights do not apply; a failed action may
// have changed some.
Result<std::string> run_action(const Route& route, KuzzleCall& call) {
  const RightsChange change = route.traits.change;
  if (change == RightsChange::none || change == RightsChange::own_token) return route.act(call);
  const Admins::RightsUpdate under_way(call.shared.admins);
  return route.act(call);
}

Result<std::string> act(const Route& route, KuzzleCall& call, const ReadRest& read_rest) {
  const Instant now = call.database().now();
  if (call.shared.grants.is_due(now)) call.shared.grants.end_expired(now);
  TRY(admit(route, call));
  if (read_rest) TRY(read_rest());
  auto result = run_action(route, call);
  record_changes(route, call, result.has_value());
  if (result) add_learnt_fields(call);
  if (result) refresh_written(call);
  return result;
}

Reply reply_of(const Route& route, KuzzleCall& call, const ReadRest& read_rest) {
  const Message& message = call.message;
  auto result = act(route, call, read_rest);
  if (!result) {
    Reply reply = reply_of(result.error(), message);
    if (!call.error_details.empty()) reply.error->append("details", call.error_details);
    return reply;
  }
  if (!call.partial_errors.empty()) return partial_reply(call, *std::move(result));
  return {.result = *std::move(result)};
}

// Counts a request in the statistics until it ends, in whatever way.
class Counted {
 public:
  explicit Counted(const KuzzleCall& call) : call_(call) {
    call_.shared.statistics.started(call_.message.protocol, call_.database().now());
  }
  Counted(const Counted&) = delete;
  ~Counted() {
    if (NoWait::has_refused_here()) {
      call_.shared.statistics.put_off(call_.message.protocol);
      return;
    }
    call_.shared.statistics.ended(call_.message.protocol, has_failed, call_.database().now());
  }
  bool has_failed = true;

 private:
  const KuzzleCall& call_;
};

}  // namespace

Result<const Route*> route_of(const Message& message) {
  const Route* route = find_route(message.controller, message.action);
  if (route != nullptr) return route;
  if (!has_controller(message.controller)) {
    return problem_in_both("api.process.controller_not_found",
                           fmt::format("Unknown controller {}", message.controller),
                           {message.controller});
  }
  return problem_in_both("api.process.action_not_found",
                         fmt::format("No corresponding action {} in controller {}", message.action,
                                     message.controller),
                         {message.controller, message.action});
}

Reply reply_of(const Error& error, const Message& message) {
  const Generation& generation = *message.generation;
  return {.status = status_of(error, generation), .error = render_error(error, generation)};
}

Reply refuse_unroutable(const Error& error, const KuzzleCall& call) {
  (void)asker_of(call);
  return reply_of(error, call.message);
}

Reply answer_route(const Route& route, KuzzleCall& call, const ReadRest& read_rest) {
  constexpr int first_failure = 400;
  Counted counted(call);
  Reply reply = reply_of(route, call, read_rest);
  counted.has_failed = reply.status >= first_failure;
  return reply;
}

Error overloaded() {
  return {Code::throttled, "Request discarded: Kuzzle Server is temporarily overloaded",
          "api.process.overloaded"};
}

Error to_kuzzle_error(const Error& refusal) {
  if (refusal.field == "host") {
    return {refusal.code, refusal.message, "network.http.misdirected_request"};
  }
  const bool is_plain = refusal.code == Code::throttled && refusal.field.empty();
  return is_plain ? overloaded() : refusal;
}

Result<void> check_body_bytes(const Route& route, std::size_t bytes) {
  const std::size_t most = route.traits.body_bytes_max;
  if (most == limits::bulk_body_bytes_max || bytes <= most) return {};
  return fail(Code::too_large, fmt::format("The body of a login has at most {} bytes.", most));
}

std::optional<Reply> refuse_by_head(const Route& route, KuzzleCall& call,
                                    std::optional<std::size_t> body_bytes) {
  Result<void> may = admit(route, call);
  if (may && body_bytes) may = check_body_bytes(route, *body_bytes);
  if (may) return std::nullopt;
  const Counted counted(call);
  return reply_of(may.error(), call.message);
}

Result<std::size_t> unnamed_body_bytes_max(KuzzleCall& call) {
  if (!TRY(caller_of(call)).is_anonymous()) return limits::bulk_body_bytes_max;
  const bool may_do_all = TRY(anonymous_rights(call.shared)) == AnonymousRights::all;
  return may_do_all ? limits::bulk_body_bytes_max : limits::message_before_login_bytes_max;
}

Result<void> check_unnamed_body(KuzzleCall& call, std::size_t bytes) {
  if (bytes <= limits::message_before_login_bytes_max) return {};
  if (TRY(unnamed_body_bytes_max(call)) > limits::message_before_login_bytes_max) return {};
  return fail(Code::too_large, fmt::format("A request without a login has at most {} bytes.",
                                           limits::message_before_login_bytes_max));
}

std::optional<Reply> refuse_unnamed_by_head(KuzzleCall& call,
                                            std::optional<std::size_t> body_bytes) {
  const auto may = check_unnamed_body(call, body_bytes.value_or(SIZE_MAX));
  if (may) return std::nullopt;
  return reply_of(may.error(), call.message);
}

}  // namespace mayfly::kuzzle
