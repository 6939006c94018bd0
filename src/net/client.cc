#include "net/client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/url/parse.hpp>
#include <chrono>
#include <memory>
#include <mutex>

namespace mayfly::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

http::request<http::string_body> request_of(const Call& call, const boost::urls::url_view& url) {
  http::request<http::string_body> request;
  request.version(11);
  request.method_string(call.method);
  request.target(url.encoded_target().empty() ? "/" : std::string(url.encoded_target()));
  request.set(http::field::host, std::string(url.encoded_host_and_port()));
  request.set(http::field::content_type, "application/json");
  request.set(http::field::connection, "close");
  for (const auto& [name, value] : call.headers) request.set(name, value);
  request.body() = call.body;
  request.prepare_payload();
  return request;
}

Response response_of(const http::response<http::string_body>& answer) {
  Response response;
  response.status = static_cast<int>(answer.result_int());
  response.content_type = std::string(answer[http::field::content_type]);
  for (const auto& field : answer) {
    response.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  response.body = answer.body();
  return response;
}

using TlsPtr = std::shared_ptr<asio::ssl::context>;

Result<TlsPtr> make_tls(const Trust& trust) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  if (!trust.checks) {
    tls->set_verify_mode(asio::ssl::verify_none);
    return tls;
  }
  tls->set_verify_mode(asio::ssl::verify_peer);
  tls->set_default_verify_paths();
  if (trust.ca_file.empty()) return tls;
  beast::error_code failure;
  tls->load_verify_file(trust.ca_file, failure);
  if (!failure) return tls;
  return fail(Code::invalid, "'" + trust.ca_file + "' holds no certificates in PEM");
}

// Loading the certificates of the system takes a fifth of a second: calls of a command share them.
Result<TlsPtr> tls_for(const Trust& trust) {
  static std::mutex mutex;
  static Trust trusted;
  static TlsPtr made;
  const std::lock_guard lock(mutex);
  if (!made || trusted != trust) {
    made = TRY(make_tls(trust));
    trusted = trust;
  }
  return made;
}

// One call over one connection: each step runs to its end, or until the stream's time is up.
class Fetch {
 public:
  Fetch(const Call& call, const boost::urls::url_view& url)
      : call_(call), url_(url), host_(url.host_address()) {}

  Result<Response> run() {
    const bool is_secure = url_.scheme() == "https";
    // Without TLS it is not used.
    const TlsPtr tls = is_secure ? TRY(tls_for(call_.trust))
                                 : std::make_shared<asio::ssl::context>(asio::ssl::context::tls);
    beast::ssl_stream<beast::tcp_stream> stream(context_, *tls);
    beast::tcp_stream& socket = beast::get_lowest_layer(stream);
    socket.expires_after(std::chrono::microseconds(call_.time_max.micros));
    asio::ip::tcp::resolver resolver(context_);
    const std::string port = url_.has_port() ? std::string(url_.port()) : is_secure ? "443" : "80";
    const auto endpoints = resolver.resolve(host_, port, failure_);
    if (failure_) return tl::unexpected(not_resolved());
    step([&](auto done) { socket.async_connect(endpoints, std::move(done)); });
    if (!is_secure) return exchange(socket);
    TRY(shake_hands(stream));
    return exchange(stream);
  }

 private:
  Error not_resolved() const {
    const std::string server =
        std::string(url_.scheme()) + "://" + std::string(url_.encoded_host_and_port());
    if (failure_ == asio::error::host_not_found) {
      return {Code::invalid, server + ": there is no host of this name", "url"};
    }
    return {Code::internal, server + ": the host's name cannot be resolved: " + failure_.message()};
  }

  template <class Begin>
  void step(const Begin& begin) {
    if (failure_) return;
    begin([this](beast::error_code failure, auto&&...) { failure_ = failure; });
    context_.restart();
    context_.run();
  }

  bool failed_for(int reason) const {
    return failure_.category() == asio::error::get_ssl_category() &&
           ERR_GET_REASON(static_cast<unsigned long>(failure_.value())) == reason;
  }

  Result<void> shake_hands(beast::ssl_stream<beast::tcp_stream>& stream) {
    if (call_.trust.checks) {
      stream.set_verify_callback(asio::ssl::host_name_verification(host_));
    }
    if (url_.host_type() == boost::urls::host_type::name) {
      SSL_set_tlsext_host_name(stream.native_handle(), host_.c_str());
    }
    step([&](auto done) {
      stream.async_handshake(asio::ssl::stream_base::client, std::move(done));
    });
    if (failed_for(SSL_R_WRONG_VERSION_NUMBER) || failed_for(SSL_R_HTTP_REQUEST)) {
      return fail(Code::invalid, call_.url + ": the port does not speak TLS; try http://");
    }
    if (!failed_for(SSL_R_CERTIFICATE_VERIFY_FAILED)) return {};  // exchange() says what is wrong
    const long why = SSL_get_verify_result(stream.native_handle());
    // The check of the name leaves no reason of its own.
    const bool is_of_another = why == X509_V_OK || why == X509_V_ERR_UNSPECIFIED;
    return fail(Code::forbidden, call_.url + ": its certificate is not trusted: " +
                                     (is_of_another ? "it is not for '" + host_ + "'"
                                                    : X509_verify_cert_error_string(why)));
  }

  template <class Stream>
  Result<Response> exchange(Stream& stream) {
    auto request = request_of(call_, url_);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> answer;
    answer.body_limit(call_.answer_bytes_max);
    step([&](auto done) { http::async_write(stream, request, std::move(done)); });
    step([&](auto done) { http::async_read(stream, buffer, answer, std::move(done)); });
    if (failure_ == beast::error::timeout) {
      return fail(Code::timed_out, call_.url + ": no answer in time");
    }
    if (failure_) return fail(Code::internal, call_.url + ": " + failure_.message());
    return response_of(answer.get());
  }

  const Call& call_;
  const boost::urls::url_view& url_;
  const std::string host_;
  asio::io_context context_;
  beast::error_code failure_;
};

}  // namespace

Result<Response> fetch(const Call& call) {
  const auto url = boost::urls::parse_uri(call.url);
  const bool is_web = url && (url->scheme() == "http" || url->scheme() == "https");
  if (!is_web || url->host().empty()) {
    return fail(Code::invalid, "'" + call.url + "' is no http:// or https:// address", "url");
  }
  try {
    return Fetch(call, *url).run();
  } catch (const std::exception& error) {
    return fail(Code::internal, call.url + ": " + error.what());
  }
}

}  // namespace mayfly::net
