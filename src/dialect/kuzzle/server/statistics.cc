#include "dialect/kuzzle/server/statistics.h"

#include <algorithm>

#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/limits.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::array<std::string_view, 2> names{"http", "websocket"};

std::size_t place_of(Protocol protocol) {
  return protocol == Protocol::http ? 0 : 1;
}

}  // namespace

Statistics::Statistics(const KuzzleOptions& options, Instant now)
    : every_(options.frame_every),
      frames_max_(std::clamp<std::size_t>(
          static_cast<std::size_t>(options.frames_kept_for.micros / options.frame_every.micros), 1,
          limits::statistics_frames_max)),
      next_at_(floor_millis(now) + every_) {}

// Requires the mutex. After a long time without access, only as many frames are created as are
// kept.
void Statistics::close_due(Instant now) {
  while (now >= next_at_) {
    current_.at = next_at_;
    frames_.push_back(current_);
    if (frames_.size() > frames_max_) frames_.pop_front();
    current_.completed = {};
    current_.failed = {};
    next_at_ = next_at_ + every_;
    const std::int64_t due = (now - next_at_).micros / every_.micros;
    const std::int64_t skipped = due - static_cast<std::int64_t>(frames_max_);
    if (skipped > 0) next_at_ = next_at_ + Span{skipped * every_.micros};
  }
}

void Statistics::connected(Protocol protocol, Instant now) {
  const std::lock_guard lock(mutex_);
  close_due(now);
  ++current_.connections[place_of(protocol)];
}

void Statistics::disconnected(Protocol protocol, Instant now) {
  const std::lock_guard lock(mutex_);
  close_due(now);
  --current_.connections[place_of(protocol)];
}

void Statistics::started(Protocol protocol, Instant now) {
  const std::lock_guard lock(mutex_);
  close_due(now);
  ++current_.ongoing[place_of(protocol)];
}

void Statistics::ended(Protocol protocol, bool has_failed, Instant now) {
  const std::lock_guard lock(mutex_);
  close_due(now);
  --current_.ongoing[place_of(protocol)];
  ++(has_failed ? current_.failed : current_.completed)[place_of(protocol)];
}

void Statistics::put_off(Protocol protocol) {
  const std::lock_guard lock(mutex_);
  --current_.ongoing[place_of(protocol)];
}

// A protocol with the number zero is left out.
Object Statistics::render(const ByProtocol& numbers) {
  Object rendered;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (numbers[i] > 0)
      rendered.append(std::string(names[i]), static_cast<std::int64_t>(numbers[i]));
  }
  return rendered;
}

Object Statistics::render(const Frame& frame, Instant at) {
  return {{"connections", render(frame.connections)},
          {"ongoingRequests", render(frame.ongoing)},
          {"completedRequests", render(frame.completed)},
          {"failedRequests", render(frame.failed)},
          {"timestamp", to_millis(at)}};
}

Object Statistics::last(Instant now) {
  const std::lock_guard lock(mutex_);
  close_due(now);
  return render(frames_.empty() ? current_ : frames_.back(), now);
}

Array Statistics::between(std::optional<Instant> from, std::optional<Instant> to, Instant now) {
  const std::lock_guard lock(mutex_);
  close_due(now);
  // In milliseconds, as in answers.
  const auto is_within = [&](Instant t) {
    const std::int64_t millis = to_millis(t);
    return (!from || millis >= to_millis(*from)) && (!to || millis <= to_millis(*to));
  };
  Array rendered;
  if (frames_.empty() && is_within(now)) rendered.push_back(render(current_, now));
  for (const Frame& frame : frames_) {
    if (is_within(frame.at)) rendered.push_back(render(frame, frame.at));
  }
  return rendered;
}

Object Statistics::connections() {
  const std::lock_guard lock(mutex_);
  return render(current_.connections);
}

}  // namespace mayfly::kuzzle
