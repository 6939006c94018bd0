// How a connection ends: after its last response, when something takes too long, when the server
// stops.
#include <algorithm>
#include <exception>
#include <utility>

#include "base/service/logging.h"
#include "net/http1/connection.h"

namespace mayfly::net {

bool Http1Connection::finish() {
  exchange_->record_answer();
  if (exchange_->has_more()) {
    websocket_ == nullptr ? exchange_->rest_in_stream() : exchange_->rest();
    enter_without_deadline(Streaming{});
    account();
    send_queue_->sent();
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

void Http1Connection::begin_to_linger() {
  transport_.end_sending();
  exchange_->rest();
  account();
  enter(Lingering::begin(owner_), Lingering::quiet_max(owner_));
  linger();
}

void Http1Connection::linger() {
  const Lingering& stage = *in<Lingering>();
  if (stage.bytes > limits::linger_bytes_max) return close();
  stage.move(owner_, deadline_);
  if (is_reading_) return;  // called again after that read
  exchange_->discard();
  read();
}

void Http1Connection::sweep(Instant now) {
  if (!keeps_talking(now)) return close();
  end_late(now);
}

void Http1Connection::drain() {
  if (websocket_ != nullptr) return end_conversation();
  if (send_queue_ != nullptr) return send_queue_->end();
  if (is<Handshake>()) return close();
  if (is<Lingering>()) {
    deadline_ = std::min(deadline_, owner_.deadline_after(Lingering::quiet_max(owner_)));
  }
}

void Http1Connection::end_if_idle() {
  if (!is<Idle>() || transport_.has_arrived()) return;
  // Data that is on its way nevertheless is read and discarded: if the socket were closed, the
  // kernel would send a reset.
  guarded([this] { begin_to_linger(); });
}

void Http1Connection::close() {
  if (is<Closed>()) return;
  const bool is_in_handshake = is<Handshake>();
  enter_closed();
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
