// A connection of HTTP/2 on its loop: its frames, its many streams, and how it ends. The requests
// of all streams are answered at once; each answer leaves when it is ready.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "net/connections/connection.h"
#include "net/http1/exchange.h"
#include "net/http2/limits.h"
#include "net/http2/session.h"
#include "net/http2/stream.h"

namespace mayfly::net {

// Threads: the loop's.
class Http2Connection final : public Connection,
                              public std::enable_shared_from_this<Http2Connection>,
                              private Http2Events,
                              private Http2StreamOwner {
 public:
  // Goes on with what has arrived at another connection.
  Http2Connection(ConnectionOwner& owner, std::unique_ptr<Exchange> begun);

  void start() override;
  void sweep(Instant now) override;
  void drain() override;
  void end_if_idle() override;
  void close() override;
  const std::string& network() const override { return origin_.peer.network; }

  void has_read(Moved) override {}  // it watches
  void may_read(bool is_failed) override;
  void may_write() override;
  void hands_may_go_on() override {}

 private:
  using StreamPtr = std::shared_ptr<Http2Stream>;

  // No stream is answered any more; the last frames leave.
  struct Ending {};
  struct Open {};
  struct Closed {};
  using Stage = std::variant<Open, Ending, Lingering, Closed>;

  // --- of the session ---
  void begins(std::int32_t stream) override;
  void has_header(std::string_view name, std::string_view value) override;
  void has_head(std::int32_t stream) override;
  void has_broken_head(std::int32_t stream) override;
  void has_data(std::int32_t stream, std::string_view bytes) override;
  void is_whole(std::int32_t stream) override;
  void is_idle_frame() override;
  Taken take(std::int32_t stream, std::span<char> room) override;
  void is_answered(std::int32_t stream) override;
  void is_closed(std::int32_t stream, Http2Error error) override;

  // --- of the streams ---
  Http2Session& session() override { return session_; }
  void flush_later() override;

  template <class Act>
  void guarded(Act act);
  template <class S>
  bool is() const {
    return std::holds_alternative<S>(stage_);
  }
  Http2Stream* find(std::int32_t stream);
  void note_arrived(std::int32_t stream);
  bool has_too_many_abandoned();
  void read();
  void read_some();
  void receive(std::string_view bytes);
  void post_flush();
  void flush();
  bool write();
  bool fill();
  void rest();
  void begin_to_idle();
  void drop_streams();
  void end(Http2Error error);
  void begin_to_linger();
  void linger(std::size_t bytes);

  ConnectionOwner& owner_;
  const Origin origin_;
  std::string begun_;  // what had arrived when it began
  Http2Session session_;
  Stage stage_;
  std::map<std::int32_t, StreamPtr> streams_;
  Http2Stream* heading_ = nullptr;  // whose head is being read
  std::vector<StreamPtr> arrived_;  // have something new
  // Streams that are over while workers are at them still: they count as streams do.
  std::vector<std::weak_ptr<Http2Stream>> abandoned_;
  std::string out_;  // to be sent; `sent_` of it has been
  std::size_t sent_ = 0;
  std::int64_t idle_frames_left_ = limits::http2_idle_frames_max;
  Instant idle_frames_at_;  // when some were last given back
  bool is_busy_ = false;    // flush() follows
  bool is_flush_posted_ = false;
  bool is_watching_ = false;
  bool is_blocked_ = false;  // the socket takes nothing
  // When it ends: where the client takes nothing, is slow with a head, or asks for nothing.
  Instant blocked_until_ = Instant::never();
  Instant head_until_ = Instant::never();
  Instant idle_until_ = Instant::never();
};

}  // namespace mayfly::net
