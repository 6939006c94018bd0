// DeliveryWork: the state that only the engine's job uses. Private to the engine.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/feed/follower.h"
#include "delivery/engine/database_subscribers.h"
#include "delivery/engine/inbox.h"

namespace mayfly::delivery {

class DeliveryWork {
 public:
  explicit DeliveryWork(Deliveries& engine);
  Result<NextRun> run(const JobRun& job);

 private:
  struct DatabaseEntry {
    std::unique_ptr<DatabaseSubscribers> subscribers;
    bool is_changed = true;  // its subscriptions must be read again
    bool was_read = false;   // since the start of the server
    // The last failure; empty unless the database is resting after it.
    std::string failure = {};
    Instant failed_at = {};              // by monotonic_now()
    Instant failed_at_by_database = {};  // by the database's clock
  };
  struct InFlight {
    std::size_t messages = 0;
    std::size_t bytes = 0;
    std::size_t calls = 0;
  };

  void process_ended();
  void write(const JobRun& job);
  void remove_dropped_databases(const Catalog& catalog);
  void end_database_rests();
  void record_failure(DatabaseEntry& entry, const Error& error);
  template <class Do>
  void for_each_database(const Do& act);
  Result<bool> update_databases(const CatalogPtr& catalog);
  void take_changes();
  void hold_feeds(const Catalog& catalog);
  bool read_subscriptions(const JobRun& job);
  void follow(const Catalog& catalog);
  void list_subscribers();
  bool is_stale() const;
  bool read_events();
  void check_targets();
  void send(Instant now);
  InFlight room_for(const Subscriber& subscriber) const;
  std::vector<Window::Number> begin_next(Subscriber& subscriber, const Target& target, Instant now);
  bool send_next(Subscriber& subscriber, Target& target, Instant now);
  NextRun next_run(Instant now) const;
  Instant next_due(Instant now) const;
  void publish_states();

  Database& database_;
  Random& random_;
  const std::shared_ptr<Deliveries::Inbox> inbox_;
  std::optional<std::string> origin_;  // rows/origin.h; null until there are subscriptions
  CatalogPtr catalog_;
  Formats formats_;
  std::map<std::string, Target*, std::less<>> targets_;  // by kind
  std::map<std::string, std::string> closed_;            // closed targets, with the reason
  std::map<std::string, std::uint64_t> openings_;        // the last values of Target::openings()
  std::vector<Subscription> standing_;
  std::map<DatabaseId, DatabaseEntry> databases_;
  std::map<std::uint64_t, Subscriber*> subscribers_;  // by epoch
  std::uint64_t epochs_ = 0;
  const WindowBytes bytes_;  // of all subscribers
  InFlight in_flight_;       // of all attempts in flight
  struct Share {
    InFlight in_flight;
    std::string calls_key;  // key of `calls_`
  };
  std::map<std::uint64_t, Share> shares_;      // of each subscriber that has any, by epoch
  std::map<std::string, std::size_t> calls_;   // calls in flight, by database and kind of target
  std::size_t sends_ = 0;                      // calls of send()
  Instant through_ = Instant::beginning();     // all events up to this instant can be read
  Instant written_at_ = Instant::beginning();  // by monotonic_now(), as is `synced_at_`
  Span writing_took_;                          // how long the last write took
  Instant synced_at_ = Instant::beginning();
  bool is_unsynced_ = false;  // some writes are not durable yet
  Instant published_at_ = Instant::beginning();
  Instant feeds_held_at_ = Instant::beginning();
  Follower follower_;
};

}  // namespace mayfly::delivery
