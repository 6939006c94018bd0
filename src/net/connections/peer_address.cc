#include "net/connections/peer_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <string>

namespace mayfly::net {
namespace {

std::string render_peer(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
    return fmt::format("[{}]:{}", text, ntohs(v6.sin6_port));
  }
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
  inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
  return fmt::format("{}:{}", text, ntohs(v4.sin_port));
}

// A customer of an IPv6 provider has all addresses with the same first half.
std::string network_of(const sockaddr_storage& address) {
  if (address.ss_family != AF_INET6) {
    const in_addr& v4 = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
    return {reinterpret_cast<const char*>(&v4), sizeof v4};
  }
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  const std::string bytes(reinterpret_cast<const char*>(&v6), sizeof v6);
  return IN6_IS_ADDR_V4MAPPED(&v6) ? bytes.substr(12) : bytes.substr(0, 8);
}

}  // namespace

Peer peer_of(const sockaddr_storage& address) {
  return {.address = render_peer(address), .network = network_of(address)};
}

}  // namespace mayfly::net
