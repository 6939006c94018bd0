// Target: a kind of receiver. It checks the settings of subscriptions, and sends messages.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "delivery/message.h"
#include "delivery/subscription.h"

namespace mayfly::delivery {

// The result of an attempt.
struct AttemptOutcome {
  enum class Kind : std::uint8_t {
    taken,
    refused,  // this message only; others may be taken
    away,     // the target cannot be reached, or is overloaded
    // The cause has nothing to do with the message: a connection broke, a queue was full. The
    // message may have arrived. It never counts as an attempt.
    interrupted,
  };
  Kind kind = Kind::taken;
  std::string error = {};  // a sentence, without secrets
  std::int64_t code = 0;   // status of the answer, for example of HTTP; 0: no answer
};

// One attempt to send messages to a target.
struct DeliveryAttempt {
  std::string subscription;  // its id
  std::int64_t round = 0;    // incremented when its events are sent again from an instant on
  const Object& settings;    // valid until send() returns
  const Message& message;    // likewise
  std::span<const Message* const> others = {};  // further messages of the same attempt, in this
                                                // order after it
  std::int64_t number = 1;                      // one more than the attempts that have counted
  Instant now;
};

// Threads: any.
class Target {
 public:
  virtual ~Target() = default;
  virtual std::string_view kind() const = 0;
  // Turns a client's settings into those that are stored: it generates missing secrets. Fails with
  // invalid, naming the member.
  virtual Result<Object> settings_of(const Object& asked) const = 0;
  // The settings as clients see them, without secrets.
  virtual Object shown(const Object& settings) const = 0;
  // Why nothing can be sent to it now, for example because its connection is broken: a sentence,
  // without secrets. nullopt if it is open.
  virtual std::optional<std::string> closed() const { return std::nullopt; }
  // How often it has opened. Each opening ends the back-off of its subscriptions.
  virtual std::uint64_t openings() const { return 0; }
  // Called once, before the functions below. `changed` is called, by any thread, when the result of
  // closed() or openings() changes.
  virtual void watch(std::function<void()>) {}
  // How long a message waits after this many attempts that counted; `random` in [0, 1).
  virtual Span wait_after(std::int64_t attempts, double random) const;
  // How many attempts (calls of send()) of one subscription may be in flight; each has up to
  // batch_max() messages.
  virtual std::size_t at_once() const = 0;
  // How many calls of send() for one database may be in flight, if all databases share a bound.
  virtual std::size_t at_once_of_database() const { return SIZE_MAX; }
  // How many messages of a subscription with these settings may go in one attempt; all share its
  // outcome.
  virtual std::size_t batch_max(const Object&) const { return 1; }
  // Returns without waiting. `done` is called once, by any thread, maybe before send() returns.
  using Done = std::function<void(AttemptOutcome)>;
  virtual void send(const DeliveryAttempt& attempt, Done done) = 0;
};

// How long a message waits after this many attempts; `random` in [0, 1) spreads messages that
// failed together.
Span wait_after(std::int64_t attempts, double random);

}  // namespace mayfly::delivery
