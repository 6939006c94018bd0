#include "dialect/centrali/centrali.h"

#include "base/limits.h"
#include "dialect/centrali/auth.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/errors.h"
#include "dialect/centrali/events/stream.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/routes.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/centrali/workers.h"
#include "dialect/common/parameters.h"
#include "net/head_handler.h"
#include "net/outbound.h"

namespace mayfly {
namespace centrali {
namespace {

Postman::Options postman_options(const Services& services, Postman::RunBy run_by) {
  const net::OutboundRules rules{.may_reach_private = services.may_reach_private,
                                 .answer_bytes_max = limits::webhook_answer_bytes_max};
  return {.call_out = [rules](const net::Call& call) { return net::call_out(call, rules); },
          .run_by = run_by,
          .is_virtual = services.manual_clock != nullptr};
}

class Centrali final : public Dialect, public net::HeadHandler {
 public:
  Centrali(const Services& services, Postman::RunBy run_by)
      : services_(services),
        workers_{
            {services.database, directory_},
            {services.database, directory_, services.random, postman_options(services, run_by)}} {}

  std::string_view name() const override { return "centrali"; }
  bool claims(std::string_view path) const override { return is_claimed(path); }
  bool is_open() const override { return services_.credentials.is_open(); }
  // A token is asked for with a form (RFC 6749).
  std::string_view body_type(const net::Request& request) const override {
    return is_token_path(request.path) ? "" : "application/json";
  }
  bool is_quick(const net::Request& request) const override {
    if (is_token_path(request.path)) return true;
    if (event_stream_workspace(request.path)) return true;
    return is_about_one_record(request.method, request.path) &&
           request.parameter("expand") == nullptr &&
           request.body.size() <= limits::quick_record_bytes_max;
  }
  std::size_t body_bytes_max() const override { return limits::bulk_body_bytes_max; }
  net::Response refuse(const Error& error) const override {
    return render_error(error, {}, services_.random.uuid());
  }

  std::optional<net::Response> refuse_head(const net::Request& request) override {
    if (!is_token_path(request.path)) return std::nullopt;
    const std::string* bytes = request.header("content-length");
    constexpr std::int64_t bytes_max = limits::token_request_bytes_max;
    if (bytes == nullptr || parse_integer(*bytes, "content-length", 0, bytes_max)) {
      return std::nullopt;
    }
    return refuse_token_body(request_id(request));
  }

  net::Response answer(const net::Request& request) override {
    if (is_token_path(request.path)) return answer_token(request);
    if (auto workspace = event_stream_workspace(request.path)) {
      return answer_events(request, *std::move(workspace));
    }
    RouteMatch found = routes_.match(request.method, request.path);
    if (found.action == nullptr) return answer_nothing(request, found.match);
    Call call{request, found.match, services_, directory_, workers_, std::move(found.workspace),
              {},      {}};
    auto response = answer_call(call, found);
    if (response) return *std::move(response);
    return render_error(response.error(), call.details, request_id(request));
  }

 private:
  std::string request_id(const net::Request& request) const {
    return request_id_of(request, services_.random);
  }

  Result<net::Response> answer_call(Call& call, const RouteMatch& found) {
    call.principal = TRY(authenticate(call.request, services_.credentials, call.workspace,
                                      services_.database.now()));
    const bool is_large = call.request.body.size() > limits::request_body_bytes_max;
    if (is_large && !is_about_many_records(call.request.path)) {
      return fail(Code::too_large, "a body has at most " +
                                       std::to_string(limits::request_body_bytes_max) + " bytes");
    }
    TRY(check_parameters(call.request, found.parameters));
    return found.action(call);
  }

  net::Response answer_token(const net::Request& request) const {
    if (request.method != "POST") return render_method_not_allowed({"POST"}, request_id(request));
    return issue_token(request, services_.credentials, services_.database.now(),
                       request_id(request));
  }

  net::Response answer_events(const net::Request& request, std::string workspace) {
    if (request.method != "GET" && request.method != "HEAD") {
      return render_method_not_allowed({"GET"}, request_id(request));
    }
    const net::Match match;
    Call call{request, match, services_, directory_, workers_, std::move(workspace), {}, {}};
    return open_event_stream(call, workers_.announcer, request_id(request));
  }

  net::Response answer_nothing(const net::Request& request, const net::Match& match) const {
    if (!match.methods.empty()) {
      return render_method_not_allowed(match.methods, request_id(request));
    }
    const Error error{Code::not_found, "route not found: " + request.method + " " + request.path};
    return render_error(error, {}, request_id(request));
  }

  const Services services_;
  Directory directory_;
  const Routes routes_;
  Workers workers_;
};

}  // namespace
}  // namespace centrali

std::unique_ptr<Dialect> make_centrali(const Services& services) {
  return std::make_unique<centrali::Centrali>(services, centrali::Postman::RunBy::itself);
}

std::unique_ptr<Dialect> make_centrali_without_postman(const Services& services) {
  return std::make_unique<centrali::Centrali>(services, centrali::Postman::RunBy::caller);
}

Result<void> hide_centrali_data(Database& database) {
  return centrali::hide_webhook_tables(database);
}

}  // namespace mayfly
