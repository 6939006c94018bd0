// How a connection ends: after its last response, when something takes too long, when the server
// stops.
#include <algorithm>
#include <exception>
#include <utility>

#include "base/logging.h"
#include "net/connection.h"

namespace mayfly::net {
namespace {

// After the last response what the client goes on sending is read and thrown away. If the socket
// were closed, the kernel would answer it with a reset, and a client that is told of that while it
// writes never looks for the response. It ends when nothing has come for so long, when a body would
// be late, and after so much: a mistaken upload, not one without end.
constexpr Span linger_quiet_max = Span::seconds(2);
constexpr std::size_t linger_bytes_max = 64 << 20;

}  // namespace

bool Connection::finish() {
  exchange_->note_answer();
  if (exchange_->goes_on()) {
    exchange_->rest();
    enter_without_deadline(Streaming{});
    account();
    outlet_->sent();
    if (websocket_ != nullptr) converse();
    return false;
  }
  close_stream();
  if (exchange_->is_last()) {
    begin_to_linger();
    return false;
  }
  exchange_->next();
  account();
  const ServerOptions& options = owner_.common().options;
  enter(Idle{}, owner_.is_draining() ? options.drain_grace : options.idle_time_max);
  return true;
}

void Connection::begin_to_linger() {
  transport_.end_sending();
  exchange_->rest();
  account();
  enter(Lingering{owner_.deadline_after(owner_.common().options.body_time_max)}, quiet_max());
  linger();
}

Span Connection::quiet_max() const {
  return owner_.is_draining() ? owner_.common().options.drain_grace : linger_quiet_max;
}

void Connection::linger() {
  const Lingering& stage = *in<Lingering>();
  if (stage.bytes > linger_bytes_max) return close();
  // A server that stops waits no longer because more comes.
  if (!owner_.is_draining()) {
    deadline_ = std::min(owner_.deadline_after(linger_quiet_max), stage.ends_by);
  }
  if (is_reading_) return;  // what is being read comes back to it
  exchange_->discard();
  read();
}

void Connection::sweep(Instant now) {
  if (is_lost_ || !keeps_talking(now)) return close();
  if (give_up_waiting(now)) return;
  if (Body* const body = in<Body>()) {
    const std::size_t bytes = exchange_->body_bytes();
    const bool stands_still = std::exchange(body->bytes_at_sweep, bytes) == bytes;
    if (stands_still && accounted_bytes_ > 0 && is_idle_and_short()) deadline_ = now;
  }
  // The pieces of a response that goes on wait as long as they must.
  if (held_ && outlet_ == nullptr && now >= held_->until) return give_up();
  if (Sending* const stage = sending()) {
    // While memory is short no client keeps any of it that takes nothing from one look to the next.
    const std::size_t unsent = exchange_->unsent_bytes();
    const bool stands_still = std::exchange(stage->unsent_at_sweep, unsent) == unsent;
    const bool holds_memory = accounted_bytes_ > 0 || is<SendingPiece>();
    if (stands_still && holds_memory && is_idle_and_short()) return close();
  }
  if (now < deadline_) return;
  if (!is<Head>() && !is<Body>()) return close();
  guarded([this] {
    const char* message = is<Head>() ? "the head of the request came too slowly"
                                     : "the body of the request came too slowly";
    owner_.count_refusal();
    Response refusal = exchange_->refuse({408, {Code::timed_out, message}});
    exchange_->respond(refusal, true);
    if (send()) advance(0);
  });
}

void Connection::drain() {
  if (websocket_ != nullptr) return end_conversation();
  if (outlet_ != nullptr) return outlet_->end();
  if (is<Handshake>()) return close();
  if (is<Lingering>()) {
    deadline_ = std::min(deadline_, owner_.deadline_after(quiet_max()));
  }
}

void Connection::end_if_idle() {
  if (!is<Idle>() || transport_.has_arrived()) return;
  // What was on its way nevertheless is read and thrown away: closed, the socket would answer it
  // with a reset.
  guarded([this] { begin_to_linger(); });
}

void Connection::close() {
  if (is<Closed>()) return;
  const bool is_in_handshake = is<Handshake>();
  enter_without_deadline(Closed{});
  is_gone_ = true;
  close_stream();
  count_waiting(false);
  account();
  if (is_in_handshake) owner_.count_handshake_failure();
  if (is_logged(LogLevel::debug)) {
    log(LogLevel::debug, "a connection is closed",
        {{"api", exchange_->port_name()},
         {"peer", exchange_->peer()},
         {"in_handshake", is_in_handshake}});
  }
  transport_.close();
  owner_.remove(*this);
}

}  // namespace mayfly::net
