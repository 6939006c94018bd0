// What other threads have said to the engine since its job looked, and what it shows them. Private
// to the engine.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "delivery/deliveries.h"

namespace mayfly::delivery {

inline constexpr std::string_view no_target =
    "this server has no such target: its settings do not name one";

// The end of an attempt.
struct EndedAttempt {
  std::uint64_t epoch = 0;                   // of its line
  std::vector<Window::Number> numbers = {};  // of the messages that went together
  std::size_t bytes = 0;                     // of all
  Outcome outcome = {};
};

struct Deliveries::Inbox {
  mutable std::mutex mutex;        // guards all
  const JobHandle* job = nullptr;  // null once the engine is over
  // How many are held, by database; one with none stays until the job has seen it.
  std::map<DatabaseId, std::size_t> changes;
  std::deque<EndedAttempt> ended;
  std::uint64_t works = 0;  // how many have begun: their lines have epochs of their own
  std::map<std::string, Format, std::less<>> formats;
  std::map<std::string, std::unique_ptr<Target>, std::less<>> targets;  // by kinds; none is removed
  std::vector<Subscription> standing;
  std::map<std::string, LineState> states;     // by subscriptions
  std::set<std::string, std::less<>> missing;  // kinds of targets that subscriptions have

  template <class Change>
  void put(const Change& change) {
    const std::lock_guard lock(mutex);
    change();
    if (job != nullptr) job->wake();
  }
  void wake() {
    put([] {});
  }
};

}  // namespace mayfly::delivery
