// Announcer: sends the events of workspaces to the event streams that are open. It is a job. It
// reads the feed once for all streams at the same position. A client that reads slowly delays no
// other, and only its position in the feed is kept for it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/limits.h"
#include "db/feed/follower.h"
#include "db/jobs/jobs.h"
#include "dialect/centrali/events/choice.h"
#include "dialect/centrali/events/page.h"
#include "net/message.h"

namespace mayfly::centrali {

struct Listener {
  std::string workspace;
  Choice choice;
  Instant after;                                      // is told of commits behind this, …
  std::optional<NoticePosition> resumed_behind = {};  // … and of no notice up to this
  Instant until = Instant::never();  // when its token ends, by the database's clock
  std::shared_ptr<net::Stream> stream = {};
};

// Threads: any, but for run(). The streams end before it does.
class Announcer {
 public:
  Announcer(Database& database, Directory& directory);
  ~Announcer();

  // Whether the workspace may have another listener. Fails with throttled.
  Result<void> admit(const std::string& workspace) const;
  void add(Listener listener);
  // Something may have changed that no feed tells of: a new structure.
  void wake();

  // Tells each listener a page of what there is to tell, so that one who has far to go keeps no
  // other waiting. Whether a listener has more to come at once. `now` is of a clock that only goes
  // forward.
  bool run(Instant now);

 private:
  struct Seat;     // a listener, and where he stands
  struct Channel;  // the listeners of one workspace

  NextRun run_job();
  void take_in(Instant now);
  void count_seats(const std::string& slug, std::size_t seats);
  void follow();
  bool tell_all(const std::string& slug, Channel& channel, Instant until, Instant now);
  bool tell(Seat& seat, const std::string& slug, Channel& channel, Instant until, Instant now);
  bool send_page(Seat& seat, Instant now);
  bool has_filter_turn(const Seat& seat, Instant now);
  Result<bool> wants(const Seat& seat, const Notice& notice);
  bool keep(Seat& seat, Instant now) const;

  Database& database_;
  Directory& directory_;

  mutable std::mutex mutex_;  // guards all below
  std::vector<Listener> arrived_;
  std::map<std::string, std::size_t> counts_;  // of the listeners of each workspace
  std::atomic<bool> is_over_ = false;

  // The job's alone.
  Follower follower_;
  std::map<std::string, Channel> channels_;
  // What the filters of a workspace have taken in a round.
  struct FilterTurn {
    std::string workspace;
    Instant round;
    Span taken{0};
  };
  FilterTurn filter_turn_;
  CatalogPtr catalog_;

  JobHandle job_;
};

// The first bytes of a stream that goes on behind `from`.
std::string stream_greeting(std::string_view workspace, const NoticePosition& from);

}  // namespace mayfly::centrali
