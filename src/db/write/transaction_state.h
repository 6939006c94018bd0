// The members of a Transaction. Private to db/.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/database.h"
#include "db/feed/feed.h"
#include "db/purge/purge_log.h"
#include "db/read/view_state.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"
#include "db/write/transaction.h"

namespace mayfly {

class Sweeper;

// A document as this transaction writes it. Owns its bytes; `head` returns views of them.
struct OwnedHead {
  std::string author;
  std::string updater;
  Bytes facet;
  Bytes hold;
  Bytes body;
  Lifetime lifetime = Inherit{};
  bool is_asked = false;                  // requested by the writer, not by the body
  Instant created_at = Instant::never();  // never(): the instant of the commit
  std::uint64_t revision = 1;
  // Values computed from this body: a change of the body must forget them; a copy begins with none.
  struct Computed {
    std::shared_ptr<ComputedValues> values = std::make_shared<ComputedValues>();

    Computed() = default;
    Computed(const Computed&) : Computed() {}
    Computed& operator=(const Computed&) { return forget(), *this; }
    ~Computed() = default;
    void forget() { values = std::make_shared<ComputedValues>(); }
  } computed = {};

  bool is_held() const { return !hold.empty(); }
  records::Head head() const {
    return {lifetime, is_asked, created_at, revision, author, updater, facet, hold, body};
  }
};

// Everything that the transaction does to one document; the commit writes the combined result.
struct Write {
  CollectionPtr collection;
  Bytes key;
  std::optional<Document> before;  // the row that was there, living or expired
  bool was_alive = false;
  bool is_rewritten = false;               // `after` is not what was there
  std::shared_ptr<const OwnedHead> after;  // null: no living document
  // Where the life of the living document, or of the one that goes to the trash, comes from.
  enum class LifeOrigin { before, trash, own };
  LifeOrigin origin = LifeOrigin::own;
  struct Removed {
    Instant written_at;
    std::shared_ptr<const OwnedHead> head;
    LifeOrigin origin;
    bool is_own;       // written by this transaction, …
    bool is_restored;  // … by restoring it
  };
  std::optional<Removed> to_trash;    // if set, it goes to the trash at the commit's instant
  std::vector<Instant> out_of_trash;  // removed_at of the rows that leave it
  std::set<Bytes> ends_of_trash;      // rows of queues: own ends that no longer count in the trash
  struct Forgotten {
    Version version;
    std::string by;
  };
  std::vector<Forgotten> forgotten;  // those that leave it for good
  Version restored;                  // the removed version, if the origin is the trash
  bool is_restored = false;
  std::optional<std::string> removed_by;  // if set, the life of `before` ends for good
  bool is_expired_to_trash = false;       // `before` has expired, and is still to go to the trash
  // A row of the trash that stays there, with a changed hold.
  struct Rewritten {
    Bytes value;
    bool is_held;
  };
  std::map<Instant, Rewritten> in_trash;  // by removed_at
  std::vector<Instant> released;          // removed_at of those that leave it and were held

  // Whether the current version was written by this transaction.
  bool is_own() const { return is_rewritten || is_restored; }

