// The order of events on one connection, and its buffers.
#include "net/http1/exchange.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/free_text.h"
#include "base/limits.h"
#include "net/http1/response_head.h"
#include "net/requests/limits.h"
#include "net/websocket/websocket.h"

namespace mayfly::net {
namespace {

// The buffer of an idle connection, and its largest size, for large bodies.
constexpr std::size_t in_bytes_min = 4 << 10;
constexpr std::size_t in_bytes_max = 64 << 10;
// While a response is streamed, a client has little to say.
constexpr std::size_t in_bytes_in_stream = 512;
static_assert(in_bytes_max > limits::request_head_bytes_max,
              "the reader refuses before it is full");
// A body up to this size is copied behind its head: that is cheaper than a second buffer for the
// kernel.
constexpr std::size_t joined_bytes_max = 8 << 10;
constexpr std::size_t kept_head_bytes_max = 16 << 10;
// An idle stream is one of thousands.
constexpr std::size_t rest_bytes_max = 1 << 10;
// The length of a chunk, its end, and the last chunk.
constexpr std::size_t chunk_frame_bytes_max = 32;

}  // namespace

Http1Exchange::Http1Exchange(const RequestOrigin& origin)
    : RequestInFlight(origin), reader_(request_, body_bytes_max()), in_(in_bytes_min, '\0') {}

std::span<char> Http1Exchange::room() {
  if (begin_ > 0) {
    std::memmove(in_.data(), in_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  CHECK(end_ < in_.size());
  is_filling_ = true;
  return {in_.data() + end_, in_.size() - end_};
}

Http1Exchange::Step Http1Exchange::receive(std::size_t bytes) {
  is_filling_ = false;
  end_ += bytes;
  const bool was_filled = end_ == in_.size();
  begin_ += reader_.read({in_.data() + begin_, end_ - begin_});
  const bool is_new = reader_.has_head() && !std::exchange(is_head_reported_, true);
  if (is_new) begin_request();
  if (is_new && reader_.state() != RequestReader::State::refused) {
    guard_refusal_ = check_head(reader_.state() == RequestReader::State::complete);
  }
  if (guard_refusal_) return Step::refused;
  switch (reader_.state()) {
    case RequestReader::State::complete: return Step::request;
    case RequestReader::State::refused: return Step::refused;
    default: break;
  }
  // More has arrived than fits: a larger buffer needs fewer reads.
  if (was_filled && in_.size() < in_bytes_max) in_.resize(in_.size() * 2);
  return is_new ? Step::head : Step::wait;
}

void Http1Exchange::keep(std::size_t bytes) {
  is_filling_ = false;
  end_ += bytes;
  if (!has_room() && in_.size() < in_bytes_max) in_.resize(in_.size() * 2);
}

void Http1Exchange::consume(std::size_t bytes) {
  begin_ += bytes;
  if (begin_ == end_) begin_ = end_ = 0;
}

std::optional<Refusal> Http1Exchange::refuse_conversation() const {
  if (reader_.is_http_1_0()) {
    return Refusal{400, {Code::invalid, "a WebSocket begins with HTTP/1.1"}, false};
  }
  return refuse_handshake(request_);
}

void Http1Exchange::discard() {
  is_filling_ = false;
  begin_ = end_ = 0;
  shrink_room(in_bytes_min);
}

bool Http1Exchange::owes_continue() {
  if (is_continue_decided_ || !is_in_body() || !reader_.expects_continue()) return false;
  is_continue_decided_ = true;
  return request_.body.empty() && begin_ == end_;
}

void Http1Exchange::respond(Response& response, bool is_last) {
  if (response.conversation) return begin_conversation();
  has_more_ = response.stream && request_.method != "HEAD" && !is_bodiless(response.status);
  const Framing framing = !response.stream        ? Framing::length
                          : reader_.is_http_1_0() ? Framing::until_close
                                                  : Framing::chunked;
  is_last_ = is_last || response.close || !reader_.keeps_alive() || framing == Framing::until_close;
  has_chunks_ = framing == Framing::chunked;
  const ResponseStamp response_stamp = stamp(response);
  const Persistence persistence = is_last_                ? Persistence::close
                                  : reader_.is_http_1_0() ? Persistence::keep_alive_explicitly
                                                          : Persistence::keep_alive;
  head_.clear();
  render_head(response, response_stamp, persistence, framing, head_);
  record_status(response.status);
  sent_ = 0;
  free_text(body_);  // from an answer that this one replaces
  view_ = {};
  if (request_.method == "HEAD" || is_bodiless(response.status)) return;
  const std::string_view bytes = response.bytes();
  if (framing == Framing::chunked) return render_chunk(bytes, head_);
  if (bytes.size() <= joined_bytes_max) {
    head_.append(bytes);
  } else {
    body_ = std::move(response.body);
    view_ = std::move(response.view);
  }
}

// From here on, the connection belongs to the conversation.
void Http1Exchange::begin_conversation() {
  constexpr int switching_protocols = 101;
  record_status(switching_protocols);
  has_more_ = is_last_ = true;
  has_chunks_ = false;
  sent_ = 0;
  head_.clear();
  body_.clear();
  view_ = {};
  render_handshake(request_, head_);
}

void Http1Exchange::add_piece(std::string piece, SharedText shared, bool is_end) {
  has_more_ = !is_end;
  sent_ = 0;
  head_.clear();
  body_.clear();
  view_ = {};
  // A body without chunks ends with the connection.
  if (!has_chunks_) {
    (shared ? head_ : body_) = std::move(piece);
    if (shared) view_ = {shared->text(), std::move(shared)};
    return;
  }
  if (shared) piece += shared->text();
  head_.reserve(piece.size() + chunk_frame_bytes_max);
  render_chunk(piece, head_);
  if (is_end) head_.append(last_chunk);
}

std::array<std::string_view, 2> Http1Exchange::unsent() const {
  const std::size_t of_head = std::min(sent_, head_.size());
  return {std::string_view(head_).substr(of_head), sent_body().substr(sent_ - of_head)};
}

void Http1Exchange::sent(std::size_t bytes) {
  CHECK(bytes <= unsent_bytes());
  sent_ += bytes;
}

std::size_t Http1Exchange::held_bytes() const {
  const std::size_t out = unsent_bytes() > 0 ? head_.size() + body_.size() : 0;
  const std::size_t bytes = request_.body.size() + out;
  return bytes > kept_head_bytes_max ? bytes : 0;
}

void Http1Exchange::rest() {
  if (head_.capacity() > rest_bytes_max) free_text(head_);
  free_text(body_);
  view_ = {};
  sent_ = 0;
  head_.clear();
  if (request_.body.capacity() > rest_bytes_max) free_text(request_.body);
  shrink_room(in_bytes_min);
}

void Http1Exchange::rest_in_stream() {
  rest();
  shrink_room(in_bytes_in_stream);
}

// Shrinks the buffer after a large body, once it is empty and no read into it is in progress.
void Http1Exchange::shrink_room(std::size_t bytes) {
  if (is_filling_ || begin_ != end_ || in_.size() <= bytes) return;
  in_ = std::string(bytes, '\0');
  begin_ = end_ = 0;
}

void Http1Exchange::next() {
  end_request();
  reader_.begin();
  is_continue_decided_ = false;
  is_head_reported_ = false;
  guard_refusal_.reset();
  free_text(body_);
  view_ = {};
  if (head_.capacity() > kept_head_bytes_max) free_text(head_);
  shrink_room(in_bytes_min);
  if (!is_filling_ && in_.size() < in_bytes_min) in_.resize(in_bytes_min);
}

}  // namespace mayfly::net
