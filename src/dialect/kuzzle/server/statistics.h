// Statistics: what Kuzzle tells of its work: how many are connected and how many requests are being
// answered, were answered and failed, by protocol, in frames of equal length. They are kept in
// memory for a while. A frame is closed when somebody looks behind its end, so none depends on a
// thread's turn.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "dialect/kuzzle/options.h"
#include "dialect/kuzzle/requests/message.h"

namespace mayfly::kuzzle {

// Threads: any. Times are of the database's clock.
class Statistics {
 public:
  Statistics(const KuzzleOptions& options, Instant now);

  void connected(Protocol protocol, Instant now);
  void disconnected(Protocol protocol, Instant now);
  void started(Protocol protocol, Instant now);
  void ended(Protocol protocol, bool has_failed, Instant now);
  // It will be started again.
  void put_off(Protocol protocol);

  // {completedRequests, connections, failedRequests, ongoingRequests, timestamp}, each of the first
  // four a number by protocol: of the last whole frame, or while there is none, of what has begun.
  Object last(Instant now);
  // The frames that ended within these instants, both included; while there is none, what has
  // begun.
  Array between(std::optional<Instant> from, std::optional<Instant> to, Instant now);
  // How many are connected now, by protocol.
  Object connections();

 private:
  using ByProtocol = std::array<std::uint64_t, 2>;
  struct Frame {
    ByProtocol completed{};
    ByProtocol connections{};
    ByProtocol failed{};
    ByProtocol ongoing{};
    Instant at;
  };
  static Object render(const ByProtocol& numbers);
  static Object render(const Frame& frame, Instant at);
  void close_due(Instant now);

  const Span every_;
  const std::size_t frames_max_;
  std::mutex mutex_;
  Frame current_;
  Instant next_at_;
  std::deque<Frame> frames_;
};

}  // namespace mayfly::kuzzle
