// Broker: publishes messages to NATS. It connects again whenever its connection breaks, and reports
// the outcome of each message: it was acknowledged, refused, or may not have arrived.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "delivery/nats/link.h"

namespace mayfly::delivery {

// Threads: any.
class Broker {
 public:
  using Done = std::function<void(AttemptOutcome)>;
  struct Publication {
    std::string subject;
    std::string id;
    std::string payload;
    Done done;  // called once, by any thread; never if the broker is destroyed before
  };

  // `changed` is called, by any thread, when the result of closed() changes.
  Broker(NatsOptions options, std::function<void()> changed);
  ~Broker();
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  // Why nothing can be published now; nullopt if messages can be published.
  std::optional<std::string> closed() const;
  // How often it has connected.
  std::uint64_t openings() const;
  // Returns immediately. The caller bounds how many messages are in flight. If the broker is
  // closed, the message ends as interrupted, before this returns.
  void publish(Publication publication);

 private:
  // A publication in flight.
  struct UnderWay {
    Done done;
    Instant until;  // by monotonic_now(): when it ends as not acknowledged
  };
  struct Shared;

  void run();
  void connect();
  void rest();
  void drop(const std::string& why);
  void serve_once();
  void send(std::uint64_t number, const Publication& publication);

  const NatsOptions options_;
  const std::shared_ptr<Shared> shared_;  // shared with the library's threads
  std::unique_ptr<Link> link_;            // used only by the thread, as are the next two
  Instant opened_at_;                     // when the link was opened, by monotonic_now()
  Span pause_;
  std::thread thread_;
};

}  // namespace mayfly::delivery
