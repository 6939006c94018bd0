// A connection's socket, and TLS over it where the client speaks that. What waits for the socket
// calls the connection back (SocketUser); what does not wait says what came of it. Boost.Asio's
// sockets stay behind this header.
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

// What waits for a socket, and lasts until it has been called back. Threads: the loop's.
class SocketUser {
 public:
  virtual ~SocketUser() = default;

  // After read().
  virtual void has_read(Moved moved) = 0;
  // After watch(); also where the client has left.
  virtual void may_read(bool is_failed) = 0;
  // After wait_to_write().
  virtual void may_write() = 0;
  // After wait_to_shake().
  virtual void hands_may_go_on() = 0;
};
using SocketUserPtr = std::shared_ptr<SocketUser>;

// Owned by what uses it. Threads: the loop's.
class Transport {
 public:
  explicit Transport(boost::asio::io_context& context);
  ~Transport();

  // Owns the socket from here on, unless the kernel does not give it over: then false. `tls` is
  // null while the client has not asked for it.
  bool take_over(int socket, std::unique_ptr<TlsChannel> tls);
  // The client speaks TLS, and `begun` has been read of it.
  void secure(const TlsContext& context, std::string_view begun);
  bool is_secure() const { return tls_ != nullptr; }
  // Whether client and server have agreed on HTTP/2, in the handshake.
  bool has_chosen_http2() const { return tls_ != nullptr && tls_->has_chosen_http2(); }

  // Goes on with the handshake, as far as it goes.
  Moved shake_hands();
  // Calls has_read(), later.
  void read(SocketUserPtr reader, std::span<char> room);
  Moved read_some(std::span<char> room);
  // Both in their order; not both are empty.
  Moved write_some(const std::array<std::string_view, 2>& pieces);
  Moved write_some(std::string_view bytes);

  // Calls hands_may_go_on(), after shake_hands() has said what it wants.
  void wait_to_shake(SocketUserPtr shaker, Moved::State wanted);
  // Calls may_write(), after write_some() has said that it wants it.
  void wait_to_write(SocketUserPtr writer, Moved::State wanted);
  // Calls may_read(); also where the client has left.
  void watch(SocketUserPtr watcher);

  // Whether the kernel has something that has not been read.
  bool has_arrived() const;
  // Nothing more is sent, and the client is told.
  void end_sending();
  void close();
  // What another loop takes over.
  int release_socket();
  std::unique_ptr<TlsChannel> release_tls();

 private:
  struct Socket;

  template <class Act>
  void wait(Moved::State wanted, Act act);
  void read_secured(SocketUserPtr reader, std::span<char> room, Moved::State wanted);
  void go_on_reading(SocketUserPtr reader, std::span<char> room);

  std::unique_ptr<Socket> socket_;
  std::unique_ptr<TlsChannel> tls_;  // null: plain
};

}  // namespace mayfly::net
