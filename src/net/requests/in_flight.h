// RequestInFlight: one request from its head to its answer, whatever protocol carries it. The port
// takes it in by its head, the guard judges it, the handler answers it; then it is measured and
// logged.
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
#include "net/requests/marks.h"
#include "net/requests/refusal.h"
#include "net/server.h"

namespace mayfly::net {

// What all requests of a server are held to.
struct Rules {
  Guard guard;
  Marks marks;
  bool logs_access = false;  // at the level info, rather than debug
};

struct Peer {
  std::string address = {};  // with its port, for logs
  std::string network = {};  // whose clients count as one
};

// What all requests of one connection have in common.
struct Origin {
  const Listen& listen;  // outlives the connection
  const Rules& rules;    // the same
  Peer peer = {};
  bool is_secure = false;  // all that comes and goes is ciphered
};

// Threads: one at a time; `answer` may run on another than the rest, which then waits for it.
class RequestInFlight {
 public:
  explicit RequestInFlight(const Origin& origin);

  // What the next requests of the connection begin with.
  Origin origin() const;
  const std::string& network() const { return request_.network; }
  const std::string& peer() const { return request_.peer; }
  const std::string& port_name() const { return listen_.name; }
  std::size_t body_bytes() const { return request_.body.size(); }
  // The bound on a body, and on a message of a conversation.
  std::size_t body_bytes_max() const { return handler_.body_bytes_max(); }

  // After the head: what is said to a request whose body is still to come, where it is refused.
  // Then nothing more of it is read.
  std::optional<Response> refuse_head() const;
  // Sets when its answer is due; to be called before it is answered.
  void answer_by(Instant t) { request_.answer_by = t; }
  Instant answer_by() const { return request_.answer_by; }
  // As Accepted has it, which may fail; then answer() says so.
  void enter();
  void leave();
  Pace pace() const;
  bool is_urgent() const;
  // What is said to a costly request or message that has no place.
  Error too_many_costly() const;
  // What the handler answers, whatever happens in it.
  Response answer() const;
  // What the handler says in the server's stead.
  Response refuse(const Refusal& refusal) const;
  // The answer has left: it is measured, and a line of the log where one is wanted. `bytes`: of
  // the answer, its head too.
  void note_answer(std::uint64_t bytes);

 protected:
  ~RequestInFlight() = default;

  // The request's head stands.
  void begin_request();
  // Why the guard does not let it in, if it does not. `is_whole`: no more of the body comes.
  std::optional<Refusal> check_head(bool is_whole) const;
  // What the server adds to a response, which is about to be made ready.
  Mark sign(Response& response);
  void note_status(int status);
  // The answer has left: what was accepted ends, and the request's memory may be used again.
  void end_request();

  Request request_;

 private:
  Response refuse_body() const;
  Response answer_accepted() const;
  Response answer_preflight(Response by_server) const;

  const Listen& listen_;
  Handler& handler_;
  const Rules& rules_;
  AcceptedStorage accepted_;  // from the moment the head is whole
  std::string_view id_;       // of the request, which has it; empty until its head is whole
  int status_ = 0;            // of an answer that is not measured and logged yet
  Instant begun_at_;          // when the request's head was whole, on the monotonic scale
};

}  // namespace mayfly::net
