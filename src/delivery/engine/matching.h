// Matching: which of many subscriptions an event concerns. Those whose filter asks a field to be
// one value are found by that value, so the cost grows with those that may match.
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
class Matching {
 public:
  // They outlive it; each is known by its number in the list. `now`: what the time of filters is
  // measured by.
  explicit Matching(const std::vector<const Subscription*>& subscriptions,
                    Meter::Now now = monotonic_now);

  using Numbers = std::vector<std::size_t>;
  using Wanted = std::vector<bool>;  // by numbers

  // Those of the wanted ones that the event concerns, in no order. A filter that fails matches
  // nothing, nor does one that runs out of time; where it takes so long for
  // limits::filter_timeouts_max events it is asked no more. Nothing where it is `until` and some
  // were not asked: the next call for the event and the same ones goes on behind the last that was.
  std::optional<Numbers> find(const Collection& collection, const Event& event, EventImages& images,
                              const Wanted& wanted, Instant until = Instant::never());
  // Those that have been asked for the last time since it was called.
  Numbers take_stopped() { return std::exchange(stopped_, {}); }
  // How many filters have been asked.
  std::uint64_t asked() const { return asked_; }

 private:
  struct Field {
    Path path;
    std::map<Bytes, Numbers> by_value;  // by sort keys
  };

  struct Search {
    Wanted wanted;
    Numbers candidates;
    std::size_t asked = 0;  // of them
    Numbers found = {};
    bool may_ask_again = true;  // a filter: one is enough to tell a busy machine
  };

  void add(std::size_t number);
  bool needs_document() const;
  Numbers candidates_for(const Document* document, const Wanted& wanted) const;
  bool matches(std::size_t number, const Collection& collection, const Event& event,
               const Document* document, bool& may_ask_again);

  const std::vector<const Subscription*> all_;
  std::vector<Field> fields_;
  Numbers others_;  // whose filter says no such thing, or that have none
  const Meter::Now now_;
  std::uint64_t asked_ = 0;
  std::map<std::size_t, std::size_t> timeouts_;  // by numbers
  Numbers stopped_;
  std::map<FeedPosition, Search> unfinished_;  // by events
};

}  // namespace mayfly::delivery
