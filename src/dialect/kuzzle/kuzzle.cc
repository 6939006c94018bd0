#include "dialect/kuzzle/kuzzle.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/kuzzle/collector.h"
#include "dialect/kuzzle/envelope.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/expiries.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/routes.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/rights.h"
#include "value/json.h"

namespace mayfly {
namespace kuzzle {
namespace {

// Kuzzle's façade of Redis: everybody knows that it is there, and here it is not.
constexpr std::string_view memory_storage = "ms";

Result<const Route*> route_of(const Message& message) {
  bool knows_controller = false;
  const Route* route = find_route(message.controller, message.action, knows_controller);
  if (route != nullptr) return route;
  if (message.controller == memory_storage) {
    return fail(Code::unsupported, "the memory storage is not offered");
  }
  if (!knows_controller) {
    return problem("api.process.controller_not_found",
                   fmt::format("Unknown controller {}", message.controller));
  }
  return problem("api.process.action_not_found",
                 fmt::format("No corresponding action {} in controller {}", message.action,
                             message.controller));
}

Reply reply_of(const Error& error, const Message& message) {
  return {.status = status_of(error, message.shape), .error = render_error(error, message.shape)};
}

// Something was done, and something was not. In version 2 the result says which; before, the error
// does, beside it.
Reply partial_reply(const Call& call, std::string result) {
  constexpr int partial = 206;
  const Message& message = call.message;
  if (message.shape == Shape::v2) {
    if (call.flag("strict").value_or(false)) {
      return reply_of({Code::invalid, "Incomplete request: some documents could not be written.",
                       "api.process.incomplete_multiple_request"},
                      message);
    }
    return {.result = std::move(result)};
  }
  Object error{{"message", call.partial_message},
               {"status", partial},
               {"stack", "Error: " + call.partial_message},
               {"errors", call.partial_errors},
               {"count", static_cast<std::int64_t>(call.partial_errors.size())}};
  return {.status = partial, .result = std::move(result), .error = std::move(error)};
}

Result<std::string> act(const Route& route, Call& call) {
  Database& database = call.database();
  const Instant now = database.now();
  if (call.shared.expiries.is_due(now)) call.shared.expiries.run_due(now);
  // What is wrong with a token can be asked with it.
  const bool is_about_token = route.controller == "auth" && route.action == "checkToken";
  if (!is_about_token) call.principal = TRY(authenticate(database, call.message));
  TRY(authorize(database, call.principal, call.message));
  return route.act(call);
}

Reply answer_route(const Route& route, Call call) {
  const Message& message = call.message;
  auto result = act(route, call);
  if (!result) return reply_of(result.error(), message);
  if (!call.partial_errors.empty()) return partial_reply(call, *std::move(result));
  return {.result = *std::move(result)};
}

Object told_facts(const Document& document, realtime::Shape shape) {
  return metadata_of(document, shape == realtime::Shape::v2 ? Shape::v2 : Shape::v1);
}

// What realtime tells a client goes out as it is; he who does not listen is left.
class Listener final : public realtime::Sender {
 public:
  explicit Listener(std::shared_ptr<net::Speaker> speaker) : speaker_(std::move(speaker)) {}
  void send(std::string frame) override { speaker_->tell(frame); }

 private:
  const std::shared_ptr<net::Speaker> speaker_;
};

// One client on a WebSocket.
class Talk final : public net::Conversation {
 public:
  Talk(std::shared_ptr<net::Speaker> speaker, const Shared& shared)
      : speaker_(std::move(speaker)),
        shared_(shared),
        connection_(shared.realtime.connect(std::make_shared<Listener>(speaker_))) {}
  ~Talk() override {
    shared_.expiries.has_left(connection_);
    shared_.realtime.disconnect(connection_);
  }

  bool receive(std::string text) override {
    message_ = {};
    route_ = nullptr;
    bare_.clear();
    auto sent = parse_json(text, {.bytes_max = text.size()});
    if (!sent) {
      bare_ = render_bare_error(render_error(sent.error(), Shape::v1));
      return true;
    }
    // A page of a browser cannot send pings of the protocol's, so it asks in its own words.
    if (sent->member("p").is(Kind::integer)) {
      bare_ = R"({"p":2})";
      return true;
    }
    understood_ = parse_message(*sent, message_);
    if (message_.request_id.empty()) message_.request_id = shared_.services.random.uuid();
    if (understood_) {
      auto route = route_of(message_);
      if (route) {
        route_ = *route;
      } else {
        understood_ = tl::unexpected(route.error());
      }
    }
    return route_ == nullptr || route_->is_quick;
  }

