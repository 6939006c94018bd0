// A NATS broker with JetStream as a process of its own, and a consumer of its messages. It runs
// with the lowest priority, as if it were on another machine.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/peers/peer_process.h"

namespace mayfly::bench {

class NatsBroker {
 public:
  explicit NatsBroker(const std::string& directory);
  ~NatsBroker();
  NatsBroker(const NatsBroker&) = delete;
  NatsBroker& operator=(const NatsBroker&) = delete;

  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  // How many messages the server's stream holds; none before there is a stream.
  std::uint64_t messages() const;
  // Reads new messages of a subject from the stream until `take` gives false.
  void consume(const std::string& subject,
               const std::function<bool(const std::string& payload)>& take) const;

 private:
  struct Client;
  const std::uint16_t port_;
  const OwnDirectory directory_;
  const PeerProcess process_;
  const std::unique_ptr<Client> client_;
};

}  // namespace mayfly::bench
