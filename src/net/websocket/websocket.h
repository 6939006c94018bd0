// A conversation over a WebSocket without its socket: the handshake, whose turn it is, pings, and
// how it ends. What is said is the handler's (message.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "net/message.h"
#include "net/requests/refusal.h"
#include "net/streams/outlet.h"
#include "net/websocket/bounded_conversation.h"
#include "net/websocket/frames.h"

namespace mayfly::net {

// Why the request cannot become a conversation; nothing where it can.
std::optional<Refusal> refuse_handshake(const Request& request);
// The head that answers a request which may.
void render_handshake(const Request& request, std::string& out);

// Threads: the loop's of its connection, but for answer().
class WebSocket {
 public:
  enum class Step { wait, message, ended };

  WebSocket(std::shared_ptr<Outlet> outlet, const ConversationTaker& take,
            std::size_t message_bytes_max, Span ping_every, Instant now);

  // Takes what has arrived until a message is whole. `ended`: nothing more is read, and the outlet
  // has been told how it ends.
  Step read(std::string_view& arrived);
  // While nothing is read, because a message is being answered: answers the pings among what has
  // arrived, which stays where it is. A client may take an answer that takes long for a dead server
  // otherwise.
  void look_ahead(std::string_view arrived);
  // Of the message that has come: whether its answer comes at once. Then either of the next two.
  bool is_quick() const { return is_quick_; }
  bool is_costly() const { return is_costly_; }
  void answer(Instant answer_by);
  void refuse(const Error& error);
  // The bytes of a message that is too large for the loop, until a worker parses it, before it
  // answers. False where it has been refused, because memory has run out.
  std::size_t large_bytes() const { return large_.size(); }
  bool parse();
  // Memory that the conversation says it keeps. Of the thread that has the message.
  std::size_t kept_bytes() const { return bounds_ == nullptr ? 0 : bounds_->held_bytes(); }

  bool has_ended() const { return has_ended_; }
  // Tells the client that it is over, and why.
  void end(CloseCode code, std::string_view reason);
  // Asks a client that has been silent whether it is there; false where it has not said so. While
  // more than limits::unsent_answers_max is unsent, its pong would not be read: then it is not
  // asked, and the connection watches whether it takes anything.
  bool keep_alive(Instant now);
  // Memory of a message that has not come whole or is being answered, or what the conversation
  // keeps; as of the last read().
  std::size_t held_bytes() const { return frames_.held_bytes() + kept_bytes_; }

 private:
  Step read_frames(std::string_view& arrived);
  void answer_ping(std::string_view payload);
  bool is_own_ping(std::string_view message);
  void send_own_pong(std::string_view answer);
  bool was_answered_ahead() { return pings_answered_ > 0 && pings_answered_-- > 0; }
  void take_message(std::string message);
  void receive(std::string message);

  const std::shared_ptr<Outlet> outlet_;
  FrameReader frames_;
  const std::size_t message_bytes_max_;
  const Span ping_every_;
  Instant ping_at_;
  bool owes_pong_ = false;  // the client
  bool is_quick_ = false;
  bool is_costly_ = false;
  bool has_ended_ = false;
  std::size_t looked_bytes_ = 0;    // of what has arrived and has not been read
  std::size_t pings_answered_ = 0;  // of those in it
  std::string large_;               // a message that a worker is to parse
  std::size_t kept_bytes_ = 0;
  std::unique_ptr<Conversation> conversation_;
  const BoundedConversation* const bounds_;  // the same, where it has some
};

}  // namespace mayfly::net
