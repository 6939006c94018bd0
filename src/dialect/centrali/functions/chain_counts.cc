#include "dialect/centrali/functions/chain_counts.h"

#include <fmt/format.h>

#include "dialect/centrali/functions/limits.h"

namespace mayfly::centrali {

Result<void> ChainCounts::add(const std::string& root) {
  Count& count = counts_[root];
  roots_by_use_.erase(count.used);
  count.used = ++uses_;
  roots_by_use_.emplace(count.used, root);
  if (counts_.size() > limits::function_chains_counted_max) {
    const auto oldest = roots_by_use_.begin();
    counts_.erase(oldest->second);
    roots_by_use_.erase(oldest);
  }
  if (count.runs >= limits::function_chain_runs_max) {
    return fail(
        Code::exists,
        fmt::format("a circle was cut: {} runs descend from one run because of what functions "
                    "wrote, and this run would be the next",
                    limits::function_chain_runs_max));
  }
  ++count.runs;
  return {};
}

void ChainCounts::take_back(const std::string& root) {
  const auto count = counts_.find(root);
  if (count != counts_.end() && count->second.runs > 0) --count->second.runs;
}

}  // namespace mayfly::centrali
