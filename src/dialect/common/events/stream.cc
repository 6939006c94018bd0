// The hub: passes requests to its jobs.
#include "dialect/common/events/stream.h"

#include "dialect/common/events/follow.h"

namespace mayfly {

EventHub::EventHub(Database& database, EventHubOptions options)
    : database_(database), options_(options) {
  start(prompt_, "event streams", JobLane::events);
  start(evaluating_, "event streams with functions", JobLane::evaluation);
}

EventHub::~EventHub() {
  stop(prompt_);
  stop(evaluating_);
}

void EventHub::start(Half& half, const char* name, JobLane lane) {
  half.inbox = std::make_shared<Inbox>();
  half.job = database_.jobs().add(
      {.name = name,
       .lane = lane,
       .run = [this, &half](const JobRun&) -> Result<NextRun> { return run(half); },
       .retry_max = limits::job_retry_first});
  const std::lock_guard lock(half.inbox->mutex);
  half.inbox->job = &half.job;
}

void EventHub::stop(Half& half) {
  {
    const std::lock_guard lock(half.inbox->mutex);
    half.inbox->job = nullptr;
  }
  half.job.remove();
  half.follow = nullptr;
  const EventNews late = half.inbox->take();
  for (const Subscription& subscription : late.subscriptions) subscription.stream->end();
  for (const FeedWait& wait : late.waits) wait.stream->end();
}

// If a run throws, for example because memory runs out, the job's state is discarded: every stream
// ends, and its client reconnects with its token.
NextRun EventHub::run(Half& half) {
  std::unique_ptr<Follow> follow = std::move(half.follow);
  if (!follow) follow = std::make_unique<Follow>(database_, half.inbox, options_);
  const NextRun next = follow->run();
  half.follow = std::move(follow);
  return next;
}

void EventHub::subscribe(Subscription subscription) {
  if (!subscription.after) subscription.after = EventPosition::behind(database_.now());
  Inbox& inbox = *(subscription.source->payer().empty() ? prompt_ : evaluating_).inbox;
  inbox.put([&](EventNews& news) {
    ++inbox.followers;
    ++inbox.subscribers[subscription.source->name()];
    news.subscriptions.push_back(std::move(subscription));
  });
}

void EventHub::wait(FeedWait wait) {
  prompt_.inbox->put([&](EventNews& news) {
    ++prompt_.inbox->followers;
    news.waits.push_back(std::move(wait));
  });
}

void EventHub::wake() {
  prompt_.inbox->wake();
  evaluating_.inbox->wake();
}

std::size_t EventHub::followers() const {
  std::size_t sum = 0;
  for (const Half* half : {&prompt_, &evaluating_}) {
    const std::lock_guard lock(half->inbox->mutex);
    sum += half->inbox->followers;
  }
  return sum;
}

std::size_t EventHub::subscribers_of(const std::string& source) const {
  std::size_t sum = 0;
  for (const Half* half : {&prompt_, &evaluating_}) {
    const std::lock_guard lock(half->inbox->mutex);
    const auto found = half->inbox->subscribers.find(source);
    if (found != half->inbox->subscribers.end()) sum += found->second;
  }
  return sum;
}

}  // namespace mayfly
