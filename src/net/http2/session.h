// The frames of HTTP/2 (RFC 9113) and its compressed headers, without a socket. nghttp2 is used
// only behind this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "net/message.h"

namespace mayfly::net {

// Why a stream or a connection ends (RFC 9113, section 7).
enum class Http2Error : std::uint32_t {
  none = 0,
  internal = 2,
  refused_stream = 7,  // not processed, so the client may retry
  cancel = 8,
  enhance_your_calm = 11,
};

// Callbacks for frames that arrive and that are sent. They must not call receive() or next() of the
// session. Calls for unknown streams must be ignored.
class Http2Events {
 public:
  virtual ~Http2Events() = default;

  // A head begins. All headers until has_head() belong to it.
  virtual void begins(std::int32_t stream) = 0;
  virtual void has_header(std::string_view name, std::string_view value) = 0;
  virtual void has_head(std::int32_t stream) = 0;
  // A head is malformed, or belongs to one stream too many, for which begins() was not called. The
  // stream is reset.
  virtual void has_broken_head(std::int32_t stream) = 0;
  virtual void has_data(std::int32_t stream, std::string_view bytes) = 0;
  // The request is complete.
  virtual void is_whole(std::int32_t stream) = 0;
  // A frame without a request has arrived.
  virtual void on_idle_frame() = 0;

  struct Taken {
    std::size_t bytes = 0;
    enum class Next { more, later, none } next = Next::more;  // later: after resume()
  };
  // Moves some of the answer's body into `room`.
  virtual Taken take(std::int32_t stream, std::span<char> room) = 0;
  // The whole answer has been sent.
  virtual void is_answered(std::int32_t stream) = 0;
  // The stream is closed, maybe by a reset of either side.
  virtual void is_closed(std::int32_t stream, Http2Error error) = 0;
};

// If memory runs out, a member throws, and the session must not be used any more. Threads: one at a
// time.
class Http2Session {
 public:
  explicit Http2Session(Http2Events& events);
  ~Http2Session();

  // Processes bytes that have arrived. False if not even an error can be sent to the client.
  bool receive(std::string_view bytes);
  // The bytes to send next, valid until the next call of a member; empty if there are none now.
  std::string_view next();
  // Whether the connection must be closed once everything has been sent.
  bool is_over() const;

  // Answers a request. If it has a body, take() is called for it.
  void respond(std::int32_t stream, const std::vector<Pair>& head, bool has_body);
  // Sends "100 Continue".
  void ask_for_body(std::int32_t stream);
  // More bytes are available for take().
  void resume(std::int32_t stream);
  void reset(std::int32_t stream, Http2Error error);

  // Announces that the connection will end and that no new streams should begin.
  void announce_end();
  // Announces the end, and refuses new streams from here on.
  void refuse_streams();
  // Ends the connection after the frames that are already queued.
  void end(Http2Error error);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace mayfly::net
