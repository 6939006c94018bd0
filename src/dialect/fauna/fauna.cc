#include "dialect/fauna/fauna.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "base/service/logging.h"
#include "dialect/fauna/auth/authenticate.h"
#include "dialect/fauna/auth/orphaned_secrets.h"
#include "dialect/fauna/errors.h"
#include "dialect/fauna/events/feed.h"
#include "dialect/fauna/export/export_request.h"
#include "dialect/fauna/import/import_request.h"
#include "dialect/fauna/options.h"
#include "dialect/fauna/push/http/schema_request.h"
#include "dialect/fauna/query.h"
#include "dialect/fauna/routes.h"
#include "dialect/fauna/syntax/tokens/lexer.h"
#include "net/access/access_log.h"
#include "net/handler.h"

namespace mayfly {
namespace fauna {
namespace {

constexpr std::size_t request_bytes_max = std::size_t{8} << 20;

// Reports that the server is up, for scripts and the command line client.
class PingRequest final : public net::AcceptedRequest {
 public:
  explicit PingRequest(const net::Request& request) : AcceptedRequest(request) { is_urgent = true; }
  net::Pace pace() const override { return net::Pace::quick; }
  net::Response answer() override {
    const std::string* scope = request.parameter("scope");
    return {.content_type = "application/json;charset=utf-8",
            .body = fmt::format(R"({{"resource":"Scope {} is OK"}})",
                                scope != nullptr && is_identifier(*scope) ? *scope : "write")};
  }
  net::Response refuse(const Error& error) const override { return render(protocol_error(error)); }
};

// Answers the preflight request of browsers. The server itself decides which origins are allowed.
class PreflightRequest final : public net::AcceptedRequest {
 public:
  explicit PreflightRequest(const net::Request& request) : AcceptedRequest(request) {
    is_urgent = true;
  }
  net::Pace pace() const override { return net::Pace::quick; }
  net::Response answer() override {
    net::Response response{.content_type = "application/json;charset=utf-8"};
    response.headers = {
        {"Access-Control-Allow-Credentials", "true"},
        {"Access-Control-Max-Age", "86400"},
        {"Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE"},
        {"Access-Control-Allow-Headers",
         "authorization, content-type, accept-encoding, traceparent, x-driver-env, x-format, "
         "x-typecheck, x-linearized, x-performance-hints, x-last-txn-ts, x-last-seen-txn, "
         "x-max-contention-retries, x-query-tags, x-query-timeout-ms"}};
    return response;
  }
  net::Response refuse(const Error& error) const override { return render(protocol_error(error)); }
};

constexpr std::string_view no_token = "Access token required";
constexpr std::string_view invalid_token = "Invalid token, unable to authenticate request";
// clang-format off: one row a line
constexpr PathRoute paths[] = {
    {{"POST", "/query/1", net::Pace::worker, RouteEffect::write}, answer_query, no_token},
    {{"POST", "/feed/1", net::Pace::worker, RouteEffect::read}, answer_feed, invalid_token},
    {{"POST", "/stream/1", net::Pace::worker, RouteEffect::read}, answer_stream, invalid_token},
    {{"POST", "/import/1", net::Pace::worker, RouteEffect::admin}, answer_import, no_token},
    {{"GET", "/export/1/documents", net::Pace::worker, RouteEffect::admin}, answer_export, no_token},
    {{"", schema_path, net::Pace::worker, RouteEffect::write}, answer_schema, no_token},
};
// clang-format on

const PathRoute* find_path(std::string_view path) {
  return std::find_if(std::begin(paths), std::end(paths),
                      [&](const PathRoute& row) { return is_for_path(row, path); });
}

class FaunaRequest final : public net::AcceptedRequest {
 public:
  FaunaRequest(const net::Request& request, const SharedServices& shared, const RootSecret& root)
      : AcceptedRequest(request), shared_(shared), root_(root), route_(find_path(request.path)) {}

  // A query that hashes a password directly contains such a word. Functions that do so have a bound
  // of their own (auth/access.cc).
  net::Pace pace() const override {
    for (const std::string_view word : {"verify", "login", "password"}) {
      if (request.body.find(word) != request.body.npos) return net::Pace::costly;
    }
    return route_ == std::end(paths) ? net::Pace::worker : route_->pace;
  }

