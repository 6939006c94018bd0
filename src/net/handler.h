// Handler: what answers the requests of a port. Accepted: one request that it has taken in. The
// route is found once, by the head; everything that is asked about the request later is asked of
// what was found then.
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

// Which thread may answer. Quick: the one that reads the socket, because the answer comes fast.
// Worker: one of the pool. Costly: a thread that answers such requests one after the other, so that
// they take no other's place; for what is costly by design, because it hashes a password.
enum class Pace : std::uint8_t { quick, worker, costly };

// Hears of every answer that has left, with its status and how long it took.
class AnswerMeter {
 public:
  virtual ~AnswerMeter() = default;
  // `took`: from the moment the request's head was whole; zero where the head could not be read.
  // Of an answer that goes on, its beginning counts; of a WebSocket, its handshake.
  // Threads: any, many at once; must be quick.
  virtual void answered(int status, Span took) = 0;
};

// One request, from the moment its head is whole until its answer has left; for the requests of a
// conversation, until that has ended. It lies in an AcceptedStorage beside the request, which
// outlives it and stays where it is.
//
// Threads: one at a time, but not always the same. All members but answer() and refuse() are called
// by the thread that reads the socket only, and all but answer() must be quick and never wait.
class Accepted {
 public:
  explicit Accepted(const Request& request) : request(request) {}
  virtual ~Accepted() = default;
  Accepted(const Accepted&) = delete;
  Accepted& operator=(const Accepted&) = delete;

  const Request& request;

  // --- what the head says ---

  // The type that the request's body must have; JSON also as any type that ends in +json. Empty:
  // any.
  std::string_view body_type = {};
  // The handler's own bound on the body, where its port takes longer ones for other handlers.
  std::size_t body_bytes_max = std::numeric_limits<std::size_t>::max();
  // Answered even while others are refused for overload: what tells how the server is. Must be
  // answered quickly, and cheaply. The answer has neither `stream` nor `conversation`.
  bool is_urgent = false;
  // A static page, to which pages of other sites may link.
  bool is_page = false;
  AnswerMeter* meter = nullptr;  // outlives the server; null: the answer is not measured

  // Refuses a request by its head, for what needs no body: whether the caller may use the route at
  // all, whether the route takes a body. Asked once, and only where the body is still to come; a
  // request that comes whole goes to answer(), which checks the same again. The connection ends
  // after the refusal, because the body is not read.
  virtual std::optional<Response> refuse_head() { return std::nullopt; }

  // --- once the request is whole ---

  // For handlers that count what is under way: called once of a request that is neither refused nor
  // urgent, before it waits for anything; and when its answer leaves. What has entered and is
  // destroyed first, because the client is gone, leaves by that.
  virtual void enter() {}
  virtual void leave() {}
  // May depend on the body, but reads none of more than limits::quick_body_bytes_max: such a
  // request goes to a worker where this says quick, because to parse it takes long.
  virtual Pace pace() const = 0;
  // Every failure is a Response in the dialect's own words. Called again, by a worker, where the
  // first call would have had to wait (base/threads/no_wait.h).
  virtual Response answer() = 0;

  // --- at any time ---

  // The server's refusals of this request (overload, a body of a wrong type), in the dialect's
  // words.
  virtual Response refuse(const Error& error) const = 0;
  // The refusal of a costly request, or of a costly message of the conversation that the request
  // began, beyond limits::costly_requests_max. refuse() says it.
  virtual Error too_many_costly() const {
    return {Code::throttled, "too many such requests are under way; try again"};
  }
};

// Where one accepted request lies: a place of its own, so that no request costs an allocation.
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
  // Null pointer where there is none.
  Accepted* get() const { return accepted_; }

 private:
  static constexpr std::size_t bytes_max = 512;  // which emplace() checks

  alignas(std::max_align_t) std::byte bytes_[bytes_max];
  Accepted* accepted_ = nullptr;
};

// Threads: all members are called from many threads at once.
class Handler {
 public:
  virtual ~Handler() = default;
  // Takes a request in, by its head: `request` has all but its body. Never fails: a request that
  // fits nothing is accepted, and its answer says so. Must be quick.
  virtual Accepted& begin(const Request& request, AcceptedStorage& storage) = 0;
  // The server's own refusals where no head could be read, or its target or the length that it
  // announces is refused: in the dialect's words.
  virtual Response refuse(const Error& error) const = 0;
  // The bound on a request's body, in bytes.
  virtual std::size_t body_bytes_max() const = 0;
  // Whether a client without credentials may do something here now. Such a port
  // answers only to names of this machine (net/access/guard.h). Asked when another name comes.
  virtual bool is_open() const { return false; }
  // Asked before each answer that is not urgent. Fails with why none can be given now; the request
  // is refused with that.
  virtual Result<void> may_answer() const { return {}; }
  // Of the answers to requests that could not be read; as Accepted::meter.
  virtual AnswerMeter* meter() { return nullptr; }
};

}  // namespace mayfly::net
