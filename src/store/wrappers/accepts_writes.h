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

// The same for any store; one without a disk always accepts writes.
Result<void> accepts_writes(Store& store);

}  // namespace mayfly::store
