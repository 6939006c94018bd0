// A conversation over a WebSocket without its socket: the handshake, the order of messages, pings,
// and how it ends. The handler provides the content (message.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "net/message.h"
#include "net/requests/refusal.h"
#include "net/streams/send_queue.h"
#include "net/websocket/bounded_conversation.h"
#include "net/websocket/frames.h"

namespace mayfly::net {

// Why the request cannot become a conversation; empty if it can.
std::optional<Refusal> refuse_handshake(const Request& request);
// The response to a valid handshake.
void render_handshake(const Request& request, std::string& out);

// Threads: that of its connection's loop, except for answer().
class WebSocket {
 public:
  enum class Step { wait, message, ended };

  WebSocket(std::shared_ptr<SendQueue> send_queue, const ConversationFactory& take,
            std::size_t message_bytes_max, Span ping_every, Instant now);

  // Reads what has arrived until a message is complete. `ended`: nothing more is read, and the
  // close frame is queued.
  Step read(std::string_view& arrived);
  // While a message is being answered, nothing is read. This answers pings among the arrived bytes
  // without consuming them. Otherwise a client might close the connection during a slow answer.
  void answer_pings_ahead(std::string_view arrived);
  // Whether the answer to the received message is quick. Then answer() or refuse() is called.
  bool is_quick() const { return is_quick_; }
  bool is_costly() const { return is_costly_; }
  void answer(Instant answer_by);
  void refuse(const Error& error);
  // The size of a message that a worker must parse before it answers. parse() returns false if the
  // message has been refused for lack of memory.
  std::size_t large_bytes() const { return large_.size(); }
  bool parse();
  // Memory that the conversation reports. Call it on the thread that processes the message.
  std::size_t kept_bytes() const { return bounds_ == nullptr ? 0 : bounds_->held_bytes(); }

  bool has_ended() const { return has_ended_; }
  // Closes the conversation with a code and a reason.
  void end(CloseCode code, std::string_view reason);
  // Pings the client if a ping is due; false if nothing has arrived from it since the last ping.
  // While more than limits::unsent_answers_max is unsent, the client would not read a ping: then
  // none is sent, and the connection checks whether the client reads at all.
  bool keep_alive(Instant now);
  // Memory of an incomplete message, of one being answered, or kept by the conversation; as of the
  // last read().
  std::size_t held_bytes() const { return frames_.held_bytes() + kept_bytes_; }

 private:
  Step read_frames(std::string_view& arrived);
  void answer_ping(std::string_view payload);
  bool is_own_ping(std::string_view message);
  void send_own_pong(std::string_view answer);
  bool was_answered_ahead() { return pings_answered_ > 0 && pings_answered_-- > 0; }
  void take_message(std::string message);
  void receive(std::string message);

  const std::shared_ptr<SendQueue> send_queue_;
  FrameReader frames_;
  const std::size_t message_bytes_max_;
  const Span ping_every_;
  Instant ping_at_;
  bool owes_pong_ = false;  // the client must answer a ping
  bool is_quick_ = false;
  bool is_costly_ = false;
  bool has_ended_ = false;
  std::size_t looked_bytes_ = 0;    // of the unread bytes: already searched for pings
  std::size_t pings_answered_ = 0;  // of the pings in these bytes
  std::string large_;               // a message that a worker must parse
  std::size_t kept_bytes_ = 0;
  std::unique_ptr<Conversation> conversation_;
  const BoundedConversation* const bounds_;  // the same object, if it has bounds
};

}  // namespace mayfly::net
