#include "dialect/centrali/centrali.h"

#include "base/limits.h"
#include "delivery/deliveries.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/errors.h"
#include "dialect/centrali/events/published.h"
#include "dialect/centrali/events/stream.h"
#include "dialect/centrali/functions/functions.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/requests/auth.h"
#include "dialect/centrali/requests/routes.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/centrali/triggers/target.h"
#include "dialect/centrali/webhooks/before.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/common/requests/unauthenticated_body.h"
#include "net/handler.h"

namespace mayfly {
namespace centrali {
namespace {

SendCall calls_over_the_network(const CentraliOptions& options) {
  const net::AddressPolicy address_policy =
      options.may_reach_private ? net::AddressPolicy::anywhere : net::AddressPolicy::public_only;
  const auto caller = std::make_shared<net::Caller>();
  return [address_policy, caller](net::OutgoingCall call, net::Caller::Done done) {
    call.address_policy = address_policy;
    caller->call(std::move(call), std::move(done));
  };
}

// The objects shared by the requests of one server.
struct SharedServices {
  const Services services;
  const CentraliOptions options;
  std::shared_ptr<Directory> directory = std::make_shared<Directory>();
  Functions functions;
};

// The base of all requests.
class CentraliRequest : public net::AcceptedRequest {
 public:
  CentraliRequest(const net::Request& request, SharedServices& shared)
      : AcceptedRequest(request), shared_(shared) {
    body_type = "application/json";
  }

  net::Pace pace() const override { return net::Pace::quick; }
  net::Response refuse(const Error& error) const override {
    return render_error(error, {}, request_id());
  }

 protected:
  std::string request_id() const { return request_id_of(request, shared_.services.random); }
  Secrets secrets() const { return {shared_.services.credentials, shared_.options}; }
  CentraliCall call_of(const net::Match& match, std::string workspace) const {
    return {request,
            match,
            shared_.services,
            shared_.options,
            *shared_.directory,
            shared_.functions,
            std::move(workspace),
            {},
            {}};
  }

  SharedServices& shared_;
};

class TokenRequest final : public CentraliRequest {
 public:
  TokenRequest(const net::Request& request, SharedServices& shared)
      : CentraliRequest(request, shared) {
    body_type = {};  // a token request is a form (RFC 6749)
  }

  std::optional<net::Response> refuse_head() override {
    const auto bytes = net::content_length_of(request);
    if (!bytes || *bytes <= limits::token_request_bytes_max) return std::nullopt;
    return refuse_token_body(request_id());
  }

  net::Response answer() override {
    if (request.method != "POST") return render_method_not_allowed({"POST"}, request_id());
    return issue_token(request, secrets(), shared_.services.database.now(), request_id());
  }
};

class EventsRequest final : public CentraliRequest {
 public:
  EventsRequest(const net::Request& request, SharedServices& shared, std::string workspace)
      : CentraliRequest(request, shared), workspace_(std::move(workspace)) {}

  std::optional<net::Response> refuse_head() override {
    if (has_short_body(request)) return std::nullopt;
    net::Response answered = answer();  // reads no body
    if (answered.stream) return std::nullopt;
    return answered;
  }

  net::Response answer() override {
    if (request.method != "GET" && request.method != "HEAD") {
      return render_method_not_allowed({"GET"}, request_id());
    }
    const net::Match match;
    CentraliCall call = call_of(match, workspace_);
    return open_event_stream(call, shared_.directory, request_id());
  }

 private:
  const std::string workspace_;
};

// A request that a row of the routes answers, or none.
class RoutedRequest final : public CentraliRequest {
 public:
  RoutedRequest(const net::Request& request, SharedServices& shared, WorkspaceMatch found)
      : CentraliRequest(request, shared), found_(std::move(found)) {}

  net::Pace pace() const override {
    if (found_.route == nullptr) return net::Pace::quick;
    const bool is_long = request.parameter("expand") != nullptr ||
                         request.body.size() > limits::quick_record_bytes_max;
    return is_long ? net::Pace::worker : found_.route->pace;
  }

