// How a request of a page is recognized: browsers set `Origin` and `Sec-Fetch-…`, and no page can
// forge them. How DNS rebinding is recognized: `Host` is the name that the page was loaded by.
#include "net/access/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "net/url/host_name.h"

namespace mayfly::net {
namespace {

constexpr int forbidden = 403;
constexpr int misdirected = 421;
constexpr int wrong_type = 415;

Guard::Denial denial(int status, Code code, std::string message) {
  return {{status, {code, std::move(message)}, false}};
}

// A type without its parameters, in lower case.
std::string media_type(const Request& request) {
  const std::string* header = request.header("content-type");
  if (header == nullptr) return {};
  std::string_view type = std::string_view(*header).substr(0, header->find(';'));
  while (type.ends_with(' ') || type.ends_with('\t')) type.remove_suffix(1);
  std::string lower(type);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return lower;
}

// Programs with a fetch function like that of browsers send Sec-Fetch-Mode, too.
bool comes_from_a_browser(const Request& request) {
  return request.header("origin") != nullptr || request.header("sec-fetch-site") != nullptr;
}

// Pages may send plain text without a preflight; for a body of any other type the browser sends
// one.
std::optional<Guard::Denial> check_body_type(const AcceptedRequest& accepted) {
  const std::string type = media_type(accepted.request);
  const std::string_view required_type = accepted.body_type;
  if (required_type.empty()) {
    if ((!type.empty() && type != "text/plain") || !comes_from_a_browser(accepted.request)) {
      return {};
    }
    return denial(wrong_type, Code::invalid,
                  "a page sends a body with the header Content-Type, such as application/json");
  }
  const bool is_json = required_type == "application/json" && type.ends_with("+json");
  if (type == required_type || is_json) return {};
  return denial(wrong_type, Code::invalid,
                fmt::format("a body needs the header Content-Type: {}", required_type));
}

}  // namespace

std::optional<Guard::Denial> Guard::check(const AcceptedRequest& accepted,
                                          const ListenerOptions& listener, bool has_body) const {
  const Request& request = accepted.request;
  if (!listener.allows_plain && !request.is_secure) {
    auto denied = denial(forbidden, Code::forbidden,
                         "this port takes TLS only (setting tls.plain): use https");
    denied.setting = "tls.plain";
    return denied;
  }
  if (auto denied = check_page(accepted)) return denied;
  if (auto denied = check_host(request, listener)) return denied;
  if (has_body) return check_body_type(accepted);
  return {};
}

std::optional<Guard::Denial> Guard::check_page(const AcceptedRequest& accepted) const {
  const Request& request = accepted.request;
  bool has_origin = false;
  for (const auto& [name, value] : request.headers) {
    if (std::string_view(name) != "origin") continue;
    has_origin = true;
    if (cors_.allows(value)) continue;
    auto denied =
        denial(forbidden, Code::forbidden,
               fmt::format("pages of the origin {} may not call; add the origin to the setting "
                           "cors.origins",
                           value));
    denied.setting = "cors.origins";
    denied.value = value;
    return denied;
  }
  const std::string* site = request.header("sec-fetch-site");
  if (has_origin || site == nullptr || *site == "none" || *site == "same-origin") return {};
  const std::string* mode = request.header("sec-fetch-mode");
  const bool is_navigation = mode != nullptr && *mode == "navigate" &&
                             (request.method == "GET" || request.method == "HEAD");
  if (is_navigation && accepted.is_page) return {};
  auto denied = denial(forbidden, Code::forbidden,
                       "a page of another site may call only with the header Origin, and only if "
                       "the setting cors.origins contains that origin");
  denied.setting = "cors.origins";
  denied.value = *site;
  return denied;
}

// A name server can resolve any name to this machine (DNS rebinding). While a port requires no
// credentials, it would accept requests from a page of such a name. So it answers only to names of
// this machine.
std::optional<Guard::Denial> Guard::check_host(const Request& request,
                                               const ListenerOptions& listener) const {
  if (listener.allows_any_host) return {};
  const std::string* header = request.header("host");
  if (header == nullptr) return {};
  const std::string_view host = host_of(*header);
  if (is_loopback_host(host) || is_same_host(host, listener.host)) return {};
  if (is_same_host(host, "[" + listener.host + "]")) return {};
  for (const std::string& name : hosts_) {
    if (!host.empty() && is_same_host(host, name)) return {};
  }
  if (!listener.handler->is_open()) return {};
  auto denied = denial(
      misdirected, Code::forbidden,
      fmt::format("this port asks for no credentials or only for the well-known key, so it does "
                  "not answer to the name {}; add the name to the setting hosts",
                  *header));
  denied.refusal.error.field = "host";
  denied.setting = "hosts";
  denied.value = *header;
  return denied;
}

}  // namespace mayfly::net
