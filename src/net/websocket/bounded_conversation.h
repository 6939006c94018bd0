// BoundedConversation: a conversation that bounds its messages and tells what memory it keeps.
//
// For every conversation holds: a message of more than limits::quick_body_bytes_max is received by
// a worker, because to parse it takes long. answer() follows on the same thread, whatever receive()
// returns, unless the message is costly. Under overload refuse() comes for such a message without
// receive() before it.
#pragma once

#include <cstddef>

#include "net/message.h"

namespace mayfly::net {

// Asked between messages, by the thread that reads the socket.
class BoundedConversation : public Conversation {
 public:
  // The bound on the next message, in bytes; asked before each, so a client may be given more once
  // it has logged in. The smaller of this and Handler::body_bytes_max() counts. A longer message
  // ends the conversation.
  virtual std::size_t message_bytes_max() const = 0;
  // Memory that the message under way takes, or what is kept beyond an answer, so that the server
  // can count it. Also asked right after receive(), by the thread that called it.
  virtual std::size_t held_bytes() const { return 0; }
  // Whether the message that was received last is costly, as Pace::costly has it. Asked
  // right after receive(), by the same thread. Then answer() comes on the thread of the costly.
  virtual bool is_costly() const { return false; }
};

}  // namespace mayfly::net
