// Plain sockets by Asio, and TLS: the only place where the two differ.
#include "net/connections/transport.h"

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace mayfly::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using TcpSocket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;

IoResult io_result_of(std::size_t bytes, const error_code& error, IoResult::State state) {
  if (!error) return {IoResult::State::moved, bytes};
  return {error == asio::error::would_block ? state : IoResult::State::ended};
}

}  // namespace

struct Transport::Socket {
  TcpSocket tcp;
};

Transport::Transport(asio::io_context& context)
    : socket_(std::make_unique<Socket>(Socket{TcpSocket(context)})) {}

Transport::~Transport() = default;

bool Transport::take_over(int socket, std::unique_ptr<TlsChannel> tls) {
  error_code error;
  socket_->tcp.assign(asio::ip::tcp::v4(), socket, error);
  if (error) return false;
  socket_->tcp.non_blocking(true, error);
  socket_->tcp.set_option(asio::ip::tcp::no_delay(true), error);
  tls_ = std::move(tls);
  return true;
}

void Transport::secure(const TlsContext& context, std::string_view begun) {
  tls_ = std::make_unique<TlsChannel>(context, socket_->tcp.native_handle(), begun);
}

IoResult Transport::shake_hands() {
  return tls_->shake_hands();
}

void Transport::read(SocketUserPtr reader, std::span<char> room) {
  if (tls_ != nullptr) return read_secured(std::move(reader), room, IoResult::State::wants_read);
  socket_->tcp.async_read_some(
      asio::buffer(room.data(), room.size()),
      [reader = std::move(reader)](error_code error, std::size_t bytes) {
        reader->has_read({error ? IoResult::State::ended : IoResult::State::moved, bytes});
      });
}

// Posted as a separate handler even if data is ready, so that a long body does not recurse.
void Transport::read_secured(SocketUserPtr reader, std::span<char> room, IoResult::State state) {
  auto act = [this, reader = std::move(reader), room](bool is_failed) mutable {
    if (is_failed) return reader->has_read({});
    go_on_reading(std::move(reader), room);
  };
  if (state == IoResult::State::wants_read && tls_->has_read_ahead()) {
    asio::post(socket_->tcp.get_executor(), [act = std::move(act)]() mutable { act(false); });
  } else {
    wait(state, std::move(act));
  }
}

void Transport::go_on_reading(SocketUserPtr reader, std::span<char> room) {
  if (tls_ == nullptr) return reader->has_read({});  // closed meanwhile
  const IoResult moved = tls_->read(room);
  if (moved.state == IoResult::State::moved || moved.state == IoResult::State::ended) {
    return reader->has_read(moved);
  }
  read_secured(std::move(reader), room, moved.state);
}

IoResult Transport::read_some(std::span<char> room) {
  if (tls_ != nullptr) return tls_->read(room);
  error_code error;
  const std::size_t bytes = socket_->tcp.read_some(asio::buffer(room.data(), room.size()), error);
  return io_result_of(bytes, error, IoResult::State::wants_read);
}

IoResult Transport::write_some(const std::array<std::string_view, 2>& pieces) {
  const auto [head, body] = pieces;
  if (body.empty()) return write_some(head);
  if (tls_ != nullptr) return tls_->write(head.empty() ? body : head);
  const std::array buffers{asio::buffer(head.data(), head.size()),
                           asio::buffer(body.data(), body.size())};
  error_code error;
  const std::size_t bytes = socket_->tcp.write_some(buffers, error);
  return io_result_of(bytes, error, IoResult::State::wants_write);
}

IoResult Transport::write_some(std::string_view bytes) {
  if (tls_ != nullptr) return tls_->write(bytes);
  error_code error;
  const std::size_t sent = socket_->tcp.write_some(asio::buffer(bytes.data(), bytes.size()), error);
  return io_result_of(sent, error, IoResult::State::wants_write);
}

template <class Act>
void Transport::wait(IoResult::State state, Act act) {
  const bool is_write = state == IoResult::State::wants_write;
  socket_->tcp.async_wait(
      is_write ? TcpSocket::wait_write : TcpSocket::wait_read,
      [act = std::move(act)](error_code error) mutable { act(static_cast<bool>(error)); });
}

void Transport::wait_to_shake(SocketUserPtr shaker, IoResult::State state) {
  wait(state, [shaker = std::move(shaker)](bool is_failed) {
    if (!is_failed) shaker->may_continue_handshake();
  });
}

void Transport::wait_to_write(SocketUserPtr writer, IoResult::State state) {
  wait(state, [writer = std::move(writer)](bool is_failed) {
    if (!is_failed) writer->may_write();
  });
}

void Transport::watch(SocketUserPtr watcher) {
  auto act = [watcher = std::move(watcher)](bool is_failed) { watcher->may_read(is_failed); };
  if (tls_ != nullptr && tls_->has_read_ahead()) {
    asio::post(socket_->tcp.get_executor(), [act = std::move(act)] { act(false); });
  } else {
    wait(IoResult::State::wants_read, std::move(act));
  }
}

bool Transport::has_arrived() const {
  char first = 0;
  const int flags = MSG_PEEK | MSG_DONTWAIT;
  return recv(socket_->tcp.native_handle(), &first, 1, flags) > 0;
}

void Transport::end_sending() {
  if (tls_ != nullptr) tls_->say_end();
  error_code ignored;
  socket_->tcp.shutdown(TcpSocket::shutdown_send, ignored);
}

// Destroys the channel first: it must not use another socket that gets the same number.
void Transport::close() {
  if (tls_ != nullptr) tls_->say_end();
  tls_ = nullptr;
  error_code ignored;
  socket_->tcp.close(ignored);
}

int Transport::release_socket() {
  return socket_->tcp.release();
}

std::unique_ptr<TlsChannel> Transport::release_tls() {
  return std::move(tls_);
}

}  // namespace mayfly::net
