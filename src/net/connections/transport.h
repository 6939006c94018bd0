// A connection's socket, with TLS if the client uses it. Operations that wait for the socket call
// the connection back (SocketUser); others return an IoResult. Boost.Asio's sockets are used only
// behind this header.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "net/connections/tls.h"

// Asio is slow to compile.
namespace boost::asio {
class io_context;
}

namespace mayfly::net {

// Callbacks of operations that wait for a socket. The operation keeps its user alive until it is
// called. Threads: the loop's.
class SocketUser {
 public:
  virtual ~SocketUser() = default;

  // After read().
  virtual void has_read(IoResult moved) = 0;
  // After watch(); also if the client has disconnected.
  virtual void may_read(bool is_failed) = 0;
  // After wait_to_write(). Not called if the socket is closed meanwhile.
  virtual void may_write() = 0;
  // After wait_to_shake(). Not called if the socket is closed meanwhile.
  virtual void may_continue_handshake() = 0;
};
using SocketUserPtr = std::shared_ptr<SocketUser>;

// Owned by its user. Threads: the loop's.
class Transport {
 public:
  explicit Transport(boost::asio::io_context& context);
  ~Transport();

  // Takes ownership of the socket. Returns false if the kernel refuses to register it. `tls` is
  // null if the client has not begun TLS.
  bool take_over(int socket, std::unique_ptr<TlsChannel> tls);
  // Begins TLS; `begun` has already been read.
  void secure(const TlsContext& context, std::string_view begun);
  bool is_secure() const { return tls_ != nullptr; }
  // Whether the handshake negotiated HTTP/2.
  bool has_chosen_http2() const { return tls_ != nullptr && tls_->has_chosen_http2(); }

  // Continues the handshake as far as possible.
  IoResult shake_hands();
  // Calls has_read(), later.
  void read(SocketUserPtr reader, std::span<char> room);
  IoResult read_some(std::span<char> room);
  // Writes both pieces in order; not both may be empty.
  IoResult write_some(const std::array<std::string_view, 2>& pieces);
  IoResult write_some(std::string_view bytes);

  // Calls may_continue_handshake(). `state`: what shake_hands() has returned.
  void wait_to_shake(SocketUserPtr shaker, IoResult::State state);
  // Calls may_write(). `state`: what write_some() has returned.
  void wait_to_write(SocketUserPtr writer, IoResult::State state);
  // Calls may_read(); also if the client disconnects.
  void watch(SocketUserPtr watcher);

  // Whether the kernel has unread data.
  bool has_arrived() const;
  // Shuts down sending, and notifies the client.
  void end_sending();
  void close();
  // Releases the socket and TLS, for another loop.
  int release_socket();
  std::unique_ptr<TlsChannel> release_tls();

 private:
  struct Socket;

  template <class Act>
  void wait(IoResult::State state, Act act);
  void read_secured(SocketUserPtr reader, std::span<char> room, IoResult::State state);
  void go_on_reading(SocketUserPtr reader, std::span<char> room);

  std::unique_ptr<Socket> socket_;
  std::unique_ptr<TlsChannel> tls_;  // null: plain
};

}  // namespace mayfly::net