  void answer(Instant answer_by) override {
    if (!bare_.empty()) {
      speaker_->answer(bare_);
      return;
    }
    say(route_ == nullptr ? reply_of(understood_.error(), message_)
                          : answer_route(*route_, {.message = message_,
                                                   .shared = shared_,
                                                   .answer_by = answer_by,
                                                   .connection = connection_}));
  }

  void refuse(const Error& error) override {
    const bool is_overload = error.code == Code::throttled;
    say(reply_of(is_overload ? Error{Code::throttled,
                                     "Request discarded: Kuzzle Server is temporarily overloaded",
                                     "api.process.overloaded"}
                             : error,
                 message_));
  }

 private:
  void say(const Reply& reply) { speaker_->answer(render_envelope(message_, reply)); }

  const std::shared_ptr<net::Speaker> speaker_;
  const Shared& shared_;
  const realtime::ConnectionId connection_;
  Message message_;
  Result<void> understood_;
  const Route* route_ = nullptr;
  std::string bare_;  // what is answered to what is no request
};

class Kuzzle final : public Dialect {
 public:
  Kuzzle(const Services& services, Collector::RunBy run_by)
      : services_(services),
        realtime_(services.database, realtime::Realtime::RunBy::itself, {.facts = told_facts}),
        expiries_(realtime_),
        collector_(services_, run_by, [this] { expiries_.run_due(services_.database.now()); }),
        shared_{services_, collector_, scrolls_, realtime_, expiries_} {}

  std::string_view name() const override { return "kuzzle"; }
  bool claims(std::string_view) const override { return true; }
  std::size_t body_bytes_max() const override { return limits::bulk_body_bytes_max; }

  bool is_quick(const net::Request& request) const override {
    std::vector<net::Pair> captured;
    const Route* route = routes_.match(request, captured);
    return route == nullptr || route->is_quick || net::asks_for_conversation(request);
  }
  bool is_urgent(const net::Request& request) const override {
    return request.path == "/_healthCheck" && request.method == "GET";
  }

  net::Response refuse(const Error& error) const override {
    Message message = empty_message();
    const bool is_overload = error.code == Code::throttled;
    return respond(
        message,
        reply_of(is_overload ? Error{error.code, error.message, "api.process.overloaded"} : error,
                 message));
  }

  net::Response answer(const net::Request& request) override {
    if (net::asks_for_conversation(request)) {
      return {.conversation = [this](std::shared_ptr<net::Speaker> speaker) {
        return std::make_unique<Talk>(std::move(speaker), shared_);
      }};
    }
    Message message = empty_message();
    if (request.method == "OPTIONS") return respond(message, {.result = "{}"});
    std::vector<net::Pair> captured;
    const Route* route = routes_.match(request, captured);
    if (route == nullptr) {
      return respond(message, reply_of({Code::not_found, "API URL not found: " + request.path,
                                        "network.http.url_not_found"},
                                       message));
    }
    message.controller = route->controller;
    message.action = route->action;
    if (auto understood = parse_request(request, captured, message); !understood) {
      return respond(message, reply_of(understood.error(), message));
    }
    return respond(message, answer_route(*route, {.message = message,
                                                  .shared = shared_,
                                                  .answer_by = request.answer_by}));
  }

 private:
  Message empty_message() const {
    Message message;
    message.request_id = services_.random.uuid();
    message.protocol = Protocol::http;
    return message;
  }

  static net::Response respond(const Message& message, const Reply& reply) {
    net::Response response{.status = reply.status};
    response.headers = {
        {"Access-Control-Allow-Methods", "GET,POST,PUT,PATCH,DELETE,OPTIONS,HEAD"},
        {"Access-Control-Allow-Headers",
         "Content-Type, Access-Control-Allow-Headers, Authorization, X-Requested-With, "
         "Content-Encoding, Content-Length, X-Kuzzle-Volatile"}};
    response.body = render_envelope(message, reply);
    return response;
  }

  const Services services_;
  search::Scrolls scrolls_;
  realtime::Realtime realtime_;
  Expiries expiries_;
  Collector collector_;  // its thread uses what stands above
  const Shared shared_;
  const HttpRoutes routes_;
};

}  // namespace
}  // namespace kuzzle

std::unique_ptr<Dialect> make_kuzzle(const Services& services) {
  return std::make_unique<kuzzle::Kuzzle>(services, kuzzle::Collector::RunBy::itself);
}

std::unique_ptr<Dialect> make_kuzzle_without_collector(const Services& services) {
  return std::make_unique<kuzzle::Kuzzle>(services, kuzzle::Collector::RunBy::caller);
}

}  // namespace mayfly
