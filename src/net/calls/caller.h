// Caller: makes outgoing HTTP/1.1 calls, a thousand at once, on one event loop. A slow host can use
// only a share of these calls. A domain with slow name servers can use only a share of the threads
// that resolve names. One such host or domain leaves room for others; many together may not.
// Redirects are returned like any other answer.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/calls/limits.h"
#include "net/message.h"

namespace mayfly::net {

// Which certificates are trusted over https.
struct Trust {
  std::string ca_file = {};  // PEM file of further certificates; empty: only those of the system
  bool checks = true;        // false: trusts any certificate
  friend bool operator==(const Trust&, const Trust&) = default;
};

// Fails with invalid if the file holds no certificates in PEM.
Result<void> check_trust(const Trust& trust);

// Which addresses a call may reach. The addresses of a name are checked after it has been resolved,
// and the connection goes to one of those. So a later change of the name's addresses has no effect.
enum class AddressPolicy : char {
  anywhere,
  public_only,  // not this machine, nor a private network: for URLs from clients
};

// What happens if the answer's body has more than answer_bytes_max. `fails`: the call fails with
// too_large. `is_cut`: the rest of the body is dropped, or all of it.
enum class LongAnswerPolicy : char { fails, is_cut };

struct OutgoingCall {
  std::string method = "GET";
  std::string url;  // http://host:port/path, or https://
  std::vector<Pair> headers = {};
  std::string body = {};
  // For the whole call, from its first step on. The wait in the queue of calls is not included.
  Span time_max = limits::call_time_max;
  // By monotonic_now(): then the call ends wherever it is, also in the queue.
  Instant until = Instant::never();
  std::size_t answer_bytes_max = limits::call_answer_bytes_max;  // of the answer's body
  LongAnswerPolicy long_answer = LongAnswerPolicy::fails;
  Trust trust = {};
  AddressPolicy address_policy = AddressPolicy::anywhere;
};

// Threads: any.
class Caller {
 public:
  struct Bounds {
    std::size_t calls_max = limits::calls_at_once_max;
    std::size_t calls_to_one_host_max = limits::calls_to_one_host_max;
    std::size_t waiting_max = limits::calls_waiting_max;
    std::size_t names_max = limits::names_resolved_at_once_max;
  };
  using Done = std::function<void(Result<Response>)>;

  Caller() : Caller(Bounds{}) {}
  explicit Caller(Bounds bounds);
  // Ends the calls in progress. Their `done` is not called; none runs after the destructor returns.
  // It waits for names that are being resolved, because that cannot be interrupted.
  ~Caller();

  // Returns immediately. `done` is called once by the thread of the loop, which the first call
  // starts. So it must be short and must not block. An answer of any status is not an error. Fails
  // with:
  // invalid: a malformed URL or an unknown host (both name the field url), https to a port without
  // TLS, or a file of certificates that cannot be read;
  // forbidden: an untrusted certificate, or a host that must not be reached;
  // timed_out;
  // throttled: too many calls wait, or too many names of one domain;
  // too_large: the answer's body is too long (LongAnswerPolicy);
  // internal: no answer.
  // Calls to one host and port start in their order.
  void call(OutgoingCall call, Done done);

 private:
  class Loop;
  const std::unique_ptr<Loop> loop_;
};

}  // namespace mayfly::net
