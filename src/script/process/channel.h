// Channel: one end of the socket between the server and a process that runs scripts.
#pragma once

#include <optional>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"
#include "script/process/message.h"

namespace mayfly::script {

// Whether a script goes on. Fails with timed_out from `stop_at` on (on the scale of
// monotonic_now()), and once no client waits for the answer of this thread's request.
Result<void> check_goes_on(Instant stop_at);
// How long to wait at most before asking that again.
inline constexpr Span look_every = Span::millis(20);

// Threads: one at a time.
class Channel {
 public:
  // Takes the socket.
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;

  // Has send() and receive() look up every look_every; without this they wait for the other end for
  // as long as it takes.
  void wait_in_steps();

  // Whether the other end was found to be gone.
  bool is_closed() const { return is_closed_; }
  // Looks whether it is there, and has said nothing that it was not asked.
  bool is_open() const;

  // Appends a message to those that leave next. Fails with too_large.
  Result<void> add(MessageKind kind, BytesView content);
  // Fails as check_goes_on() does, whatever the other end takes or sends meanwhile; with internal
  // where there is no other end any more, or what it sends is no message.
  Result<void> send(Instant stop_at);
  Result<Message> receive(Instant stop_at);

 private:
  // The first one of what has come; nothing where it is not whole yet.
  Result<std::optional<Message>> take_message();
  tl::unexpected<Error> no_other_end();

  int socket_;
  bool is_closed_ = false;
  Bytes out_;
  Bytes in_;
};

}  // namespace mayfly::script
