// The stages of a request on its stream.
#include "net/http2/stream.h"

#include <utility>

#include "net/http2/limits.h"

namespace mayfly::net {

// The base class gets a reference to the exchange before that is constructed, and does not use it
// yet.
Http2Stream::Http2Stream(std::int32_t number, Http2StreamOwner& connection, ConnectionOwner& owner,
                         const RequestOrigin& origin)
    : Responder(owner, exchange_), number_(number), connection_(connection), exchange_(origin) {
  enter_without_deadline(Head{});
}

Http2Stream::~Http2Stream() {
  release_costly_slot();
}

void Http2Stream::add_body(std::string_view bytes) {
  if (is<Head>() || is<Body>()) exchange_.add_body(bytes);
}

// --- the request ---

void Http2Stream::proceed() {
  guarded([this] {
    if (is<Head>() && has_head_) take_head();
    if (!is<Body>()) return;
    if (const auto refusal = exchange_.refuse_long_body()) {
      owner_.count_request();
      enter_without_deadline(Answering{});
      refuse(*refusal);
    } else if (!is_whole_) {
      on_body();
    } else {
      owner_.count_request();
      enter_without_deadline(Answering{});
      answer();
    }
  });
}

// Enters the body, or refuses the request.
void Http2Stream::take_head() {
  if (const auto refusal = exchange_.end_head(is_whole_)) {
    owner_.count_request();
    enter_without_deadline(Answering{});
    refuse(*refusal);
    return;
  }
  enter(Body{}, owner_.common().options.body_time_max);
  if (is_whole_) return;
  if (auto refusal = refuse_head()) {
    send_answer(*std::move(refusal));
  } else if (exchange_.expects_continue()) {
    connection_.session().ask_for_body(number_);
  }
}

// --- the answer ---

std::optional<Refusal> Http2Stream::refuse_conversation() const {
  return Refusal{400, {Code::invalid, "a WebSocket begins with HTTP/1.1"}, false};
}

bool Http2Stream::send() {
  begin_to_send();
  if (std::exchange(is_submitted_, true)) {
    connection_.session().resume(number_);
    return true;
  }
  const bool has_body = exchange_.unsent_bytes() > 0 || exchange_.has_more();
  connection_.session().respond(number_, exchange_.head(), has_body);
  if (!has_body) finish();
  return true;
}

Http2Events::Taken Http2Stream::take(std::span<char> room) {
  using Next = Http2Events::Taken::Next;
  if (is<Closed>()) return {0, Next::none};
  if (sending() == nullptr) return {0, Next::later};
  const std::size_t bytes = exchange_.take(room);
  if (exchange_.unsent_bytes() > 0) {
    on_client_progress();
    return {bytes, Next::more};
  }
  const Next next = exchange_.has_more() ? Next::later : Next::none;
  finish();
  return {bytes, next};
}

// The prepared bytes have been sent, as far as the client's flow control matters.
void Http2Stream::finish() {
  exchange_.record_answer();
  const bool has_more = exchange_.has_more();
  if (has_more) {
    exchange_.rest();
    enter_without_deadline(Streaming{});
    account();
    send_queue_->sent();
  } else {
    enter_closed();
    exchange_.rest();
  }
}

// Pieces of a streamed response are counted by their send queue.
std::size_t Http2Stream::held_bytes() const {
  const std::size_t bytes =
      exchange_.request_bytes() + (is<SendingPiece>() ? 0 : exchange_.answer_bytes());
  return bytes > limits::http2_uncounted_bytes_max ? bytes : 0;
}

// --- the end ---

void Http2Stream::drain() {
  if (send_queue_ != nullptr) send_queue_->end();
}

void Http2Stream::drop() {
  if (!is<Closed>()) enter_closed();
}

void Http2Stream::close() {
  if (is<Closed>()) return;
  enter_closed();
  try {
    connection_.session().reset(number_, Http2Error::cancel);
    connection_.flush_later();
  } catch (const std::exception&) {
    connection_.close();
  }
}

}  // namespace mayfly::net
