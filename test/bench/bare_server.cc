#include "bench/bare_server.h"

#include <sys/resource.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <future>
#include <string>
#include <thread>

namespace mayfly::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

asio::awaitable<void> answer_all(tcp::socket socket) {
  socket.set_option(tcp::no_delay(true));
  beast::flat_buffer buffer;
  try {
    for (;;) {
      http::request<http::string_body> request;
      co_await http::async_read(socket, buffer, request, asio::use_awaitable);
      http::response<http::string_body> response(http::status::ok, request.version());
      response.set(http::field::content_type, "application/json");
      response.body() = std::string(300, 'x');
      response.prepare_payload();
      co_await http::async_write(socket, response, asio::use_awaitable);
    }
  } catch (const std::exception&) {
    // The client has disconnected.
  }
}

asio::awaitable<void> accept_all(tcp::acceptor& acceptor) {
  for (;;) {
    tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
    asio::co_spawn(acceptor.get_executor(), answer_all(std::move(socket)), asio::detached);
  }
}

}  // namespace

struct BareServer::Inner {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  std::thread thread;
};

BareServer::BareServer() : inner_(std::make_unique<Inner>()) {
  asio::co_spawn(inner_->context, accept_all(inner_->acceptor), asio::detached);
  inner_->thread = std::thread([this] { inner_->context.run(); });
}

BareServer::~BareServer() {
  inner_->context.stop();
  inner_->thread.join();
}

std::uint16_t BareServer::port() const {
  return inner_->acceptor.local_endpoint().port();
}

// Only the thread itself can ask.
double BareServer::cpu_seconds() const {
  std::promise<double> told;
  asio::post(inner_->context, [&told] {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    const auto seconds = [](const timeval& t) {
      return double(t.tv_sec) + double(t.tv_usec) / 1e6;
    };
    told.set_value(seconds(usage.ru_utime) + seconds(usage.ru_stime));
  });
  return told.get_future().get();
}

}  // namespace mayfly::bench
