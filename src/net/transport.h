// A connection's socket, and TLS over it where the client speaks that. What waits for the socket
// calls the connection back; what does not wait says what came of it. Boost.Asio's sockets stay
// behind this header.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "net/tls.h"

// Asio is slow to compile.
namespace boost::asio {
class io_context;
}

namespace mayfly::net {

class Connection;
using ConnectionPtr = std::shared_ptr<Connection>;

// Owned by its connection, which lasts until it has been called back. Threads: the loop's.
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

  // Goes on with the handshake, as far as it goes.
  Moved shake_hands();
  // Calls has_read(), later.
  void read(ConnectionPtr reader, std::span<char> room);
  Moved read_some(std::span<char> room);
  // Both in their order; not both are empty.
  Moved write_some(const std::array<std::string_view, 2>& pieces);
  Moved write_some(std::string_view bytes);

  // Calls hands_may_go_on(), after shake_hands() has said what it wants.
  void wait_to_shake(ConnectionPtr shaker, Moved::State wanted);
  // Calls may_write(), after write_some() has said that it wants it.
  void wait_to_write(ConnectionPtr writer, Moved::State wanted);
  // Calls may_read(); also where the client has left.
  void watch(ConnectionPtr watcher);

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
  void read_secured(ConnectionPtr reader, std::span<char> room, Moved::State wanted);
  void go_on_reading(ConnectionPtr reader, std::span<char> room);

  std::unique_ptr<Socket> socket_;
  std::unique_ptr<TlsChannel> tls_;  // null: plain
};

}  // namespace mayfly::net
