// The delivery of events under simulation: subscriptions whose targets fail, delay and repeat at
// random, on a store that fails and a process that crashes. Arrivals are compared with the feed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mayfly::simulate {

struct DeliveryOptions {
  std::uint64_t seed = 1;
  std::size_t steps = 300;
  bool has_short_feeds = false;  // events leave the feeds before they are sent
  bool forgets_holds = false;    // a planted defect: a start releases unsent events
};

struct DeliveryOutcome {
  std::optional<std::string> failure;  // what is wrong, and where
  std::size_t events = 0;              // that match some subscription
  std::size_t arrivals = 0;
  std::size_t crashes = 0;
  std::size_t dead = 0;
  std::uint64_t trace = 0;  // of all arrivals
};

// The same seed gives the same outcome.
DeliveryOutcome simulate_deliveries(const DeliveryOptions& options);

}  // namespace mayfly::simulate
