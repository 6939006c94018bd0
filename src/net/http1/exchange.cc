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

// A connection at rest holds no more than this; a large body brings it to the greater one.
constexpr std::size_t in_bytes_min = 4 << 10;
constexpr std::size_t in_bytes_max = 64 << 10;
static_assert(in_bytes_max > limits::request_head_bytes_max,
              "the reader refuses before it is full");
// A body up to this is copied behind its head: cheaper than a second piece for the kernel.
constexpr std::size_t joined_bytes_max = 8 << 10;
constexpr std::size_t kept_head_bytes_max = 16 << 10;
// A stream at rest is one of thousands.
constexpr std::size_t rest_bytes_max = 1 << 10;
// The length of a chunk and what ends it and the last one.
constexpr std::size_t chunk_frame_bytes_max = 32;

}  // namespace

Exchange::Exchange(const Origin& origin)
    : RequestInFlight(origin), reader_(request_, body_bytes_max()), in_(in_bytes_min, '\0') {}

std::span<char> Exchange::room() {
  if (begin_ > 0) {
    std::memmove(in_.data(), in_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  CHECK(end_ < in_.size());
  is_filling_ = true;
  return {in_.data() + end_, in_.size() - end_};
}

Exchange::Step Exchange::receive(std::size_t bytes) {
  is_filling_ = false;
  end_ += bytes;
  const bool was_filled = end_ == in_.size();
  begin_ += reader_.read({in_.data() + begin_, end_ - begin_});
  const bool is_new = reader_.has_head() && !std::exchange(head_is_told_, true);
  if (is_new) begin_request();
  if (is_new && reader_.state() != RequestReader::State::refused) {
    denial_ = check_head(reader_.state() == RequestReader::State::complete);
  }
  if (denial_) return Step::refused;
  switch (reader_.state()) {
    case RequestReader::State::complete: return Step::request;
    case RequestReader::State::refused: return Step::refused;
    default: break;
  }
  // More than fits comes at once: a larger buffer needs fewer turns.
  if (was_filled && in_.size() < in_bytes_max) in_.resize(in_.size() * 2);
  return is_new ? Step::head : Step::wait;
}

void Exchange::keep(std::size_t bytes) {
  is_filling_ = false;
  end_ += bytes;
  if (!has_room() && in_.size() < in_bytes_max) in_.resize(in_.size() * 2);
}

void Exchange::consume(std::size_t bytes) {
  begin_ += bytes;
  if (begin_ == end_) begin_ = end_ = 0;
}

std::optional<Refusal> Exchange::refuse_conversation() const {
  if (reader_.is_http_1_0()) {
    return Refusal{400, {Code::invalid, "a WebSocket begins with HTTP/1.1"}, false};
  }
  return refuse_handshake(request_);
}

void Exchange::discard() {
  is_filling_ = false;
  begin_ = end_ = 0;
  shrink_room();
}

bool Exchange::owes_continue() {
  if (continue_is_settled_ || !is_in_body() || !reader_.expects_continue()) return false;
  continue_is_settled_ = true;
  return request_.body.empty() && begin_ == end_;
}

void Exchange::respond(Response& response, bool is_last) {
  if (response.conversation) return begin_conversation();
  goes_on_ = response.stream && request_.method != "HEAD" && !is_bodiless(response.status);
  const Framing framing = !response.stream        ? Framing::length
                          : reader_.is_http_1_0() ? Framing::until_close
                                                  : Framing::chunked;
  is_last_ = is_last || response.close || !reader_.keeps_alive() || framing == Framing::until_close;
  has_chunks_ = framing == Framing::chunked;
  const Mark mark = sign(response);
  const After after = is_last_                ? After::close
                      : reader_.is_http_1_0() ? After::stay_as_asked
                                              : After::stay;
  head_.clear();
  render_head(response, mark, after, framing, head_);
  note_status(response.status);
  sent_ = 0;
  free_text(body_);  // of an answer that this one replaces
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

// From here on the connection is the conversation's.
void Exchange::begin_conversation() {
  constexpr int switching_protocols = 101;
  note_status(switching_protocols);
  goes_on_ = is_last_ = true;
  has_chunks_ = false;
  sent_ = 0;
  head_.clear();
  body_.clear();
  view_ = {};
  render_handshake(request_, head_);
}

void Exchange::go_on(std::string piece, SharedText shared, bool is_end) {
  goes_on_ = !is_end;
  sent_ = 0;
  head_.clear();
  body_.clear();
  view_ = {};
  // What has no chunks ends with the connection.
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

std::array<std::string_view, 2> Exchange::unsent() const {
  const std::size_t of_head = std::min(sent_, head_.size());
  return {std::string_view(head_).substr(of_head), sent_body().substr(sent_ - of_head)};
}

void Exchange::sent(std::size_t bytes) {
  CHECK(bytes <= unsent_bytes());
  sent_ += bytes;
}

std::size_t Exchange::held_bytes() const {
  const std::size_t out = unsent_bytes() > 0 ? head_.size() + body_.size() : 0;
  const std::size_t bytes = request_.body.size() + out;
  return bytes > kept_head_bytes_max ? bytes : 0;
}

void Exchange::rest() {
  if (head_.capacity() > rest_bytes_max) free_text(head_);
  free_text(body_);
  view_ = {};
  sent_ = 0;
  head_.clear();
  if (request_.body.capacity() > rest_bytes_max) free_text(request_.body);
  shrink_room();
}

// What a large body has made it grow to is given back once nothing is in it or on its way there.
void Exchange::shrink_room() {
  if (is_filling_ || begin_ != end_ || in_.size() <= in_bytes_min) return;
  in_ = std::string(in_bytes_min, '\0');
  begin_ = end_ = 0;
}

void Exchange::next() {
  end_request();
  reader_.begin();
  continue_is_settled_ = false;
  head_is_told_ = false;
  denial_.reset();
  free_text(body_);
  view_ = {};
  if (head_.capacity() > kept_head_bytes_max) free_text(head_);
  shrink_room();
}

}  // namespace mayfly::net
