// The CORS protocol.
#include "net/access/cors.h"

#include <algorithm>

#include "net/url/host_name.h"

namespace mayfly::net {
namespace {

constexpr const char* preflight_seconds = "7200";  // the longest that browsers keep one

// Whether this machine serves the page, at any port.
bool is_loopback(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    const std::string_view authority = origin.substr(scheme.size());
    return !authority.ends_with(':') && is_loopback_host(host_of(authority));
  }
  return false;
}

}  // namespace

bool Cors::allows(std::string_view origin) const {
  return std::any_of(origins_.begin(), origins_.end(), [origin](const std::string& row) {
    // Any page can give up its origin; the origin is then "null".
    if (row == "*") return origin != "null";
    return row == "loopback" ? is_loopback(origin) : row == origin;
  });
}

std::optional<Response> Cors::answer_preflight(const Request& request) const {
  if (std::string_view(request.method) != "OPTIONS") return std::nullopt;
  const std::string* origin = request.header("origin");
  if (origin == nullptr || !allows(*origin)) return std::nullopt;
  if (request.header("access-control-request-method") == nullptr) return std::nullopt;
  Response response{.status = 204};
  response.headers = {{"Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE"},
                      {"Access-Control-Max-Age", preflight_seconds}};
  if (const std::string* requested_headers = request.header("access-control-request-headers")) {
    response.headers.emplace_back("Access-Control-Allow-Headers", *requested_headers);
  }
  return response;
}

void Cors::open(const Request& request, Response& response) const {
  const std::string* origin = request.header("origin");
  if (origin == nullptr || !allows(*origin)) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", *origin);
  response.headers.emplace_back("Access-Control-Expose-Headers", "*");
  response.headers.emplace_back("Vary", "Origin");
}

}  // namespace mayfly::net
