// Class Native: finds the row of a request, lets its caller in, and renders what its action gives.
#include "dialect/native/native.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "dialect/common/parameters.h"
#include "dialect/native/auth.h"
#include "dialect/native/errors.h"
#include "dialect/native/openapi.h"
#include "dialect/native/routes.h"
#include "net/head_handler.h"

namespace mayfly {
namespace native {
namespace {

// The segments of a path; a slash at the end adds none.
std::size_t segments_in(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
}

// One router for each number of segments: a request is held against the few rows that are as long
// as its path.
class Routes {
 public:
  Routes() {
    for (const Route& route : routes()) {
      const std::size_t length = segments_in(route.pattern);
      if (groups_.size() <= length) groups_.resize(length + 1);
      groups_[length].router.add(route.method, route.pattern);
      groups_[length].rows.push_back(&route);
    }
  }

  // The row, or null.
  const Route* find(const net::Request& request, net::Match& match) const {
    const std::size_t length = segments_in(request.path);
    if (length >= groups_.size()) return nullptr;
    const Group& group = groups_[length];
    match = group.router.match(request.method, request.path);
    return match.route == net::Match::none ? nullptr : group.rows[match.route];
  }

  // Where all rows of that length and method go at one pace, as nearly all do, the path is not
  // looked at. A path that fits no row is refused quickly.
  bool is_quick(const net::Request& request) const {
    const std::size_t length = segments_in(request.path);
    if (length >= groups_.size()) return true;
    const std::string_view asked = request.method;
    const std::string_view method = asked == "HEAD" ? std::string_view("GET") : asked;
    bool has_quick = false;
    bool has_pooled = false;
    for (const Route* row : groups_[length].rows) {
      if (row->method == method) (row->pace == Pace::quick ? has_quick : has_pooled) = true;
    }
    if (!has_quick || !has_pooled) return !has_pooled;
    net::Match match;
    const Route* route = find(request, match);
    return route == nullptr || route->pace == Pace::quick;
  }

 private:
  struct Group {
    net::Router router;
    std::vector<const Route*> rows;
  };
  std::vector<Group> groups_;
};

class Native final : public Dialect, public net::HeadHandler {
 public:
  explicit Native(const Services& services) : shared_{services, render_openapi()} {}

  std::string_view name() const override { return "native"; }

  bool claims(std::string_view path) const override {
    return path == "/v1" || path.starts_with("/v1/") || path == "/health" || path == "/ready" ||
           path == "/metrics";
  }

  net::Response answer(const net::Request& request) override {
    net::Match match;
    const Route* route = routes_.find(request, match);
    if (route == nullptr || route->access == Access::needs_key) {
      const auto let_in = authenticate(request, shared_.services.credentials);
      if (!let_in) return render_error(let_in.error());
    }
    if (route == nullptr) return refuse_path(request, match);
    if (!request.parameters.empty()) {
      const auto known = check_parameters(request, route->parameters);
      if (!known) return render_error(known.error());
    }
    if (const auto may_have = check_body(*route, request); !may_have) {
      return render_error(may_have.error());
    }
    Call call{shared_, request, match};
    auto answered = route->action(call);
    if (answered) return *std::move(answered);
    return render_error(answered.error());
  }

  bool is_open() const override { return shared_.services.credentials.is_open(); }
  std::string_view body_type(const net::Request&) const override { return "application/json"; }
  bool is_quick(const net::Request& request) const override { return routes_.is_quick(request); }
  bool is_urgent(const net::Request& request) const override {
    return request.path == "/health" || request.path == "/ready" || request.path == "/metrics";
  }

  net::Response refuse(const Error& error) const override { return render_error(error); }
  std::size_t body_bytes_max() const override { return limits::request_body_bytes_max; }

 private:
  // Where no body is read one is refused: its client would believe that it had an effect.
  static Result<void> check_body(const Route& route, const net::Request& request) {
    const bool is_read = !route.body.empty() || route.access == Access::open;
    if (is_read || request.body.empty() || request.body == "{}") return {};
    return fail(Code::invalid, "this request takes no body; what it can say stands in its URL",
                "body");
  }

  static net::Response refuse_path(const net::Request& request, const net::Match& match) {
    if (!match.methods.empty()) return refuse_method(request, match.methods);
    return render_error({Code::not_found, fmt::format("there is nothing at {}", request.path)});
  }

  const Routes routes_;
  Shared shared_;
};

}  // namespace
}  // namespace native

std::unique_ptr<Dialect> make_native(const Services& services) {
  return std::make_unique<native::Native>(services);
}

}  // namespace mayfly
