// AnswerMeter: hears of every answer that has left, with its status and how long it took.
#pragma once

#include "base/clock.h"
#include "net/message.h"

namespace mayfly::net {

class AnswerMeter {
 public:
  virtual ~AnswerMeter() = default;
  // `took`: from the moment the request's head was whole; zero where the head could not be read.
  // Of an answer that goes on, its beginning counts; of a WebSocket, its handshake.
  // Threads: any, many at once; must be quick.
  virtual void answered(const Request& request, int status, Span took) = 0;
};

}  // namespace mayfly::net
