// The event loop: accepting connections, the timer, stopping.
//
// The acceptor. One loop accepts connections and keeps each until its first request has arrived. So
// clients that connect and send nothing, or send slowly, cost the other loops nothing. Health
// requests are answered even if the other loops are busy. A connection that begins with TLS moves
// to another loop immediately, because the handshake takes time and would delay the acceptor.

#include "net/connections/loop.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <utility>

#include "base/check.h"
#include "base/service/logging.h"
#include "net/connections/connection.h"
#include "net/connections/held_answers.h"
#include "net/connections/peer_address.h"
#include "net/http1/exchange.h"
#include "net/requests/responder.h"
#include "net/streams/wake_list.h"

namespace mayfly::net {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

int Descriptor::release() {
  return std::exchange(number_, -1);
}

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Context = asio::io_context;
using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Context::executor_type>;
using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>,
                                         Context::executor_type>;

constexpr int accepts_per_turn_max = 64;
constexpr Span tick_max = Span::seconds(1);
constexpr Span tick_min = Span::millis(5);

class ThreadLoop final : public Loop, private ConnectionOwner {
 public:
  ThreadLoop(Common& common, bool is_acceptor);

  void listen(Descriptor socket, const ListenerOptions& listener) override;
  void run() override;
  void adopt(IncomingConnection incoming) override;
  void drain() override;
  ServerStats stats() const override;

 private:
  Common& common() override { return common_; }
  Context& context() override { return context_; }
  bool is_draining() const override { return common_.is_draining; }
  // `now_` is up to a tick old.
  Instant deadline_after(Span time_max) const override { return now_ + tick_ + time_max; }
  void remove(Connection& connection) override;
  bool hands_over() const override { return is_acceptor_ && !is_draining_; }
  void hand_over(Connection& connection, IncomingConnection incoming) override;
  void wake(std::weak_ptr<Responder> responder) override { woken_.add(std::move(responder)); }
  void hold(ResponderPtr responder, std::uint64_t watermark) override {
    held_.hold(std::move(responder), watermark);
  }
  void count_request() override { count(requests_); }
  void count_refusal() override { count(requests_refused_); }
  void count_overload() override { count(requests_overloaded_); }
  void count_overrun() override { count(streams_overrun_); }
  void count_handshake() override { count(tls_handshakes_); }
  void count_handshake_failure() override { count(tls_failures_); }

  struct ListeningSocket {
    Acceptor acceptor;
    const ListenerOptions& listener;
    bool is_paused = false;
  };

