// What a Transaction is made of. Private to db/.
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

// A document as this transaction wants it to be. Owns its bytes; `head` looks into them.
struct OwnedHead {
  std::string author;
  std::string updater;
  Bytes facet;
  Bytes hold;
  Bytes body;
  Lifetime lifetime = Inherit{};
  bool is_asked = false;                  // that lifetime, beside what the body says
  Instant created_at = Instant::never();  // never(): the instant of the commit
  std::uint64_t revision = 1;
  // Of this body, so who changes it asks for new ones; a copy begins with none.
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

// All that the transaction does to one document; the commit writes the sum of it.
struct Write {
  CollectionPtr collection;
  Bytes key;
  std::optional<Document> before;  // the row that stood there, alive or dead
  bool was_alive = false;
  bool is_rewritten = false;               // `after` is not what stood there
  std::shared_ptr<const OwnedHead> after;  // null: no living document
  // Where the life that stands there, or goes to the trash, comes from.
  enum class Origin { before, trash, own };
  Origin origin = Origin::own;
  struct Removed {
    Instant written_at;
    std::shared_ptr<const OwnedHead> head;
    Origin origin;
    bool is_own;       // written by this transaction, …
    bool is_restored;  // … by restoring it
  };
  std::optional<Removed> to_trash;    // set: goes to the trash at the commit's instant
  std::vector<Instant> out_of_trash;  // removed_at of the rows that leave it
  std::set<Bytes> ends_of_trash;      // rows of queues: own ends that are not waited for any more
  struct Forgotten {
    Version version;
    std::string by;
  };
  std::vector<Forgotten> forgotten;  // those of them that leave it for good
  Version restored;                  // the removed version of the one whose origin is the trash
  bool is_restored = false;
  std::optional<std::string> removed_by;  // set: the life of `before` ends for good
  bool is_dead_to_trash = false;          // `before` has died, and is still to go to the trash
  // A row of the trash that stays there, with another hold.
  struct Rewritten {
    Bytes value;
    bool is_held;
  };
  std::map<Instant, Rewritten> in_trash;  // by removed_at
  std::vector<Instant> released;          // removed_at of those that leave it and were held

  // Whether what stands there is of this transaction.
  bool is_own() const { return is_rewritten || is_restored; }

  // Whether a hold lies on the document before or after.
  bool has_hold() const {
    return (before && was_alive && !before->hold.empty()) || (after && !after->hold.empty());
  }
  // Whether the document itself is another one afterwards, not only what the trash holds of it.
  bool changes_document() const { return is_rewritten || is_restored || (was_alive && !after); }
};

// What an end that has been put into a queue means to the sweeper.
struct ScheduledEnd {
  CollectionId collection;
  Instant end;
};

struct TransactionState {
  View view;
  Sweeper* sweeper = nullptr;
  // Has to be settled before another attempt can succeed.
  std::optional<CollectionId> to_settle = {};
  // Rows have come to stand where the sweeper has been.
  bool is_behind_sweeper = false;
  store::Version since = 0;
  std::map<std::pair<CollectionId, Bytes>, Write> writes;
  std::vector<store::Put> raw_puts;  // index entries that a backfill adds
  std::map<CollectionId, CollectionPtr> used;
  std::size_t bytes = 0;       // that it writes
  std::size_t held_bytes = 0;  // of what stood there before
  bool is_full = false;        // it has refused an edit for its size
  struct Changed {
    CollectionId collection;
    CollectionChange change;
  };
  std::optional<Changed> changed = {};  // a collection that changes with the commit
  Instant committed_at = Instant::never();
  // Once the batch is made: of how many slots the commit changes a collection's ledger.
  std::map<CollectionId, std::size_t> ledger_changes = {};

  TransactionState(View v, Sweeper& s) : view(std::move(v)), sweeper(&s) {}
};

// What a transaction becomes at its commit's instant, at which it is known which of its writes are
// dead: one that takes the place in the trash ends for good what would have lain there. `ends` gets
// what the sweeper must know.
Result<store::CommitBatch> batch_of(TransactionState& transaction, Instant written_at,
                                    std::vector<ScheduledEnd>& ends);

// Of each collection that it writes, once.
void raise_commit_numbers(const TransactionState& transaction, Instant at);

// The document that `head` is when written at that instant.
Document document_of(const CollectionPtr& collection, BytesView key,
                     std::shared_ptr<const OwnedHead> head, Instant written_at);

// Whether a document may have more than one entry in it.
bool has_items(const Index& index);
// The rows of a document's entries in one index, in their order, …
Result<std::vector<Bytes>> entries_in(const Collection& collection, const Index& index,
                                      const Document& document);
// … and in all of them.
Result<std::vector<Bytes>> entries_of(const Collection& collection, const Document& document);
// The same for a document that goes: an index whose value is too long has no entry of it.
std::vector<Bytes> old_entries_of(const Collection& collection, const Document& document);
// Whether another living document has values that the index wants to be this one's alone: of
// several items, any.
Result<bool> is_taken(View& view, const Collection& collection, const Index& index,
                      const Document& document);

// Moves a document that has died to the trash; its own row is left to the caller.
void put_expired(const Collection& collection, const Document& dead, store::CommitBatch& batch,
                 std::vector<ScheduledEnd>& ends);

// The value of a queue row of the trash whose document is held; …
inline constexpr char held_mark = '\x01';
// … and of one whose document has an end of its own: the queue and the instant of that one's row.
inline constexpr std::size_t place_in_queue_bytes = 1 + sizeof(std::int64_t);
Bytes place_in_queue(BytesView row);
// The row that such a value names; empty where it names none.
Bytes own_end_of(CollectionId collection, const keys::QueueKey& entry, BytesView value);

// What the transaction ends for good in a collection that keeps a record of that.
std::vector<PurgedVersion> purged_by(const TransactionState& transaction, CollectionId collection,
                                     Instant at);

// What a queue row says of the version whose end it holds.
Version version_in_queue(const keys::QueueKey& entry, const store::Row& row);
// The queue row of the own end of a removed document, which may come while it lies in the trash;
// nothing if it has none.
std::optional<store::Put> queue_row_in_trash(const Collection& collection, BytesView key,
                                             const Version& removed);
// Where a living version stands in the order of ends. `end` means nothing where it never ends.
struct EndPlace {
  keys::EndOrder order = keys::EndOrder::never;
  Instant end = Instant::never();
};
EndPlace place_of_end(const Version& version);
// The queue row in which the version's end stands; nothing if it has none to wait for.
std::optional<store::Put> queue_row(const Collection& collection, BytesView key,
                                    const Version& version);

}  // namespace mayfly
