#include "dialect/centrali/events/announcer.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "base/logging.h"
#include "base/thread_time.h"
#include "dialect/centrali/limits.h"
#include "dialect/common/limits.h"

namespace mayfly::centrali {
namespace {

constexpr std::string_view ping = ": ping\n\n";
constexpr std::string_view farewell = "event: close\ndata: {}\n\n";

// The id is where a client goes on after a broken connection: behind this notice.
std::string render(const Notice& notice) {
  std::string text = "id: " + render(position_of(notice)) + "\nevent: message\ndata: ";
  text += notice.json;  // JSON has no line breaks
  text += "\n\n";
  return text;
}

}  // namespace

struct Announcer::Seat {
  Listener listener;
  Instant began_at;  // both by the clock that only goes forward
  Instant sent_at;
  std::shared_ptr<const NoticePage> page;  // what he is being told
  std::size_t next = 0;                    // the first of it that he has not been told
  bool waits = false;                      // until what was sent has left
  std::shared_ptr<std::atomic<bool>> has_left = std::make_shared<std::atomic<bool>>(false);
};

struct Announcer::Channel {
  std::vector<std::unique_ptr<Seat>> seats;
  std::set<CollectionId> collections;         // of its structures
  Instant told_until = Instant::beginning();  // by the last round
  std::set<CollectionId> due;                 // may have events behind that
  // Pages of one round, by where they begin.
  std::map<Instant, std::shared_ptr<const NoticePage>> pages;
};

Announcer::Announcer(Database& database, Directory& directory)
    : database_(database), directory_(directory), follower_(database, [this] { wake(); }) {
  job_ = database.jobs().add({.name = "centrali event streams",
                              .lane = JobLane::events,
                              .run = [this](const JobRun&) -> Result<NextRun> { return run_job(); },
                              .retry_max = limits::job_retry_first});
}

Announcer::~Announcer() {
  is_over_ = true;
  job_.remove();
  follower_.follow_only({});  // from here on no feed wakes it
}

Result<void> Announcer::admit(const std::string& workspace) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(workspace);
  if (found == counts_.end() || found->second < limits::event_listeners_max) return {};
  return fail(Code::throttled, "the workspace has " + std::to_string(limits::event_listeners_max) +
                                   " event streams open");
}

void Announcer::add(Listener listener) {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_) return;
    ++counts_[listener.workspace];
    arrived_.push_back(std::move(listener));
  }
  wake();
}

void Announcer::wake() {
  job_.wake();
}

NextRun Announcer::run_job() {
  constexpr Span between_looks = Span::seconds(1);  // for pings, and new structures of others
  if (run(monotonic_now())) return NextRun::immediately();
  return channels_.empty() ? NextRun::when_woken() : NextRun::after(between_looks);
}

// Lets in those who have come since.
void Announcer::take_in(Instant now) {
  std::vector<Listener> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(arrived_);
  }
  for (Listener& listener : arrived) {
    auto seat = std::make_unique<Seat>();
    seat->began_at = seat->sent_at = now;
    Channel& channel = channels_[listener.workspace];
    seat->listener = std::move(listener);
    channel.seats.push_back(std::move(seat));
  }
}

// Follows the structures of every workspace that has a listener. One that is new here may have had
// events already.
void Announcer::follow() {
  const CatalogPtr catalog = database_.catalog();
  const bool has_changed = catalog != catalog_;
  catalog_ = catalog;
  std::set<CollectionId> followed;
  for (auto& [slug, channel] : channels_) {
    if (has_changed || channel.collections.empty()) {
      const WorkspacePtr workspace = directory_.workspace(catalog_, slug);
      const std::set<CollectionId> before = std::exchange(channel.collections, {});
      for (const StructurePtr& structure :
           workspace ? workspace->structures() : std::vector<StructurePtr>()) {
        const CollectionId id = structure->collection->id;
        channel.collections.insert(id);
        if (!before.contains(id)) channel.due.insert(id);
      }
    }
    followed.insert(channel.collections.begin(), channel.collections.end());
  }
  follower_.follow_only(followed);
}

bool Announcer::run(Instant now) {
  take_in(now);
  const auto [until, due] = follower_.next();
  follow();  // behind next(): of what is made later no event is told of in this round
  if (channels_.empty()) return false;
  bool has_more = follower_.has_more();
  for (auto at = channels_.begin(); at != channels_.end();) {
    auto& [slug, channel] = *at;
    std::set_intersection(due.begin(), due.end(), channel.collections.begin(),
                          channel.collections.end(), std::inserter(channel.due, channel.due.end()));
    has_more = tell_all(slug, channel, until, now) || has_more;
    count_seats(slug, channel.seats.size());
    at = channel.seats.empty() ? channels_.erase(at) : std::next(at);
  }
  return has_more;
}

void Announcer::count_seats(const std::string& slug, std::size_t seats) {
  const std::lock_guard lock(mutex_);
  for (const Listener& listener : arrived_) seats += listener.workspace == slug;
  if (seats == 0) {
    counts_.erase(slug);
  } else {
    counts_[slug] = seats;
  }
}

