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

  // The selected subscriptions that the event concerns, in no order. A filter that fails or runs
  // out of time does not match; after it has run out of time for limits::filter_timeouts_max events
  // it is no longer evaluated. Gives nullopt if `until` is reached before all filters are
  // evaluated: the next call for the same event and selection continues after the last evaluated
  // one.
  std::optional<Numbers> find(const Collection& collection, const Event& event, EventImages& images,
                              const Selection& selection, Instant until = Instant::never());
  // Takes the subscriptions whose filter was disabled since the last call.
  Numbers take_disabled() { return std::exchange(disabled_, {}); }
  // How many filters were evaluated.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  struct Field {
    Path path;
    std::map<Bytes, Numbers> by_value;  // by sort key
  };

  struct Search {
    Selection selection;
    Numbers candidates;
    std::size_t evaluated = 0;  // candidates evaluated so far
    Numbers found = {};
    bool may_retry = true;  // a second try of one filter suffices to recognise a busy machine
  };

  void add(std::size_t number);
  bool needs_document() const;
  Numbers candidates_for(const Document* document, const Selection& selection) const;
  bool matches(std::size_t number, const Collection& collection, const Event& event,
               const Document* document, bool& may_retry);

  const std::vector<const Subscription*> all_;
  std::vector<Field> fields_;
  Numbers others_;  // without a filter, or without such a condition in it
  const Meter::Now now_;
  std::uint64_t evaluations_ = 0;
  std::map<std::size_t, std::size_t> timeouts_;  // by index
  Numbers disabled_;
  std::map<FeedPosition, Search> unfinished_;  // by event
};

}  // namespace mayfly::delivery
