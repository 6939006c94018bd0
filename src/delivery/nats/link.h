// Link: one connection to a NATS broker, from its login until it breaks. Who holds it makes another
// one then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "delivery/nats/options.h"
#include "delivery/target.h"

namespace mayfly::delivery {

// What the library's threads call, until the last of them has released it.
struct LinkEars {
  std::function<void(std::uint64_t number, Outcome)> answered;  // of a message that was published
  std::function<void()> streamless;  // may be empty: no stream takes a message that was published
  std::function<void()> broken;      // as the one before, maybe more than once
};

// Threads: one, which may wait for the network.
class Link {
 public:
  // Connects, logs in, and makes the stream where it is missing and the options ask for it. Fails
  // with throttled where nothing answers, forbidden where the login is refused, and invalid where
  // the options cannot be used.
  static Result<std::unique_ptr<Link>> open(const NatsOptions& options,
                                            std::shared_ptr<const LinkEars> ears);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Hands it to the broker, which answers with the number. Without JetStream there is no answer.
  // `id`: by which the broker knows a message that it has already. Fails with too_large, and
  // throttled where the connection is broken.
  Result<void> publish(const std::string& subject, const std::string& id,
                       const std::string& payload, std::uint64_t number);
  bool is_broken() const;

 private:
  struct Parts;
  explicit Link(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

// What an acknowledgement of JetStream, or the error in its place, makes of a message.
Outcome outcome_of_answer(std::string_view json);

}  // namespace mayfly::delivery
