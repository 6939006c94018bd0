// One thread of the server: its connections, its timer, and its answers that wait for a flush.
// Boost.Asio is used only behind this header.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "net/connections/shares.h"
#include "net/connections/tls.h"
#include "net/http1/exchange.h"
#include "net/message.h"
#include "net/requests/limits.h"
#include "net/server.h"
#include "net/threads/flusher.h"
#include "net/threads/workers.h"

namespace mayfly::net {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int number() const { return number_; }
  int release();

 private:
  int number_;
};

class Loop;

// What the loops of one server share.
struct Common {
  ServerOptions options;
  Rules rules;
  Workers workers;
  Workers costly;  // for costly requests (handler.h)
  Flusher flusher;
  std::atomic<bool> is_draining = false;
  std::unique_ptr<Loop> acceptor = {};
  std::vector<std::unique_ptr<Loop>> loops = {};
  std::atomic<std::uint64_t> connections_open = 0;
  std::atomic<std::uint64_t> streams_open = 0;
  std::atomic<std::uint64_t> requests_waiting = 0;
  std::atomic<std::uint64_t> exchange_bytes = 0;
  ClientShares shares = {};          // of exchange_bytes
  ClientShares costly_clients = {};  // requests in `costly`

  ClientShares connection_shares = {};  // of connections_open

  // Whether a client may open one more connection, beside `open` others of all clients.
  bool has_connection_slot(const std::string& network, std::uint64_t open) {
    const std::size_t reserved = options.connections_max / limits::reserved_connections_divisor;
    if (open >= options.connections_max) return false;
    return open < options.connections_max - reserved || connection_shares.of(network) < reserved;
  }
  void release_connection_slot(const std::string& network) {
    --connections_open;
    connection_shares.change(network, 1, 0);
  }

  // Whether so many requests wait for a worker or the disk that further ones are refused. The value
  // may be slightly out of date, which does no harm.
  bool is_full() const {
    return requests_waiting.load(std::memory_order_relaxed) >= options.requests_max;
  }
  bool has_full_memory() const {
    return exchange_bytes.load(std::memory_order_relaxed) >= options.exchange_bytes_max;
  }
  // Counts memory that a client holds: replaces `from` by `to`.
  void change_held(const std::string& network, std::size_t from, std::size_t to) {
    exchange_bytes += to - from;  // unsigned: wraps around if it shrinks
    shares.change(network, from, to);
  }
  // Counts what is queued for a client's connection (streams/send_queue.h). Returns whether
  // there is room for it.
  bool add_held(const std::string& network, std::size_t of_client, std::size_t of_all) {
    exchange_bytes += of_all;
    shares.change(network, 0, of_client);
    return !has_full_share(network);
  }
  void remove_held(const std::string& network, std::size_t of_client, std::size_t of_all) {
    exchange_bytes -= of_all;
    shares.change(network, of_client, 0);
  }
  // Whether the client holds more than it leaves for the others. A client that holds nothing is
  // accepted, however much the others hold.
  bool has_full_share(const std::string& network) {
    // Less than half is never more than the rest.
    if (memory_left() > options.exchange_bytes_max / 2) return false;
    return shares.of(network) > memory_left();
  }
  struct Exchanged {
    std::size_t request_bytes = 0;
    std::size_t answer_bytes = 0;
  };
  // Whether a client may keep an answer. Request and answer have both been counted, but the request
  // is released with the answer. If less than half of the memory is held beside them, they may be
  // of any size.
  bool may_keep(const std::string& network, const Exchanged& counted) {
    const std::size_t held = exchange_bytes.load(std::memory_order_relaxed);
    const std::size_t both = counted.request_bytes + counted.answer_bytes;
    return held < both + options.exchange_bytes_max / 2 ||
           shares.of(network) - counted.request_bytes <= memory_left() + counted.request_bytes;
  }
  // The memory that is still free.
  std::size_t memory_left() const {
    const std::size_t held = exchange_bytes.load(std::memory_order_relaxed);
    return options.exchange_bytes_max - std::min<std::size_t>(options.exchange_bytes_max, held);
  }
};

// The protocol of a client, detected from its first bytes.
enum class Protocol : std::uint8_t { http1, http2 };

struct IncomingConnection {
  Descriptor socket;
  std::unique_ptr<Http1Exchange> exchange;  // with what has arrived
  std::unique_ptr<TlsChannel> tls = {};     // if the client has begun TLS
  const TlsContext* offers = nullptr;       // if the client may still begin TLS
  Protocol protocol = Protocol::http1;
};

// Threads: listen() before run(); run() in the loop's own thread; the others from any.
class Loop {
 public:
  static std::unique_ptr<Loop> make(Common& common);
  // Accepts connections, answers urgent requests, and distributes connections with other requests
  // to the other loops in turn.
  static std::unique_ptr<Loop> make_acceptor(Common& common);
  virtual ~Loop() = default;

  // Only for the acceptor. `listen` outlives it.
  virtual void listen(Descriptor socket, const ListenerOptions& listener) = 0;
  // Serves until drained.
  virtual void run() = 0;
  // Takes over a connection whose request, or the beginning of TLS, has arrived.
  virtual void adopt(IncomingConnection incoming) = 0;
  // Closes the listening sockets immediately, and connections without a request after drain_grace.
  // Answers in progress may be sent until drain_time_max has passed. The acceptor also drains the
  // others.
  virtual void drain() = 0;
  // Its share of the statistics, except the numbers of open things.
  virtual ServerStats stats() const = 0;
};

}  // namespace mayfly::net