  std::optional<net::Response> refuse_head() override {
    if (has_short_body(request)) return std::nullopt;
    if (found_.route == nullptr) return answer_nothing();
    const auto caller = admit(net::content_length_of(request).value_or(0));
    if (caller) return std::nullopt;
    return render_error(caller.error(), {}, request_id());
  }

  net::Response answer() override {
    if (found_.route == nullptr) return answer_nothing();
    CentraliCall call = call_of(found_.match, found_.workspace);
    auto response = answer_call(call);
    if (response) return *std::move(response);
    return render_error(response.error(), call.details, request_id());
  }

 private:
  // Authenticates the request and checks that it may use the row with a body of that size.
  Result<Principal> admit(std::size_t body_bytes) const {
    Principal caller =
        TRY(authenticate(request, secrets(), found_.workspace, shared_.services.database.now()));
    if (body_bytes > found_.route->body_bytes_max) {
      return fail(Code::too_large,
                  "a body has at most " + std::to_string(found_.route->body_bytes_max) + " bytes");
    }
    TRY(check_parameters(request, found_.route->parameters));
    return caller;
  }

  Result<net::Response> answer_call(CentraliCall& call) const {
    call.principal = TRY(admit(request.body.size()));
    return found_.route->action(call);
  }

  net::Response answer_nothing() const {
    const auto& methods = found_.match.methods;
    if (!methods.empty()) return render_method_not_allowed(methods, request_id());
    const Error error{Code::not_found, "route not found: " + request.method + " " + request.path};
    return render_error(error, {}, request_id());
  }

  const WorkspaceMatch found_;
};

class Centrali final : public Dialect {
 public:
  Centrali(const Services& services, CentraliOptions options, SendCall send)
      : shared_{.services = services,
                .options = std::move(options),
                .functions =
                    Functions({.services = shared_.services,
                               .options = shared_.options,
                               .directory = *shared_.directory,
                               .send = send ? send : calls_over_the_network(shared_.options)})} {
    if (services.deliveries == nullptr) return;
    publish_events(*services.deliveries);
    services.deliveries->add_format(function_format(services.database, *shared_.directory));
    services.deliveries->add_format(webhook_format(services.database, *shared_.directory));
    services.deliveries->add_target(
        webhook_target(send ? send : calls_over_the_network(shared_.options)));
    migrate_webhooks(services.database, *shared_.directory);
    services.deliveries->add_target(function_target(shared_.functions, services.database));
  }

  std::string_view name() const override { return "centrali"; }
  bool claims(std::string_view path) const override { return is_claimed(path); }
  bool is_open() const override { return shared_.services.credentials.is_open(); }
  std::size_t body_bytes_max() const override { return limits::bulk_body_bytes_max; }
  net::Response refuse(const Error& error) const override {
    return render_error(error, {}, shared_.services.random.uuid());
  }

  // The server's port settings determine the rest.
  PortAccess access(const std::string&) const override {
    const Credentials& credentials = shared_.services.credentials;
    if (!credentials.keys.empty() || shared_.options.clients.empty()) return {};
    return {.sentence = "the Centrali API asks for a token of one of centrali.clients"};
  }

  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override {
    if (is_token_path(request.path)) return storage.emplace<TokenRequest>(request, shared_);
    if (auto workspace = event_stream_workspace(request.path)) {
      return storage.emplace<EventsRequest>(request, shared_, *std::move(workspace));
    }
    return storage.emplace<RoutedRequest>(request, shared_,
                                          routes_.match(request.method, request.path));
  }

 private:
  void publish_events(delivery::Deliveries& deliveries) {
    if (deliveries.target("nats") == nullptr) return;
    deliveries.add_format(published_format(shared_.services.database, *shared_.directory));
    deliveries.add_standing(published_events());
  }

  SharedServices shared_;
  const Routes routes_;
};

}  // namespace
}  // namespace centrali

std::unique_ptr<Dialect> make_centrali(const Services& services) {
  CentraliOptions options;
  if (services.settings != nullptr) options = centrali_options(*services.settings);
  return make_centrali(services, std::move(options));
}

std::unique_ptr<Dialect> make_centrali(const Services& services, CentraliOptions options,
                                       centrali::SendCall send) {
  return std::make_unique<centrali::Centrali>(services, std::move(options), std::move(send));
}

}  // namespace mayfly
