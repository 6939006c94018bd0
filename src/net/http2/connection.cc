// The events of a connection of HTTP/2: bytes that arrive, streams with answers, and time.
//
// Nothing is read while the socket is not writable. So a client that does not read cannot make the
// session queue frames, and only its streams hold memory for it.
#include "net/http2/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "base/free_text.h"
#include "base/service/logging.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;

}  // namespace

Http2Connection::Http2Connection(ConnectionOwner& owner, std::unique_ptr<Http1Exchange> begun)
    : Connection(owner.context()),
      owner_(owner),
      origin_(begun->origin()),
      begun_(begun->arrived()),
      session_(*this),
      idle_frames_at_(owner.deadline_after(Span{0})) {}

// Runs a handler and sends its frames. Memory may run out anywhere; then this connection ends and
// the others continue.
template <class Act>
void Http2Connection::guarded(Act act) {
  if (is<Closed>()) return;
  try {
    is_busy_ = true;
    act();
    if (!is<Closed>()) flush();
  } catch (const std::exception&) {
    close();
  }
  is_busy_ = false;
}

void Http2Connection::start() {
  begin_to_idle();
  if (owner_.is_draining()) drain();
  guarded([this] { receive(std::exchange(begun_, {})); });
}

void Http2Connection::begin_to_idle() {
  const ServerOptions& options = owner_.common().options;
  idle_until_ =
      owner_.deadline_after(owner_.is_draining() ? options.drain_grace : options.idle_time_max);
}

// --- in ---

void Http2Connection::read() {
  if (is_blocked_ || std::exchange(is_watching_, true)) return;
  transport_.watch(shared_from_this());
}

void Http2Connection::may_read(bool is_failed) {
  is_watching_ = false;
  if (is_failed) return close();
  guarded([this] { read_some(); });
}

// Reads once; then other connections are served.
void Http2Connection::read_some() {
  std::array<char, limits::http2_read_bytes> room;
  const IoResult moved = transport_.read_some(room);
  if (moved.state == IoResult::State::ended) return close();
  if (moved.state != IoResult::State::moved) return;
  is<Lingering>() ? linger(moved.bytes) : receive({room.data(), moved.bytes});
}

// Answers complete requests. A stream that the client has reset meanwhile is not processed.
void Http2Connection::receive(std::string_view bytes) {
  if (!session_.receive(bytes)) return close();
  const auto arrived = std::exchange(arrived_, {});
  for (const StreamPtr& stream : arrived) stream->proceed();
}

// --- the session's events ---

Http2Stream* Http2Connection::find(std::int32_t stream) {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : found->second.get();
}

void Http2Connection::add_arrived(std::int32_t stream) {
  const StreamPtr& one = streams_.at(stream);
  if (arrived_.empty() || arrived_.back() != one) arrived_.push_back(one);
}

void Http2Connection::begins(std::int32_t stream) {
  heading_ = nullptr;
  head_until_ = owner_.deadline_after(owner_.common().options.head_time_max);
  if (has_too_many_abandoned()) return session_.reset(stream, Http2Error::refused_stream);
  auto made =
      std::make_shared<Http2Stream>(stream, static_cast<Http2StreamOwner&>(*this), owner_, origin_);
  heading_ = streams_.emplace(stream, std::move(made)).first->second.get();
  idle_until_ = Instant::never();
}

bool Http2Connection::has_too_many_abandoned() {
  std::erase_if(abandoned_, [](const auto& one) { return one.expired(); });
  return abandoned_.size() >= limits::http2_streams_max;
}

void Http2Connection::has_header(std::string_view name, std::string_view value) {
  if (heading_ != nullptr) heading_->add_header(name, value);
}

void Http2Connection::has_broken_head(std::int32_t stream) {
  head_until_ = Instant::never();
  heading_ = nullptr;
  if (find(stream) == nullptr) on_idle_frame();  // known streams are counted when they close
}

void Http2Connection::has_head(std::int32_t stream) {
  head_until_ = Instant::never();
  heading_ = nullptr;
  Http2Stream* const found = find(stream);
  if (found == nullptr) return;
  found->set_head_complete();
  add_arrived(stream);
}

void Http2Connection::has_data(std::int32_t stream, std::string_view bytes) {
  Http2Stream* const found = find(stream);
  if (found == nullptr) return;
  found->add_body(bytes);
  add_arrived(stream);
}

void Http2Connection::is_whole(std::int32_t stream) {
  Http2Stream* const found = find(stream);
  if (found == nullptr) return;
  found->set_complete();
  add_arrived(stream);
}

void Http2Connection::on_idle_frame() {
  if (--idle_frames_left_ >= 0 || !is<Open>()) return;
  owner_.count_refusal();
  end(Http2Error::enhance_your_calm);
}

Http2Events::Taken Http2Connection::take(std::int32_t stream, std::span<char> room) {
  Http2Stream* const found = find(stream);
  return found == nullptr ? Taken{0, Taken::Next::none} : found->take(room);
}

// The rest of the request's body is not needed.
void Http2Connection::is_answered(std::int32_t stream) {
  const Http2Stream* const found = find(stream);
  if (found != nullptr && !found->is_whole()) session_.reset(stream, Http2Error::none);
}

