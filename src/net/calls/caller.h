// Caller: makes outgoing HTTP/1.1 calls, a thousand at once, on one event loop. A host that is slow
// or silent takes its share of these, and a domain whose name servers are takes its share of the
// threads that resolve names: one of either leaves room for others, many together may not.
// Redirects are answers like any other.
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

// Whose certificates are believed over https.
struct Trust {
  std::string ca_file = {};  // in PEM, beside those of the system; empty: only those
  bool checks = true;        // false: any certificate is
  friend bool operator==(const Trust&, const Trust&) = default;
};

// Where a call may lead. The addresses of a name are judged when they have been resolved, and the
// connection goes to one of those: whatever the name means later, it leads nowhere else.
enum class Reach : char {
  anywhere,
  public_only,  // not to this machine, nor to a private network: for URLs that clients choose
};

enum class LongAnswer : char { fails, is_cut };

struct Call {
  std::string method = "GET";
  std::string url;  // http://host:port/path, or https://
  std::vector<Pair> headers = {};
  std::string body = {};
  Span time_max = limits::call_time_max;                         // from its start, all in all
  std::size_t answer_bytes_max = limits::call_answer_bytes_max;  // of the answer's body
  LongAnswer long_answer = LongAnswer::fails;
  Trust trust = {};
  Reach reach = Reach::anywhere;
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
  // Ends the calls under way. Their `done` is not called; once the destructor returns none runs. It
  // waits for names that are being resolved, which nothing can interrupt.
  ~Caller();

  // Returns immediately. `done` is called once, by the thread of the loop, which the first call
  // starts; so it must be short and wait for nothing. An answer of any status is not an error. It
  // fails with invalid for a URL that is none, a host that there is not (both name the field url),
  // https to a port that does not speak TLS, or a file of certificates that cannot be read,
  // forbidden where the certificate is not believed or the host is out of reach, timed_out,
  // throttled where too many calls wait or too many names of one domain do, and internal where
  // nothing answers or the answer is too long. Calls to one host start in their order.
  void call(Call call, Done done);

 private:
  class Loop;
  const std::unique_ptr<Loop> loop_;
};

}  // namespace mayfly::net
