#include "net/calls/outbound.h"

#include <arpa/inet.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <optional>
#include <string>

#include "net/calls/call_target.h"

namespace mayfly::net {
namespace {

namespace ip = boost::asio::ip;

// Address blocks that are not part of the public internet (IANA's special-purpose registries).
constexpr const char* closed_v4[] = {
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",
};
// Global unicast is 2000::/3. These blocks in it are not public, or embed an address of version 4.
constexpr const char* closed_v6[] = {"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"};

bool is_public(const ip::address_v4& address) {
  for (const char* block : closed_v4) {
    const auto network = ip::make_network_v4(block);
    const std::uint32_t mask = network.netmask().to_uint();
    if ((address.to_uint() & mask) == network.network().to_uint()) return false;
  }
  return true;
}

bool is_in(const ip::address_v6& address, const ip::network_v6& network) {
  const auto a = address.to_bytes();
  const auto b = network.network().to_bytes();
  for (int bit = 0; bit < network.prefix_length(); ++bit) {
    const int mask = 0x80 >> (bit % 8);
    if ((a[static_cast<std::size_t>(bit / 8)] & mask) !=
        (b[static_cast<std::size_t>(bit / 8)] & mask)) {
      return false;
    }
  }
  return true;
}

bool is_public(const ip::address_v6& address) {
  if (address.is_v4_mapped()) return is_public(ip::make_address_v4(ip::v4_mapped, address));
  if (!is_in(address, ip::make_network_v6("2000::/3"))) return false;
  for (const char* block : closed_v6) {
    if (is_in(address, ip::make_network_v6(block))) return false;
  }
  return true;
}

bool is_public(const ip::address& address) {
  return address.is_v4() ? is_public(address.to_v4()) : is_public(address.to_v6());
}

// The address that a host is, also in the short and numeric forms that resolvers take (127.1,
// 2130706433, 0x7f000001); nothing for a name.
std::optional<ip::address> address_of(const std::string& host) {
  boost::system::error_code failure;
  const ip::address address = ip::make_address(host, failure);
  if (!failure) return address;
  in_addr bytes = {};
  if (inet_aton(host.c_str(), &bytes) == 0) return std::nullopt;
  return ip::address_v4(ntohl(bytes.s_addr));
}

}  // namespace

Error out_of_reach() {
  return {Code::forbidden,
          "the URL leads to this machine or a private network, which is not allowed", "url"};
}

bool is_public_address(std::string_view text) {
  boost::system::error_code failure;
  const ip::address address = ip::make_address(text, failure);
  return !failure && is_public(address);
}

Result<void> check_url(std::string_view url, AddressPolicy address_policy) {
  const CallTarget target = TRY(parse_call_target(url));
  if (target.has_user) return fail(Code::invalid, "a URL must name no user", "url");
  const auto address = address_of(target.host);
  if (address && address_policy == AddressPolicy::public_only && !is_public(*address)) {
    return tl::unexpected(out_of_reach());
  }
  return {};
}

}  // namespace mayfly::net