void Http2Connection::is_closed(std::int32_t stream, Http2Error error) {
  if (error != Http2Error::none) on_idle_frame();
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  const StreamPtr one = std::move(found->second);
  streams_.erase(found);
  if (heading_ == one.get()) heading_ = nullptr;
  if (one->is_elsewhere()) abandoned_.push_back(one);
  one->drop();
  if (streams_.empty()) begin_to_idle();
}

// --- out ---

// Many streams may have data at once: one write is enough for all of them.
void Http2Connection::flush_later() {
  if (!is_busy_ && !is_blocked_) post_flush();
}

void Http2Connection::post_flush() {
  if (std::exchange(is_flush_posted_, true)) return;
  asio::post(owner_.context(), [self = shared_from_this()] {
    self->is_flush_posted_ = false;
    self->guarded([] {});
  });
}

void Http2Connection::may_write() {
  is_blocked_ = false;
  guarded([] {});
}

void Http2Connection::flush() {
  if (is_blocked_) return;
  for (int i = 0; i < limits::http2_writes_per_turn_max; ++i) {
    if (!write()) return;
    if (is<Lingering>() || !fill()) return rest();
  }
  post_flush();  // other connections are served first
}

// False if the socket is not writable now, or closed.
bool Http2Connection::write() {
  const std::size_t sent_before = sent_;
  while (sent_ < out_.size()) {
    const IoResult moved = transport_.write_some(std::string_view(out_).substr(sent_));
    if (moved.state == IoResult::State::ended) {
      close();
      return false;
    }
    sent_ += moved.bytes;
    if (moved.state == IoResult::State::moved) continue;
    if (sent_ > sent_before || blocked_until_ == Instant::never()) {
      blocked_until_ = owner_.deadline_after(owner_.common().options.send_time_max);
    }
    is_blocked_ = true;
    transport_.wait_to_write(shared_from_this(), moved.state);
    return false;
  }
  blocked_until_ = Instant::never();
  out_.clear();
  sent_ = 0;
  return true;
}

// Whether the session has something to send.
bool Http2Connection::fill() {
  while (out_.size() < limits::http2_write_bytes) {
    const std::string_view frame = session_.next();
    if (frame.empty()) break;
    out_ += frame;
  }
  return !out_.empty();
}

// All queued bytes have been sent.
void Http2Connection::rest() {
  if (streams_.empty()) free_text(out_);
  const bool is_ended = session_.is_over() || (is<Ending>() && streams_.empty());
  if (is_ended && !is<Lingering>()) begin_to_linger();
  read();
}

// --- the end ---

void Http2Connection::sweep(Instant now) {
  const std::int64_t micros = (now - idle_frames_at_).micros;
  const std::int64_t again =
      micros * limits::http2_idle_frames_per_second_max / Span::seconds(1).micros;
  if (again > 0) {
    idle_frames_left_ = std::min(idle_frames_left_ + again, limits::http2_idle_frames_max);
    idle_frames_at_ = now;
  }
  if (now >= blocked_until_ || now >= head_until_) return close();
  const auto streams = streams_;
  for (const auto& [number, stream] : streams) stream->sweep(now);
  if (now < idle_until_) return;
  if (!is<Open>()) return close();
  end_if_idle();
}

// Requests that are on their way are still answered.
void Http2Connection::drain() {
  guarded([this] {
    for (const auto& [number, stream] : streams_) stream->drain();
    if (is<Open>()) session_.announce_end();
  });
  if (is<Lingering>()) {
    idle_until_ = std::min(idle_until_, owner_.deadline_after(Lingering::quiet_max(owner_)));
  }
}

// Refuses new streams; those in progress are answered.
void Http2Connection::end_if_idle() {
  if (!is<Open>()) return;
  guarded([this] {
    session_.refuse_streams();
    stage_ = Ending{};
  });
}

void Http2Connection::drop_streams() {
  heading_ = nullptr;
  const auto streams = std::exchange(streams_, {});
  for (const auto& [number, stream] : streams) stream->drop();
}

// Ends the connection, because the client exceeded a bound.
void Http2Connection::end(Http2Error error) {
  stage_ = Ending{};
  session_.end(error);
}

void Http2Connection::begin_to_linger() {
  drop_streams();
  transport_.end_sending();
  stage_ = Lingering::begin(owner_);
  idle_until_ = owner_.deadline_after(Lingering::quiet_max(owner_));
}

void Http2Connection::linger(std::size_t bytes) {
  Lingering& stage = std::get<Lingering>(stage_);
  stage.bytes += bytes;
  if (stage.bytes > limits::linger_bytes_max) return close();
  stage.move(owner_, idle_until_);
}

void Http2Connection::close() {
  if (is<Closed>()) return;
  stage_ = Closed{};
  drop_streams();
  if (is_logged(LogLevel::debug)) {
    log(LogLevel::debug, "a connection is closed",
        {{"api", origin_.listener.name}, {"peer", origin_.peer.address}});
  }
  transport_.close();
  owner_.remove(*this);
}

}  // namespace mayfly::net