  std::optional<net::Response> refuse_head() override {
    if (auto wrong = misses_route()) return wrong;
    const auto principal = caller();
    if (principal) return std::nullopt;
    return refuse_caller(principal.error());
  }

  net::Response answer() override {
    if (auto wrong = misses_route()) return *std::move(wrong);
    const auto principal = caller();
    return principal ? route_->answer(request, shared_, *principal)
                     : refuse_caller(principal.error());
  }

  net::Response refuse(const Error& error) const override { return render(protocol_error(error)); }

 private:
  Result<Principal> caller() const {
    Principal principal = TRY(authenticate(request, root_, shared_.services.database));
    if (route_->effect == RouteEffect::admin && !principal.is_admin()) {
      return fail(Code::forbidden, "Access denied");
    }
    return principal;
  }
  std::optional<net::Response> misses_route() const {
    if (route_ == std::end(paths)) {
      return render({404, "not_found", "The requested path was not found."});
    }
    if (route_->method.empty() || route_->method == request.method) return std::nullopt;
    return render({405, "method_not_allowed", "The method is not allowed here."});
  }

  void log_refused(const Error& error) const {
    std::uint64_t left_out = 0;
    if (!net::may_log_refusal(left_out)) return;
    log(LogLevel::warn, "a secret was refused",
        {{"api", "fauna"},
         {"reason", has_jwt(request) ? "JWTs are not accepted" : error.message},
         {"peer", request.peer},
         {"left_out", left_out}});
  }

  net::Response refuse_caller(const Error& error) const {
    ProtocolError shown = protocol_error(error);
    if (error.code == Code::unauthenticated) log_refused(error);
    if (error.code == Code::unauthenticated) shown.message = route_->unauthenticated;
    if (error.code == Code::unauthenticated && has_jwt(request)) {
      shown.message += "; JWTs are not accepted";
    }
    return render(shown);
  }

  const SharedServices& shared_;
  const RootSecret& root_;
  const PathRoute* const route_;  // end of the table if none matches
};

class Fauna final : public Dialect {
 public:
  Fauna(const Services& services, const FaunaOptions& options)
      : services_(services),
        root_(services.credentials, options),
        shared_{services_, ids_, root_, known_},
        orphaned_secrets_(services.database),
        removing_(services.database.jobs().add(orphaned_secrets_.job())) {}

  std::string_view name() const override { return "fauna"; }
  bool claims(std::string_view) const override { return true; }
  std::size_t body_bytes_max() const override { return request_bytes_max; }
  bool is_open() const override { return root_.is_well_known(); }
  net::Response refuse(const Error& error) const override { return render(protocol_error(error)); }

  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override {
    if (request.path == "/ping") return storage.emplace<PingRequest>(request);
    const bool is_preflight = request.method == "OPTIONS" && request.header("origin") != nullptr;
    if (is_preflight) return storage.emplace<PreflightRequest>(request);
    return storage.emplace<FaunaRequest>(request, shared_, root_);
  }

  PortAccess access(const std::string&) const override {
    constexpr std::string_view setting = "fauna.secret";
    if (root_.is_closed()) {
      return {.guard = PortAccess::closed,
              .sentence = fmt::format("refuses every request: {} is set and fauna.secret is not",
                                      services_.credentials.closing_setting()),
              .asks_for = setting};
    }
    if (root_.is_well_known()) {
      return {.guard = "well_known_secret",
              .sentence =
                  "takes the secret that Fauna's container has, \"secret\"; set "
                  "fauna.secret for another",
              .asks_for = setting};
    }
    return {.guard = "secret", .sentence = "asks for fauna.secret", .asks_for = setting};
  }

 private:
  const Services services_;
  const RootSecret root_;
  Ids ids_;
  SchemaCache known_;
  const SharedServices shared_;
  OrphanedSecrets orphaned_secrets_;
  const JobHandle removing_;
};

}  // namespace

std::span<const PathRoute> path_routes() {
  return paths;
}

}  // namespace fauna

std::unique_ptr<Dialect> make_fauna(const Services& services) {
  const Settings* settings = services.settings;
  return make_fauna(services, settings == nullptr ? FaunaOptions{} : fauna_options(*settings));
}

std::unique_ptr<Dialect> make_fauna(const Services& services, const FaunaOptions& options) {
  return std::make_unique<fauna::Fauna>(services, options);
}

}  // namespace mayfly
