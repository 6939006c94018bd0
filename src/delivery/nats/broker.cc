#include "delivery/nats/broker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/service/logging.h"
#include "base/threads/thread.h"
#include "delivery/limits.h"

namespace mayfly::delivery {
namespace {

constexpr std::string_view first_reason = "it has not been reached yet";

}  // namespace

struct Broker::Shared {
  mutable std::mutex mutex;  // guards all members below
  std::condition_variable changed;
  std::map<std::uint64_t, UnderWay> under_way;  // by the numbers of their publications
  std::deque<std::pair<std::uint64_t, Publication>> waiting;  // those of `under_way` that are not
                                                              // sent yet
  std::optional<std::string> closed = std::string(first_reason);
  std::uint64_t numbers = 0;  // of publications
  std::uint64_t openings = 0;
  // Why the link has ended, as it reports; nullopt: it has not.
  std::optional<std::string> ended_by;
  bool is_over = false;
  std::function<void()> on_change;

  void end(std::uint64_t number, AttemptOutcome outcome) {
    Done done;
    {
      const std::lock_guard lock(mutex);
      const auto found = under_way.find(number);
      if (found == under_way.end() || is_over) return;
      done = std::move(found->second.done);
      under_way.erase(found);
    }
    done(std::move(outcome));
  }
  void end_link(std::string why) {
    const std::lock_guard lock(mutex);
    if (!ended_by) ended_by = std::move(why);
    changed.notify_all();
  }
  void end_all(const AttemptOutcome& outcome) {
    std::deque<Done> ended;
    {
      const std::lock_guard lock(mutex);
      for (auto& [number, one] : under_way) ended.push_back(std::move(one.done));
      under_way.clear();
      waiting.clear();
    }
    for (const Done& done : ended) done(outcome);
  }
  // Ends publications that have waited for too long; they may still arrive.
  void end_late(Instant now) {
    std::deque<std::uint64_t> late;
    {
      const std::lock_guard lock(mutex);
      // The order of numbers is the order of time.
      for (const auto& [number, one] : under_way) {
        if (one.until > now) break;
        late.push_back(number);
      }
    }
    for (const std::uint64_t number : late) {
      end(number,
          {AttemptOutcome::Kind::interrupted, "the broker has not acknowledged it in time"});
    }
  }
  void close(std::optional<std::string> why) {
    {
      const std::lock_guard lock(mutex);
      if (closed == why) return;
      if (!why) ++openings;
      closed = std::move(why);
    }
    on_change();
  }
};

Broker::Broker(NatsOptions options, std::function<void()> changed)
    : options_(std::move(options)),
      shared_(std::make_shared<Shared>()),
      pause_(limits::nats_pause_first) {
  shared_->on_change = std::move(changed);
  thread_ = std::thread([this] {
    become_background_thread("mayfly-nats");
    keep_running("publishing to NATS", [this] { run(); });
  });
}

Broker::~Broker() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_over = true;
    shared_->changed.notify_all();
  }
  thread_.join();
}

std::optional<std::string> Broker::closed() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->closed;
}

std::uint64_t Broker::openings() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->openings;
}

void Broker::publish(Publication publication) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (!shared_->closed) {
      const std::uint64_t number = ++shared_->numbers;
      const Instant until = monotonic_now() + limits::attempt_time_max;
      shared_->under_way.emplace(number, UnderWay{std::move(publication.done), until});
      shared_->waiting.emplace_back(number, std::move(publication));
      if (shared_->waiting.size() == 1) shared_->changed.notify_all();
      return;
    }
  }
  publication.done({AttemptOutcome::Kind::interrupted, "it is not connected"});
}

// --- the thread ---

void Broker::run() {
  while (true) {
    {
      const std::lock_guard lock(shared_->mutex);
      if (shared_->is_over) break;
    }
    if (link_ == nullptr) {
      connect();
    } else {
      serve_once();
    }
  }
  link_.reset();
}

// Waits before the next attempt to connect: longer each time, until a connection has lasted.
void Broker::rest() {
  std::unique_lock lock(shared_->mutex);
  shared_->changed.wait_for(lock, std::chrono::microseconds(pause_.micros),
                            [this] { return shared_->is_over; });
  pause_ = {std::min(pause_.micros * 2, limits::nats_pause_max.micros)};
}

// Connects; if that fails, waits before the next try.
void Broker::connect() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->ended_by.reset();
  }
  auto callbacks = std::make_shared<LinkCallbacks>();
  callbacks->answered = [shared = shared_](std::uint64_t number, AttemptOutcome outcome) {
    shared->end(number, std::move(outcome));
  };
  callbacks->broken = [shared = shared_] {
    shared->end_link("the broker has closed the connection");
  };
  // A new connection creates the stream.
  if (!options_.stream.empty()) {
    callbacks->no_stream_found = [shared = shared_] {
      shared->end_link("no stream takes the messages");
    };
  }
  auto opened = Link::open(options_, std::move(callbacks));
  if (opened) {
    link_ = *std::move(opened);
    opened_at_ = monotonic_now();
    log(LogLevel::info, "connected to NATS");
    return shared_->close(std::nullopt);
  }
  const std::string& why = opened.error().message;
  if (closed() != why) log(LogLevel::warn, "NATS is not reached", {{"error", why}});
  shared_->close(why);
  rest();
}

void Broker::drop(const std::string& why) {
  log(LogLevel::warn, "the connection to NATS is lost", {{"error", why}});
  shared_->close(why);
  link_.reset();
  shared_->end_all({AttemptOutcome::Kind::interrupted, why});
  const bool has_lasted = monotonic_now() - opened_at_ > limits::nats_pause_max;
  if (has_lasted) pause_ = limits::nats_pause_first;
  if (!has_lasted) rest();
}

// Publishes the waiting messages. Messages without an acknowledgement in time, and a link that
// breaks silently, are found by checks at intervals.
void Broker::serve_once() {
  decltype(shared_->waiting) taken;
  std::optional<std::string> ended_by;
  {
    std::unique_lock lock(shared_->mutex);
    shared_->changed.wait_for(
        lock, std::chrono::microseconds(limits::nats_checked_every.micros),
        [this] { return shared_->is_over || shared_->ended_by || !shared_->waiting.empty(); });
    if (shared_->is_over) return;
    taken.swap(shared_->waiting);
    ended_by = shared_->ended_by;
  }
  if (ended_by || link_->is_broken()) {
    return drop(ended_by.value_or("the broker has closed the connection"));
  }
  shared_->end_late(monotonic_now());
  for (const auto& [number, one] : taken) send(number, one);
}

void Broker::send(std::uint64_t number, const Publication& publication) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (!shared_->under_way.contains(number)) return;  // it has ended as late
  }
  const auto sent =
      link_->publish(publication.subject, publication.id, publication.payload, number);
  if (sent && options_.uses_jetstream) return;
  if (sent) return shared_->end(number, {});
  const bool is_too_large = sent.error().code == Code::too_large;
  shared_->end(number,
               {is_too_large ? AttemptOutcome::Kind::refused : AttemptOutcome::Kind::interrupted,
                sent.error().message});
}

}  // namespace mayfly::delivery
