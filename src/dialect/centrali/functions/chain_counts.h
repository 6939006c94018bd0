// ChainCounts: how many runs each chain (functions/chain.h) has had. The counts are in memory: they
// begin again with the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace mayfly::centrali {

// Threads: one at a time.
class ChainCounts {
 public:
  // Counts a further run of the chain that the run `root` began. Fails with exists, and does not
  // count it, if the chain has had limits::function_chain_runs_max runs.
  Result<void> add(const std::string& root);
  // Takes back the count of a run that did not begin.
  void take_back(const std::string& root);

 private:
  struct Count {
    std::size_t runs = 0;
    std::uint64_t used = 0;  // the number of the call of add() that used it last
  };

  std::map<std::string, Count> counts_;
  std::map<std::uint64_t, std::string> roots_by_use_;
  std::uint64_t uses_ = 0;
};

}  // namespace mayfly::centrali
