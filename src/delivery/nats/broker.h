// Broker: publishes messages to NATS. It keeps a connection as long as there is one to have, and
// says what has become of each message: it is acknowledged, refused, or may not have arrived.
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
  using Done = std::function<void(Outcome)>;
  struct Publication {
    std::string subject;
    std::string id;
    std::string payload;
    Done done;  // once, by any thread; not once the broker is over
  };

  // `changed` is called, by any thread, where closed() has become another.
  Broker(NatsOptions options, std::function<void()> changed);
  ~Broker();
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  // Why nothing can be published; nothing where something can.
  std::optional<std::string> closed() const;
  // How often it has connected.
  std::uint64_t openings() const;
  // Returns immediately. Who calls bounds how many are under way. Where it is closed, the message
  // ends as interrupted.
  void publish(Publication publication);

 private:
  // One that has been asked for and has not ended.
  struct UnderWay {
    Done done;
    Instant until;  // by monotonic_now(): the broker has not acknowledged it
  };
  struct Shared;

  void run();
  void connect();
  void rest();
  void drop(const std::string& why);
  void serve_once();
  void send(std::uint64_t number, const Publication& publication);

  const NatsOptions options_;
  const std::shared_ptr<Shared> shared_;  // also of the library's threads
  std::unique_ptr<Link> link_;            // the thread's alone, as the next
  Instant opened_at_;                     // by monotonic_now(): the link
  Span pause_;
  std::thread thread_;
};

}  // namespace mayfly::delivery
