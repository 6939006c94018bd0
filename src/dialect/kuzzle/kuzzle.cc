#include "dialect/kuzzle/kuzzle.h"

#include <optional>

#include "db/jobs/jobs.h"
#include "dialect/common/answer_metrics.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/content_coding.h"
#include "dialect/common/requests/unauthenticated_body.h"
#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/documents/exports/exports.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/mappings/learnt_fields.h"
#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/requests/answer.h"
#include "dialect/kuzzle/requests/conversation.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/rights/admins.h"
#include "dialect/kuzzle/security/rights/grants.h"
#include "dialect/kuzzle/server/load.h"
#include "dialect/kuzzle/server/statistics.h"
#include "dialect/kuzzle/trash/collector.h"
#include "net/handler.h"

namespace mayfly {
namespace kuzzle {
namespace {

Object visible_facts(const Document& document, const Generation& generation) {
  return metadata_of(document, generation).value_or(Object());
}

Message empty_message(Random& random, const Generation& generation) {
  Message message;
  message.generation = &generation;
  message.request_id = random.uuid();
  message.protocol = Protocol::http;
  return message;
}

net::Response respond(const Message& message, const Reply& reply) {
  net::Response response{.status = reply.status};
  response.headers = {
      {"Access-Control-Allow-Credentials", "true"},
      {"Access-Control-Allow-Methods", "GET,POST,PUT,PATCH,DELETE,OPTIONS,HEAD"},
      {"Access-Control-Allow-Headers",
       "Content-Type, Access-Control-Allow-Headers, Authorization, X-Requested-With, "
       "Content-Encoding, Content-Length, X-Kuzzle-Volatile"}};
  response.body = render_envelope(message, reply);
  return response;
}

net::Response refuse_in_words(const Error& error, Random& random, const Generation& generation) {
  const Message message = empty_message(random, generation);
  return respond(message, reply_of(to_kuzzle_error(error), message));
}

net::Response send_file(Download download, std::string begin) {
  net::Response response{.content_type = std::move(download.content_type),
                         .body = std::move(begin),
                         .stream = std::move(download.stream)};
  response.headers = {
      {"Content-Disposition", "attachment; filename=\"" + download.file_name + '"'}};
  return response;
}

// One request over HTTP and its route, or null if no URL matches.
class KuzzleRequest final : public net::AcceptedRequest {
 public:
  KuzzleRequest(const net::Request& request, const ServerContext& shared, const HttpRoutes& routes)
      : AcceptedRequest(request),
        shared_(shared),
        match_(routes.match(request)),
        opens_conversation_(net::is_websocket_handshake(request)),
        is_named_in_body_(request.method == "POST" && request.path == "/_query") {
    is_urgent = match_.route != nullptr && match_.route->traits.is_urgent && !opens_conversation_;
  }

  void enter() override {
    if (!opens_conversation_ && !is_urgent) {
      admission_ = shared_.load.enter(shared_.services.database.now());
    }
  }
  void leave() override { admission_ = {}; }

  net::Pace pace() const override {
    if (is_named_in_body_) return net::Pace::worker;
    if (opens_conversation_ || admission_.is_discarded() || match_.route == nullptr) {
      return net::Pace::quick;
    }
    // Decompressing a body takes long.
    const bool is_quick = match_.route->pace == net::Pace::quick;
    return is_quick && has_packed_body(request) ? net::Pace::worker : match_.route->pace;
  }

  Error too_many_costly() const override {
    return {Code::throttled, "Rejected: Too many login attempts per second",
            "api.process.too_many_logins_requests"};
  }
  net::Response refuse(const Error& error) const override {
    return refuse_in_words(error, shared_.services.random, *shared_.options.unnamed_generation);
  }

  std::optional<net::Response> refuse_head() override {
    if (opens_conversation_ || request.method == "OPTIONS") return std::nullopt;
    if (has_short_body(request)) return std::nullopt;
    Message message = empty_message();
    if (const auto understood = parse(message); !understood) {
      return refuse_unroutable(understood.error(), message);
    }
    KuzzleCall call = call_of(message);
    const auto bytes = net::content_length_of(request);
    const auto refused = is_named_in_body_ ? refuse_unnamed_by_head(call, bytes)
                                           : refuse_by_head(*match_.route, call, bytes);
    if (!refused) return std::nullopt;
    return kuzzle::respond(message, *refused);
  }

