// Load: how many requests are under way, and whether they are more than Kuzzle would run at once.
// As Kuzzle has it: so many run, the others wait in a buffer; while there are any in it the server
// is overloaded; when the buffer is full, requests are discarded. Here the threads decide what
// runs, so only the numbers are kept: what is under way beyond those that may run is buffered.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "base/service/metrics.h"
#include "dialect/kuzzle/options.h"

namespace mayfly::kuzzle {

// Threads: any. Outlives its places.
class Load {
 public:
  // One request that is under way, for as long as this is held.
  class Place {
   public:
    Place() = default;  // of a request that is not counted
    Place(Place&& other) noexcept { *this = std::move(other); }
    Place& operator=(Place&& other) noexcept;
    ~Place();
    // The buffer was full: the request is to be refused, and does not count.
    bool is_discarded() const { return is_discarded_; }

   private:
    friend class Load;
    Load* load_ = nullptr;  // null: it does not count
    bool is_discarded_ = false;
  };

  // `measured` outlives it; null: nothing is counted.
  Load(const KuzzleOptions& options, Metrics* measured);

  // A request has come. Warns (core:overload) where the buffer fills.
  Place enter(Instant now);

  bool is_overloaded() const { return buffered() > 0; }
  std::size_t running() const;
  std::size_t buffered() const;

 private:
  void leave();
  void warn(std::size_t buffered, Instant now);
  void show(std::size_t buffered);

  const KuzzleOptions& options_;
  Counter* const warnings_;
  Counter* const discarded_;
  Gauge* const shown_;
  std::atomic<std::size_t> under_way_ = 0;
  std::atomic<Instant> warned_at_ = Instant::beginning();
};

}  // namespace mayfly::kuzzle
