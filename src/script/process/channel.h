// Channel: one end of the socket between the server and a process that runs scripts.
#pragma once

#include <optional>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"
#include "script/process/message.h"

namespace mayfly::script {

// Whether a script may continue. Fails with timed_out from `stop_at` on (in the scale of
// monotonic_now()), and once no client waits for the answer of this thread's request.
Result<void> check_goes_on(Instant stop_at);
// How long to wait at most before checking that again.
inline constexpr Span look_every = Span::millis(20);

// Threads: one at a time.
class Channel {
 public:
  // Takes ownership of the socket.
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;

  // Makes send() and receive() check every look_every whether to continue. Without this they wait
  // for the other end without a limit.
  void use_short_timeouts();

  // Whether the other end was found to be closed.
  bool is_closed() const { return is_closed_; }
  // Checks that the other end is open and has sent no unexpected message.
  bool is_open() const;

  // Appends a message to those that send() sends. Fails with too_large.
  Result<void> add(MessageKind kind, BytesView content);
  // Fails as check_goes_on() does, even while the other end makes progress; with internal if the
  // other end is closed or sends an invalid message.
  Result<void> send(Instant stop_at);
  Result<Message> receive(Instant stop_at);

 private:
  // The first message that has arrived; empty if it is not complete.
  Result<std::optional<Message>> take_message();
  tl::unexpected<Error> other_end_closed();

  int socket_;
  bool is_closed_ = false;
  Bytes out_;
  Bytes in_;
};

}  // namespace mayfly::script
