// The server of HTTP/1.1 and HTTP/2. Each thread has its own io_context. One thread, the acceptor,
// accepts connections and answers urgent requests. With the first other request, a connection moves
// to another thread, which answers quick requests itself. An answer that shows a change that is not
// yet durable waits until the loop has handled everything that had arrived. Then one flush, by a
// thread that does nothing else, serves all waiting answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/limits.h"
#include "base/result.h"
#include "net/access/cors.h"
#include "net/handler.h"
#include "net/message.h"
#include "net/requests/limits.h"
#include "net/threads/workers_limits.h"
#include "net/websocket/limits.h"

namespace mayfly::net {

class TlsContext;  // connections/tls.h

struct ListenerOptions {
  std::string name;            // its public name: "native"
  std::string host;            // an address, or a name: all its addresses of this machine
  std::uint16_t port = 0;      // 0: any free one
  Handler* handler = nullptr;  // outlives the server
  // For clients that begin with TLS; others use plain HTTP. Null: plain HTTP only. Outlives the
  // server.
  const TlsContext* tls = nullptr;
  Preflights preflights = Preflights::by_server;
  bool allows_plain = true;  // HTTP without TLS
  // Answers requests for any host name, even if it requires no credentials.
  bool allows_any_host = false;
};

struct ServerOptions {
  std::vector<ListenerOptions> listeners;
  Durability* durability = nullptr;  // outlives the server; null: answers wait for nothing
  int threads = 0;                   // 0: one for each core, four at most
  int workers = 2;                   // how many long requests run at once
  std::size_t workers_queue_max = limits::pool_queue_max;  // requests that wait for a worker
  Span short_work_max = limits::short_work_time_max;       // a request that runs for longer is long
  std::size_t costly_max = limits::costly_requests_max;    // in progress at once; at least one
  std::size_t costly_of_client_max = limits::costly_requests_of_client_max;
  Span costly_turn_max = limits::costly_turn_max;  // a costly request that runs for longer is long
  std::size_t connections_max = limits::connections_max;
  std::size_t streams_max = limits::streams_max;    // streamed responses at once
  std::size_t requests_max = limits::requests_max;  // that wait for a worker or the disk
  std::size_t exchange_bytes_max = limits::exchange_bytes_max;
  Span request_time_max = limits::request_time_max;
  Span confirm_time_min = limits::confirm_time_min;
  Span head_time_max = limits::head_time_max;
  // A body may take this long. Each time its bytes have come at the minimum rate, it gets the same
  // time again.
  Span body_time_max = limits::body_time_max;
  std::int64_t body_bytes_per_second_min = limits::body_bytes_per_second_min;
  Span send_time_max = limits::send_time_max;  // without the client accepting a byte
  Span idle_time_max = limits::idle_time_max;
  Span ping_every = limits::ping_every;  // of WebSocket clients
  Span drain_time_max = limits::drain_time_max;
  Span drain_grace = limits::drain_grace;  // part of it, for connections without a request
  // Origins that browsers may call from; "*" for any, "loopback" for http(s)://localhost, 127.0.0.1
  // and [::1] with any port. The server answers their preflights.
  std::vector<std::string> cors_origins = {"loopback"};
  const Clock* clock = nullptr;  // for the Date header of answers; null: the system's
  bool logs_access = false;      // logs each request; at the level debug that is always done
  // Host names, beside those of this machine, for which a port without credentials answers.
  std::vector<std::string> hosts = {};
};

struct ServerStats {
  std::uint64_t connections_open = 0;
  std::uint64_t connections_accepted = 0;
  std::uint64_t connections_refused = 0;
  std::uint64_t requests = 0;
  std::uint64_t requests_refused = 0;
  std::uint64_t requests_overloaded = 0;  // of these: because of overload
  std::uint64_t requests_waiting = 0;     // for a worker or the disk
  Span flushing_for;                      // the duration so far of the flush in progress
  std::uint64_t exchange_bytes = 0;
  std::uint64_t streams_open = 0;
  std::uint64_t streams_overrun = 0;  // ended because their clients were too slow
  std::uint64_t tls_handshakes = 0;   // that succeeded
  std::uint64_t tls_failures = 0;     // handshakes that failed
};

// Checks that the host is an address or can be resolved to one. Fails with invalid; `field` is
// "host".
Result<void> can_resolve(const std::string& host);
// Checks that the address and the port are free now. Fails with exists if another program has the
// port, otherwise with invalid.
Result<void> can_listen(const ListenerOptions& listener);

// Threads: any; stop() not from one of the server's.
class Server {
 public:
  // Returns once the server listens. Fails as can_listen() does; the message names the address.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options);
  virtual ~Server() = default;  // stops it

  // The port of each listener, in the order of the options.
  virtual std::vector<std::uint16_t> ports() const = 0;
  virtual ServerStats stats() const = 0;
  // Stops accepting, gives answers in progress at most drain_time_max, and closes. Each answer says
  // that it is the last one of the connection. Connections without a request are closed after
  // drain_grace, because a request may be on its way. Blocks until all threads of the server have
  // ended. Idempotent.
  virtual void stop() = 0;
};

}  // namespace mayfly::net
