// A connection of any protocol, as its loop sees it, and the services that the loop provides to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "net/connections/loop.h"
#include "net/connections/transport.h"

namespace mayfly::net {

class Connection;
class Responder;
using ConnectionPtr = std::shared_ptr<Connection>;
using ResponderPtr = std::shared_ptr<Responder>;

// The services of the loop that owns a connection. Threads: the loop's.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;

  virtual Common& common() = 0;
  virtual boost::asio::io_context& context() = 0;
  virtual bool is_draining() const = 0;
  // The deadline of something that begins now; may be a little late, never early.
  virtual Instant deadline_after(Span time_max) const = 0;
  virtual void remove(Connection& connection) = 0;
  // Whether another loop must answer the requests.
  virtual bool hands_over() const = 0;
  // Moves the connection to another loop, and removes it here.
  virtual void hand_over(Connection& connection, IncomingConnection incoming) = 0;
  // Calls continue_stream() of the responder, soon. Threads: any.
  virtual void wake(std::weak_ptr<Responder> responder) = 0;
  // Keeps a response until `watermark` is durable, then calls release().
  virtual void hold(ResponderPtr responder, std::uint64_t watermark) = 0;
  virtual void count_request() = 0;
  virtual void count_refusal() = 0;
  virtual void count_overload() = 0;  // beside count_refusal()
  virtual void count_overrun() = 0;
  virtual void count_handshake() = 0;
  virtual void count_handshake_failure() = 0;
};

// After the last answer, the server still reads and discards what the client sends. If it closed
// the socket, the kernel would send a reset, and a client that gets one while it writes never reads
// the answer.
struct Lingering {
  Instant ends_by;  // even if the client still sends
  std::size_t bytes = 0;

  static Lingering begin(ConnectionOwner& owner) {
    return {owner.deadline_after(owner.common().options.body_time_max)};
  }
  // The longest time without data.
  static Span quiet_max(ConnectionOwner& owner) {
    return owner.is_draining() ? owner.common().options.drain_grace : limits::linger_quiet_max;
  }
  // Moves the deadline, because data has arrived.
  void move(ConnectionOwner& owner, Instant& deadline) const {
    // A server that stops does not wait longer for more data.
    if (owner.is_draining()) return;
    deadline = std::min(owner.deadline_after(limits::linger_quiet_max), ends_by);
  }
};

// Owned by its loop and by its operations in progress. Threads: the loop's.
class Connection : public SocketUser {
 public:
  // Null if the kernel refuses to register the socket.
  static ConnectionPtr open(ConnectionOwner& owner, IncomingConnection incoming);

  // Processes what has arrived so far, and reads.
  virtual void start() = 0;
  // Ends operations that have exceeded their deadline.
  virtual void sweep(Instant now) = 0;
  // Answers the requests that have arrived, and then ends. Ends streamed responses.
  virtual void drain() = 0;
  // Called some time later: ends the connection if no request is in progress.
  virtual void end_if_idle() = 0;
  virtual void close() = 0;
  // The client's network; not available once the connection has moved to another loop.
  virtual const std::string& network() const = 0;

  std::size_t index_in_owner = 0;  // its index in the owner's list

 protected:
  explicit Connection(boost::asio::io_context& context) : transport_(context) {}

  Transport transport_;
};

}  // namespace mayfly::net
