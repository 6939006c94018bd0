// EventHub: sends events to all clients that listen. Those of sources that call functions of
// clients have a job and a lane of their own, so that such functions keep no others waiting.
// It reads and renders each page of events once,
// however many subscribers stand at the same place. A client that reads slowly delays no other: it
// goes on from where it was when it has taken what it was sent.
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
  std::optional<EventPosition> after = {};  // nothing: from now on
  std::shared_ptr<net::Stream> stream;
  // Whether it is sent a piece; none: it is sent all. Fails where the stream is to end.
  std::function<Result<bool>(const EventPiece&)> wants = {};
  bool has_filters = false;     // `wants` takes time: it leaves the others their turn
  std::string gap_notice = {};  // sent first where events behind `after` are no longer kept
  std::string keep_alive = {};  // sent when nothing else has been for a while; empty: nothing
  // In the place of keep_alive: made of where the subscriber stands, when nothing has been sent for
  // that while. Where it fails the stream ends, with the message as the reason.
  std::function<Result<std::string>(const EventPosition&)> status = {};
  Span status_every = limits::keep_alive_every;
  // Sent last where the hub ends the stream; the reason is empty where its time is up.
  std::function<std::string(std::string_view reason)> farewell = {};
  Span age_max = limits::stream_age_max;  // then it ends, for the client to come again
  Instant until = Instant::never();       // then, too, by the database's clock
};

// One answer that waits for events.
struct FeedWait {
  CollectionId collection = 0;
  Span time_max;
  std::shared_ptr<net::Stream> stream;
  // The body, with which the stream ends. Nothing: there is nothing to tell yet; asked for again
  // when there may be. Called by the hub's job; the last time with is_late.
  std::function<std::optional<std::string>(bool is_late)> answer;
};

struct EventHubOptions {
  Span keep_alive_every = limits::keep_alive_every;
  Span look_every = Span::seconds(1);       // for clients that have left, and times that are up
  Instant (*monotonic)() = &monotonic_now;  // the clock that those two are of
};

// Threads: any.
class EventHub {
 public:
  // The database outlives the hub.
  explicit EventHub(Database& database, EventHubOptions options = {});
  ~EventHub();  // ends all streams

  void subscribe(Subscription subscription);
  void wait(FeedWait wait);
  // The collections of a source may have changed. Without it they are looked at a little later.
  void wake();
  // Who is subscribed or waits, and who is subscribed to a source; those who have left may be
  // counted for a while.
  std::size_t followers() const;
  std::size_t subscribers_of(const std::string& source) const;

 private:
  class Follow;
  struct Inbox;
  // The followers that one job serves.
  struct Half {
    std::shared_ptr<Inbox> inbox;
    std::unique_ptr<Follow> follow;  // the job's alone
    JobHandle job;
  };
  void start(Half& half, const char* name, JobLane lane);
  void stop(Half& half);
  NextRun run(Half& half);
  Database& database_;
  const EventHubOptions options_;
  Half prompt_;
  Half evaluating_;  // the streams whose sources have a payer
};

}  // namespace mayfly
