// The stages of a connection and what moves it from one to the next.

#include "net/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/no_wait.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

// Of one connection that sends many at once; then others have a turn.
constexpr int requests_per_turn_max = 16;
// A client that reads more slowly than this (16 kB/s) keeps memory of ours for too long.
constexpr std::int64_t sent_bytes_per_milli_min = 16;

}  // namespace

Connection::Connection(ConnectionOwner& owner, const TlsContext* offers,
                       std::unique_ptr<Exchange> exchange)
    : owner_(owner), transport_(owner.context()), offers_(offers), exchange_(std::move(exchange)) {}

Connection::~Connection() {
  count_parsed(0);
  leave_costly();
  if (outlet_ != nullptr) outlet_->close();
}

ConnectionPtr Connection::open(ConnectionOwner& owner, IncomingConnection incoming) {
  auto connection =
      std::make_shared<Connection>(owner, incoming.offers, std::move(incoming.exchange));
  Transport& transport = connection->transport_;
  if (!transport.take_over(incoming.socket.number(), std::move(incoming.tls))) return nullptr;
  incoming.socket.release();
  return connection;
}

void Connection::enter(Stage stage, Span time_max) {
  stage_ = stage;
  deadline_ = owner_.deadline_after(time_max);
}

void Connection::enter_without_deadline(Stage stage) {
  stage_ = stage;
  deadline_ = Instant::never();
}

void Connection::start() {
  guarded([this] { rest(); });
}

void Connection::start_with_request() {
  guarded([this] {
    enter_without_deadline(Answering{});
    if (answer()) advance(0);
  });
}

void Connection::start_with_head() {
  guarded([this] {
    if (take_head()) advance(0);
  });
}

void Connection::start_with_handshake() {
  guarded([this] {
    enter(Handshake{}, owner_.common().options.head_time_max);
    shake_hands();
  });
}

void Connection::rest() {
  enter(Idle{}, owner_.common().options.idle_time_max);
  read();
}

void Connection::read() {
  is_reading_ = true;
  transport_.read(shared_from_this(), exchange_->room());
}

void Connection::has_read(Moved moved) {
  guarded([&] { on_read(moved); });
}

void Connection::on_read(Moved moved) {
  is_reading_ = false;
  if (moved.state != Moved::State::moved) return close();
  if (offers_ != nullptr && begins_tls(moved.bytes)) return;
  Lingering* const lingering = in<Lingering>();
  if (sending() == nullptr && lingering == nullptr) return advance(moved.bytes);
  // The request was refused while this was on its way.
  exchange_->discard();
  if (lingering == nullptr) return;
  lingering->bytes += moved.bytes;
  linger();
}

// --- TLS ---

// Told by the first byte. Handshakes are work, so the door passes them on.
bool Connection::begins_tls(std::size_t bytes) {
  const TlsContext& context = *std::exchange(offers_, nullptr);
  const std::string_view begun(exchange_->room().data(), bytes);
  if (begun.front() != tls_first_byte) return false;
  transport_.secure(context, begun);
  exchange_->set_secure();
  if (owner_.passes_on()) {
    pass_on();
  } else {
    start_with_handshake();
  }
  return true;
}

void Connection::shake_hands() {
  const Moved moved = transport_.shake_hands();
  if (moved.state == Moved::State::ended) return close();
  if (moved.state != Moved::State::moved) {
    return transport_.wait_to_shake(shared_from_this(), moved.state);
  }
  owner_.count_handshake();
  rest();
}

void Connection::hands_may_go_on() {
  guarded([this] { shake_hands(); });
}

// --- requests ---

// Answers what has arrived, until something must be waited for.
void Connection::advance(std::size_t bytes) {
  for (int i = 0; i < requests_per_turn_max; ++i) {
    const Exchange::Step step = exchange_->receive(std::exchange(bytes, 0));
    if (step == Exchange::Step::wait) {
      if (note_progress()) read();
      return;
    }
    if (step == Exchange::Step::head) {
      if (!take_head()) return;
      continue;
    }
    enter_without_deadline(Answering{});
    owner_.count_request();
    if (step == Exchange::Step::request) {
      if (!answer()) return;
    } else {
      owner_.count_refusal();
      Response refusal = exchange_->refuse(exchange_->refusal());
      exchange_->respond(refusal, owner_.is_draining());
      if (!send()) return;
    }
  }
  asio::post(owner_.context(),
             [self = shared_from_this()] { self->guarded([&] { self->advance(0); }); });
}

