// Generates ids of new documents: decimal digits, each id larger than those before.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"

namespace mayfly::fauna {

// Threads: any.
class Ids {
 public:
  // Derived from the time of the query: 512 ids per microsecond, until the year 2540.
  std::string next(Instant now) {
    const std::int64_t least = now.micros << bits;
    std::int64_t last = last_.load(std::memory_order_relaxed);
    std::int64_t mine = 0;
    do {
      mine = last < least ? least : last + 1;
    } while (!last_.compare_exchange_weak(last, mine, std::memory_order_relaxed));
    return std::to_string(mine);
  }

 private:
  static constexpr int bits = 9;
  std::atomic<std::int64_t> last_ = 0;
};

}  // namespace mayfly::fauna
