// Database: the public interface of the document layer. It opens a store, keeps the catalog, opens
// views and transactions, and owns the sweeper and the jobs. Each answer at an instant is the same
// however early or late garbage is collected: the sweeper and compaction change no answer.
//
// Threads: all members may be called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "db/catalog/catalog.h"
#include "db/read/view.h"
#include "db/rows/document.h"
#include "db/write/transaction.h"
#include "store/store.h"

namespace mayfly {

class Sweeper;
class Feed;
class Jobs;
namespace ledger {
class Ledger;
}
struct NameFromBefore;  // names_from_before.h

// A requested index; the members mean the same as in Index (catalog.h).
struct IndexSpec {
  std::string name;
  std::vector<IndexField> fields;
  Uniqueness unique = Uniqueness::none;
  Entries entries = Entries::whole;
  bool is_of_definition = false;
};
// Whether an index has the name, fields, uniqueness and kind of entries of the specification.
bool has_content(const Index& index, const IndexSpec& spec);

// The requested changes of a collection; a member that is unset stays as it is.
struct CollectionChange {
  // If set, the change fails with stale unless this is the collection's `changed_at`.
  std::optional<Instant> if_changed_at;
  std::optional<Default> default_lifetime;
  std::optional<std::optional<Stamp>> stamp;
  std::optional<bool> writers_may_set_lifetime;
  std::optional<Span> keep_history_for;
  std::optional<Span> keep_trash_for;
  std::optional<Span> keep_feed_for;
  std::optional<Span> keep_purges_for;  // the record of purges
  std::optional<bool> expires_to_trash;
  std::optional<bool> is_indexed;
  std::optional<BodyRules> body;
  std::map<std::string, std::optional<std::string>> facets;  // nothing: removes the facet
  // Indexes that belong to the definition from now on. The change fails with stale if one of them
  // does not exist or is not filled, except for an index of truncated values, on which no answer
  // depends.
  std::vector<IndexSpec> definition_indexes;
};

struct CollectionSpec {
  std::string name;
  CollectionChange promises;
  std::vector<IndexSpec> indexes;
  bool is_internal = false;  // (catalog.h); must be true for names and databases that make it so
  CountsFrom default_counts_from = CountsFrom::second;
};

// Databases and collections, by their ids.
struct CatalogParts {
  std::set<DatabaseId> databases;
  std::set<CollectionId> collections;
  bool keeps_other_collections =
      false;  // a database stays if it has collections that are not named here
  // Each is dropped and replaced by an empty one of the same name and definition.
  std::set<CollectionId> emptied = {};
};

struct DatabaseSpec {
  std::string name;
  Facets facets = {};
};

class Database {
 public:
  struct State;  // private to db/

  // Takes ownership of the store; `clock` outlives the database. Fails with corrupt if the store's
  // rows are not Mayfly's, and with invalid if they have a format that this version does not read.
  // `holds_feeds`: all events are kept until feed().holds().set() says which are needed.
  static Result<std::unique_ptr<Database>> open(std::unique_ptr<store::Store> store,
                                                const Clock& clock, bool holds_feeds = false);
  ~Database();

  CatalogPtr catalog() const;
  // A reader's `now` at this moment. It never goes back behind a time already answered.
  Instant now();
  store::Store& store();
  // The version of the newest commit that an answer given now can show; the sweeper's commits
  // change no answer (clock/last_visible.h). An answer may have to wait until this version is
  // durable. It is later than applied() if a restart could go back behind the answer until a floor
  // of the clock has been written (database_clock.h).
  store::Version shown() const;
  Sweeper& sweeper();
  Feed& feed();
  Jobs& jobs();
  ledger::Ledger& ledger();

  // A consistent view of everything, at one now.
  View view();
  // A view for reading the trash of a collection: all its deaths up to the view's now have been
  // recorded, so that expired documents that go to the trash are in it (docs/decisions/0007).
  Result<View> up_to_date_view(CollectionId collection);
  // The same for the trash of several collections.
  Result<View> up_to_date_view(std::span<const CollectionId> collections);
  // A point read of the living document, without the cost of a view (in a collection with
  // partitions, only if the key names one; else as View::get). A missing document or collection is
  // not an error.
  Result<std::optional<Document>> get(const CollectionPtr& collection, const DocumentKey& key);

  // Runs `work` on a transaction and commits it. If the commit lost a race, runs it again from the
  // start, at a later now, at most limits::commit_attempts_max times; then it fails with contended.
  // `work` may look at collections only through the transaction's catalog, and must be repeatable.
  // If `work` fails, nothing is written, and the call fails with its error. Returns the instant of
  // the commit; if nothing was written, the transaction's now. The commit is not yet durable
  // (shown()).
  using Work = std::function<Result<void>(Transaction&)>;
  // Called once after the commit, while `transaction` still shows what was written.
  using Committed = std::function<void(const Transaction& transaction, Instant written_at)>;
  Result<Instant> transact(const Work& work, const Committed& committed = {});

