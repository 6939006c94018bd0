// Handler: answers the requests of a port. AcceptedRequest: one request that a handler has
// accepted. The route is found once, from the head, and everything later uses what was found then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "net/message.h"

namespace mayfly::net {

// Which thread answers. Quick: the one that reads the socket, because the answer comes fast.
// Worker: one of the pool. Costly: a separate thread that answers such requests one after the
// other, so that they take no worker; for requests that are expensive by design, because they hash
// a password.
enum class Pace : std::uint8_t { quick, worker, costly };

// Is called for every answer that has been sent, with its status and duration.
class AnswerMeter {
 public:
  virtual ~AnswerMeter() = default;
  // `took`: since the request's head was complete; zero if the head could not be read. For a
  // streamed answer only its beginning counts; for a WebSocket, its handshake. Threads: any, many
  // at once; must be quick.
  virtual void answered(int status, Span took) = 0;
};

// One request, from the moment its head is complete until its answer has been sent; a request that
// begins a conversation, until that has ended. It lies in an AcceptedStorage beside the request,
// which outlives it and does not move.
//
// Threads: one at a time, but not always the same. All members except answer() and refuse() are
// called only by the thread that reads the socket. All except answer() must be quick and never
// block.
class AcceptedRequest {
 public:
  explicit AcceptedRequest(const Request& request) : request(request) {}
  virtual ~AcceptedRequest() = default;
  AcceptedRequest(const AcceptedRequest&) = delete;
  AcceptedRequest& operator=(const AcceptedRequest&) = delete;

  const Request& request;

  // --- set from the head ---

  // The type that the request's body must have; for JSON also any type that ends in +json. Empty:
  // any, except that a web page must not send text/plain or omit the type (access/guard.h).
  std::string_view body_type = {};
  // The handler's own bound on the body, if its port accepts longer ones for other handlers.
  std::size_t body_bytes_max = std::numeric_limits<std::size_t>::max();
  // Answered even while others are refused for overload: for requests about the health of the
  // server. Must be answered quickly and cheaply. The answer has neither `stream` nor
  // `conversation`.
  bool is_urgent = false;
  // A static page, to which pages of other sites may link.
  bool is_page = false;
  AnswerMeter* meter = nullptr;  // outlives the server; null: the answer is not measured

  // Refuses a request by its head, for reasons that need no body: the caller may not use the route,
  // or the route takes no body. Called once, and only if the body has not arrived yet. A request
  // that arrives whole goes to answer(), which checks the same again. The connection ends after the
  // refusal, because the body is not read.
  virtual std::optional<Response> refuse_head() { return std::nullopt; }

  // --- once the request is complete ---

  // For handlers that count the requests in progress. enter() is called once, before the request
  // waits for anything; not if the server has refused it already, nor if it is urgent. leave() is
  // called when the answer, or a refusal, begins to be sent. It is also called without enter(), and
  // for each piece of a streamed answer, so it must be idempotent. If the client disconnects, the
  // destructor replaces leave().
  virtual void enter() {}
  virtual void leave() {}
  // May depend on the body, but must not read one of more than limits::quick_body_bytes_max. If
  // this returns quick for such a request, a worker still answers it, because parsing takes long.
  virtual Pace pace() const = 0;
  // Every failure is a Response in the dialect's own words. If the first call would have had to
  // wait (base/threads/no_wait.h), a worker calls it again.
  virtual Response answer() = 0;

  // --- at any time ---

  // The server's refusals of this request (overload, a body of a wrong type), in the dialect's
  // words.
  virtual Response refuse(const Error& error) const = 0;
  // The error for a costly request beyond limits::costly_requests_max, or for a costly message of
  // the conversation that the request began. refuse() renders it.
  virtual Error too_many_costly() const {
    return {Code::throttled, "too many such requests are under way; try again"};
  }
};

// Memory for one accepted request, so that no request costs an allocation.
class AcceptedStorage {
 public:
  AcceptedStorage() = default;
  ~AcceptedStorage() { reset(); }
  AcceptedStorage(const AcceptedStorage&) = delete;
  AcceptedStorage& operator=(const AcceptedStorage&) = delete;

  template <class T, class... Arguments>
  T& emplace(Arguments&&... arguments) {
    static_assert(sizeof(T) <= bytes_max && alignof(T) <= alignof(std::max_align_t));
    reset();
    T* made =
        std::construct_at(reinterpret_cast<T*>(bytes_), std::forward<Arguments>(arguments)...);
    accepted_ = made;
    return *made;
  }
  void reset() {
    if (accepted_ != nullptr) std::destroy_at(std::exchange(accepted_, nullptr));
  }
  // Null if there is none.
  AcceptedRequest* get() const { return accepted_; }

 private:
  static constexpr std::size_t bytes_max = 512;  // which emplace() checks

  alignas(std::max_align_t) std::byte bytes_[bytes_max];
  AcceptedRequest* accepted_ = nullptr;
};

// Threads: all members are called from many threads at once.
class Handler {
 public:
  virtual ~Handler() = default;
  // Accepts a request by its head: `request` has everything except its body. Never fails: a request
  // that matches no route is accepted, and its answer says so. Must be quick.
  virtual AcceptedRequest& begin(const Request& request, AcceptedStorage& storage) = 0;
  // The server's refusals in the dialect's words, if no head could be read, or its target or
  // content length is refused.
  virtual Response refuse(const Error& error) const = 0;
  // The bound on a request's body, in bytes.
  virtual std::size_t body_bytes_max() const = 0;
  // Whether a client without credentials may do something here now. Such a port answers only to
  // names of this machine (net/access/guard.h). Called when a request has another name.
  virtual bool is_open() const { return false; }
  // Called before each answer that is not urgent. An error means that no request can be answered
  // now; the request is refused with it.
  virtual Result<void> may_answer() const { return {}; }
  // The meter for answers to requests that could not be read; as AcceptedRequest::meter.
  virtual AnswerMeter* meter() { return nullptr; }
};

}  // namespace mayfly::net
