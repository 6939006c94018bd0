// Whether a store takes writes, for those who tell others how the server is.
#pragma once

#include "base/result.h"

namespace mayfly::store {

class Store;

// What an engine is that may refuse writes for what its disk is like. Threads: any.
class TakesWrites {
 public:
  virtual ~TakesWrites() = default;
  // Fails as a commit that takes more of the disk would: with no_space, or with what has stopped
  // all writing. Waits for no write.
  virtual Result<void> takes_writes() = 0;
};

// The same of any store; one without a disk takes writes always.
Result<void> takes_writes(Store& store);

}  // namespace mayfly::store
