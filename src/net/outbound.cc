#include "net/outbound.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/url/parse.hpp>
#include <chrono>
#include <vector>

namespace mayfly::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ip = asio::ip;
using Endpoints = std::vector<ip::tcp::endpoint>;

// Blocks that are not the public internet (IANA's special-purpose registries).
constexpr const char* closed_v4[] = {
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",
};
// Global unicast is 2000::/3; within it these are not, or have an address of version 4 in them.
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

struct Target {
  bool is_secure = false;
  std::string host;  // a name, or an address without brackets
  std::string port;
  std::string host_and_port;
  std::string path;
};

Result<Target> parse_target(std::string_view text) {
  const auto url = boost::urls::parse_uri(text);
  const bool is_web = url && (url->scheme() == "http" || url->scheme() == "https");
  if (!is_web || url->host().empty() || url->has_userinfo()) {
    return fail(Code::invalid, "a URL must begin with http:// or https:// and name a host", "url");
  }
  Target target;
  target.is_secure = url->scheme() == "https";
  target.host = url->host_address();
  target.port = url->has_port() ? std::string(url->port()) : target.is_secure ? "443" : "80";
  target.host_and_port = std::string(url->encoded_host_and_port());
  target.path = std::string(url->encoded_target());
  if (target.path.empty()) target.path = "/";
  return target;
}

tl::unexpected<Error> unreachable() {
  return fail(Code::forbidden,
              "the URL leads to this machine or a private network, which is not allowed", "url");
}

Result<Endpoints> resolve(const Target& target, const OutboundRules& rules,
                          asio::io_context& context) {
  ip::tcp::resolver resolver(context);
  beast::error_code failure;
  const auto found = resolver.resolve(target.host, target.port, failure);
  if (failure) {
    return fail(Code::internal,
                "the host '" + target.host + "' is not known: " + failure.message());
  }
  Endpoints endpoints;
  for (const auto& entry : found) {
    if (rules.may_reach_private || is_public(entry.endpoint().address())) {
      endpoints.push_back(entry.endpoint());
    }
  }
  if (endpoints.empty()) return unreachable();
  return endpoints;
}

http::request<http::string_body> request_of(const Call& call, const Target& target) {
  http::request<http::string_body> request;
  request.version(11);
  request.method_string(call.method);
  request.target(target.path);
  request.set(http::field::host, target.host_and_port);
  request.set(http::field::content_type, "application/json");
  request.set(http::field::connection, "close");
  for (const auto& [name, value] : call.headers) request.set(name, value);
  request.body() = call.body;
  request.prepare_payload();
  return request;
}

// One call over one connection: every step runs to its end, or until the stream's time is up.
class Caller {
 public:
  Caller(asio::io_context& context, const Call& call, const Target& target,
         const OutboundRules& rules)
      : context_(context), call_(call), target_(target), rules_(rules) {}

  Result<Response> run(const Endpoints& endpoints) {
    asio::ssl::context tls(asio::ssl::context::tls_client);
    tls.set_default_verify_paths();
    tls.set_verify_mode(asio::ssl::verify_peer);
    beast::ssl_stream<beast::tcp_stream> stream(context_, tls);
    beast::tcp_stream& socket = beast::get_lowest_layer(stream);
    socket.expires_after(std::chrono::microseconds(call_.time_max.micros));
    step([&](auto done) { socket.async_connect(endpoints, std::move(done)); });
    if (!target_.is_secure) return exchange(socket);
    stream.set_verify_callback(asio::ssl::host_name_verification(target_.host));
    SSL_set_tlsext_host_name(stream.native_handle(), target_.host.c_str());
    step([&](auto done) {
      stream.async_handshake(asio::ssl::stream_base::client, std::move(done));
    });
    return exchange(stream);
  }

 private:
  template <class Begin>
  void step(const Begin& begin) {
    if (failure_) return;
    begin([this](beast::error_code failure, auto&&...) { failure_ = failure; });
    context_.restart();
    context_.run();
  }

  template <class Stream>
  Result<Response> exchange(Stream& stream) {
    auto request = request_of(call_, target_);
    beast::flat_buffer buffer(2 * rules_.answer_bytes_max);
    http::response_parser<http::string_body> parser;
    parser.body_limit(rules_.answer_bytes_max);
    step([&](auto done) { http::async_write(stream, request, std::move(done)); });
    step([&](auto done) { http::async_read(stream, buffer, parser, std::move(done)); });
    if (failure_ == http::error::body_limit && parser.is_header_done()) failure_ = {};
    if (failure_ == beast::error::timeout) return fail(Code::timed_out, "no answer in time");
    if (failure_) return fail(Code::internal, "no answer: " + failure_.message());
    const auto& answer = parser.get();
    Response response{.status = static_cast<int>(answer.result_int()), .body = answer.body()};
    for (const auto& field : answer) {
      response.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
    }
    return response;
  }

  asio::io_context& context_;
  const Call& call_;
  const Target& target_;
  const OutboundRules& rules_;
  beast::error_code failure_;
};

}  // namespace

bool is_public_address(std::string_view text) {
  boost::system::error_code failure;
  const ip::address address = ip::make_address(text, failure);
  return !failure && is_public(address);
}

Result<void> check_url(std::string_view url, const OutboundRules& rules) {
  const Target target = TRY(parse_target(url));
  boost::system::error_code failure;
  const ip::address address = ip::make_address(target.host, failure);
  if (!failure && !rules.may_reach_private && !is_public(address)) return unreachable();
  return {};
}

Result<Response> call_out(const Call& call, const OutboundRules& rules) {
  const Target target = TRY(parse_target(call.url));
  try {
    asio::io_context context;
    const Endpoints endpoints = TRY(resolve(target, rules, context));
    return Caller(context, call, target, rules).run(endpoints);
  } catch (const std::exception& error) {
    return fail(Code::internal, error.what());
  }
}

}  // namespace mayfly::net
