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
    Numbers concerned;   // in no order
    Numbers unknown;     // their filters were not evaluated because the time was over
    Numbers unreadable;  // their filters were not evaluated because reading the document has failed
  };

  // Which of the selected subscriptions the event concerns. A filter that fails or runs out of time
  // does not match; after it has run out of time for limits::filter_timeouts_max events it is no
  // longer evaluated. The quickest filters come first. No filter is evaluated once `until` is
  // reached, nor one that has used limits::filter_turn_max in this turn. If that would leave all
  // selected subscriptions undecided, one filter is evaluated all the same.
  Found find(const Collection& collection, const Event& event, EventImages& images,
             const Selection& selection, Instant until = Instant::never());
  // A run serves several groups of subscriptions, each in a turn. In each run, one filter that runs
  // out of time is tried again with more of it: that suffices to recognise a busy machine.
  void begin_run() { may_retry_ = true; }
  void begin_turn() { used_.assign(all_.size(), {}); }
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
  // Those of the selected subscriptions whose filter decides whether the event concerns them.
  Numbers evaluated_for(const Collection& collection, const Event& event,
                        const Selection& selection) const;
  // Whether the subscription is about such events, whatever its filter says.
  bool is_about(std::size_t number, const Collection& collection, const Event& event) const;
  bool is_disabled(std::size_t number) const;
  bool fits_filter(std::size_t number, const Document& document);

  const std::vector<const Subscription*> all_;
  std::vector<Field> fields_;
  Numbers others_;      // with a filter that has no such condition
  Numbers unfiltered_;  // without a filter
  const Meter::Now now_;
  std::uint64_t evaluations_ = 0;
  std::map<std::size_t, std::size_t> timeouts_;  // by index
  std::vector<Span> used_;                       // time of each filter in this turn, by index
  std::vector<Span> took_;                       // the last evaluation of each filter, by index
  Numbers disabled_;
  bool may_retry_ = true;
};

}  // namespace mayfly::delivery
