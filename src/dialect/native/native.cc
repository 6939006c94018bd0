// Class Native: finds the route of a request, authenticates its caller, and renders the result of
// its action.
#include "dialect/native/native.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/service/settings.h"
#include "delivery/deliveries.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/common/requests/unauthenticated_body.h"
#include "dialect/native/errors.h"
#include "dialect/native/headers/auth.h"
#include "dialect/native/openapi/openapi.h"
#include "dialect/native/routes.h"
#include "dialect/native/subscriptions/event_format.h"
#include "net/handler.h"

namespace mayfly {
namespace native {
namespace {

// Refuses a body on a route that reads none: its client would believe that it has an effect.
Result<void> check_body(const Route& route, const net::Request& request) {
  const bool is_read = !route.body.empty() || route.effect == RouteEffect::open;
  if (is_read || request.body.empty() || request.body == "{}") return {};
  return fail(Code::invalid, "this request takes no body; what it can say stands in its URL",
              "body");
}

// Many clients shorten an address that ends in /.. before they send it: the removal of a document
// named so would arrive as the removal of its collection. What is left ends with a slash.
Result<void> check_path(const Route& route, const net::Request& request) {
  const bool changes = route.effect == RouteEffect::write || route.effect == RouteEffect::admin;
  if (!changes || !request.path.ends_with('/')) return {};
  return fail(Code::invalid, "the path of a change ends without a slash", "path");
}

std::string backup_directory_of(const Services& services) {
  return services.settings == nullptr ? "" : services.settings->text("backup.directory");
}

// One request and its route, or null if none matches.
class NativeRequest final : public net::AcceptedRequest {
 public:
  NativeRequest(const net::Request& request, Shared& shared, RouteMatch<Route> found)
      : AcceptedRequest(request),
        shared_(shared),
        match_(std::move(found.match)),
        route_(found.route) {
    body_type = "application/json";
    is_urgent = is_urgent_path(request.path);
  }

  // A request without a route is refused quickly.
  net::Pace pace() const override { return route_ == nullptr ? net::Pace::quick : route_->pace; }

  std::optional<net::Response> refuse_head() override {
    if (has_short_body(request)) return std::nullopt;
    if (route_ == nullptr) return answer();
    if (const auto may = admit(); !may) return render_error(may.error());
    return std::nullopt;
  }

  net::Response answer() override {
    auto answered = answer_route();
    if (answered) return *std::move(answered);
    return render_error(answered.error());
  }

  net::Response refuse(const Error& error) const override { return render_error(error); }

 private:
  // Whether the caller may use the route, by the head of the request. A key allows every effect.
  Result<void> admit() const {
    if (route_ == nullptr || route_->effect != RouteEffect::open) {
      TRY(authenticate(request, shared_.services.credentials));
    }
    if (route_ == nullptr) return {};
    TRY(check_path(*route_, request));
    if (request.parameters.empty()) return {};
    return check_parameters(request, route_->parameters);
  }

  Result<net::Response> answer_route() {
    TRY(admit());
    if (route_ == nullptr) return refuse_path();
    TRY(check_body(*route_, request));
    NativeCall call{shared_, request, match_};
    return route_->action(call);
  }

  Result<net::Response> refuse_path() const {
    if (!match_.methods.empty()) return refuse_method(request, match_.methods);
    return fail(Code::not_found, fmt::format("there is nothing at {}", request.path));
  }

  Shared& shared_;
  const net::Match match_;
  const Route* const route_;
};

class Native final : public Dialect {
 public:
  explicit Native(const Services& services)
      : shared_{services, render_openapi(), backup_directory_of(services)} {
    for (const Route& row : routes()) finder_.add(row.method, row.pattern, row);
    if (services.deliveries != nullptr) services.deliveries->add_format(event_format());
  }

  std::string_view name() const override { return "native"; }

  bool claims(std::string_view path) const override {
    return path == "/v1" || path.starts_with("/v1/") || is_urgent_path(path);
  }

  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override {
    return storage.emplace<NativeRequest>(request, shared_,
                                          finder_.find(request.method, request.path));
  }

  bool is_open() const override { return shared_.services.credentials.is_open(); }

  PortAccess access(const std::string&) const override {
    const Credentials& credentials = shared_.services.credentials;
    if (credentials.is_open()) {
      return {.guard = "open",
              .sentence = "open to every program that reaches it; set auth.keys to ask for a key",
              .asks_for = "auth.keys"};
    }
    if (credentials.keys.empty()) {
      return {.guard = "keys",
              .sentence = "the native API refuses every request until auth.keys is set",
              .asks_for = credentials.closed_by};
    }
    return {.guard = "keys",
            .sentence = "asks for one of auth.keys, as in `Authorization: Bearer KEY`",
            .asks_for = "auth.keys"};
  }

  net::Response refuse(const Error& error) const override { return render_error(error); }
  std::size_t body_bytes_max() const override { return limits::request_body_bytes_max; }

 private:
  RouteFinder<Route> finder_;
  Shared shared_;
};

}  // namespace
}  // namespace native

std::unique_ptr<Dialect> make_native(const Services& services) {
  return std::make_unique<native::Native>(services);
}

}  // namespace mayfly
