// What a Realtime is made of: the rooms and the writings behind one lock, and the job that reads
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

// What was said to a collection's listeners, and is kept nowhere: a publication, or a document that
// is about to be written.
struct Said {
  Origin origin;
  CollectionName name;
  std::string id;
  Value body;
  Instant at;
  bool is_pending = false;
  std::size_t bytes = 0;
  std::uint64_t number = 0;
};

// Who came to a room or left it; the others in it are still to be sent word.
struct UserChange {
  std::shared_ptr<const Origin> origin;
  CollectionName name;
  std::string room_id;
  Instant at;
  bool has_come = true;
  ConnectionId about = 0;
  std::size_t count = 0;    // in the room since
  std::uint64_t entry = 0;  // of State::entries
  std::size_t bytes = 0;
};

struct Realtime::State {
  State(Database& db, Options chosen)
      : database(db), options(std::move(chosen)), rooms(options.rooms_max) {}

  Database& database;
  const Options options;

  mutable std::mutex mutex;  // guards these
  Rooms rooms;
  Writings writings;
  ConnectionId next_connection = 1;
  std::uint64_t entries = 0;     // into rooms and out of them, counted
  Span busy_for{0};              // what filters have taken since the job last had nothing to do
  std::uint64_t busy_spell = 1;  // the spells of work, counted

  HeldAnswers held;

  // What the job is woken for, but for feeds. Its own lock: it is woken while others are held.
  std::mutex wake_mutex;
  const JobHandle* job = nullptr;  // null before there is one, and once it is over
  std::deque<Said> said;
  std::size_t said_bytes = 0;
  std::uint64_t said_count = 0;  // of all that was ever said
  std::deque<UserChange> user_changes;
  std::size_t user_changes_bytes = 0;
  bool is_woken = false;

  void wake() {
    const std::lock_guard lock(wake_mutex);
    is_woken = true;
    wake_job();
  }
  // With `wake_mutex`.
  void wake_job() const {
    if (job != nullptr) job->wake();
  }
  // The rooms whose filters the document fits, by id. Without `mutex`, for it may take long: a
  // filter that takes too long is not asked again, its room is closed.
  std::vector<std::string> matching(const CollectionName& name, const koncorde::Subject& subject);
  // Counts what the filter of a room has taken, and closes the room where it is too much.
  void charge(const std::string& room_id, Span taken);
  // The thread has nothing to do: what comes next is another spell of work.
  void rest();
  // Has the others of the room sent word, by the thread, that `about` came or left. With `mutex`.
  void note_user(std::shared_ptr<const Origin> origin, const Room& room, bool has_come,
                 ConnectionId about);
};

// Reads the feeds of the collections that are subscribed to. Threads: one at a time.
class Pump {
 public:
  explicit Pump(Realtime::State& state)
      : state_(state), follower_(state.database, [&state] { state.wake(); }) {}
  // A turn of a round, which looks how far the feeds go, tells what was said before (a write that
  // is pending comes before its event), and then of each collection a page of its feed. Whether
  // there is more.
  bool run();

 private:
  // A collection that is followed, and how far it has been told of.
  struct Source {
    CollectionPtr collection;
    FeedPosition at;
    bool is_due = true;
  };
  struct Step;

  void begin_round();
  std::size_t waiting() const;  // of what was said
  void tell_said();
  void tell_users();
  void follow();
  void forget(const CollectionName& name, Instant until);
  bool tell(const CollectionName& name, Source& source, Instant until);
  bool tell_page(const CollectionName& name, Source& source, const FeedPage& page);
  bool tell_step(const CollectionName& name, const Source& source, const Step& step,
                 LateView& view);

  Realtime::State& state_;
  std::map<CollectionName, Source> sources_;
  Follower follower_;
  std::optional<Instant> until_;  // how far this round tells of the feeds; none: it has ended
  std::size_t said_before_ = 0;   // of what was said, and still to be sent in this round
};

}  // namespace mayfly::kuzzle::realtime