  net::Response answer() override {
    if (opens_conversation_) return begin_conversation();
    Message message = empty_message();
    if (request.method == "OPTIONS") return kuzzle::respond(message, {.result = "{}"});
    const auto understood = parse(message);
    if (understood && admission_.is_discarded()) {
      return kuzzle::respond(message, reply_of(overloaded(), message));
    }
    if (!understood) return refuse_unroutable(understood.error(), message);
    if (is_named_in_body_) return answer_named_in_body(message);
    const Route& route = *match_.route;
    KuzzleCall call = call_of(message);
    Reply reply = answer_route(route, call, [&]() -> Result<void> {
      TRY(check_body_bytes(route, request.body.size()));
      if (!has_packed_body(request)) return parse_body(request, request.body, message);
      return parse_body(request, TRY(unpack_body(request, route.traits.body_bytes_max)), message);
    });
    return respond(call, std::move(reply));
  }

 private:
  // The body is a message as on a WebSocket, so it is parsed before its action is known.
  net::Response answer_named_in_body(Message& message) {
    const Route* route = nullptr;
    if (const auto understood = understand_body(message, route); !understood) {
      return refuse_unroutable(understood.error(), message);
    }
    KuzzleCall call = call_of(message);
    Reply reply = answer_route(*route, call);
    return respond(call, std::move(reply));
  }

  Result<void> understand_body(Message& message, const Route*& route) {
    KuzzleCall asker = call_of(message);
    TRY(check_unnamed_body(asker, request.body.size()));
    Message of_body = empty_message();
    if (has_packed_body(request)) {
      // The size bound depends on the user, so nothing is decompressed before the user is known.
      const std::size_t most = TRY(unnamed_body_bytes_max(asker));
      TRY(parse_body(request, TRY(unpack_body(request, most)), of_body));
    } else {
      TRY(parse_body(request, request.body, of_body));
    }
    TRY(parse_message(of_body.body.is_missing() ? Value(Object()) : of_body.body, message));
    route = TRY(route_of(message));
    if (route->pace != net::Pace::costly) return {};
    return problem("api.assert.invalid_argument",
                   "An action that hashes a password is asked for at its own address.");
  }

  net::Response refuse_unroutable(const Error& error, const Message& message) {
    return kuzzle::respond(message, kuzzle::refuse_unroutable(error, call_of(message)));
  }

  net::Response respond(KuzzleCall& call, Reply reply) const {
    if (call.download) return send_file(*std::move(call.download), std::move(reply.result));
    net::Response response = kuzzle::respond(call.message, reply);
    if (call.cookie) {
      response.headers.emplace_back(
          "Set-Cookie", render_cookie(call.cookie->token, call.cookie->for_time.whole_seconds(),
                                      request.is_secure));
    }
    return response;
  }

  Message empty_message() const {
    return kuzzle::empty_message(shared_.services.random, *shared_.options.unnamed_generation);
  }

  net::Response begin_conversation() const {
    const auto named = named_generation(request);
    if (!named) {
      const Message message = empty_message();
      return kuzzle::respond(message, reply_of(named.error(), message));
    }
    const Generation& generation =
        *named != nullptr ? **named : *shared_.options.unnamed_generation;
    net::Request first{.peer = request.peer, .network = request.network};
    for (const auto& header : request.headers) {
      if (header.first == "cookie") first.headers.push_back(header);
    }
    return {.conversation = [&shared = shared_, first = std::move(first),
                             &generation](auto sender) {
      return std::make_unique<WebSocketConversation>(std::move(sender), shared, first, generation);
    }};
  }

  // The message without its body, from the request's head.
  Result<void> parse(Message& message) const {
    if (match_.route == nullptr && !is_named_in_body_) {
      take_token(request, message);
      return problem("network.http.url_not_found", "API URL not found: " + request.path);
    }
    if (match_.route != nullptr) {
      message.controller = match_.route->controller;
      message.action = match_.route->action;
    }
    const auto tokens =
        shared_.options.takes_tokens_in_urls ? TokensInUrls::taken : TokensInUrls::refused;
    return parse_head(request, match_.match.captured, tokens, message);
  }

  KuzzleCall call_of(const Message& message) {
    return {.message = message,
            .shared = shared_,
            .answer_by = request.answer_by,
            .used_token = &used_token_,
            .peer = request.peer,
            .network = request.network};
  }

