// Statistics, as in Kuzzle: the numbers of connections and of requests that are being answered,
// were answered and failed, by protocol, in frames of equal length. They are kept in memory for
// some time. A frame is closed when statistics are accessed after its end, so results do not depend
// on the scheduling of a thread.
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
  // The request is postponed and will be started again.
  void put_off(Protocol protocol);

  // {completedRequests, connections, failedRequests, ongoingRequests, timestamp}; each of the first
  // four is a number by protocol. Of the last closed frame, or before there is one, of the open
  // frame.
  Object last(Instant now);
  // The frames that ended between these instants, both included; before there is one, the open
  // frame.
  Array between(std::optional<Instant> from, std::optional<Instant> to, Instant now);
  // The number of current connections by protocol.
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
