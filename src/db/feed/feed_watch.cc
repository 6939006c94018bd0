// The watches of the feed, and the job that wakes them.
//
// No wake-up is lost: watch() registers under the commit mutex, under which commits also note which
// collections they have changed. So each commit is either applied before watch() returns, and a
// later read of the feed finds its events; or it sees the registration and notes the collection.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/database_state.h"
#include "db/feed/feed.h"
#include "db/rows/records.h"

namespace mayfly {
namespace {

// One watch. Its mutex is recursive because `woken` may destroy its own watch.
struct WatchEntry {
  std::recursive_mutex mutex;
  Feed::Woken woken;  // null once the watch has ended

  void wake() {
    const std::lock_guard lock(mutex);
    // A copy, because the watch may end while it runs.
    if (const Feed::Woken act = woken) act();
  }
  void release() {
    const std::lock_guard lock(mutex);
    woken = nullptr;
  }
};
using EntryPtr = std::shared_ptr<WatchEntry>;

}  // namespace

struct Feed::Watches {
  std::mutex waking;  // held while watchers are woken, so that flush() returns after they were

  std::mutex mutex;  // guards all below; may be taken under the commit mutex, never around it
  std::unordered_map<CollectionId, std::vector<EntryPtr>> entries;
  std::set<CollectionId> changed;
  std::atomic<std::size_t> count = 0;  // of the entries; grows only under the commit mutex

  void add(CollectionId collection, EntryPtr entry) {
    const std::lock_guard lock(mutex);
    entries[collection].push_back(std::move(entry));
    count.fetch_add(1, std::memory_order_relaxed);
  }
  void remove(CollectionId collection, const EntryPtr& entry) {
    const std::lock_guard lock(mutex);
    const auto found = entries.find(collection);
    std::erase(found->second, entry);
    if (found->second.empty()) entries.erase(found);
    count.fetch_sub(1, std::memory_order_relaxed);
  }
  std::vector<EntryPtr> of(const std::set<CollectionId>& collections) {
    const std::lock_guard lock(mutex);
    std::vector<EntryPtr> all;
    for (const CollectionId id : collections) {
      const auto found = entries.find(id);
      if (found == entries.end()) continue;
      all.insert(all.end(), found->second.begin(), found->second.end());
    }
    return all;
  }
  // Allocates no memory.
  void put_back(std::set<CollectionId> collections) {
    const std::lock_guard lock(mutex);
    changed.merge(collections);
  }
  std::set<CollectionId> take_changed() {
    const std::lock_guard lock(mutex);
    return std::exchange(changed, {});
  }
};

namespace {

// The handle that a watcher holds.
template <class Watches>
class WatchHandle final : public FeedWatch {
 public:
  WatchHandle(std::shared_ptr<Watches> watches, CollectionId collection, EntryPtr entry)
      : watches_(std::move(watches)), collection_(collection), entry_(std::move(entry)) {}
  ~WatchHandle() override {
    watches_->remove(collection_, entry_);
    entry_->release();
  }

 private:
  std::shared_ptr<Watches> watches_;
  CollectionId collection_;
  EntryPtr entry_;
};

}  // namespace

Feed::Feed(Database& database) : database_(database), watches_(std::make_shared<Watches>()) {}

Feed::~Feed() {
  remove_job();
}

void Feed::add_job(Jobs& jobs) {
  job_ = jobs.add({.name = "feed watches",
                   .lane = JobLane::events,
                   .run = [this](const JobRun&) -> Result<NextRun> {
                     flush();
                     return NextRun::when_woken();
                   },
                   .retry_max = limits::job_retry_first});
}

void Feed::remove_job() {
  job_.remove();
}

std::unique_ptr<FeedWatch> Feed::watch(CollectionId collection, Woken woken) {
  auto entry = std::make_shared<WatchEntry>();
  entry->woken = std::move(woken);
  {
    const auto no_commits = database_.state_->committer.block_commits();
    watches_->add(collection, entry);
  }
  return std::make_unique<WatchHandle<Watches>>(watches_, collection, std::move(entry));
}

Instant Feed::flush() {
  Database::State& state = *database_.state_;
  const std::lock_guard lock(watches_->waking);
  store::Version applied = 0;
  std::set<CollectionId> changed;
  {
    // No commit is between being applied and being noted.
    const auto no_commits = state.committer.block_commits();
    applied = state.store->applied();
    changed = watches_->take_changed();
  }
  state.store->sync(applied);
  try {
    for (const EntryPtr& entry : watches_->of(changed)) entry->wake();
  } catch (const std::exception&) {
    watches_->put_back(std::move(changed));  // some may be woken twice, but none is left out
    throw;
  }
  return records::to_instant(applied);
}

bool Feed::is_watched() const {
  return watches_->count.load(std::memory_order_relaxed) > 0;
}

void Feed::note(CollectionId collection) {
  if (!is_watched()) return;
  const std::lock_guard lock(watches_->mutex);
  if (!watches_->entries.contains(collection)) return;
  if (watches_->changed.insert(collection).second) job_.wake();
}

}  // namespace mayfly
