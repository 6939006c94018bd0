// EventHub: sends events to all subscribed clients. It reads and renders each page of events once
// for all subscribers at the same position. A client that reads slowly delays no other: once it has
// read what it was sent, it continues from its position. Sources that call functions of clients
// have a job and a lane of their own, so that such functions do not delay other subscribers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "db/database.h"
#include "db/jobs/jobs.h"
#include "dialect/common/events/source.h"
#include "dialect/common/limits.h"
#include "net/message.h"

namespace mayfly {

// A stream of the events of a source. Its functions are called by the hub's jobs.
struct Subscription {
  std::shared_ptr<EventSource> source;
  std::optional<EventPosition> after = {};  // nullopt: from now on
  std::shared_ptr<net::Stream> stream;
  // Whether a piece is sent; empty: all are. If it fails, the stream ends.
  std::function<Result<bool>(const EventPiece&)> wants = {};
  bool has_filters = false;     // `wants` takes time, so its time per round is limited
  std::string gap_notice = {};  // sent first if events after `after` are no longer kept
  std::string keep_alive = {};  // sent when nothing else was sent for a while; empty: nothing is
  // Replaces keep_alive: gives the text to send from the subscriber's position, when nothing was
  // sent for `status_every`. If it fails, the stream ends with the message as the reason.
  std::function<Result<std::string>(const EventPosition&)> status = {};
  Span status_every = limits::keep_alive_every;
  // Gives the text that is sent last when the hub ends the stream; the reason is empty if the
  // stream's time is over.
  std::function<std::string(std::string_view reason)> final_text = {};
  Span age_max = limits::stream_age_max;  // then the stream ends, and the client reconnects
  Instant until = Instant::never();       // it also ends at this instant of the database's clock
};

// One answer that waits for events.
struct FeedWait {
  CollectionId collection = 0;
  Span time_max;
  std::shared_ptr<net::Stream> stream;
  // Gives the body, with which the stream ends. nullopt: there is nothing to send yet; it is called
  // again when there may be. Called by the hub's job; the last time with is_late.
  std::function<std::optional<std::string>(bool is_late)> answer;
};

struct EventHubOptions {
  Span keep_alive_every = limits::keep_alive_every;
  Span look_every = Span::seconds(1);       // how often to check for clients that have left, and
                                            // for expired times
  Instant (*monotonic)() = &monotonic_now;  // the clock of these two spans
};

// Threads: any.
class EventHub {
 public:
  // The database outlives the hub.
  explicit EventHub(Database& database, EventHubOptions options = {});
  ~EventHub();  // ends all streams

  void subscribe(Subscription subscription);
  void wait(FeedWait wait);
  // Says that the collections of a source may have changed. Without it they are checked a little
  // later.
  void wake();
  // How many clients are subscribed or wait, and how many are subscribed to a source. Clients that
  // have left may be counted for a while.
  std::size_t followers() const;
  std::size_t subscribers_of(const std::string& source) const;

 private:
  class Follow;
  struct Inbox;
  // The subscribers that one job serves.
  struct Half {
    std::shared_ptr<Inbox> inbox;
    std::unique_ptr<Follow> follow;  // used by the job only
    JobHandle job;
  };
  void start(Half& half, const char* name, JobLane lane);
  void stop(Half& half);
  NextRun run(Half& half);
  Database& database_;
  const EventHubOptions options_;
  Half prompt_;
  Half evaluating_;  // streams whose sources have a payer
};

}  // namespace mayfly
