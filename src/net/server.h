// The server of HTTP/1.1 and HTTP/2. One io_context a thread, never one shared by two. One thread,
// the door, takes connections in and answers what is urgent; from its first other request on a
// connection is another thread's, which answers quick requests itself. An answer that shows a
// change which is not yet durable waits in its thread's outbox until the loop has handled
// everything that had arrived; then one flush, by a thread that does nothing else, serves them all.
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

struct Listen {
  std::string name;            // as it is announced: "native"
  std::string host;            // an address, or a name: all its addresses of this machine
  std::uint16_t port = 0;      // 0: any free one
  Handler* handler = nullptr;  // outlives the server
  // Spoken with clients that begin with it, and plain HTTP with the others; null: only that.
  // Outlives the server.
  const TlsContext* tls = nullptr;
  Preflights preflights = Preflights::by_server;
  bool takes_plain = true;  // HTTP without TLS
  // Answers whatever name it is called by, though it asks for no credentials.
  bool takes_any_host = false;
};

struct ServerOptions {
  std::vector<Listen> listeners;
  Durability* durability = nullptr;  // outlives the server; null: every answer may leave at once
  int threads = 0;                   // 0: one a core, four at most
  int workers = 2;                   // long requests at once, of those that are not quick
  std::size_t workers_queue_max = limits::pool_queue_max;  // requests that wait for a worker
  Span short_work_max = limits::short_work_time_max;       // what works for longer is long
  std::size_t costly_max = limits::costly_requests_max;    // under way at once; at least one
  std::size_t costly_of_client_max = limits::costly_requests_of_client_max;
  Span costly_turn_max = limits::costly_turn_max;  // what works for longer is long, too
  std::size_t connections_max = limits::connections_max;
  std::size_t streams_max = limits::streams_max;    // responses that go on at once
  std::size_t requests_max = limits::requests_max;  // that wait for a worker or the disk
  std::size_t exchange_bytes_max = limits::exchange_bytes_max;
  Span request_time_max = limits::request_time_max;
  Span confirm_time_min = limits::confirm_time_min;
  Span head_time_max = limits::head_time_max;
  // A body may take this long, and again as long whenever its bytes have come at the rate.
  Span body_time_max = limits::body_time_max;
  std::int64_t body_bytes_per_second_min = limits::body_bytes_per_second_min;
  Span send_time_max = limits::send_time_max;  // without a byte that the client takes
  Span idle_time_max = limits::idle_time_max;
  Span ping_every = limits::ping_every;  // clients of conversations that say nothing
  Span drain_time_max = limits::drain_time_max;
  Span drain_grace = limits::drain_grace;  // of it, for connections without a request
  // Origins that browsers may call from; "*" for any, "loopback" for http(s)://localhost, 127.0.0.1
  // and [::1] with any port. The server answers their preflights.
  std::vector<std::string> cors_origins = {"loopback"};
  const Clock* clock = nullptr;  // of the Date that answers have; null: the machine's
  bool logs_access = false;      // a line for each request; at the level debug there always is one
  // Names that a port without credentials answers to, beside those of this machine.
  std::vector<std::string> hosts = {};
};

struct ServerStats {
  std::uint64_t connections_open = 0;
  std::uint64_t connections_accepted = 0;
  std::uint64_t connections_refused = 0;
  std::uint64_t requests = 0;
  std::uint64_t requests_refused = 0;
  std::uint64_t requests_overloaded = 0;  // of them: because too much was under way
  std::uint64_t requests_waiting = 0;     // for a worker or the disk
  Span flushing_for;                      // how long the flush under way has taken
  std::uint64_t exchange_bytes = 0;
  std::uint64_t streams_open = 0;
  std::uint64_t streams_overrun = 0;  // ended because their clients were too slow
  std::uint64_t tls_handshakes = 0;   // that came to an agreement
  std::uint64_t tls_failures = 0;     // handshakes that did not
};

// Whether the host is an address, or a name that has one. Fails with invalid, `field` is "host".
Result<void> can_resolve(const std::string& host);
// Whether that address and port are free at this moment. Fails with exists if another program has
// the port, otherwise with invalid.
Result<void> can_listen(const Listen& listen);

class Server {
 public:
  // Listens and serves when it returns. Fails as can_listen() does; the message names the address.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options);
  virtual ~Server() = default;  // stops it

  // The port each listener got, in the order of the options.
  virtual std::vector<std::uint16_t> ports() const = 0;
  virtual ServerStats stats() const = 0;
  // Accepts nothing new, lets answers under way leave for at most drain_time_max, closes. Each
  // answer says that it is the connection's last; connections without a request are closed after
  // drain_grace, because one may be on its way. Idempotent.
  virtual void stop() = 0;
};

}  // namespace mayfly::net
