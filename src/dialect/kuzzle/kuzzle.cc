#include "dialect/kuzzle/kuzzle.h"

#include <fmt/format.h>

#include <functional>

#include "base/limits.h"
#include "base/no_wait.h"
#include "db/sweeper.h"
#include "dialect/kuzzle/collector.h"
#include "dialect/kuzzle/envelope.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/exports.h"
#include "dialect/kuzzle/grants.h"
#include "dialect/kuzzle/load.h"
#include "dialect/kuzzle/logins.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/refreshes.h"
#include "dialect/kuzzle/routes.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/admins.h"
#include "dialect/kuzzle/security/rights.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/statistics.h"
#include "net/head_handler.h"
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

// Whether the caller may, by the route, the place and the token.
Result<void> admit(const Route& route, Call& call) {
  // What is wrong with a token can be asked with it.
  const bool is_about_token = route.controller == "auth" && route.action == "checkToken";
  if (!is_about_token) call.principal = TRY(authenticate(call.shared, call.message));
  return authorize(call, call.message);
}

// Reads what of the message takes long to read; null: all has been read.
using ReadRest = std::function<Result<void>()>;

Result<std::string> act(const Route& route, Call& call, const ReadRest& read_rest) {
  const Instant now = call.database().now();
  if (call.shared.grants.is_due(now)) call.shared.grants.run_due(now);
  TRY(admit(route, call));
  if (read_rest) TRY(read_rest());
  auto result = route.act(call);
  if (may_change_rights(route)) {
    call.shared.admins.changed();
    call.shared.grants.recheck(call.shared);
  }
  if (result) show_to_searches(call);
  return result;
}

