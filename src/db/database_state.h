// The members of a Database. Private to db/.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "db/catalog/dropped_rows.h"
#include "db/catalog/requested_indexes.h"
#include "db/clock/clock_floor.h"
#include "db/database.h"
#include "db/expiry/needed_ends.h"
#include "db/expiry/sweeper.h"
#include "db/expiry/watermarks.h"
#include "db/feed/feed.h"
#include "db/jobs/jobs.h"
#include "db/ledger/ledger.h"
#include "db/read/open_views.h"
#include "db/write/committer.h"
#include "db/write/transaction_state.h"

namespace mayfly {

struct Database::State {
  std::unique_ptr<store::Store> store;
  Committer committer;
  CommitClock& clock = committer.clock();
  OpenViews open_views{clock};

  mutable std::mutex catalog_mutex;  // guards the pointer and its version
  CatalogPtr catalog = std::make_shared<Catalog>();
  store::Version catalog_version = 0;  // of the commit that made it; 0: read at the start
  std::atomic<std::uint64_t> catalog_generation{0};

  // Counts reads and writes of clients, so that the sweeper can tell whether there are any.
  std::atomic<std::uint64_t> foreground{0};
  std::uint64_t foreground_at_persist = 0;
  const ClockKind clock_kind;
  std::optional<ClockKind> recorded_kind;  // as the store records it; set while it is opened
  ClockFloor floor;
  // Answers up to this version leave although no floor could be written for them.
  std::atomic<store::Version> released_through{0};

  std::mutex erase_mutex;  // one erasing of dropped rows at a time; guards the next member
  bool erase_has_failed = false;
  DroppedRows dropped;

  Watermarks watermarks;
  NeededEnds needed_ends;
  FeedHolds feed_holds;
  Jobs jobs{[this] { return clock.read(); }, clock_kind == ClockKind::manual};
  std::unique_ptr<Sweeper> sweeper;
  std::unique_ptr<Feed> feed;
  std::unique_ptr<RequestedIndexes> requested_indexes;
  std::unique_ptr<ledger::Ledger> ledger;

  State(std::unique_ptr<store::Store> s, const Clock& c, bool holds_feeds)
      : store(std::move(s)),
        committer(*store, c),
        clock_kind(kind_of(c)),
        feed_holds(holds_feeds) {}

  // The members of a transaction, for edits that have a header of their own.
  static TransactionState& of(Transaction& transaction) { return *transaction.state_; }
  static Result<DocumentKey> locate_removed(Transaction& transaction,
                                            const CollectionPtr& collection,
                                            const DocumentKey& asked) {
    return transaction.locate_removed(collection, asked);
  }

  CatalogPtr current() const {
    const std::lock_guard lock(catalog_mutex);
    return catalog;
  }
  // The catalog that decides what may be purged for good. It is null while a loss of power could
  // still undo its last change, or while a reader reads as of before that change: a shorter
  // retention now does not shorten what that reader was to see.
  CatalogPtr purging_catalog(Instant horizon) const {
    const std::lock_guard lock(catalog_mutex);
    const bool may_purge = catalog_version <= store->durable() &&
                           catalog_version <= static_cast<store::Version>(horizon.micros);
    return may_purge ? catalog : nullptr;
  }
  void publish(CatalogPtr next, store::Version version) {
    const std::lock_guard lock(catalog_mutex);
    catalog = std::move(next);
    catalog_version = version;
    catalog_generation.fetch_add(1, std::memory_order_acq_rel);
  }

  // Notifies the sweeper and the watchers of the feed.
  void note_commit(const TransactionState& transaction, const std::vector<ScheduledEnd>& ends);

  // Erases the rows of dropped collections and indexes that no open view can read any more. The
  // next drop and the job "dropped rows" try again to erase what is left.
  Result<void> erase_dropped();
  // The same; what is left is erased by a job.
  void erase_soon();

  // Writes the clock's floor, `ahead` of the commit that writes it.
  Result<Instant> write_floor(Span ahead, Instant at_least = Instant::beginning());
};

// Decides for compaction which rows no reader can see any more.
std::shared_ptr<store::ForgetFilterMaker> make_forget_maker(Database::State& state);

}  // namespace mayfly
