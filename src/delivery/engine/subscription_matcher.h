// SubscriptionMatcher: finds which of many subscriptions an event concerns. Subscriptions whose
// filter requires a field to equal a value are found by that value, so the cost grows with the
// number of those that may match.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/feed/event_images.h"
#include "delivery/subscription.h"
#include "expr/evaluation/meter.h"

namespace mayfly::delivery {

// Threads: one at a time.
class SubscriptionMatcher {
 public:
  // The subscriptions outlive it; each is identified by its index in the list. `now` measures the
  // time of filters.
  explicit SubscriptionMatcher(const std::vector<const Subscription*>& subscriptions,
                               Meter::Now now = monotonic_now);

  using Numbers = std::vector<std::size_t>;
  using Selection = std::vector<bool>;  // by index
  struct Found {
    Numbers concerned;  // in no order
    Numbers unknown;    // their filters were not evaluated because the time was over
  };

  // Which of the selected subscriptions the event concerns. A filter that fails or runs out of time
  // does not match; after it has run out of time for limits::filter_timeouts_max events it is no
  // longer evaluated. Once `until` is reached no further filter is evaluated. Of the filters that
  // would be, at least one is, and subscriptions without a filter are always decided.
  Found find(const Collection& collection, const Event& event, EventImages& images,
             const Selection& selection, Instant until = Instant::never());
  // In each stretch of work, one filter that runs out of time is tried again with more of it: that
  // suffices to recognise a busy machine.
  void begin_stretch() { may_retry_ = true; }
  // Takes the subscriptions whose filter was disabled since the last call.
  Numbers take_disabled() { return std::exchange(disabled_, {}); }
  // How many filters were evaluated.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  struct Field {
    Path path;
    std::map<Bytes, Numbers> by_value;  // by sort key
  };

  void add(std::size_t number);
  // Those without a filter come first.
  Numbers candidates_for(const Document* document, const Selection& selection) const;
  bool matches(std::size_t number, const Collection& collection, const Event& event,
               const Document* document);

  const std::vector<const Subscription*> all_;
  std::vector<Field> fields_;
  Numbers others_;      // with a filter that has no such condition
  Numbers unfiltered_;  // without a filter
  const Meter::Now now_;
  std::uint64_t evaluations_ = 0;
  std::map<std::size_t, std::size_t> timeouts_;  // by index
  Numbers disabled_;
  bool may_retry_ = true;
};

}  // namespace mayfly::delivery
