// Transaction: a View that can also edit. If a collection has partitions and a key names none,
// put() writes to the partition that the body names. The other members find the document by its id:
// as View::locate does, or in the trash or among the holds if they edit these. It reads its own
// writes; it commits all or nothing. It is serializable: the commit checks again everything that it
// has read (documents, absences, ranges), and that every document that it saw living is still
// living at the commit's own instant.
//
// It edits at most limits::transaction_rows_max documents. The replaced documents hold at most
// limits::transaction_bytes_max, and so do its writes: each body that is put, restored or put under
// hold counts once, and each that is removed counts once for the history and once for the trash, if
// the collection keeps them. An edit beyond that fails with too_large and changes nothing.
//
// A null collection is one that has been dropped: an edit that needs it fails with not_found.
//
// Threads: one at a time. Get one from Database::transact, which retries lost races.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "db/read/view.h"

namespace mayfly {

struct TransactionState;

// The lifetime that a write requests. Keep: none. Then a new document gets the policy's stamp, or
// else Inherit; an existing one keeps its At or Never (and its After, counted again from this
// write), unless the policy stamps every write.
//
// FromBody: the lifetime that the body specifies (body_rules.h). If it specifies none, a lifetime
// that an earlier body specified is withdrawn: Inherit, or the policy's stamp. A lifetime that
// another writer requested stays.
//
// After every write a body that specifies a lifetime specifies the document's actual one: if
// another one is requested or kept, its member is changed or removed.
struct Keep {};
struct FromBody {};
using LifetimeChange = std::variant<Keep, Lifetime, FromBody>;

struct PutOptions {
  enum class Expect { anything, absent, present };
  Expect expect = Expect::anything;
  // If set, the document must be at exactly this version, else the write fails with stale. For an
  // expired or absent document it fails with not_found, never stale.
  std::optional<Instant> if_written_at;
  LifetimeChange lifetime = Keep{};
  // The lifetime is the document's own, or that one moved forward: it does not count as set by a
  // writer.
  bool is_touch = false;
  std::string author;  // the writing user; empty: unknown
  std::optional<Bytes>
      facet;  // unset: an existing document keeps its own, unless a new life begins
  // Where the version comes from. by_itself: the first version is a creation, and later ones are
  // updates of it. The others begin a new life: created now, by this author; `replacement` also
  // reports this as an update. The revision goes on counting in any case.
  enum class VersionOrigin { by_itself, creation, replacement };
  VersionOrigin origin = VersionOrigin::by_itself;
};

struct RemoveOptions {
  std::optional<Instant> if_written_at;
  std::string author;
  bool is_final = false;  // bypasses the trash, also where the collection has one
};

struct RestoreOptions {
  std::string author;
  // Keep: the lifetime that it had. An expired document gets the lifetime in its body if that was
  // its lifetime, else that of a new document of the collection.
  LifetimeChange lifetime = Keep{};
};

struct HoldOptions {
  std::string by;  // the user who sets it
  std::string reason;
};

class Transaction {
 public:
  Transaction(Transaction&&) noexcept;
  ~Transaction();

  // For all reading; shows this transaction's own writes.
  View& view();
  Instant now() const;

  // Writes a document whole. `packed` is a result of pack(). Returns whether the document is new.
  // Fails with exists (id, or the values of a unique index: `field` names the index's first field),
  // not_found, stale, invalid (key, partition, lifetime, or the body's `ttl`), forbidden (the
  // policy does not let writers set a lifetime), too_large.
  Result<bool> put(const CollectionPtr& collection, const DocumentKey& key, Bytes packed,
                   const PutOptions& options);
  // Ends a document: it goes to the trash if the collection keeps one, else for good. Fails with
  // not_found, stale, forbidden if it is held, too_large.
  Result<void> remove(const CollectionPtr& collection, const DocumentKey& key,
                      const RemoveOptions& options);
  // Restores the last removed document of that key, as a new version of the same life. Fails with
  // not_found if the trash has none (or it has expired there), exists if a living document has its
  // key or a unique value, forbidden like put.
  Result<void> restore(const CollectionPtr& collection, const DocumentKey& key,
                       const RestoreOptions& options);
  // Purges every removed document of that key from the trash. Fails with not_found, forbidden if
  // one of them is held.
  Result<void> forget(const CollectionPtr& collection, const DocumentKey& key,
                      const std::string& author = {});

  // After it, a lens on the trash shows everything there. Fails with contended, so that the work
  // runs again, while deaths of documents that go to the trash are still to be recorded.
  Result<void> check_expirations_flushed(const CollectionPtr& collection);
  // The last removed document of that key, as restore finds it. Documents that have expired by now
  // are included if the collection's expired documents go to the trash.
  Result<std::optional<Document>> get_removed(const CollectionPtr& collection,
                                              const DocumentKey& key);

  // Sets a hold: until its release the document neither expires nor can be removed; in the trash it
  // stays there (docs/decisions/0006). It is set on the living document, or else on the last
  // removed one. Fails with not_found, exists if it is held already, invalid (a text is too long).
  Result<void> hold(const CollectionPtr& collection, const DocumentKey& key,
                    const HoldOptions& options);
  // Releases the holds of all its versions, living or in the trash; or only that of the version
  // removed at that instant. A document whose lifetime has passed under the hold expires with the
  // release. Fails with not_found, also if there is no hold on it.
  Result<void> release(const CollectionPtr& collection, const DocumentKey& key,
                       const std::string& author, std::optional<Instant> removed_at = std::nullopt);

  // Whether it has refused an edit with too_large because a bound of the whole transaction would be
  // exceeded; it may refuse further edits, too. The edits so far can be committed, and a further
  // transaction can do the rest, unless its first edit is refused: that one is too large by itself.
  bool is_full() const;

  // After a commit: the document as this transaction left it; nothing if it removed the document or
  // did not write it.
  std::optional<Document> written(const CollectionPtr& collection, const DocumentKey& key) const;

 private:
  friend class Database;
  explicit Transaction(std::unique_ptr<TransactionState> state);
  Result<DocumentKey> locate_removed(const CollectionPtr& collection, const DocumentKey& asked);
  std::unique_ptr<TransactionState> state_;
};

}  // namespace mayfly
