// A connection of HTTP/2 on its loop: its frames, its streams, and how it ends. Requests of
// different streams are answered concurrently; each answer is sent when it is ready.
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
  // Takes over the bytes that have arrived at another connection.
  Http2Connection(ConnectionOwner& owner, std::unique_ptr<Http1Exchange> begun);

  void start() override;
  void sweep(Instant now) override;
  void drain() override;
  void end_if_idle() override;
  void close() override;
  const std::string& network() const override { return origin_.peer.network; }

  void has_read(IoResult) override {}  // uses watch() and may_read()
  void may_read(bool is_failed) override;
  void may_write() override;
  void may_continue_handshake() override {}

 private:
  using StreamPtr = std::shared_ptr<Http2Stream>;

  // No new streams; the last frames are being sent.
  struct Ending {};
  struct Open {};
  struct Closed {};
  using Stage = std::variant<Open, Ending, Lingering, Closed>;

  // --- overrides of Http2Events ---
  void begins(std::int32_t stream) override;
  void has_header(std::string_view name, std::string_view value) override;
  void has_head(std::int32_t stream) override;
  void has_broken_head(std::int32_t stream) override;
  void has_data(std::int32_t stream, std::string_view bytes) override;
  void is_whole(std::int32_t stream) override;
  void on_idle_frame() override;
  Taken take(std::int32_t stream, std::span<char> room) override;
  void is_answered(std::int32_t stream) override;
  void is_closed(std::int32_t stream, Http2Error error) override;

  // --- overrides of Http2StreamOwner ---
  Http2Session& session() override { return session_; }
  void flush_later() override;

  template <class Act>
  void guarded(Act act);
  template <class S>
  bool is() const {
    return std::holds_alternative<S>(stage_);
  }
  Http2Stream* find(std::int32_t stream);
  void add_arrived(std::int32_t stream);
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
  const RequestOrigin origin_;
  std::string begun_;  // bytes that had arrived when it began
  Http2Session session_;
  Stage stage_;
  std::map<std::int32_t, StreamPtr> streams_;
  Http2Stream* heading_ = nullptr;  // the stream whose head is being read
  std::vector<StreamPtr> arrived_;  // streams with new data
  // Closed streams on which workers still work: they count against the bound on streams.
  std::vector<std::weak_ptr<Http2Stream>> abandoned_;
  std::string out_;  // being sent; `sent_` bytes of it have been
  std::size_t sent_ = 0;
  std::int64_t idle_frames_left_ = limits::http2_idle_frames_max;
  Instant idle_frames_at_;  // when the budget was last increased
  bool is_busy_ = false;    // flush() will be called
  bool is_flush_posted_ = false;
  bool is_watching_ = false;
  bool is_blocked_ = false;  // the socket is not writable
  // The deadlines of a client that does not read, is slow with a head, or sends no request.
  Instant blocked_until_ = Instant::never();
  Instant head_until_ = Instant::never();
  Instant idle_until_ = Instant::never();
};

}  // namespace mayfly::net
