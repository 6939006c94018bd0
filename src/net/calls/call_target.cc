#include "net/calls/call_target.h"

#include <boost/url/parse.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace mayfly::net {

namespace {

std::optional<int> port_of(std::string_view digits) {
  int port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool is_port = error == std::errc() && end == digits.data() + digits.size();
  return is_port && port > 0 && port <= 65'535 ? std::optional(port) : std::nullopt;
}

}  // namespace

Result<CallTarget> parse_call_target(std::string_view text) {
  const auto url = boost::urls::parse_uri(text);
  const bool is_web = url && (url->scheme() == "http" || url->scheme() == "https");
  const auto port = url && !url->port().empty() ? port_of(url->port()) : std::nullopt;
  const bool has_port = url && (url->port().empty() || port);
  const std::string host = url ? url->host_address() : "";
  // The system's resolver reads a name only up to a zero byte.
  const bool has_host = !host.empty() && host.find('\0') == host.npos;
  std::string path = url ? std::string(url->encoded_target()) : "";
  if (path.empty() || path.front() == '?') path.insert(0, "/");
  // `http://host:-1` is parsed as a path without a slash.
  if (!is_web || !has_host || !has_port || path.front() != '/') {
    return fail(Code::invalid, "a URL must begin with http:// or https:// and name a host", "url");
  }
  CallTarget target{.is_secure = url->scheme() == "https",
                    .has_user = url->has_userinfo(),
                    .is_address = url->host_type() != boost::urls::host_type::name,
                    .host = host,
                    .port = port ? std::to_string(*port) : "",
                    .host_and_port = std::string(url->encoded_host_and_port()),
                    .path = std::move(path)};
  if (target.port.empty()) target.port = target.is_secure ? "443" : "80";
  if (target.host_and_port.ends_with(':')) target.host_and_port.pop_back();
  return target;
}

std::string url_for_errors(std::string_view url) {
  return std::string(url.substr(0, url.find('?')));
}

}  // namespace mayfly::net
