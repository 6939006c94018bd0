#include "net/requests/in_flight.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/service/logging.h"
#include "net/access/access_log.h"
#include "net/requests/announced_bytes.h"
#include "net/requests/limits.h"

namespace mayfly::net {
namespace {

// The Retry-After of an overloaded server, if the dialect sets none.
constexpr const char* retry_after_seconds = "1";
constexpr const char* failed_inside = "the request failed inside the server";

bool has_header(const Response& response, std::string_view name) {
  return std::any_of(response.headers.begin(), response.headers.end(), [name](const Pair& header) {
    return std::equal(header.first.begin(), header.first.end(), name.begin(), name.end(),
                      [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  });
}

}  // namespace

RequestInFlight::RequestInFlight(const RequestOrigin& origin)
    : listener_(origin.listener), handler_(*origin.listener.handler), rules_(origin.rules) {
  request_.peer = origin.peer.address;
  request_.network = origin.peer.network;
  request_.is_secure = origin.is_secure;
}

RequestOrigin RequestInFlight::origin() const {
  return {.listener = listener_,
          .rules = rules_,
          .peer = {.address = request_.peer, .network = request_.network},
          .is_secure = request_.is_secure};
}

void RequestInFlight::begin_request() {
  id_ = rules_.stamps.assign_id(request_);
  begun_at_ = monotonic_now();
  try {
    handler_.begin(request_, accepted_);
  } catch (const std::exception&) {
    accepted_.reset();
  }
}

std::optional<Refusal> RequestInFlight::check_head(bool is_whole) const {
  if (accepted_.get() == nullptr) return Refusal{500, {Code::internal, failed_inside}, !is_whole};
  const bool has_body = !is_whole || !request_.body.empty();
  auto denied = rules_.guard.check(*accepted_.get(), listener_, has_body);
  if (!denied) return std::nullopt;
  // A body of a wrong type is the mistake of a permitted client, and is not logged.
  if (*denied->setting != '\0') log_denial({request_, listener_.name, id_}, *denied);
  denied->refusal.closes = !is_whole;
  return std::move(denied->refusal);
}

void RequestInFlight::enter() {
  try {
    if (accepted_.get() != nullptr && !is_urgent()) accepted_.get()->enter();
  } catch (const std::exception&) {
    leave();  // it is not counted
  }
}

void RequestInFlight::leave() {
  if (accepted_.get() != nullptr) accepted_.get()->leave();
}

std::optional<Response> RequestInFlight::refuse_head() const {
  try {
    const auto bytes = content_length_of(request_);
    if (bytes && *bytes > accepted_.get()->body_bytes_max) return refuse_body();
    return accepted_.get()->refuse_head();
  } catch (const std::exception&) {
    return std::nullopt;  // answer() fails again and reports it
  }
}

Pace RequestInFlight::pace() const {
  try {
    const bool is_large = request_.body.size() > limits::quick_body_bytes_max;
    if (!is_large && rules_.guard.cors().answer_preflight(request_)) return Pace::quick;
    const Pace pace = accepted_.get()->pace();
    return is_large && pace == Pace::quick ? Pace::worker : pace;
  } catch (const std::exception&) {
    return Pace::quick;  // answer() fails again and reports it
  }
}

Error RequestInFlight::too_many_costly() const {
  return accepted_.get()->too_many_costly();
}

bool RequestInFlight::is_urgent() const {
  return accepted_.get() != nullptr && accepted_.get()->is_urgent;
}

Response RequestInFlight::answer() const {
  try {
    auto preflight = rules_.guard.cors().answer_preflight(request_);
    return preflight ? answer_preflight(*std::move(preflight)) : answer_accepted();
  } catch (const std::exception&) {
    return refuse({500, {Code::internal, failed_inside}, false});
  }
}

Response RequestInFlight::refuse_body() const {
  return accepted_.get()->refuse({Code::too_large, "the request's body is too large"});
}

Response RequestInFlight::answer_accepted() const {
  AcceptedRequest& accepted = *accepted_.get();
  if (request_.body.size() > accepted.body_bytes_max) {
    return refuse_body();
  }
  if (!accepted.is_urgent) {
    if (const auto may = handler_.may_answer(); !may) return accepted.refuse(may.error());
  }
  return accepted.answer();
}

// For permissions, the server's headers take precedence over the handler's.
Response RequestInFlight::answer_preflight(Response by_server) const {
  if (listener_.preflights == Preflights::by_server) return by_server;
  Response answer = answer_accepted();
  for (Pair& header : answer.headers) {
    if (!has_header(by_server, header.first)) by_server.headers.push_back(std::move(header));
  }
  answer.headers = std::move(by_server.headers);
  return answer;
}

Response RequestInFlight::refuse(const Refusal& refusal) const {
  const AcceptedRequest* accepted = accepted_.get();
  Response response =
      accepted != nullptr ? accepted->refuse(refusal.error) : handler_.refuse(refusal.error);
  if (refusal.status != 0) response.status = refusal.status;
  if (refusal.closes) response.close = true;
  if (refusal.error.code == Code::throttled && !has_header(response, "retry-after")) {
    response.headers.emplace_back("Retry-After", retry_after_seconds);
  }
  return response;
}

ResponseStamp RequestInFlight::stamp(Response& response) {
  rules_.guard.cors().open(request_, response);
  if (id_.empty()) id_ = rules_.stamps.assign_id(request_);
  return {rules_.stamps.date(), id_};
}

void RequestInFlight::record_status(int status) {
  constexpr int unauthenticated = 401;
  status_ = status;
  if (status == unauthenticated) log_unauthenticated({request_, listener_.name, id_});
}

void RequestInFlight::record_answer(std::uint64_t bytes) {
  if (status_ == 0) return;
  const int status = std::exchange(status_, 0);
  // A request that could not be read has no beginning.
  const Span took = begun_at_.micros == 0 ? Span{} : monotonic_now() - begun_at_;
  const AcceptedRequest* accepted = accepted_.get();
  AnswerMeter* const meter = accepted != nullptr ? accepted->meter : handler_.meter();
  if (meter != nullptr) meter->answered(status, took);
  const LogLevel level = rules_.logs_access ? LogLevel::info : LogLevel::debug;
  if (is_logged(level)) log_access(level, {request_, listener_.name, id_}, {status, bytes, took});
}

void RequestInFlight::end_request() {
  accepted_.reset();  // before the request that it refers to
  id_ = {};
  begun_at_ = {};
}

}  // namespace mayfly::net
