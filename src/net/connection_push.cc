// A connection whose response goes on: the pieces that somebody sends, and conversations.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <string_view>
#include <utility>

#include "base/no_wait.h"
#include "base/thread.h"
#include "net/connection.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

// Of one client that sends many at once; then others have a turn.
constexpr int messages_per_turn_max = 16;

}  // namespace

bool Connection::may_stream() const {
  const Common& common = owner_.common();
  return common.streams_open.load(std::memory_order_relaxed) < common.options.streams_max;
}

void Connection::refuse_what_cannot_go_on(Response& response) {
  if (!response.stream && !response.conversation) return;
  std::optional<Refusal> refusal;
  if (!may_stream()) {
    refusal = {0, {Code::throttled, "too many streams are open; try again"}, false};
  } else if (response.conversation) {
    refusal = exchange_->refuse_conversation();
  }
  if (!refusal) return;
  owner_.count_refusal();
  response = exchange_->refuse(*refusal);
}

void Connection::open_stream(const Response& response) {
  auto wake = [&owner = owner_, weak = weak_from_this()] { owner.wake(weak); };
  const ServerOptions& options = owner_.common().options;
  SharedMemory memory{
      .add = [&common = owner_.common(), network = exchange_->network()](
                 std::size_t of_client,
                 std::size_t of_all) { return common.add_held(network, of_client, of_all); },
      .remove = [&common = owner_.common(), network = exchange_->network()](
                    std::size_t of_client,
                    std::size_t of_all) { common.remove_held(network, of_client, of_all); }};
  auto run_on_worker = [&workers = owner_.common().workers](std::function<void()> make) {
    auto run = [make = std::move(make)] { run_guarded("the next part of a stream", make); };
    return workers.submit({.run = std::move(run), .is_always_taken = true});
  };
  outlet_ = std::make_shared<Outlet>(options.durability, std::move(wake), std::move(memory),
                                     std::move(run_on_worker),
                                     response.conversation ? limits::conversation_unsent_bytes_max
                                                           : limits::stream_unsent_bytes_max);
  ++owner_.common().streams_open;
  if (response.conversation) {
    websocket_ =
        std::make_unique<WebSocket>(outlet_, response.conversation, exchange_->message_bytes_max(),
                                    options.ping_every, owner_.deadline_after(Span{0}));
  } else {
    response.stream(make_stream(outlet_));
  }
  if (owner_.is_draining()) drain();
  watch_for_close();
}

void Connection::close_stream() {
  if (outlet_ == nullptr) return;
  outlet_->close();
  outlet_ = nullptr;
  held_.reset();  // what is still listed as waiting for the disk has left
  --owner_.common().streams_open;
}

void Connection::go_on() {
  guarded([this] {
    if (outlet_ == nullptr) return;
    if (outlet_->look()) {
      owner_.count_overrun();
      return close();
    }
    // A piece that is still leaving comes back here when it has left.
    if (!is<Streaming>()) return;
    const Durability* durability = owner_.common().options.durability;
    auto piece = outlet_->take(durability == nullptr ? 0 : durability->durable());
    if (!piece) return;
    if (piece->must_wait) return hold({piece->mark});
    exchange_->go_on(std::move(piece->bytes), std::move(piece->shared), piece->is_end);
    enter(SendingPiece{}, owner_.common().options.send_time_max);
    account();
    if (send()) advance(0);
  });
}

// While nothing is read, nothing else would tell that the client has left. What is beyond the
// buffer stays with the kernel until its turn comes.
void Connection::watch_for_close() {
  if (!exchange_->has_room() || std::exchange(is_watching_, true)) return;
  transport_.watch(shared_from_this());
}

void Connection::may_read(bool is_failed) {
  is_watching_ = false;
  guarded([&] {
    if (!is_failed && (outlet_ != nullptr || job_ != nullptr)) on_readable();
  });
}

// The client has left, or goes on talking, or sends ahead what it will ask next.
void Connection::on_readable() {
  if (exchange_->has_room()) {
    const Moved moved = transport_.read_some(exchange_->room());
    if (moved.state == Moved::State::ended) return close();
    exchange_->keep(moved.bytes);  // also where nothing has come
  }
  if (websocket_ != nullptr) return converse();
  watch_for_close();
}

// --- conversations ---

