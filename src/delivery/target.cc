#include "delivery/target.h"

#include <algorithm>
#include <cmath>

namespace mayfly::delivery {

Span Target::wait_after(std::int64_t attempts, double random) const {
  return delivery::wait_after(attempts, random);
}

Span wait_after(std::int64_t attempts, double random) {
  constexpr double spread = 0.2;
  const double doublings = static_cast<double>(std::clamp<std::int64_t>(attempts - 1, 0, 30));
  const double first = static_cast<double>(limits::attempt_wait_first.micros);
  const double most = static_cast<double>(limits::attempt_wait_max.micros);
  const double wait = std::min(first * std::exp2(doublings), most);
  return {static_cast<std::int64_t>(wait * (1 - spread + 2 * spread * random))};
}

}  // namespace mayfly::delivery
