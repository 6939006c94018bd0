// Link: one connection to a NATS broker, from its login until it breaks. Then its owner opens
// another one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "delivery/nats/options.h"
#include "delivery/target.h"

namespace mayfly::delivery {

// The functions that the library's threads call, until the last of these threads has released them.
struct LinkCallbacks {
  std::function<void(std::uint64_t number, AttemptOutcome)>
      answered;  // for a message that was published
  std::function<void()>
      no_stream_found;           // no stream takes a message that was published; may be empty
  std::function<void()> broken;  // the connection broke; may be empty, may be called more than once
};

// Threads: one, which may wait for the network.
class Link {
 public:
  // Connects, logs in, and creates the stream if it is missing and the options name one. Fails with
  // forbidden if the login is refused, and with throttled for any other reason: no server answers,
  // an option cannot be used, or the stream cannot be created.
  static Result<std::unique_ptr<Link>> open(const NatsOptions& options,
                                            std::shared_ptr<const LinkCallbacks> callbacks);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Sends the message to the broker, whose answer has the number. Without JetStream there is no
  // answer. `id` lets the broker recognise a message that it already has. Fails with too_large, and
  // with throttled if the connection is broken.
  Result<void> publish(const std::string& subject, const std::string& id,
                       const std::string& payload, std::uint64_t number);
  bool is_broken() const;

 private:
  struct Parts;
  explicit Link(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

// The outcome of a message, from JetStream's acknowledgement or its error.
AttemptOutcome outcome_of_answer(std::string_view json);

}  // namespace mayfly::delivery