bool Announcer::tell_all(const std::string& slug, Channel& channel, Instant until, Instant now) {
  bool has_more = false;
  channel.pages.clear();
  std::erase_if(channel.seats, [&](const std::unique_ptr<Seat>& seat) {
    if (is_over_) return false;  // the streams end with their client or their server
    const Instant before = seat->listener.after;
    if (!tell(*seat, slug, channel, until, now) || !keep(*seat, now)) return true;
    // One that got no further waits for its client, or for its workspace.
    has_more = has_more || (before < seat->listener.after && seat->listener.after < until);
    return false;
  });
  channel.pages.clear();
  channel.told_until = until;
  channel.due.clear();
  return has_more;
}

// Tells a listener the next page, or as much of it as is taken. False where the listener is gone.
bool Announcer::tell(Seat& seat, const std::string& slug, Channel& channel, Instant until,
                     Instant now) {
  if (!send_page(seat, now)) return false;
  if (!seat.page && seat.listener.after < until) {
    auto& page = channel.pages[seat.listener.after];
    if (!page) {
      const WorkspacePtr workspace = directory_.workspace(catalog_, slug);
      if (!workspace) return true;
      const bool is_live = seat.listener.after == channel.told_until;
      auto read = read_notices(database_, *workspace, slug, seat.listener.after, until,
                               is_live ? &channel.due : nullptr);
      if (!read) {
        log(LogLevel::warn, "events could not be read",
            {{"workspace", slug}, {"error", read.error().message}});
        return false;
      }
      page = std::make_shared<const NoticePage>(*std::move(read));
    }
    seat.page = page;
    seat.next = 0;
    if (channel.pages.size() >= limits::event_pages_kept_max) channel.pages.clear();
    if (!send_page(seat, now)) return false;
  }
  return true;
}

// Whether the filters of the listener are evaluated now, or in the next round, after the listeners
// of other workspaces.
bool Announcer::has_filter_turn(const Seat& seat, Instant now) {
  if (seat.listener.choice.filters.empty()) return true;
  FilterTurn& turn = filter_turn_;
  if (turn.workspace != seat.listener.workspace || turn.round != now) {
    turn = {seat.listener.workspace, now};
  }
  if (turn.taken < limits::event_filters_turn_max) return true;
  wake();
  return false;
}

Result<bool> Announcer::wants(const Seat& seat, const Notice& notice) {
  const Choice& choice = seat.listener.choice;
  if (choice.filters.empty()) return choice.wants(notice);
  const Instant begun = thread_time();
  auto is_wanted = choice.wants(notice);
  const Span taken = thread_time() - begun;
  filter_turn_.taken = Span{filter_turn_.taken.micros + taken.micros};
  return is_wanted;
}

// Sends what is left of his page; stops where the rest would have to wait for him.
bool Announcer::send_page(Seat& seat, Instant now) {
  net::Stream& stream = *seat.listener.stream;
  if (!stream.is_open()) return false;
  if (seat.waits && !seat.has_left->exchange(false)) return true;
  seat.waits = false;
  if (!seat.page) return true;
  for (; seat.next < seat.page->notices.size(); ++seat.next) {
    const Notice& notice = seat.page->notices[seat.next];
    if (seat.listener.resumed_behind && position_of(notice) <= *seat.listener.resumed_behind) {
      continue;
    }
    if (!has_filter_turn(seat, now)) return true;
    const auto is_wanted = wants(seat, notice);
    if (!is_wanted) {
      stream.send("event: close\ndata: {\"reason\":\"" + is_wanted.error().message + "\"}\n\n");
      stream.end();
      return false;
    }
    if (!*is_wanted) continue;
    std::string piece = render(notice);
    const std::size_t unsent = stream.unsent_bytes();
    if (unsent > 0 && unsent + piece.size() > limits::stream_unsent_bytes_max) {
      seat.waits = true;
      stream.when_sent([this, has_left = seat.has_left] {
        *has_left = true;
        wake();
      });
      return true;
    }
    if (!stream.send(std::move(piece))) return false;
    seat.sent_at = now;
  }
  seat.listener.after = seat.page->upto;
  seat.page = nullptr;
  return true;
}

// Shows that the connection lives, and ends it when its time is up. False where it is over.
bool Announcer::keep(Seat& seat, Instant now) const {
  net::Stream& stream = *seat.listener.stream;
  const bool is_over = now - seat.began_at >= limits::stream_age_max ||
                       (!seat.listener.until.is_never() && database_.now() >= seat.listener.until);
  if (is_over) {
    stream.send(std::string(farewell));
    stream.end();
    return false;
  }
  if (now - seat.sent_at < limits::keep_alive_every || stream.unsent_bytes() > 0) return true;
  seat.sent_at = now;
  return stream.send(std::string(ping));
}

std::string stream_greeting(std::string_view workspace, const NoticePosition& from) {
  // The id is the client's before anything has happened: then it misses nothing by coming again.
  return "retry: 3000\nid: " + render(from) + "\n\n: connected to workspace " +
         std::string(workspace) + "\n\n";
}

}  // namespace mayfly::centrali
