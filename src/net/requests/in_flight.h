// RequestInFlight: one request of any protocol from its head to its answer. The port accepts it by
// its head, the guard checks it, the handler answers it; then it is measured and logged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/access/guard.h"
#include "net/handler.h"
#include "net/http1/response_head.h"
#include "net/message.h"
#include "net/requests/refusal.h"
#include "net/requests/response_stamps.h"
#include "net/server.h"

namespace mayfly::net {

// Rules for all requests of a server.
struct Rules {
  Guard guard;
  ResponseStamps stamps;
  bool logs_access = false;  // at the level info, rather than debug
};

struct Peer {
  std::string address = {};  // with its port, for logs
  std::string network = {};  // counts as one client
};

// What all requests of one connection share.
struct RequestOrigin {
  const ListenerOptions& listener;  // outlives the connection
  const Rules& rules;               // the same
  Peer peer = {};
  bool is_secure = false;  // the connection is encrypted
};

// Threads: one at a time. `answer` may run on another thread, and nothing else runs meanwhile.
class RequestInFlight {
 public:
  explicit RequestInFlight(const RequestOrigin& origin);

  // The origin for the next requests of the connection.
  RequestOrigin origin() const;
  const std::string& network() const { return request_.network; }
  const std::string& peer() const { return request_.peer; }
  const std::string& port_name() const { return listener_.name; }
  std::size_t body_bytes() const { return request_.body.size(); }
  // The bound on a body, and on a message of a conversation.
  std::size_t body_bytes_max() const { return handler_.body_bytes_max(); }

  // After the head, if the body has not arrived: the refusal, if the request is refused. Then its
  // body is not read.
  std::optional<Response> refuse_head() const;
  // Sets when its answer is due. Call it before the request is answered.
  void answer_by(Instant t) { request_.answer_by = t; }
  Instant answer_by() const { return request_.answer_by; }
  // The same members of AcceptedRequest. If enter() throws, the request is not counted. If pace()
  // throws, the request counts as quick, and answer() reports the failure.
  void enter();
  void leave();
  Pace pace() const;
  bool is_urgent() const;
  // The error for a costly request or message beyond the bound.
  Error too_many_costly() const;
  // The handler's answer; an exception in it becomes an answer, too.
  Response answer() const;
  // The server's refusal in the handler's words.
  Response refuse(const Refusal& refusal) const;
  // The answer has been sent: measures it, and logs it if enabled. `bytes`: of the answer, with its
  // head.
  void record_answer(std::uint64_t bytes);

 protected:
  ~RequestInFlight() = default;

  // The request's head is complete.
  void begin_request();
  // Why the guard refuses it; empty if it does not. `is_whole`: no more of the body follows.
  std::optional<Refusal> check_head(bool is_whole) const;
  // The headers that the server adds to a response that is about to be prepared.
  ResponseStamp stamp(Response& response);
  void record_status(int status);
  // The answer has been sent: destroys the accepted request, so the request's memory may be reused.
  void end_request();

  Request request_;

 private:
  Response refuse_body() const;
  Response answer_accepted() const;
  Response answer_preflight(Response by_server) const;

  const ListenerOptions& listener_;
  Handler& handler_;
  const Rules& rules_;
  AcceptedStorage accepted_;  // from when the head is complete
  std::string_view id_;       // owned by the request; empty until its head is complete
  int status_ = 0;            // of an answer that has not been measured and logged yet
  Instant begun_at_;          // when the head was complete, on the monotonic scale
};

}  // namespace mayfly::net
