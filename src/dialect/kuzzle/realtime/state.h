// The state of a Realtime: the rooms and the pending writes under one lock, and the job that reads
// the feeds. Private to the folder.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/feed/event_images.h"
#include "db/feed/follower.h"
#include "db/jobs/jobs.h"
#include "dialect/kuzzle/realtime/delivery/held_answers.h"
#include "dialect/kuzzle/realtime/delivery/pending_writes.h"
#include "dialect/kuzzle/realtime/rooms.h"

namespace mayfly::kuzzle::realtime {

// An event for a collection's subscribers that is not stored: a publication, or a document that is
// about to be written.
struct TransientEvent {
  NotificationOrigin origin;
  CollectionName name;
  std::string id;
  Value body;
  Instant at;
  bool is_pending = false;
  std::size_t bytes = 0;
  std::uint64_t number = 0;
};

// A connection entered a room or left it, and the others there are still to be notified.
struct MembershipChange {
  std::shared_ptr<const NotificationOrigin> origin;
  CollectionName name;
  std::string room_id;
  Instant at;
  bool has_entered = true;
  ConnectionId about = 0;
  std::size_t count = 0;    // in the room afterwards
  std::uint64_t entry = 0;  // of State::entries
  std::size_t bytes = 0;
};

struct Realtime::State {
  State(Database& db, Options chosen)
      : database(db), options(std::move(chosen)), rooms(options.rooms_max) {}

  Database& database;
  const Options options;

  // Guards `rooms` to `busy_period`. Locked before `wake_mutex`, and that before the lock in
  // `held`.
  mutable std::mutex mutex;
  Rooms rooms;
  PendingWrites pending_writes;
  ConnectionId next_connection = 1;
  std::uint64_t entries = 0;      // number of entries into rooms and exits
  Span busy_for{0};               // the time that filters have taken since the job was last idle
  std::uint64_t busy_period = 1;  // number of busy periods

  HeldAnswers held;  // has a lock of its own

  // What the job is woken for, except feeds. It has a lock of its own because it is woken while
  // others are held.
  std::mutex wake_mutex;
  const JobHandle* job = nullptr;  // null before the job starts and after it ends
  std::deque<TransientEvent> transient_events;
  std::size_t transient_bytes = 0;
  std::uint64_t transient_count = 0;  // of all events so far
  std::deque<MembershipChange> membership_changes;
  std::size_t membership_changes_bytes = 0;
  bool is_woken = false;

  void wake() {
    const std::lock_guard lock(wake_mutex);
    is_woken = true;
    wake_job();
  }
  // Requires `wake_mutex`.
  void wake_job() const {
    if (job != nullptr) job->wake();
  }
  // The ids of the rooms whose filters match the document. Called without `mutex`, because it may
  // take long. If a filter takes too long, its room is closed.
  std::vector<std::string> matching(const CollectionName& name, const koncorde::Subject& subject);
  // Adds to the time that a room's filter has taken, and closes the room if it is too much.
  void charge(const std::string& room_id, Span taken);
  // The thread is idle: the next work begins a new busy period.
  void rest();
  // Queues a notification for the others in the room that `about` entered or left. Requires
  // `mutex`.
  void queue_user_notification(std::shared_ptr<const NotificationOrigin> origin, const Room& room,
                               bool has_entered, ConnectionId about);
};

// Reads the feeds of the collections that are subscribed to. Threads: one at a time.
class Pump {
 public:
  explicit Pump(Realtime::State& state)
      : state_(state), follower_(state.database, [&state] { state.wake(); }) {}
  // Runs one step of a round. A round reads how far the feeds go, sends the transient events queued
  // before (a pending write comes before its event), and then one page of each collection's feed.
  // Returns whether there is more to do.
  bool run();

 private:
  // A followed collection, and the position up to which its feed was published.
  struct Source {
    CollectionPtr collection;
    FeedPosition at;
    bool is_due = true;
  };
  struct Step;  // the events of one document in one commit

  void begin_round();
  std::size_t transient_waiting() const;  // the number of queued transient events
  void send_transient_events();
  void send_membership_changes();
  void follow();
  void forget(const CollectionName& name, Instant until);
  bool publish_feed(const CollectionName& name, Source& source, Instant until);
  bool publish_page(const CollectionName& name, Source& source, const FeedPage& page);
  bool publish_step(const CollectionName& name, const Source& source, const Step& step,
                    LazyView& view);

  Realtime::State& state_;
  std::map<CollectionName, Source> sources_;
  Follower follower_;
  std::optional<Instant>
      until_;  // the end of the feeds in this round; nothing: the round has ended
  std::size_t transient_left_ = 0;  // transient events still to be sent in this round
};

}  // namespace mayfly::kuzzle::realtime
