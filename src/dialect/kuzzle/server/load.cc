#include "dialect/kuzzle/server/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/service/logging.h"
#include "dialect/kuzzle/limits.h"

namespace mayfly::kuzzle {
namespace {

Counter* counter(Metrics* measured, std::string_view name) {
  return measured == nullptr ? nullptr : &measured->counter(name);
}

std::size_t beyond(std::size_t count, std::size_t most) {
  return count > most ? count - most : 0;
}

}  // namespace

Load::Admission::~Admission() {
  if (load_ != nullptr) load_->leave();
}

Load::Load(const KuzzleOptions& options, Metrics* measured)
    : options_(options),
      warnings_(counter(measured, "mayfly_kuzzle_overload_warnings_total")),
      discarded_(counter(measured, "mayfly_kuzzle_requests_discarded_total")),
      buffered_gauge_(measured == nullptr ? nullptr
                                          : &measured->gauge("mayfly_kuzzle_requests_buffered")) {}

std::size_t Load::running() const {
  return std::min(under_way_.load(std::memory_order_relaxed), options_.running_max);
}

std::size_t Load::buffered() const {
  return beyond(under_way_.load(std::memory_order_relaxed), options_.running_max);
}

Load::Admission& Load::Admission::operator=(Admission&& other) noexcept {
  if (this == &other) return *this;
  if (load_ != nullptr) load_->leave();
  load_ = std::exchange(other.load_, nullptr);
  is_discarded_ = std::exchange(other.is_discarded_, false);
  return *this;
}

Load::Admission Load::enter(Instant now) {
  Admission place;
  const std::size_t ahead = under_way_.fetch_add(1, std::memory_order_relaxed);
  // Kuzzle refuses and warns by the requests already in the buffer.
  const std::size_t waiting = beyond(ahead, options_.running_max);
  if (waiting > options_.buffered_warning) warn(waiting, now);
  if (waiting >= options_.buffered_max) {
    under_way_.fetch_sub(1, std::memory_order_relaxed);
    if (discarded_ != nullptr) discarded_->add();
    place.is_discarded_ = true;
    return place;
  }
  show(beyond(ahead + 1, options_.running_max));
  place.load_ = this;
  return place;
}

void Load::leave() {
  const std::size_t before = under_way_.fetch_sub(1, std::memory_order_relaxed);
  show(beyond(before - 1, options_.running_max));
}

void Load::show(std::size_t buffered) {
  if (buffered_gauge_ != nullptr) buffered_gauge_->set(static_cast<std::int64_t>(buffered));
}

// Of requests that see the full buffer at the same time, one warns.
void Load::warn(std::size_t buffered, Instant now) {
  Instant before = warned_at_.load(std::memory_order_relaxed);
  if (now < before + limits::overload_warning_every) return;
  if (!warned_at_.compare_exchange_strong(before, now, std::memory_order_relaxed)) return;
  if (warnings_ != nullptr) warnings_->add();
  const double fill =
      100.0 * static_cast<double>(buffered) / static_cast<double>(options_.buffered_max);
  log(LogLevel::warn, "core:overload",
      {{"fill_percent", fmt::format("{:.2f}", fill)}, {"buffered", buffered}});
}

}  // namespace mayfly::kuzzle
