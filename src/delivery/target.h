// Target: a kind of receiver. What its settings may say, and how a message is sent to it.
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

// What has become of an attempt.
struct Outcome {
  enum class Kind : std::uint8_t {
    taken,
    refused,  // this message: others may be taken
    away,     // the target is not reached, or has too much to do
    // By what has nothing to do with the message: a connection broke, a queue was full. It may have
    // arrived. No attempt, however often.
    interrupted,
  };
  Kind kind = Kind::taken;
  std::string error = {};  // a sentence, without secrets
  std::int64_t code = 0;   // what it answered with, as HTTP's status; 0: nothing
};

struct Sending {
  std::string subscription;  // its id
  std::int64_t round = 0;    // raised where its events are sent again from an instant on
  const Object& settings;    // until send() returns
  const Message& message;    // the same
  std::span<const Message* const> others = {};  // that go with it, in this order behind it
  std::int64_t attempt = 1;
  Instant now;
};

// Threads: any.
class Target {
 public:
  virtual ~Target() = default;
  virtual std::string_view kind() const = 0;
  // What a client may say of it becomes what is kept: secrets are made where they are missing.
  // Fails with invalid, naming the member.
  virtual Result<Object> settings_of(const Object& asked) const = 0;
  // What clients are shown of them: no secrets.
  virtual Object shown(const Object& settings) const = 0;
  // Why it can be sent nothing now, as where it is a connection that is broken: a sentence, without
  // secrets. Nothing where it can be.
  virtual std::optional<std::string> closed() const { return std::nullopt; }
  // How often it has become open: with each time the rest of its subscriptions ends.
  virtual std::uint64_t openings() const { return 0; }
  // Once, before all else that follows: `changed` is called, by any thread, where one of the two
  // above has become another.
  virtual void watch(std::function<void()>) {}
  // How long a message waits after so many attempts that counted; `random` in [0, 1).
  virtual Span wait_after(std::int64_t attempts, double random) const;
  // How many messages of one subscription may be under way.
  virtual std::size_t at_once() const = 0;
  // How many calls of send() for one database may be under way, where all databases share a bound.
  virtual std::size_t at_once_of_database() const { return SIZE_MAX; }
  // How many messages of such a subscription may go together; what becomes of one becomes of all.
  virtual std::size_t batch_max(const Object&) const { return 1; }
  // Returns at once. `done` is called once, by any thread, maybe before it returns.
  using Done = std::function<void(Outcome)>;
  virtual void send(const Sending& sending, Done done) = 0;
};

// How long a message waits after so many attempts; `random` in [0, 1) spreads those that have
// failed together.
Span wait_after(std::int64_t attempts, double random);

}  // namespace mayfly::delivery
