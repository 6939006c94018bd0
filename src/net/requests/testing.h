// Requests without a connection, for tests and fuzz targets.
#pragma once

#include "net/handler.h"
#include "net/message.h"

namespace mayfly::net {

// A request that has begun and has not been answered yet. `request` outlives it.
class PendingRequest {
 public:
  PendingRequest(Handler& handler, const Request& request)
      : accepted_(handler.begin(request, storage_)) {}
  AcceptedRequest* operator->() { return &accepted_; }
  AcceptedRequest& operator*() { return accepted_; }

 private:
  AcceptedStorage storage_;
  AcceptedRequest& accepted_;
};

inline Response answer_of(Handler& handler, const Request& request) {
  return PendingRequest(handler, request)->answer();
}

}  // namespace mayfly::net