// Takes what has come and answers it, until something must be waited for. While much of the answers
// has not been taken, nothing is; what has left comes back here.
void Connection::converse() {
  for (int i = 0; i < messages_per_turn_max; ++i) {
    if (outlet_ == nullptr || websocket_->has_ended()) return;
    if (job_ != nullptr) return listen_meanwhile();
    if (owner_.is_draining()) return drain();
    if (outlet_->unsent_bytes() > limits::unsent_answers_max) return;
    std::string_view arrived = exchange_->arrived();
    const std::size_t bytes = arrived.size();
    const WebSocket::Step step = websocket_->read(arrived);
    exchange_->consume(bytes - arrived.size());
    account();
    if (step == WebSocket::Step::ended) return;
    if (step == WebSocket::Step::wait) {
      if (websocket_->held_bytes() == 0 || !owner_.common().has_full_memory()) {
        return watch_for_close();
      }
      return websocket_->end(CloseCode::try_later, "too much is being sent at once");
    }
    if (!take_message()) return listen_meanwhile();
  }
  asio::post(owner_.context(),
             [self = shared_from_this()] { self->guarded([&] { self->converse(); }); });
}

// While a worker has a message.
void Connection::listen_meanwhile() {
  websocket_->look_ahead(exchange_->arrived());
  watch_for_close();
}

// Whether the next may be looked at.
bool Connection::take_message() {
  Common& common = owner_.common();
  owner_.count_request();
  exchange_->answer_by(owner_.deadline_after(common.options.request_time_max));
  if (!common.is_full() && !has_full_share()) {
    if (websocket_->is_quick()) {
      const NoWait no_wait;
      websocket_->answer(exchange_->answer_by());
      if (!no_wait.has_refused()) return true;
    }
    if (websocket_->is_costly()) return take_costly_message();
    if (submit(&Connection::answer_message, common.workers, std::make_shared<Job>())) {
      count_waiting(true);
      return false;
    }
  }
  owner_.count_refusal();
  owner_.count_overload();
  websocket_->refuse({Code::throttled, "too many requests are under way; try again"});
  return true;
}

bool Connection::take_costly_message() {
  if (submit_costly(&Connection::answer_costly_message)) {
    count_waiting(true);
    return false;
  }
  owner_.count_refusal();
  owner_.count_overload();
  websocket_->refuse(exchange_->too_many_costly());
  count_parsed(0);
  return true;
}

// By a worker, some time later. False where the message has turned out to be costly.
bool Connection::answer_received() {
  const bool is_in_time = !is_gone_ && monotonic_now() < exchange_->answer_by();
  if (is_in_time && !parse_large()) return true;
  if (is_in_time && websocket_->is_costly()) return false;
  answer_in_time();
  return true;
}

void Connection::answer_in_time() {
  if (is_gone_) return;
  const Instant answer_by = exchange_->answer_by();
  if (monotonic_now() < answer_by) return websocket_->answer(answer_by);
  websocket_->refuse({Code::throttled, "the request waited too long"});
}

// False where it has been refused, for want of memory.
bool Connection::parse_large() {
  Common& common = owner_.common();
  const std::size_t expected = websocket_->large_bytes() * limits::parsed_bytes_per_byte;
  if (expected == 0) return true;
  if (expected <= common.memory_left()) {
    count_parsed(expected);
    if (!websocket_->parse()) return false;
    count_parsed(websocket_->kept_bytes());
    if (!common.has_full_memory()) return true;
  }
  websocket_->refuse({Code::throttled, "too much is under way; try again"});
  return false;
}

// By whoever has the message.
void Connection::count_parsed(std::size_t bytes) {
  if (bytes == parsed_bytes_) return;
  owner_.common().change_held(exchange_->network(), parsed_bytes_, bytes);
  parsed_bytes_ = bytes;
}

void Connection::answer_message(ConnectionPtr self) {
  try {
    const bool is_costly = !answer_received();
    if (!is_costly) count_parsed(0);
    asio::post(owner_.context(), [self = std::move(self), is_costly] {
      self->guarded([&] {
        self->job_ = nullptr;
        self->count_waiting(false);
        if (is_costly && !self->take_costly_message()) return self->listen_meanwhile();
        self->converse();
      });
    });
  } catch (const std::exception&) {
    is_lost_ = true;
  }
}

// The same on the thread of the costly, of a message that has been received.
void Connection::answer_costly_message(ConnectionPtr self) {
  try {
    answer_in_time();
    count_parsed(0);
    leave_costly();
    asio::post(owner_.context(), [self = std::move(self)] {
      self->guarded([&] {
        self->job_ = nullptr;
        self->count_waiting(false);
        self->converse();
      });
    });
  } catch (const std::exception&) {
    is_lost_ = true;
  }
}

// What a worker is about to answer is answered first.
void Connection::end_conversation() {
  if (job_ == nullptr) websocket_->end(CloseCode::going_away, "the server stops");
}

// Whether the client is there, as far as one can tell.
bool Connection::keeps_talking(Instant now) {
  if (websocket_ == nullptr || outlet_ == nullptr || job_ != nullptr) return true;
  return websocket_->keep_alive(now);
}

}  // namespace mayfly::net