  // Only the loop's own thread writes its counters.
  static void count(std::atomic<std::uint64_t>& counter) {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  void wait_for(ListeningSocket& listening);
  bool accept_one(ListeningSocket& listening);
  void refuse_connection(Descriptor socket, const ListenerOptions& listener);
  ConnectionPtr put(IncomingConnection incoming);
  ConnectionPtr take_out(Connection& connection);
  void tick();
  void start_draining();
  Span drain_grace() const;
  void end_idle();
  void stop_if_done();

  Common& common_;
  const bool is_acceptor_;
  Context context_{1};  // before the members that use it
  Timer ticker_{context_};
  Timer drain_timer_{context_};
  WakeList woken_{context_};
  std::vector<std::unique_ptr<ListeningSocket>> listening_;
  std::size_t next_loop_ = 0;
  std::vector<ConnectionPtr> connections_;
  HeldAnswers held_{context_, common_};
  bool is_draining_ = false;
  Span tick_;
  Instant now_ = monotonic_now();
  std::atomic<std::uint64_t> accepted_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> requests_ = 0;
  std::atomic<std::uint64_t> requests_refused_ = 0;
  std::atomic<std::uint64_t> requests_overloaded_ = 0;
  std::atomic<std::uint64_t> streams_overrun_ = 0;
  std::atomic<std::uint64_t> tls_handshakes_ = 0;
  std::atomic<std::uint64_t> tls_failures_ = 0;
};

// --- ThreadLoop ---

ThreadLoop::ThreadLoop(Common& common, bool is_acceptor)
    : common_(common), is_acceptor_(is_acceptor) {
  const ServerOptions& options = common.options;
  const Span shortest = std::min(
      {options.head_time_max, options.body_time_max, options.idle_time_max, options.send_time_max});
  tick_ = std::clamp(Span{shortest.micros / 4}, tick_min, tick_max);
}

void ThreadLoop::listen(Descriptor socket, const ListenerOptions& listener) {
  auto listening = std::make_unique<ListeningSocket>(ListeningSocket{Acceptor(context_), listener});
  error_code error;
  listening->acceptor.assign(asio::ip::tcp::v4(), socket.number(), error);
  CHECK(!error);
  socket.release();
  wait_for(*listening);
  listening_.push_back(std::move(listening));
}

void ThreadLoop::run() {
  tick();
  for (;;) {
    try {
      context_.run();
      return;
    } catch (const std::exception&) {
      // Memory ran out between two handlers: the loop itself has nothing to undo.
    }
  }
}

void ThreadLoop::wait_for(ListeningSocket& listening) {
  listening.acceptor.async_wait(Acceptor::wait_read, [this, &listening](error_code error) {
    if (error || is_draining_) return;
    listening.is_paused = true;  // if memory runs out below, the next tick continues
    int taken = 0;
    while (taken < accepts_per_turn_max && accept_one(listening)) ++taken;
    if (taken == accepts_per_turn_max) listening.is_paused = false;
    if (!listening.is_paused) wait_for(listening);
  });
}

bool ThreadLoop::accept_one(ListeningSocket& listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  Descriptor socket(accept4(listening.acceptor.native_handle(),
                            reinterpret_cast<sockaddr*>(&address), &size,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.number() < 0) {
    if (errno == EINTR || errno == ECONNABORTED) return true;
    // No free descriptor or memory for the connection: the next tick tries again.
    listening.is_paused = errno != EAGAIN;
    return false;
  }
  count(accepted_);
  const ListenerOptions& listener = listening.listener;
  Peer peer = peer_of(address);
  if (!common_.has_connection_slot(peer.network, common_.connections_open)) {
    refuse_connection(std::move(socket), listener);
    return true;
  }
  const auto network = peer.network;
  auto exchange =
      std::make_unique<Http1Exchange>(RequestOrigin{listener, common_.rules, std::move(peer)});
  ++common_.connections_open;
  common_.connection_shares.change(network, 0, 1);
  if (is_logged(LogLevel::debug)) {
    log(LogLevel::debug, "a connection is accepted",
        {{"api", listener.name}, {"peer", exchange->peer()}});
  }
  const ConnectionPtr connection =
      put({.socket = std::move(socket), .exchange = std::move(exchange), .offers = listener.tls});
  if (connection != nullptr) connection->start();
  return true;
}

// Refuses a connection. Reads what the client has sent, or else the kernel would reset it.
void ThreadLoop::refuse_connection(Descriptor socket, const ListenerOptions& listener) {
  count(refused_);
  Http1Exchange exchange({listener, common_.rules});
  Response refusal =
      exchange.refuse({503, {Code::throttled, "too many connections are open; try again"}});
  exchange.respond(refusal, true);
  const auto pieces = exchange.unsent();
  const int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
  [[maybe_unused]] auto sent = ::send(socket.number(), pieces[0].data(), pieces[0].size(), flags);
  shutdown(socket.number(), SHUT_WR);
  char scrap[4096];
  sent = ::recv(socket.number(), scrap, sizeof scrap, MSG_DONTWAIT);
}

void ThreadLoop::hand_over(Connection& connection, IncomingConnection incoming) {
  const ConnectionPtr kept = take_out(connection);
  if (!hands_over()) {
    const ConnectionPtr other = put(std::move(incoming));
    return other != nullptr ? other->start() : stop_if_done();
  }
  const std::string network = incoming.exchange->network();
  try {
    common_.loops[next_loop_++ % common_.loops.size()]->adopt(std::move(incoming));
  } catch (const std::exception&) {
    common_.release_connection_slot(network);  // ends it for lack of memory
  }
}

void ThreadLoop::adopt(IncomingConnection incoming) {
  asio::post(context_, [this, incoming = std::move(incoming)]() mutable {
    if (is_draining_) return common_.release_connection_slot(incoming.exchange->network());
    if (const ConnectionPtr connection = put(std::move(incoming))) connection->start();
  });
}

// Null if the kernel refuses to register the socket.
ConnectionPtr ThreadLoop::put(IncomingConnection incoming) {
  const std::string network = incoming.exchange->network();
  ConnectionPtr connection = Connection::open(*this, std::move(incoming));
  if (connection == nullptr) {
    common_.release_connection_slot(network);
    return nullptr;
  }
  connection->index_in_owner = connections_.size();
  connections_.push_back(connection);
  return connection;
}

ConnectionPtr ThreadLoop::take_out(Connection& connection) {
  ConnectionPtr taken = std::move(connections_[connection.index_in_owner]);
  if (connection.index_in_owner + 1 < connections_.size()) {
    connections_[connection.index_in_owner] = std::move(connections_.back());
    connections_[connection.index_in_owner]->index_in_owner = connection.index_in_owner;
  }
  connections_.pop_back();
  return taken;
}

void ThreadLoop::remove(Connection& connection) {
  const ConnectionPtr kept = take_out(connection);
  common_.release_connection_slot(connection.network());
  stop_if_done();
}

// One timer serves all deadlines: one for each would cost more than many requests do.
void ThreadLoop::tick() {
  now_ = monotonic_now();
  // First, so that there is a next tick even if memory runs out in this one.
  ticker_.expires_after(std::chrono::microseconds(tick_.micros));
  ticker_.async_wait([this](error_code error) {
    if (!error) tick();
  });
  for (std::size_t i = connections_.size(); i-- > 0;) {
    if (i >= connections_.size()) continue;
    const ConnectionPtr connection = connections_[i];
    connection->sweep(now_);
  }
  for (const auto& listening : listening_) {
    if (std::exchange(listening->is_paused, false)) wait_for(*listening);
  }
  held_.tick();
}

void ThreadLoop::drain() {
  asio::post(context_, [this] { start_draining(); });
}

void ThreadLoop::start_draining() {
  error_code ignored;
  for (const auto& listening : listening_) {
    // Accepts connections that are already established: closing the socket would reset them.
    while (accept_one(*listening)) {
    }
    listening->acceptor.close(ignored);
  }
  is_draining_ = true;
  const auto all = connections_;
  for (const ConnectionPtr& connection : all) connection->drain();
  // Only now, because connections that were moved before must arrive before the other loops drain.
  if (is_acceptor_) {
    for (const auto& loop : common_.loops) loop->drain();
  }
  drain_timer_.expires_after(std::chrono::microseconds(drain_grace().micros));
  drain_timer_.async_wait([this](error_code) { end_idle(); });
  stop_if_done();
}

Span ThreadLoop::drain_grace() const {
  return std::min(common_.options.drain_grace, common_.options.drain_time_max);
}

void ThreadLoop::end_idle() {
  const auto idle = connections_;
  for (const ConnectionPtr& connection : idle) connection->end_if_idle();
  const std::int64_t left = common_.options.drain_time_max.micros - drain_grace().micros;
  drain_timer_.expires_after(std::chrono::microseconds(left));
  drain_timer_.async_wait([this](error_code) {
    const auto late = connections_;
    for (const ConnectionPtr& connection : late) connection->close();
    context_.stop();
  });
}

void ThreadLoop::stop_if_done() {
  if (is_draining_ && connections_.empty()) context_.stop();
}

ServerStats ThreadLoop::stats() const {
  return {.connections_accepted = accepted_.load(std::memory_order_relaxed),
          .connections_refused = refused_.load(std::memory_order_relaxed),
          .requests = requests_.load(std::memory_order_relaxed),
          .requests_refused = requests_refused_.load(std::memory_order_relaxed),
          .requests_overloaded = requests_overloaded_.load(std::memory_order_relaxed),
          .streams_overrun = streams_overrun_.load(std::memory_order_relaxed),
          .tls_handshakes = tls_handshakes_.load(std::memory_order_relaxed),
          .tls_failures = tls_failures_.load(std::memory_order_relaxed)};
}

}  // namespace

std::unique_ptr<Loop> Loop::make(Common& common) {
  return std::make_unique<ThreadLoop>(common, false);
}

std::unique_ptr<Loop> Loop::make_acceptor(Common& common) {
  return std::make_unique<ThreadLoop>(common, true);
}

}  // namespace mayfly::net
