// Served: the subscriptions of one database, and the reading of its events for them. Private to the
// engine.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/feed/followed_events.h"
#include "db/jobs/jobs.h"
#include "delivery/engine/line.h"
#include "delivery/engine/matching.h"

namespace mayfly::delivery {

using Formats = std::map<std::string, Format, std::less<>>;

bool keeps_feed(const CollectionPtr& collection);  // null: it does not

// The payloads that all windows hold, each counted once however many have it. Threads: those of one
// job.
class WindowBytes {
 public:
  MessagePtr hold(Message message) const {
    auto one = std::make_unique<const Message>(std::move(message));
    const std::size_t bytes = one->payload.size();
    *held_ += bytes;
    return {one.release(), [held = held_, bytes](const Message* over) {
              *held -= bytes;
              delete over;
            }};
  }
  // One that holds little may always take a message.
  bool admits(const Window& window) const {
    const std::size_t left =
        limits::windows_bytes_max - std::min(*held_, limits::windows_bytes_max);
    const bool is_small = window.bytes() < limits::window_bytes_min;
    return window.has_room() && (is_small || window.bytes() <= left);
  }

 private:
  std::shared_ptr<std::size_t> held_ = std::make_shared<std::size_t>(0);
};

// Threads: those of one job.
class Served {
 public:
  // `standing`: those that it has beside its own.
  Served(Database& database, DatabaseInfoPtr place, std::vector<Subscription> standing)
      : database_(database), place_(std::move(place)), standing_(std::move(standing)) {}

  const DatabaseInfo& place() const { return *place_; }
  std::map<std::string, std::unique_ptr<Line>>& lines() { return lines_; }  // by subscriptions

  // Reads the subscriptions again, and what is to be sent again. A line whose subscription has
  // changed begins again, at its place. `epochs` counts lines.
  Result<void> read(std::uint64_t& epochs);
  // Those that keep a feed; none where there are no subscriptions.
  std::set<CollectionId> find_collections(const Catalog& catalog);
  // They may have events that those at the head have not read.
  void note_news(const std::set<CollectionId>& collections);

  // A page for each group of lines that stand at the same place and have room, up to `through`.
  // Whether there is more to read now.
  Result<bool> read_events(Instant through, const Formats& formats, const WindowBytes& bytes);

  // Writes down what the lines have done since, if they have. Fails as a transaction, and with
  // stale where another server has the lease by now.
  Result<void> write(const JobRun& job);
  bool has_news() const;
  // Up to it no line needs events any more, also after a crash. never(): there are no lines.
  Instant written_place() const;

 private:
  struct Group;
  struct Row {
    Subscription subscription;
    Progress progress;
    bool is_new = true;  // its line begins again
  };
  Result<std::vector<Row>> read_rows(View& view) const;
  Result<void> read_letters(View& view, Line& line, const WindowBytes& bytes) const;
  Result<void> take_up_log(View& view, Line& line) const;
  Result<std::optional<LogRow>> logged(View& view, const Line& line,
                                       const std::string& message) const;
  struct Page : FollowedPage {
    FeedPosition upto = {};  // all events up to it are in it, or do not concern the group
  };
  // A message on its way to a line.
  struct Given {
    Line* line;
    MessagePtr message;
    bool is_wanted = true;
    std::int64_t attempts = 0;
    Instant next = Instant::beginning();
    Instant asked_at = Instant::beginning();
  };
  Page read_page(const Group& group, Instant through) const;
  Page read_behind(const Group& group, FeedPosition at, Instant through) const;
  Result<void> give_all(Group& group, const Page& page);
  Result<void> look_up(Given& one, LateView& view) const;
  Result<void> read_group(Group& group, Instant through);
  // Whether all filters were asked in time; else it is called again for the event.
  Result<bool> give(Group& group, const FollowedEvent& followed, std::span<const Event> commit,
                    LateView& view);
  void note_lost(const FollowedEvent& followed, const Error& error) const;
  bool is_given_up(const FeedPosition& unreadable);
  Result<void> write_line(Transaction& transaction, Line& line, const Progress& progress) const;
  Result<std::vector<LogRow>> write_log(Transaction& transaction, Line& line) const;

  Database& database_;
  const DatabaseInfoPtr place_;
  const std::vector<Subscription> standing_;
  std::map<std::string, std::unique_ptr<Line>> lines_;
  std::vector<Line*> active_;  // that are not paused; by their numbers in `matching_`
  std::unique_ptr<Matching> matching_;
  std::set<CollectionId> collections_;
  std::set<CollectionId> due_;
  // Events that could not be read.
  struct Unread {
    std::size_t tries = 0;
    std::uint64_t last = 0;  // the number of the run
  };
  std::map<FeedPosition, Unread> unread_;
  std::uint64_t runs_ = 0;  // of read_events()
  FeedPosition next_;       // where the group stands that is to be read first
  FeedPosition head_;       // all events up to it have been read by those that stand there
};

}  // namespace mayfly::delivery
