#include "net/url/host_name.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string>

namespace mayfly::net {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool is_port(std::string_view text) {
  return text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether it is an address of 127.0.0.0/8 with four numbers. Short forms such as "127.1" depend on
// the resolver and do not count.
bool is_loopback_v4(std::string_view host) {
  in_addr address{};
  return host.starts_with("127.") && inet_pton(AF_INET, std::string(host).c_str(), &address) == 1;
}

}  // namespace

std::string_view host_of(std::string_view authority) {
  const std::size_t end = authority.starts_with('[') ? authority.find(']') : 0;
  if (end == std::string_view::npos) return {};
  const std::size_t colon = authority.find(':', end);
  if (colon != std::string_view::npos && !is_port(authority.substr(colon + 1))) return {};
  std::string_view host = authority.substr(0, colon);
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

bool is_loopback_host(std::string_view host) {
  if (host == "localhost" || host == "127.0.0.1") return true;  // the most frequent names
  constexpr std::string_view below = ".localhost";
  if (is_same_host(host, "localhost") || host == "::1" || host == "[::1]") return true;
  if (host.size() > below.size() && is_same_host(host.substr(host.size() - below.size()), below)) {
    return true;
  }
  return is_loopback_v4(host);
}

bool is_same_host(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace mayfly::net
