// Requests without a connection, for tests and fuzz targets.
#pragma once

#include "net/handler.h"
#include "net/message.h"

namespace mayfly::net {

// A request that has begun and has not been answered yet. `request` outlives it.
class Begun {
 public:
  Begun(Handler& handler, const Request& request) : accepted_(handler.begin(request, storage_)) {}
  Accepted* operator->() { return &accepted_; }
  Accepted& operator*() { return accepted_; }

 private:
  AcceptedStorage storage_;
  Accepted& accepted_;
};

inline Response answer_of(Handler& handler, const Request& request) {
  return Begun(handler, request)->answer();
}

}  // namespace mayfly::net
