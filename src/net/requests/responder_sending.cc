// Sending: streamed responses, and clients that are too slow.
#include <exception>
#include <functional>
#include <utility>

#include "base/threads/thread.h"
#include "net/requests/limits.h"
#include "net/requests/responder.h"

namespace mayfly::net {

// --- streamed responses ---

void Responder::refuse_impossible_stream(Response& response) {
  if (!response.stream && !response.conversation) return;
  const Common& common = owner_.common();
  std::optional<Refusal> refusal;
  if (common.streams_open.load(std::memory_order_relaxed) >= common.options.streams_max) {
    refusal = {0, {Code::throttled, "too many streams are open; try again"}, false};
  } else if (response.conversation) {
    refusal = refuse_conversation();
  }
  if (!refusal) return;
  owner_.count_refusal();
  response = request_.refuse(*refusal);
}

void Responder::open_stream(const Response& response) {
  auto wake = [&owner = owner_, weak = weak_from_this()] { owner.wake(weak); };
  const ServerOptions& options = owner_.common().options;
  SharedMemory memory{
      .add = [&common = owner_.common(), network = request_.network()](
                 std::size_t of_client,
                 std::size_t of_all) { return common.add_held(network, of_client, of_all); },
      .remove = [&common = owner_.common(), network = request_.network()](
                    std::size_t of_client,
                    std::size_t of_all) { common.remove_held(network, of_client, of_all); }};
  auto run_on_worker = [&workers = owner_.common().workers,
                        network = request_.network()](std::function<void()> make) {
    auto run = [make = std::move(make)] { run_guarded("the next part of a stream", make); };
    return workers.submit({.run = std::move(run), .is_always_taken = true, .network = network});
  };
  send_queue_ = std::make_shared<SendQueue>(
      options.durability, std::move(wake), std::move(memory), std::move(run_on_worker),
      response.conversation ? limits::conversation_unsent_bytes_max
                            : limits::stream_unsent_bytes_max);
  ++owner_.common().streams_open;
  if (response.conversation) {
    begin_conversation(response);
  } else {
    response.stream(make_stream(send_queue_));
    if (owner_.is_draining()) send_queue_->end();
  }
  watch_for_close();
}

void Responder::close_stream() {
  if (send_queue_ == nullptr) return;
  send_queue_->close();
  send_queue_ = nullptr;
  held_.reset();  // it no longer waits for the disk
  --owner_.common().streams_open;
}

void Responder::continue_stream() {
  guarded([this] {
    if (send_queue_ == nullptr) return;
    if (send_queue_->acknowledge_wake()) {
      owner_.count_overrun();
      return close();
    }
    // While a piece is being sent, this is called again after it.
    if (!is<Streaming>()) return;
    const Durability* durability = owner_.common().options.durability;
    auto piece = send_queue_->take(durability == nullptr ? 0 : durability->durable());
    if (!piece) return;
    if (piece->must_wait) return hold({piece->watermark});
    make_ready(*std::move(piece));
    enter(SendingPiece{}, owner_.common().options.send_time_max);
    account();
    if (send()) advance();
  });
}

// --- sending ---

void Responder::begin_to_send() {
  // Bytes that are sent while a worker processes a message are not its answer.
  if (job_ == nullptr) count_waiting(false);
  request_.leave();
  if (sending() == nullptr) enter(Sending{}, owner_.common().options.send_time_max);
  Sending& stage = *sending();
  if (stage.sent_by) return;
  stage.bytes = unsent_bytes();
  const auto bytes = static_cast<std::int64_t>(stage.bytes);
  stage.sent_by = deadline_ + Span::millis(bytes / limits::sent_bytes_per_milli_min);
}

// A client that accepts no bytes is disconnected sooner than one that accepts a few.
void Responder::on_client_progress() {
  const Span time_max = owner_.common().options.send_time_max;
  deadline_ = std::min(owner_.deadline_after(time_max), *sending()->sent_by);
}

// --- what takes too long ---

// Whether memory is so short that the client must not hold unused memory.
bool Responder::is_short_of_memory() const {
  Common& common = owner_.common();
  return common.shares.of(request_.network()) > common.memory_left() / limits::idle_share_divisor;
}

// Whether the client has accepted no bytes since the last check, or so few that the whole answer
// would take too long. Bytes that it accepted before give no extra time.
bool Responder::sends_slowly(Sending& stage, Instant now) const {
  const std::size_t unsent = unsent_bytes();
  const std::size_t unsent_before = std::exchange(stage.unsent_at_sweep, unsent);
  const auto swept_at = std::exchange(stage.swept_at, now);
  if (!swept_at || unsent > unsent_before) return false;
  const std::size_t left = unsent_before - unsent;
  const auto micros = static_cast<std::size_t>((now - *swept_at).micros);
  const std::size_t required_bytes =
      stage.bytes * micros / static_cast<std::size_t>(limits::short_send_time_max.micros);
  return left == 0 || left < required_bytes;
}

// While memory is short, a client must not hold memory that it does not release soon.
bool Responder::must_release_memory(Instant now) {
  Sending* const stage = sending();
  if (stage == nullptr || !sends_slowly(*stage, now)) return false;
  const bool holds_memory = accounted_bytes_ > 0 || is<SendingPiece>();
  return holds_memory && is_short_of_memory();
}

void Responder::end_late(Instant now) {
  if (has_failed_delivery_) return close();
  if (give_up_waiting(now)) return;
  if (Body* const body = in<Body>()) {
    const std::size_t bytes = request_.body_bytes();
    const bool stands_still = std::exchange(body->bytes_at_sweep, bytes) == bytes;
    if (stands_still && accounted_bytes_ > 0 && is_short_of_memory()) deadline_ = now;
  }
  // Pieces of a streamed response wait for the disk without a limit.
  if (held_ && send_queue_ == nullptr && now >= held_->until) return give_up();
  if (must_release_memory(now)) return close();
  if (now < deadline_) return;
  if (!is<Head>() && !is<Body>()) return close();
  guarded([this] {
    const char* message = is<Head>() ? "the head of the request came too slowly"
                                     : "the body of the request came too slowly";
    if (refuse({408, {Code::timed_out, message}})) advance();
  });
}

}  // namespace mayfly::net
