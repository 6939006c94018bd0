// Load: the number of requests in progress, compared with Kuzzle's limits. Kuzzle runs a limited
// number and buffers the others; while the buffer is not empty the server is overloaded; when it is
// full, requests are discarded. Here threads decide what runs, so only the numbers are emulated:
// requests beyond the limit count as buffered.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "base/service/metrics.h"
#include "dialect/kuzzle/options.h"

namespace mayfly::kuzzle {

// Threads: any. Outlives its admissions.
class Load {
 public:
  // Counts one request as in progress while it exists.
  class Admission {
   public:
    Admission() = default;  // not counted
    Admission(Admission&& other) noexcept { *this = std::move(other); }
    Admission& operator=(Admission&& other) noexcept;
    ~Admission();
    // The buffer was full: the request must be refused, and is not counted.
    bool is_discarded() const { return is_discarded_; }

   private:
    friend class Load;
    Load* load_ = nullptr;  // null: not counted
    bool is_discarded_ = false;
  };

  // `measured` outlives it; null: no metrics.
  Load(const KuzzleOptions& options, Metrics* measured);

  // Admits a request. Warns (core:overload) when the buffer fills.
  Admission enter(Instant now);

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
  Gauge* const buffered_gauge_;
  std::atomic<std::size_t> under_way_ = 0;
  std::atomic<Instant> warned_at_ = Instant::beginning();
};

}  // namespace mayfly::kuzzle
