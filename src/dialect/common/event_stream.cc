// The hub: hands what it is asked to its job.
#include "dialect/common/event_stream.h"

#include "dialect/common/event_follow.h"

namespace mayfly {

EventHub::EventHub(Database& database, EventHubOptions options)
    : database_(database), options_(options), inbox_(std::make_shared<Inbox>()) {
  job_ = database.jobs().add({.name = "event streams",
                              .lane = JobLane::events,
                              .run = [this](const JobRun&) -> Result<NextRun> { return run(); },
                              .retry_max = limits::job_retry_first});
  const std::lock_guard lock(inbox_->mutex);
  inbox_->job = &job_;
}

EventHub::~EventHub() {
  {
    const std::lock_guard lock(inbox_->mutex);
    inbox_->job = nullptr;
  }
  job_.remove();
  follow_ = nullptr;
  const EventNews late = inbox_->take();
  for (const Subscription& subscription : late.subscriptions) subscription.stream->end();
  for (const FeedWait& wait : late.waits) wait.stream->end();
}

// A run that throws, as where memory runs out, leaves nothing behind: every follower is sent away
// and comes again with its token.
NextRun EventHub::run() {
  std::unique_ptr<Follow> follow = std::move(follow_);
  if (!follow) follow = std::make_unique<Follow>(database_, inbox_, options_);
  const NextRun next = follow->run();
  follow_ = std::move(follow);
  return next;
}

void EventHub::subscribe(Subscription subscription) {
  if (!subscription.after) subscription.after = EventPosition::behind(database_.now());
  inbox_->put([&](EventNews& news) {
    ++inbox_->followers;
    ++inbox_->subscribers[subscription.source->name()];
    news.subscriptions.push_back(std::move(subscription));
  });
}

void EventHub::wait(FeedWait wait) {
  inbox_->put([&](EventNews& news) {
    ++inbox_->followers;
    news.waits.push_back(std::move(wait));
  });
}

void EventHub::wake() {
  inbox_->wake();
}

std::size_t EventHub::followers() const {
  const std::lock_guard lock(inbox_->mutex);
  return inbox_->followers;
}

std::size_t EventHub::subscribers_of(const std::string& source) const {
  const std::lock_guard lock(inbox_->mutex);
  const auto found = inbox_->subscribers.find(source);
  return found == inbox_->subscribers.end() ? 0 : found->second;
}

}  // namespace mayfly