  // Purges the documents that have been in a trash longest, at most `documents_max`. Held documents
  // stay, and are not counted. Returns how many are purged; none is not an error. Fails with
  // not_found if there is no such collection.
  Result<std::size_t> evict_oldest_trash(CollectionId id, std::size_t documents_max);

  // --- the catalog; each change is one commit, visible to every later reader ---
  // create_database() fails with exists, invalid (the name) and too_large (too many databases);
  // create_collection() likewise, with not_found if there is no such database, and as
  // change_collection().
  Result<DatabaseInfoPtr> create_database(const std::string& name, Facets facets = {});
  // A database that no dialect lists or finds by name (catalog.h). Its name begins with '#', which
  // no other name may.
  Result<DatabaseInfoPtr> create_internal_database(const std::string& name);
  // Gives internal names to data that earlier versions kept under names that any user can choose;
  // its rows stay. It is done once for each directory, since later a user may have made something
  // with such a name.
  Result<void> move_names_from_before(std::span<const NameFromBefore> names);
  // Drops all of these in one commit, databases with their collections; those that do not exist are
  // skipped. Returns what existed. Fails with not_found if nothing existed, and with forbidden if
  // one has a document under hold: then nothing is dropped.
  Result<CatalogParts> drop(const CatalogParts& parts);
  Result<void> drop_database(DatabaseId id);
  Result<CollectionPtr> create_collection(DatabaseId database, const CollectionSpec& spec);
  // The same in the database of that name; if it does not exist, the same commit creates it.
  Result<CollectionPtr> create_collection(const DatabaseSpec& database, const CollectionSpec& spec);
  // The collection with the specification's name; created if it is missing, else unchanged. Never
  // null. Fails as create_collection(), but with contended instead of exists: then another request
  // has created it, and it has just been dropped.
  Result<CollectionPtr> ensure_collection(DatabaseId database, const CollectionSpec& spec);
  // Fails with not_found, stale (`if_changed_at`, `definition_indexes`), invalid (a default out of
  // range, or policies that exclude each other), throttled (too many defaults that are still
  // needed), contended (writers kept winning while ends were recorded).
  Result<CollectionPtr> change_collection(CollectionId id, const CollectionChange& change);
  Result<void> drop_collection(CollectionId id);
  // Creates an index and fills it with the entries of existing documents, in several commits; no
  // reader uses it before it is filled. If it cannot be filled, it is dropped again. Fails with
  // exists if the name is taken, or if the index is unique and two living documents have the same
  // values; with not_found, invalid (name or fields), too_large (too many indexes, or a document
  // whose values are too long or too many for it). Calls `goes_on`, if it is set, between its
  // commits; if that returns false, it fails with contended. If other threads are already filling
  // an index of truncated values, this call fills it, too; the first one to finish makes it ready.
  // It fails with not_found if they have given it up.
  Result<CollectionPtr> create_index(CollectionId id, const IndexSpec& spec,
                                     const std::function<bool()>& goes_on = {});
  // Creates the index in the background some time later, if there is room for one more that no
  // definition names. For an index on which no answer depends.
  void request_index(const Collection& collection, IndexSpec spec);
  // Fails with forbidden if the index belongs to the definition of the collection.
  Result<CollectionPtr> drop_index(CollectionId id, const std::string& name);
  // The same for the owner of the definition: it drops any index.
  Result<CollectionPtr> drop_any_index(CollectionId id, const std::string& name);

  // Writes the latest instant answered, so that a restart goes on from there: at a clean stop, and
  // before a backup. It is not yet durable.
  Result<void> persist_clock();
  // Writes a floor ahead of time (database_clock.h), if there has been a read or write since the
  // last time.
  Result<void> persist_clock_if_used();

 private:
  friend class Sweeper;
  friend class Feed;
  explicit Database(std::unique_ptr<State> state);
  Transaction begin();
  Result<Instant> commit(TransactionState& transaction);
  Result<void> erase_dropped();
  Result<void> free_internal_names();
  Result<void> fill_index(CollectionId id, IndexId filled, const std::function<bool()>& goes_on);
  Result<void> drop_unfilled_indexes();
  Result<void> begin_past_of_indexes();
  Result<std::size_t> evict_oldest(CollectionId id, std::size_t most);
  Result<void> keep_trash_since(const CollectionPtr& collection, Instant through);
  std::unique_ptr<State> state_;
};

}  // namespace mayfly
