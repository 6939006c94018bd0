// Finds the rooms that match a document, and limits the time that their filters take.
#include "base/threads/thread_time.h"
#include "dialect/kuzzle/realtime/state.h"

namespace mayfly::kuzzle::realtime {
namespace {

std::string too_costly() {
  constexpr int too_large = 413;
  return render_subscription_ended(
      too_large, "The subscription has ended: its filter takes too long to evaluate");
}

}  // namespace

std::vector<std::string> Realtime::State::matching(const CollectionName& name,
                                                   const koncorde::Subject& subject) {
  std::vector<Rooms::Candidate> candidates;
  {
    const std::lock_guard lock(mutex);
    candidates = rooms.candidates(name, subject);
  }
  std::vector<std::string> matched;
  for (const Rooms::Candidate& candidate : candidates) {
    bool fits = true;
    if (candidate.filter) {
      const Instant begun = thread_time();
      fits = koncorde::fits(*candidate.filter, subject);
      charge(candidate.room_id, thread_time() - begun);
    }
    if (fits) matched.push_back(candidate.room_id);
  }
  return matched;
}

void Realtime::State::charge(const std::string& room_id, Span taken) {
  const std::lock_guard lock(mutex);
  busy_for = Span{busy_for.micros + taken.micros};
  const Span by_room = rooms.charge(room_id, busy_period, taken);
  const bool is_too_long = taken > limits::realtime_filter_time_max;
  const bool delays_all =
      busy_for > limits::realtime_busy_time_max && by_room > limits::realtime_busy_filter_time_max;
  if (is_too_long || delays_all) rooms.close(room_id, too_costly());
}

void Realtime::State::rest() {
  const std::lock_guard lock(mutex);
  busy_for = Span{0};
  ++busy_period;
}

}  // namespace mayfly::kuzzle::realtime