Reply reply_of(const Route& route, Call& call, const ReadRest& read_rest) {
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

// A request as statistics count it; however it ends, it has ended.
class Counted {
 public:
  explicit Counted(const Call& call) : call_(call) {
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
  const Call& call_;
};

Reply answer_route(const Route& route, Call& call, const ReadRest& read_rest = {}) {
  constexpr int first_failure = 400;
  Counted counted(call);
  Reply reply = reply_of(route, call, read_rest);
  counted.has_failed = reply.status >= first_failure;
  return reply;
}

// What a request is told that found the buffer full, or the server's own bounds met.
Error overloaded() {
  return {Code::throttled, "Request discarded: Kuzzle Server is temporarily overloaded",
          "api.process.overloaded"};
}

bool is_discarded(const net::Request& request) {
  const auto place = std::static_pointer_cast<const Load::Place>(request.admission);
  return place != nullptr && place->is_discarded();
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
  Talk(std::shared_ptr<net::Speaker> speaker, const Shared& shared, std::string peer)
      : speaker_(std::move(speaker)),
        shared_(shared),
        peer_(std::move(peer)),
        connection_(shared.realtime.connect(std::make_shared<Listener>(speaker_))) {
    shared_.statistics.connected(Protocol::websocket, shared_.services.database.now());
  }
  ~Talk() override {
    shared_.statistics.disconnected(Protocol::websocket, shared_.services.database.now());
    shared_.realtime.disconnect(connection_);
    shared_.grants.has_left(connection_);
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
    place_ = shared_.load.enter(shared_.services.database.now());
    if (place_->is_discarded()) understood_ = tl::unexpected(overloaded());
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
    Call call{.message = message_,
              .shared = shared_,
              .answer_by = answer_by,
              .connection = connection_,
              .logins = &logins_,
              .peer = peer_};
    const Reply reply =
        route_ == nullptr ? reply_of(understood_.error(), message_) : answer_route(*route_, call);
    if (NoWait::has_refused_here()) return;  // it will be answered by a thread that may wait
    say(reply);
    is_known_ = is_known_ || !call.principal.is_anonymous();
    forget_message();
  }

  void refuse(const Error& error) override {
    say(reply_of(error.code == Code::throttled ? overloaded() : error, message_));
    forget_message();
  }

 private:
  // A client that is silent keeps no memory.
  void forget_message() {
    place_.reset();
    message_ = {};
  }
  void say(const Reply& reply) { speaker_->answer(render_envelope(message_, reply)); }

  const std::shared_ptr<net::Speaker> speaker_;
  const Shared& shared_;
  const std::string peer_;
  const realtime::ConnectionId connection_;
  Logins logins_;
  Message message_;
  Result<void> understood_;
  const Route* route_ = nullptr;
  Load::PlacePtr place_;   // while a request is under way
  std::string bare_;       // what is answered to what is no request
  bool is_known_ = false;  // a user has logged in here
};

class Kuzzle final : public Dialect, public net::HeadHandler {
 public:
  Kuzzle(const Services& services, Collector::RunBy run_by)
      : services_(services),
        options_(services.kuzzle != nullptr ? *services.kuzzle : KuzzleOptions{}),
        load_(options_, services.measured),
        statistics_(options_, services.database.now()),
        refreshes_(options_.found_after, services.database.now()),
        realtime_(services.database, realtime::Realtime::RunBy::itself,
                  {.facts = told_facts,
                   .rooms_max = options_.rooms_max,
                   .conditions_max = options_.conditions_max}),
        grants_(realtime_),
        exports_(services.database),
        collector_(
            services_, run_by, [this] { return is_overloaded(); },
            [this] { grants_.run_due(services_.database.now()); }),
        shared_{services_, collector_,  scrolls_,   realtime_, grants_, options_,
                load_,     statistics_, refreshes_, exports_,  admins_} {}

  std::string_view name() const override { return "kuzzle"; }
  bool claims(std::string_view) const override { return true; }
  std::size_t body_bytes_max() const override { return limits::bulk_body_bytes_max; }

  bool is_open() const override {
    const auto has_one = has_admin(services_.database);
    return !has_one || !*has_one;
  }
  bool is_quick(const net::Request& request) const override {
    std::vector<net::Pair> captured;
    const Route* route = routes_.match(request, captured);
    return route == nullptr || route->is_quick || is_discarded(request) ||
           net::asks_for_conversation(request);
  }
  std::shared_ptr<const void> admit(const net::Request& request) override {
    if (net::asks_for_conversation(request) || is_urgent(request)) return nullptr;
    return load_.enter(services_.database.now());
  }
  bool is_urgent(const net::Request& request) const override {
    return request.path == "/_healthCheck" && request.method == "GET";
  }

  net::Response refuse(const Error& error) const override {
    const Message message = empty_message();
    return respond(message,
                   reply_of(error.code == Code::throttled ? overloaded() : error, message));
  }

  net::Response answer(const net::Request& request) override {
    if (net::asks_for_conversation(request)) {
      return {.conversation = [this, peer = request.peer](std::shared_ptr<net::Speaker> speaker) {
        return std::make_unique<Talk>(std::move(speaker), shared_, peer);
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
    if (auto understood = parse_head(request, captured, tokens(), message); !understood) {
      return respond(message, reply_of(understood.error(), message));
    }
    if (is_discarded(request)) return respond(message, reply_of(overloaded(), message));
    Call call{.message = message,
              .shared = shared_,
              .answer_by = request.answer_by,
              .peer = request.peer};
    Reply reply = answer_route(*route, call, [&] { return parse_body(request, message); });
    if (!call.download) return respond(message, reply);
    return send_file(*std::move(call.download), std::move(reply.result));
  }

 private:
  bool is_overloaded() const {
    return load_.is_overloaded() || services_.database.sweeper().state().gives_way;
  }

  TokensInUrls tokens() const {
    return options_.takes_tokens_in_urls ? TokensInUrls::taken : TokensInUrls::refused;
  }

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

  static net::Response send_file(Download download, std::string begin) {
    net::Response response{.content_type = std::move(download.content_type),
                           .body = std::move(begin),
                           .stream = std::move(download.stream)};
    response.headers = {
        {"Content-Disposition", "attachment; filename=\"" + download.file_name + '"'}};
    return response;
  }

  const Services services_;
  const KuzzleOptions options_;
  Load load_;
  Statistics statistics_;
  Refreshes refreshes_;
  search::Scrolls scrolls_;
  realtime::Realtime realtime_;
  Grants grants_;
  Admins admins_;
  Exports exports_;
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

Result<void> hide_kuzzle_data(Database& database) {
  return database.hide_database(std::string(kuzzle::visible_security_index),
                                std::string(kuzzle::security_index));
}

}  // namespace mayfly
