// A connection as its loop sees it, whichever protocol it speaks; and what it asks of the loop.
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

// What a connection asks of the loop that owns it. Threads: the loop's.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;

  virtual Common& common() = 0;
  virtual boost::asio::io_context& context() = 0;
  virtual bool is_draining() const = 0;
  // The deadline of what begins now; may be a little late, never early.
  virtual Instant deadline_after(Span time_max) const = 0;
  virtual void remove(Connection& connection) = 0;
  // Whether a request is for another loop to answer.
  virtual bool passes_on() const = 0;
  // Gives what there is of the connection to a loop that goes on with it, and removes it here.
  virtual void pass_on(Connection& connection, IncomingConnection incoming) = 0;
  // Calls go_on() of the responder, soon. Threads: any.
  virtual void wake(std::weak_ptr<Responder> responder) = 0;
  // Keeps a response until `mark` is durable, then calls release().
  virtual void hold(ResponderPtr responder, std::uint64_t mark) = 0;
  virtual void count_request() = 0;
  virtual void count_refusal() = 0;
  virtual void count_overload() = 0;  // beside count_refusal()
  virtual void count_overrun() = 0;
  virtual void count_handshake() = 0;
  virtual void count_handshake_failure() = 0;
};

// After the last answer what the client goes on sending is read and thrown away. If the socket were
// closed, the kernel would answer it with a reset, and a client that meets one while it writes
// never looks for the answer.
struct Lingering {
  Instant ends_by;  // though the client goes on sending
  std::size_t bytes = 0;

  static Lingering begin(ConnectionOwner& owner) {
    return {owner.deadline_after(owner.common().options.body_time_max)};
  }
  // How long nothing may come.
  static Span quiet_max(ConnectionOwner& owner) {
    return owner.is_draining() ? owner.common().options.drain_grace : limits::linger_quiet_max;
  }
  // The deadline moves, because something has come.
  void move(ConnectionOwner& owner, Instant& deadline) const {
    // A server that stops waits no longer because more comes.
    if (owner.is_draining()) return;
    deadline = std::min(owner.deadline_after(limits::linger_quiet_max), ends_by);
  }
};

// Owned by its loop and by what is under way for it. Threads: the loop's.
class Connection : public SocketUser {
 public:
  // Null where the kernel does not give the socket over.
  static ConnectionPtr open(ConnectionOwner& owner, IncomingConnection incoming);

  // Goes on with what has come so far, and reads.
  virtual void start() = 0;
  // Ends what has taken too long.
  virtual void sweep(Instant now) = 0;
  // Requests that have come are answered, and then it ends. A response that goes on ends.
  virtual void drain() = 0;
  // Some time later: ends it where no request is under way.
  virtual void end_if_idle() = 0;
  virtual void close() = 0;
  // Of the client; not once it has been passed on.
  virtual const std::string& network() const = 0;

  std::size_t place = 0;  // in the owner's list

 protected:
  explicit Connection(boost::asio::io_context& context) : transport_(context) {}

  Transport transport_;
};

}  // namespace mayfly::net
