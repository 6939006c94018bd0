// Connections that wait for a worker or a stream: detecting that the client disconnects, and
// WebSocket conversations.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <string_view>
#include <utility>

#include "base/threads/no_wait.h"
#include "net/http1/connection.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

// Messages of one client that are answered before other connections are served.
constexpr int messages_per_turn_max = 16;

}  // namespace

// While nothing is read, only this detects that the client disconnects. Bytes beyond the buffer
// stay in the kernel until they are needed.
void Http1Connection::watch_for_close() {
  if (!exchange_->has_room() || std::exchange(is_watching_, true)) return;
  transport_.watch(self());
}

void Http1Connection::may_read(bool is_failed) {
  is_watching_ = false;
  guarded([&] {
    if (!is_failed && (send_queue_ != nullptr || job_ != nullptr)) on_readable();
  });
}

// The client has disconnected, has sent a message, or has sent its next request early.
void Http1Connection::on_readable() {
  if (exchange_->has_room()) {
    const IoResult moved = transport_.read_some(exchange_->room());
    if (moved.state == IoResult::State::ended) return close();
    exchange_->keep(moved.bytes);  // also if nothing has arrived
  }
  if (websocket_ != nullptr) return converse();
  watch_for_close();
}

// --- conversations ---

std::optional<Refusal> Http1Connection::refuse_conversation() const {
  return exchange_->refuse_conversation();
}

void Http1Connection::begin_conversation(const Response& response) {
  websocket_ = std::make_unique<WebSocket>(
      send_queue_, response.conversation, exchange_->body_bytes_max(),
      owner_.common().options.ping_every, owner_.deadline_after(Span{0}));
  if (owner_.is_draining()) end_conversation();
}

// Also refuses a message that has waited too long for a worker.
void Http1Connection::refuse_late(const Error& error) {
  if (websocket_ == nullptr) return Responder::refuse_late(error);
  owner_.count_refusal();
  count_parsed(0);
  count_waiting(false);
  websocket_->refuse(error);
  converse();
}

// Reads and answers messages until something must be waited for. While too many bytes of answers
// are unsent, it stops; when they have been sent, it is called again.
void Http1Connection::converse() {
  for (int i = 0; i < messages_per_turn_max; ++i) {
    if (send_queue_ == nullptr || websocket_->has_ended()) return;
    if (job_ != nullptr) return listen_meanwhile();
    if (owner_.is_draining()) return drain();
    if (send_queue_->unsent_bytes() > limits::unsent_answers_max) return;
    std::string_view arrived = exchange_->arrived();
    const std::size_t bytes = arrived.size();
    const WebSocket::Step step = websocket_->read(arrived);
    exchange_->consume(bytes - arrived.size());
    account();
    if (step == WebSocket::Step::ended) return;
    if (step == WebSocket::Step::wait) {
      if (websocket_->held_bytes() == 0 || !has_full_share()) return watch_for_close();
      return websocket_->end(CloseCode::try_later, "too much is being sent at once");
    }
    if (!take_message()) return listen_meanwhile();
  }
  asio::post(owner_.context(),
             [self = shared_from_this(), this] { guarded([this] { converse(); }); });
}

// Called while a worker processes a message.
void Http1Connection::listen_meanwhile() {
  websocket_->answer_pings_ahead(exchange_->arrived());
  watch_for_close();
}

// Answers or queues a message. Returns whether the next message may be read.
bool Http1Connection::take_message() {
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
    const Work work = [](ResponderPtr self) {
      auto& connection = static_cast<Http1Connection&>(*self);
      connection.answer_message(std::move(self));
    };
    if (submit(work, common.workers, std::make_shared<Job>())) {
      count_waiting(true);
      return false;
    }
  }
  owner_.count_refusal();
  owner_.count_overload();
  websocket_->refuse({Code::throttled, "too many requests are under way; try again"});
  return true;
}

bool Http1Connection::take_costly_message() {
  const bool is_taken = submit_costly([](ResponderPtr self) {
    auto& connection = static_cast<Http1Connection&>(*self);
    connection.answer_costly_message(std::move(self));
  });
  if (is_taken) {
    count_waiting(true);
    return false;
  }
  owner_.count_refusal();
  owner_.count_overload();
  websocket_->refuse(exchange_->too_many_costly());
  count_parsed(0);
  return true;
}

// Runs on a worker, some time later. False if the message has turned out to be costly.
bool Http1Connection::answer_received() {
  const bool is_in_time = !is_disconnected_ && monotonic_now() < exchange_->answer_by();
  if (is_in_time && !parse_large()) return true;
  if (is_in_time && websocket_->is_costly()) return false;
  answer_in_time();
  return true;
}

void Http1Connection::answer_in_time() {
  if (is_disconnected_) return;
  const Instant answer_by = exchange_->answer_by();
  if (monotonic_now() < answer_by) return websocket_->answer(answer_by);
  websocket_->refuse({Code::throttled, "the request waited too long"});
}

// False if the message has been refused for lack of memory.
bool Http1Connection::parse_large() {
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

// Runs on the thread that processes the message.
void Http1Connection::count_parsed(std::size_t bytes) {
  if (bytes == parsed_bytes_) return;
  owner_.common().change_held(exchange_->network(), parsed_bytes_, bytes);
  parsed_bytes_ = bytes;
}

void Http1Connection::answer_message(ResponderPtr self) {
  try {
    const bool is_costly = !answer_received();
    if (!is_costly) count_parsed(0);
    asio::post(owner_.context(), [self = std::move(self), this, is_costly] {
      guarded([&] {
        job_ = nullptr;
        count_waiting(false);
        if (is_costly && !take_costly_message()) return listen_meanwhile();
        converse();
      });
    });
  } catch (const std::exception&) {
    has_failed_delivery_ = true;
  }
}

// As answer_message(), on the thread for costly requests, for a message that has been received.
void Http1Connection::answer_costly_message(ResponderPtr self) {
  try {
    answer_in_time();
    count_parsed(0);
    release_costly_slot();
    asio::post(owner_.context(), [self = std::move(self), this] {
      guarded([&] {
        job_ = nullptr;
        count_waiting(false);
        converse();
      });
    });
  } catch (const std::exception&) {
    has_failed_delivery_ = true;
  }
}

// A message that a worker processes is answered first.
void Http1Connection::end_conversation() {
  if (job_ == nullptr) websocket_->end(CloseCode::going_away, "the server stops");
}

// Whether the client still seems to be connected.
bool Http1Connection::keeps_talking(Instant now) {
  if (websocket_ == nullptr || send_queue_ == nullptr || job_ != nullptr) return true;
  return websocket_->keep_alive(now);
}

}  // namespace mayfly::net