// The head of a request whose body is still to come. False where the connection does not read on.
bool Connection::take_head() {
  if (owner_.passes_on()) return pass_on();
  const NoWait no_wait;
  auto refusal = exchange_->refuse_head();
  // What would have to wait is asked again by answer(), on a worker.
  if (!refusal || no_wait.has_refused()) return true;
  owner_.count_request();
  owner_.count_refusal();
  refusal->close = true;
  return tell(*std::move(refusal));
}

// A deadline stands from the first byte of what it is for. Whether the connection reads on.
bool Connection::note_progress() {
  const ServerOptions& options = owner_.common().options;
  if (exchange_->is_in_body()) {
    if (!is<Body>()) enter(Body{}, options.body_time_max);
    return note_body();
  }
  if (exchange_->has_begun() && !is<Head>()) enter(Head{}, options.head_time_max);
  return true;
}

// The rate is that of the last seconds: what came fast before buys no time.
bool Connection::note_body() {
  const ServerOptions& options = owner_.common().options;
  const std::size_t bytes = exchange_->body_bytes();
  const std::int64_t wanted =
      options.body_bytes_per_second_min * options.body_time_max.micros / Span::seconds(1).micros;
  Body& body = *in<Body>();
  if (bytes - body.bytes_kept_up >= static_cast<std::size_t>(wanted)) {
    body.bytes_kept_up = bytes;
    deadline_ = owner_.deadline_after(options.body_time_max);
  }
  account();
  if (accounted_bytes_ > 0 && has_full_share()) {
    owner_.count_refusal();
    owner_.count_overload();
    Response refusal =
        exchange_->refuse({503, {Code::throttled, "too much is being sent at once; try again"}});
    exchange_->respond(refusal, true);
    if (send()) advance(0);
    return false;
  }
  if (!exchange_->owes_continue()) return true;
  const std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
  const std::size_t sent = transport_.write_some(line).bytes;
  // Where nothing could be sent the client goes on by itself after a while; half a line would be
  // a lie, and TLS would have to send the line before anything else.
  if (sent == line.size() || (sent == 0 && !transport_.is_secure())) return true;
  close();
  return false;
}

// --- what all connections share ---

void Connection::count_waiting(bool waits) {
  if (is_waiting_ == waits) return;
  is_waiting_ = waits;
  auto& waiting = owner_.common().requests_waiting;
  waits ? ++waiting : --waiting;
}

void Connection::account() {
  // A piece of a response that goes on is counted by the outlet it comes from.
  std::size_t held = is<Closed>() || is<SendingPiece>() ? 0 : exchange_->held_bytes();
  if (!is<Closed>() && websocket_ != nullptr) held += websocket_->held_bytes();
  if (held == accounted_bytes_) return;
  owner_.common().change_held(exchange_->network(), accounted_bytes_, held);
  accounted_bytes_ = held;
}

bool Connection::has_full_share() const {
  return owner_.common().has_full_share(exchange_->network());
}

// Whether memory that nothing comes into is wanted for others, of the same client or not.
bool Connection::is_idle_and_short() const {
  Common& common = owner_.common();
  return common.has_full_memory() ||
         common.shares.of(exchange_->network()) > common.memory_left() / limits::idle_share_divisor;
}

bool Connection::send() {
  // For us; from here on it is the client who takes his time. What is sent beside a message that a
  // worker has is no answer.
  if (job_ == nullptr) count_waiting(false);
  exchange_->leave();
  const Span patience = owner_.common().options.send_time_max;
  if (sending() == nullptr) enter(Sending{}, patience);
  Sending& stage = *sending();
  if (!stage.sent_by) {
    const auto bytes = static_cast<std::int64_t>(exchange_->unsent_bytes());
    stage.sent_by = deadline_ + Span::millis(bytes / sent_bytes_per_milli_min);
  }
  const std::size_t unsent_before = exchange_->unsent_bytes();
  while (exchange_->unsent_bytes() > 0) {
    const Moved moved = transport_.write_some(exchange_->unsent());
    if (moved.state == Moved::State::ended) {
      close();
      return false;
    }
    exchange_->sent(moved.bytes);
    if (moved.state == Moved::State::moved) continue;
    // Who takes nothing is ended sooner than who takes little.
    if (exchange_->unsent_bytes() < unsent_before) {
      deadline_ = std::min(owner_.deadline_after(patience), *stage.sent_by);
    }
    transport_.wait_to_write(shared_from_this(), moved.state);
    return false;
  }
  return finish();
}

}  // namespace mayfly::net
