// Transaction: a View that can also edit. Where a collection has partitions and a key names none,
// what is written goes to the partition that its body says, and all others find the document as
// View::locate does. It reads its own writes; it commits all or nothing; it is
// serializable: what it has read (documents, absences, ranges) is checked again inside the commit,
// and so is that every document it saw alive is still alive at the commit's own instant.
//
// It edits at most limits::transaction_rows_max documents. What stood there before holds at most
// limits::transaction_bytes_max, and so does what it writes: each body that is put, restored or put
// under hold once, and each that is removed once for the history and once for the trash, where the
// collection keeps them. An edit beyond that fails with too_large and changes nothing.
//
// A null collection is one that has been dropped: what needs it fails with not_found.
//
// Threads: one at a time. Get one from Database::transact, which retries lost races.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "db/read/view.h"

namespace mayfly {

struct TransactionState;

// What a write says about lifetime. Keep: nothing. Then a new document gets what the policy stamps,
// or else Inherit; an existing one keeps its At or Never (and its After, counted anew from this
// write), except where the policy stamps at every write.
//
// FromBody: what the body says (body_rules.h). Where it says nothing, the lifetime that a body has
// said before is taken back: Inherit, or what the policy stamps. What others have asked for stays.
//
// After every write a body that says a lifetime says the document's own: where another one is asked
// for or kept, its member is changed or goes.
struct Keep {};
struct FromBody {};
using LifetimeChange = std::variant<Keep, Lifetime, FromBody>;

struct PutOptions {
  enum class Expect { anything, absent, present };
  Expect expect = Expect::anything;
  // Set: the document must be at just this version, else stale. A dead or absent document is
  // not_found, never stale.
  std::optional<Instant> if_written_at;
  LifetimeChange lifetime = Keep{};
  // The lifetime is what the document had, or that moved forward: nothing that a writer asks for.
  bool is_touch = false;
  std::string author;          // who writes; empty: unknown
  std::optional<Bytes> facet;  // unset: an existing document keeps its own, unless it begins anew
  // What the version says of where it comes from. By itself the first is a creation, and those
  // after it are updates of it. The others begin anew: created now, by this author; which
  // `replacement` tells as an update, too. The revision goes on counting all the same.
  enum class Origin { by_itself, creation, replacement };
  Origin origin = Origin::by_itself;
};

struct RemoveOptions {
  std::optional<Instant> if_written_at;
  std::string author;
  bool is_final = false;  // past the trash, even where the collection has one
};

struct RestoreOptions {
  std::string author;
  // Keep: what it had. One that died gets what its body says if that was its lifetime, else what a
  // new document of the collection gets.
  LifetimeChange lifetime = Keep{};
};

struct HoldOptions {
  std::string by;  // who sets it
  std::string reason;
};

class Transaction {
 public:
  Transaction(Transaction&&) noexcept;
  ~Transaction();

  // All reading: shows this transaction's own writes.
  View& view();
  Instant now() const;

  // Writes a document whole. `packed` is what pack() gave. Gives whether it is new.
  // Fails with exists (id, or a unique index's values: `field` names the index's first field),
  // not_found, stale, invalid (key), forbidden (the policy does not let writers set a lifetime),
  // too_large.
  Result<bool> put(const CollectionPtr& collection, const DocumentKey& key, Bytes packed,
                   const PutOptions& options);
  // Ends a document: to the trash where the collection keeps one, else for good. Fails with
  // not_found, stale, forbidden where it is held, too_large.
  Result<void> remove(const CollectionPtr& collection, const DocumentKey& key,
                      const RemoveOptions& options);
  // Brings the last removed document of that key back, as a new version of the same life. Fails
  // with not_found where the trash holds none (or its death has passed), exists where a living one
  // has its key or a unique value, forbidden like put.
  Result<void> restore(const CollectionPtr& collection, const DocumentKey& key,
                       const RestoreOptions& options);
  // Takes every removed document of that key out of the trash for good. Fails with not_found,
  // forbidden where one of them is held.
  Result<void> forget(const CollectionPtr& collection, const DocumentKey& key,
                      const std::string& author = {});

  // Behind it a lens on the trash shows all that lies there. Fails with contended, so that the work
  // is done again, while deaths that go to the trash are still to be recorded.
  Result<void> settle(const CollectionPtr& collection);
  // The last removed document of that key, as restore finds it: who has died by now is there, too,
  // where the collection's dead go to the trash.
  Result<std::optional<Document>> get_removed(const CollectionPtr& collection,
                                              const DocumentKey& key);

  // Sets a hold: until its release the document neither dies nor can be removed; where it lies in
  // the trash, it stays there (docs/decisions/0006). The living one, or else the last removed one.
  // Fails with not_found, exists where it is held already, invalid (too long a text).
  Result<void> hold(const CollectionPtr& collection, const DocumentKey& key,
                    const HoldOptions& options);
  // Ends the holds of all its versions, the living one and those in the trash; or only that of the
  // version removed at that instant. What would have died meanwhile dies with the release. Fails
  // with not_found, also where no hold lies on it.
  Result<void> release(const CollectionPtr& collection, const DocumentKey& key,
                       const std::string& author, std::optional<Instant> removed_at = std::nullopt);

  // Whether it has refused an edit with too_large because of all that it does already, not because
  // of the edit alone. What it does already can be committed; a further transaction takes the rest.
  bool is_full() const;

  // After a commit: the document as this transaction left it; nothing where it removed it or did
  // not write it.
  std::optional<Document> written(const CollectionPtr& collection, const DocumentKey& key) const;

 private:
  friend class Database;
  explicit Transaction(std::unique_ptr<TransactionState> state);
  Result<DocumentKey> locate_removed(const CollectionPtr& collection, const DocumentKey& asked);
  std::unique_ptr<TransactionState> state_;
};

}  // namespace mayfly
