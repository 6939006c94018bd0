// BoundedConversation: a conversation that bounds the size of its messages and reports its memory.
//
// For every conversation: a message of more than limits::quick_body_bytes_max is received by a
// worker, because parsing takes long. answer() follows on the same thread, whatever receive()
// returns, unless the message is costly. Under overload, refuse() is called for such a message
// without receive().
#pragma once

#include <cstddef>

#include "net/message.h"

namespace mayfly::net {

// Called between messages, by the thread that reads the socket.
class BoundedConversation : public Conversation {
 public:
  // The bound on the next message, in bytes. It is read before each message, so a client may get a
  // higher one once it has logged in. Handler::body_bytes_max() also applies. A longer message ends
  // the conversation.
  virtual std::size_t message_bytes_max() const = 0;
  // Memory of the message in progress, or that is kept after an answer, for the server's
  // accounting. Also called right after receive(), by the same thread.
  virtual std::size_t held_bytes() const { return 0; }
  // Whether the last received message is costly, as Pace::costly. Called right after receive(), by
  // the same thread. If so, answer() is called on the thread for costly requests.
  virtual bool is_costly() const { return false; }
};

}  // namespace mayfly::net
