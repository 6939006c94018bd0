#include "db/compactor.h"

#include <algorithm>

#include "base/limits.h"
#include "base/thread.h"
#include "db/keys.h"

namespace mayfly {
namespace {

constexpr std::uint64_t least_dead_share = 5;  // one row in so many, for a compaction to pay

}  // namespace

void Compactor::start() {
  if (thread_.joinable()) return;
  is_stopping_ = false;
  thread_ = std::thread([this] {
    become_background_thread("compactor");
    keep_running("compactor", [this] { run_until_stopped(); });
  });
}

void Compactor::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
  }
  store_.interrupt_compaction();
  thread_.join();
}

void Compactor::leave(CollectionId collection, std::uint64_t dead) {
  if (dead == 0) return;
  const std::lock_guard lock(mutex_);
  left_[collection] += dead;
}

// Compaction pays where a good part of what it reads is dead.
Result<void> Compactor::ask(CollectionId collection) {
  std::uint64_t dead = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = left_.find(collection);
    dead = found == left_.end() ? 0 : found->second;
  }
  if (dead < limits::dead_rows_before_compaction) return {};
  const Bytes heads = keys::table(keys::Table::head, collection);
  const std::uint64_t all = TRY(store_.estimate(heads, after_prefix(heads)));
  if (dead < all / least_dead_share) return {};
  const std::lock_guard lock(mutex_);
  to_compact_.insert(collection);
  changed_.notify_all();
  return {};
}

void Compactor::forget(CollectionId collection) {
  const std::lock_guard lock(mutex_);
  left_.erase(collection);
  to_compact_.erase(collection);
}

std::uint64_t Compactor::left() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t all = 0;
  for (const auto& [collection, dead] : left_) all += dead;
  return all;
}

void Compactor::run_until_stopped() {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    if (to_compact_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const CollectionId id = *to_compact_.begin();
    to_compact_.erase(to_compact_.begin());
    const auto left = left_.find(id);
    const std::uint64_t dead = left == left_.end() ? 0 : left->second;
    lock.unlock();
    // What has been told of may go once the mark that says so is durable.
    store_.sync(store_.applied());
    bool is_done = true;
    for (const keys::Table table : {keys::Table::head, keys::Table::index, keys::Table::queue}) {
      const Bytes lo = keys::table(table, id);
      is_done = is_done && store_.compact(lo, after_prefix(lo)).has_value();
    }
    lock.lock();
    // What failed is left to the compactions that come anyway.
    const auto still_left = left_.find(id);
    if (is_done && still_left != left_.end()) {
      still_left->second -= std::min(still_left->second, dead);
    }
  }
}

}  // namespace mayfly
