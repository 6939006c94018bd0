// EventHub: follows the feeds of collections for everybody who wants to be told. It reads each
// event once, whoever waits for it; only who is behind reads on his own until he has caught up.
// Nothing is kept for a client that reads slowly: he falls behind, and goes on from where he was.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/feed/feed.h"
#include "db/jobs/jobs.h"
#include "dialect/common/event_images.h"
#include "dialect/common/limits.h"
#include "net/message.h"

namespace mayfly {

// What a subscriber is sent for an event; nothing where it is none of his. Called by the hub's
// job, once an event for all subscribers that share it and the collections they name.
using RenderEvent =
    std::function<std::optional<std::string>(const Collection&, const Event&, EventImages&)>;

// Events arrive in the order of the commits, over all the collections named: so one position (of
// the last event that arrived) is enough to go on from. It ends when one of the collections is
// dropped or stops keeping a feed.
struct Subscription {
  struct Followed {
    CollectionId collection = 0;
    std::optional<FeedPosition> after;  // nothing: from now on
  };
  std::vector<Followed> collections;
  std::shared_ptr<const RenderEvent> render;
  std::shared_ptr<net::Stream> stream;
  std::string gap_notice = {};  // sent first where events behind `after` are no longer kept
  std::string keep_alive = {};  // sent when nothing else has been for a while; empty: nothing
  Span age_max = limits::stream_age_max;  // then the stream ends, for the client to come again
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
};

// Threads: any.
class EventHub {
 public:
  // The database outlives the hub.
  explicit EventHub(Database& database, EventHubOptions options = {});
  ~EventHub();  // ends all streams

  void subscribe(Subscription subscription);
  void wait(FeedWait wait);
  // Who is subscribed or waits, for tests and metrics; those who have left may be counted for a
  // while.
  std::size_t followers() const;

 private:
  class Follow;
  struct Inbox;
  NextRun run();
  Database& database_;
  const EventHubOptions options_;
  std::shared_ptr<Inbox> inbox_;
  std::unique_ptr<Follow> follow_;  // the job's alone
  JobHandle job_;
};

}  // namespace mayfly
