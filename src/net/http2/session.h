// The frames of HTTP/2 (RFC 9113) and its compressed headers, without a socket: by nghttp2, which
// stays behind this header.
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
  refused_stream = 7,  // nothing has been done of it, so it may be asked again
  cancel = 8,
  enhance_your_calm = 11,
};

// What comes of the frames that arrive, and of those that leave. None may call receive() or next()
// of the session. Of streams that are not known, nothing is to be done.
class Http2Events {
 public:
  virtual ~Http2Events() = default;

  // A head begins. Until has_head() all headers are its own.
  virtual void begins(std::int32_t stream) = 0;
  virtual void has_header(std::string_view name, std::string_view value) = 0;
  virtual void has_head(std::int32_t stream) = 0;
  // The same of a head that is not well-formed, or of one stream too many, which has not begun: the
  // stream is reset.
  virtual void has_broken_head(std::int32_t stream) = 0;
  virtual void has_data(std::int32_t stream, std::string_view bytes) = 0;
  // Nothing more comes of the request.
  virtual void is_whole(std::int32_t stream) = 0;
  // A frame that asks for nothing.
  virtual void is_idle_frame() = 0;

  struct Taken {
    std::size_t bytes = 0;
    enum class Next { more, later, none } next = Next::more;  // later: after resume()
  };
  // Moves some of the answer's body into `room`.
  virtual Taken take(std::int32_t stream, std::span<char> room) = 0;
  // All of the answer has left.
  virtual void is_answered(std::int32_t stream) = 0;
  // The stream is over; also where one side has reset it.
  virtual void is_closed(std::int32_t stream, Http2Error error) = 0;
};

// Where memory runs out a member throws, and then the session is of no more use. Threads: one at a
// time.
class Http2Session {
 public:
  explicit Http2Session(Http2Events& events);
  ~Http2Session();

  // Takes all that has arrived. False where nothing more can be said to the client either.
  bool receive(std::string_view bytes);
  // What is to be sent next, until the next call of a member; empty where there is nothing now.
  std::string_view next();
  // Whether the connection is to be closed once all has been sent.
  bool is_over() const;

  // Answers. With a body take() is asked for it.
  void respond(std::int32_t stream, const std::vector<Pair>& head, bool has_body);
  // Says that the body may come.
  void ask_for_body(std::int32_t stream);
  // There is something to take() again.
  void resume(std::int32_t stream);
  void reset(std::int32_t stream, Http2Error error);

  // Says that the connection is about to end: no new streams, please.
  void announce_end();
  // The same, and none is taken in from here on.
  void refuse_streams();
  // Ends the connection with what has been said so far.
  void end(Http2Error error);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace mayfly::net
