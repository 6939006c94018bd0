// Inbox: what other threads have reported to the engine since its job's last run, and the state
// that the job publishes to them. Private to the engine.
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
  std::uint64_t epoch = 0;                   // of its subscriber
  std::vector<Window::Number> numbers = {};  // of the messages of this attempt
  std::size_t bytes = 0;                     // of their payloads together
  AttemptOutcome outcome = {};
};

struct Deliveries::Inbox {
  mutable std::mutex mutex;        // guards all members
  const JobHandle* job = nullptr;  // null once the engine is destroyed
  // How many SubscriptionChange objects are held, by database. An entry with zero stays until the
  // job has seen it.
  std::map<DatabaseId, std::size_t> changes;
  std::deque<EndedAttempt> ended;
  // How many DeliveryWork were created. The number is a part of the epochs of their subscribers, so
  // that these differ.
  std::uint64_t works_created = 0;
  std::map<std::string, Format, std::less<>> formats;
  std::map<std::string, std::unique_ptr<Target>, std::less<>> targets;  // by kind; never removed
  std::vector<Subscription> standing;
  std::map<std::string, SubscriptionState> states;  // by subscription id
  std::set<std::string, std::less<>> missing;  // kinds of targets that subscriptions name and this
                                               // server lacks

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
