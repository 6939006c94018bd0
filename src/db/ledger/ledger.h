// Ledger: maintains the ledgers of ends of all collections. Every commit writes its changes as a
// row of its own (changes.h), so that no row is written by all commits. A job adds such rows up to
// slots (slots.h), and another one makes the slots of collections that have none yet. Neither
// changes an answer. Rows of changes that are in the slots, and slots in which all documents have
// expired, are left to compaction (docs/decisions/0042-a-ledger-of-ends.md).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include "db/database.h"
#include "db/jobs/jobs.h"
#include "db/ledger/slots.h"
#include "store/store.h"

namespace mayfly::ledger {

struct CountChange;

// Threads: any; add_jobs() and remove_jobs() from one. Private to db/.
class Ledger {
 public:
  Ledger(Database& database, Database::State& state) : database_(database), state_(state) {}

  void add_jobs(Jobs& jobs);
  void remove_jobs() const;

  // A collection that existed at the start: the number of its pending changes is not known.
  void add_existing(CollectionId collection);
  // A commit has written this many changes of the collection. Cheap.
  void add_pending(CollectionId collection, std::size_t changes);
  void forget(CollectionId collection);

  // By collection: all changes of commits up to this instant are in slots that every view from
  // `horizon` on reads, and that a loss of power cannot undo.
  using Through = std::unordered_map<CollectionId, Instant>;
  Through folded(Instant horizon, store::Version durable);

  // Makes the slots of a collection from its documents. Calls `must_end` between its commits. Fails
  // with not_found if the collection does not exist, and with contended if `must_end` returns true,
  // or if meanwhile the collection is dropped or another server makes the slots.
  Result<void> make(CollectionId collection, const std::function<bool()>& must_end = {});
  // Marks the slots of a collection as incomplete: until they are made again, which a job does
  // after the next start, the documents are read to be counted. Fails as make().
  Result<void> reset(CollectionId collection);
  // Adds all changes of all collections up to slots, however few there are.
  Result<void> fold_all();

 private:
  struct Folded {
    store::Version version;  // of the commit that added them up
    Instant through;
  };
  struct CollectionLedger {
    std::size_t pending = 0;  // changes that are not in slots, approximately
    std::deque<Folded> folded = {};
  };
  using Slots = std::map<SlotId, std::int64_t>;

  Result<NextRun> run_folding(const JobRun& run);
  Result<NextRun> run_making(const JobRun& run);
  // Adds up a page of changes, if there are at least `changes_min`. Returns whether more are left.
  Result<bool> fold(const CollectionPtr& collection, std::size_t changes_min);
  Result<void> drop_folded(CollectionId collection);
  Result<void> try_again(const Collection& collection, const Error& error);
  Result<void> put_slots(View& view, const Collection& collection, const Slots& added,
                         store::CommitBatch& batch);
  Result<void> remove_slots(const CollectionPtr& collection, store::Version& seen);
  Result<store::Version> commit(const CollectionPtr& collection, store::CommitBatch batch,
                                store::Version seen, const Bytes& to);
  void note_folded(CollectionId collection, std::size_t changes, Folded folded);

  Database& database_;
  Database::State& state_;
  JobHandle folding_;
  JobHandle making_;
  std::mutex mutex_;
  std::unordered_map<CollectionId, CollectionLedger> ledgers_;
  std::set<CollectionId> to_fold_;
  std::set<CollectionId> to_make_;
};

}  // namespace mayfly::ledger
