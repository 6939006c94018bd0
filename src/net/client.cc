#include "net/client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/url/parse.hpp>
#include <chrono>

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

}  // namespace

Result<Response> fetch(const Call& call) {
  const auto url = boost::urls::parse_uri(call.url);
  if (!url || url->scheme() != "http" || url->host().empty()) {
    return fail(Code::invalid, "'" + call.url + "' is no http:// address");
  }
  const std::string port = url->has_port() ? std::string(url->port()) : "80";
  try {
    asio::io_context context;
    asio::ip::tcp::resolver resolver(context);
    beast::tcp_stream stream(context);
    stream.expires_after(std::chrono::microseconds(call.time_max.micros));
    auto request = request_of(call, *url);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> answer;
    answer.body_limit(call.answer_bytes_max);
    beast::error_code failure;
    const auto keep = [&failure](beast::error_code e, auto&&...) { failure = e; };
    // Each step runs to its end, or until the stream's time is up.
    stream.async_connect(resolver.resolve(std::string(url->host_address()), port), keep);
    context.run();
    if (!failure) {
      http::async_write(stream, request, keep);
      context.restart();
      context.run();
    }
    if (!failure) {
      http::async_read(stream, buffer, answer, keep);
      context.restart();
      context.run();
    }
    if (failure == beast::error::timeout)
      return fail(Code::timed_out, call.url + ": no answer in time");
    if (failure) return fail(Code::internal, call.url + ": " + failure.message());
    return response_of(answer.get());
  } catch (const std::exception& error) {
    return fail(Code::internal, call.url + ": " + error.what());
  }
}

}  // namespace mayfly::net