  const ServerContext& shared_;
  const RouteMatch<Route> match_;
  const bool opens_conversation_;
  const bool is_named_in_body_;  // whether the body names the action
  Load::Admission admission_;
  UsedToken used_token_;
};

class Kuzzle final : public Dialect {
 public:
  Kuzzle(const Services& services, const KuzzleOptions& options)
      : services_(services),
        options_(options),
        load_(options_, services.metrics),
        statistics_(options_, services.database.now()),
        refreshes_(options_.found_after, services.database.now()),
        scrolls_(services.page_tokens),
        realtime_(services.database, {.facts = visible_facts,
                                      .rooms_max = options_.rooms_max,
                                      .conditions_max = options_.conditions_max}),
        grants_(realtime_),
        learnt_(services.database),
        collector_(services_, options_.collector, [this] { return is_overloaded(); }),
        shared_{services_, collector_,  scrolls_,   realtime_, grants_, options_,
                load_,     statistics_, refreshes_, exports_,  admins_, learnt_} {
    shared_.started_at = services.database.now();
    add_jobs();
    if (services.metrics == nullptr) return;
    answers_.emplace(*services.metrics, name());
    shared_.answers = &*answers_;
  }

  std::string_view name() const override { return "kuzzle"; }
  bool claims(std::string_view) const override { return true; }
  std::size_t body_bytes_max() const override { return limits::bulk_body_bytes_max; }

  bool is_open() const override {
    // A refusal only because others reach the port does not prevent the start.
    const bool is_reached = options_.is_reached_by_others && services_.credentials.is_open();
    RightsView seen = shared_.admins.view(services_.database);
    const auto rights = is_reached ? shared_.admins.anonymous(seen) : anonymous_rights(shared_);
    return !rights || *rights != AnonymousRights::restricted;
  }

  PortAccess access(const std::string&) const override {
    if (is_open()) {
      return {.guard = "open",
              .sentence =
                  "open to every program that reaches it, with the rights of the role anonymous; "
                  "security:createFirstAdmin with reset restricts that role",
              .asks_for = "a restricted role anonymous"};
    }
    return {.guard = "login", .sentence = sentence_of_login(), .asks_for = "a login"};
  }

  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override {
    return storage.emplace<KuzzleRequest>(request, shared_, routes_);
  }
  net::Response refuse(const Error& error) const override {
    return refuse_in_words(error, services_.random, *options_.unnamed_generation);
  }

 private:
  bool is_overloaded() const {
    return load_.is_overloaded() || services_.database.jobs().gives_way();
  }

  std::string sentence_of_login() const {
    const Credentials& credentials = services_.credentials;
    RightsView seen = shared_.admins.view(services_.database);
    // An administrator who cannot be read needs no first one.
    const bool has_admin = shared_.admins.exist(seen).value_or(true);
    if (has_admin || credentials.is_open()) return "asks for a login";
    return credentials.keys.empty()
               ? "asks for a login; a key makes the first administrator, so set auth.keys first"
               : "asks for a login; one of auth.keys makes the first administrator";
  }

  void add_jobs() {
    Jobs& jobs = services_.database.jobs();
    jobs_.push_back(jobs.add({.name = "kuzzle trashcans",
                              .lane = JobLane::lengthy,
                              .lease = "kuzzle trashcans",
                              .run = [this](const JobRun& run) -> Result<NextRun> {
                                TRY(collector_.run_due([&run] { return run.must_end(); }));
                                return NextRun{.due = collector_.next_at(),
                                               .rest = limits::collector_rest_min};
                              },
                              .first_due = collector_.next_at()}));
    jobs_.push_back(jobs.add({.name = "kuzzle subscriptions of ended tokens",
                              .lane = JobLane::housekeeping,
                              .run = [this](const JobRun&) -> Result<NextRun> {
                                grants_.end_expired(services_.database.now());
                                return NextRun::after(limits::ended_tokens_looked_at_every);
                              },
                              .first_due = Instant::beginning()}));
  }

  const Services services_;
  const KuzzleOptions options_;
  std::optional<AnswerMetrics> answers_;
  Load load_;
  Statistics statistics_;
  Refreshes refreshes_;
  search::Scrolls scrolls_;
  realtime::Realtime realtime_;
  Grants grants_;
  Admins admins_;
  Exports exports_;
  LearntFields learnt_;
  Collector collector_;
  ServerContext shared_;
  const HttpRoutes routes_;
  std::vector<JobHandle> jobs_;  // last, because they use the members above
};

}  // namespace
}  // namespace kuzzle

std::unique_ptr<Dialect> make_kuzzle(const Services& services) {
  KuzzleOptions options;
  if (services.settings != nullptr) options = kuzzle_options(*services.settings);
  options.is_reached_by_others = services.is_reached_by_others;
  return make_kuzzle(services, options);
}

std::unique_ptr<Dialect> make_kuzzle(const Services& services, const KuzzleOptions& options) {
  return std::make_unique<kuzzle::Kuzzle>(services, options);
}

}  // namespace mayfly
