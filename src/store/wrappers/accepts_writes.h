// Whether a store accepts writes, for reports on the server's state.
#pragma once

#include "base/result.h"

namespace mayfly::store {

class Store;

// Implemented by engines that may refuse writes because of their disk. Threads: any.
class AcceptsWrites {
 public:
  virtual ~AcceptsWrites() = default;
  // Fails as a commit that needs more disk space would: with no_space, or with the failure that has
  // stopped all writing. Waits for no write.
  virtual Result<void> accepts_writes() = 0;
};

// The same for any store. One that does not implement AcceptsWrites always accepts writes: the
// engine in memory, and a wrapper, whatever it wraps.
Result<void> accepts_writes(Store& store);

}  // namespace mayfly::store