  // Whether there is a hold on the document before or after.
  bool has_hold() const {
    return (before && was_alive && !before->hold.empty()) || (after && !after->hold.empty());
  }
  // Whether the document itself changes, not only its versions in the trash.
  bool changes_document() const { return is_rewritten || is_restored || (was_alive && !after); }
};

// An end that has been put into a queue, for the sweeper to schedule.
struct ScheduledEnd {
  CollectionId collection;
  Instant end;
};

struct TransactionState {
  View view;
  Sweeper* sweeper = nullptr;
  // Ends of this collection have to be recorded before another attempt can succeed.
  std::optional<CollectionId> to_flush = {};
  // It has put rows into queues before positions that the sweeper has passed.
  bool is_behind_sweeper = false;
  store::Version since = 0;
  std::map<std::pair<CollectionId, Bytes>, Write> writes;
  std::vector<store::Put> raw_puts;  // index entries that a backfill adds
  std::map<CollectionId, CollectionPtr> used;
  std::size_t bytes = 0;       // that it writes
  std::size_t held_bytes = 0;  // of the documents that it replaces or removes
  bool is_full = false;        // it has refused an edit for its size
  struct Changed {
    CollectionId collection;
    CollectionChange change;
  };
  std::optional<Changed> changed = {};  // a collection that changes with the commit
  Instant committed_at = Instant::never();
  // Set when the batch is made: how many entries of a collection's ledger the commit changes, each
  // for one second and order (ledger/changes.h).
  std::map<CollectionId, std::size_t> ledger_changes = {};

  TransactionState(View v, Sweeper& s) : view(std::move(v)), sweeper(&s) {}
};

// The batch of a transaction at its commit's instant. Only then is it known which of its writes
// have expired. If one of these takes a place in the trash, the version that would have had the
// place ends for good. `ends` gets the ends that the sweeper must schedule.
Result<store::CommitBatch> batch_of(TransactionState& transaction, Instant written_at,
                                    std::vector<ScheduledEnd>& ends);

// Raises the number of each collection that it writes, once.
void raise_commit_numbers(const TransactionState& transaction, Instant at);

// The document that `head` becomes when written at that instant.
Document document_of(const CollectionPtr& collection, BytesView key,
                     std::shared_ptr<const OwnedHead> head, Instant written_at);

// Whether a document may have more than one entry in it.
bool has_items(const Index& index);
// The rows of a document's entries in one index, in their order, …
Result<std::vector<Bytes>> entries_in(const Collection& collection, const Index& index,
                                      const Document& document);
// … and in all of them.
Result<std::vector<Bytes>> entries_of(const Collection& collection, const Document& document);
// The same for a document that is removed: it has no entry in an index for which its value is too
// long.
std::vector<Bytes> old_entries_of(const Collection& collection, const Document& document);
// Whether another living document has the same values in a unique index; with several items, any of
// them.
Result<bool> is_taken(View& view, const Collection& collection, const Index& index,
                      const Document& document);

// Moves an expired document to the trash; the caller handles the document's own row.
void put_expired(const Collection& collection, const Document& expired, store::CommitBatch& batch,
                 std::vector<ScheduledEnd>& ends);

// The value of a queue row of the trash whose document is held; …
inline constexpr char held_flag = '\x01';
// … and of one whose document has an own end: the queue and the instant of the row of that end.
inline constexpr std::size_t queue_position_bytes = 1 + sizeof(std::int64_t);
Bytes queue_position(BytesView row);
// The row that such a value names; empty if it names none.
Bytes own_end_of(CollectionId collection, const keys::QueueKey& entry, BytesView value);

// The versions that the transaction purges from a collection that keeps a record of purges.
std::vector<PurgedVersion> purged_by(const TransactionState& transaction, CollectionId collection,
                                     Instant at);

// The version whose end a queue row holds, as far as the row says it. In a queue of removed
// documents `written_at` is not that of the document; only the end and `removed_at` are right.
Version version_in_queue(const keys::QueueKey& entry, const store::Row& row);
// The queue row of the own end of a removed document, which may come while it is in the trash;
// nothing if it has none.
std::optional<store::Put> queue_row_in_trash(const Collection& collection, BytesView key,
                                             const Version& removed);
// The position of a living version in the order of ends. `end` is meaningless if it never ends.
struct EndPosition {
  keys::EndOrder order = keys::EndOrder::never;
  Instant end = Instant::never();
};
EndPosition end_position_of(const Version& version);
// The queue row of the version's end; nothing if it has no end.
std::optional<store::Put> queue_row(const Collection& collection, BytesView key,
                                    const Version& version);

}  // namespace mayfly
