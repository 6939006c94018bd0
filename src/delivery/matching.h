// Matching: which of many subscriptions an event concerns. Those whose filter asks a field to be
// one value are found by that value, so the cost grows with those that may match.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/feed/event_images.h"
#include "delivery/subscription.h"
#include "expr/meter.h"

namespace mayfly::delivery {

// Threads: one at a time.
class Matching {
 public:
  // They outlive it. `now`: what the time of filters is measured by.
  explicit Matching(const std::vector<const Subscription*>& subscriptions,
                    Meter::Now now = monotonic_now);

  // Those that the event concerns, in no order. A filter that fails matches nothing, nor does one
  // that runs out of time; where that happens for limits::filter_timeouts_max events it is asked no
  // more.
  std::vector<const Subscription*> find(const Collection& collection, const Event& event,
                                        EventImages& images);
  // How many filters have been asked.
  std::uint64_t asked() const { return asked_; }

 private:
  struct Field {
    Path path;
    std::map<Bytes, std::vector<const Subscription*>> by_value;  // by sort keys
  };

  void add(const Subscription& subscription);
  bool matches(const Subscription& subscription, const Collection& collection, const Event& event,
               const Document* document);

  std::vector<Field> fields_;
  std::vector<const Subscription*> others_;  // whose filter says no such thing, or that have none
  const Meter::Now now_;
  std::uint64_t asked_ = 0;
  std::map<const Subscription*, std::size_t> timeouts_;
  bool may_ask_again_ = true;  // a filter for this event: one is enough to tell a busy machine
};

}  // namespace mayfly::delivery
