// Database: the public face of the document layer. It opens a store, keeps the catalog, hands out
// views and transactions, and owns the sweeper and the jobs. Whatever it is asked at an instant, it
// answers as if garbage were collected at once and never: the sweeper and compaction change no
// answer.
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

struct IndexSpec {
  std::string name;
  std::vector<IndexField> fields;
  Uniqueness unique = Uniqueness::none;
  Entries entries = Entries::whole;
  bool is_of_definition = false;  // as of an Index
};
// Whether an index has the name and the content of the specification.
bool has_content(const Index& index, const IndexSpec& spec);

// What a collection is asked to become; what is unset stays as it is.
struct CollectionChange {
  // Set: the change fails with stale where the collection has been changed since.
  std::optional<Instant> if_changed_at;
  std::optional<Default> default_lifetime;
  std::optional<std::optional<Stamp>> stamp;
  std::optional<bool> writers_may_set_lifetime;
  std::optional<Span> keep_history_for;
  std::optional<Span> keep_trash_for;
  std::optional<Span> keep_feed_for;
  std::optional<Span> keep_purges_for;  // the record of them
  std::optional<bool> expires_to_trash;
  std::optional<bool> is_indexed;
  std::optional<BodyRules> body;
  std::map<std::string, std::optional<std::string>> facets;  // nothing: the facet goes
  // Indexes that belong to the definition from now on. The change fails with stale where one of
  // them is not there and filled, except for one of cut values, which no answer depends on.
  std::vector<IndexSpec> definition_indexes;
};

struct CollectionSpec {
  std::string name;
  CollectionChange promises;
  std::vector<IndexSpec> indexes;
  bool is_internal = false;  // (catalog.h); must be true of names and databases that make it so
  CountsFrom default_counts_from = CountsFrom::second;
};

// Databases and collections, by their ids.
struct CatalogParts {
  std::set<DatabaseId> databases;
  std::set<CollectionId> collections;
  bool others_stay = false;  // a database with collections that are not named stays
  // Each is dropped, and an empty one of the same name and definition takes its place.
  std::set<CollectionId> emptied = {};
};

struct DatabaseSpec {
  std::string name;
  Facets facets = {};
};

class Database {
 public:
  struct State;  // private to db/

  // Takes the store over; `clock` outlives the database. Fails with corrupt where the store's rows
  // are not Mayfly's, and with invalid where they have a format that this version does not read.
  // `holds_feeds`: all events stay until feed().holds().set() says which are needed.
  static Result<std::unique_ptr<Database>> open(std::unique_ptr<store::Store> store,
                                                const Clock& clock, bool holds_feeds = false);
  ~Database();

  CatalogPtr catalog() const;
  // The `now` of a reader at this moment. Time answered with never goes back.
  Instant now();
  store::Store& store();
  // The version of the newest commit that an answer given now can show: the sweeper's change none
  // (clock/last_visible.h). An answer may wait for this one to be durable.
  // Later than applied() where no restart may go behind what an answer tells and that is still to
  // be written (database_clock.h).
  store::Version shown() const;
  Sweeper& sweeper();
  Feed& feed();
  Jobs& jobs();
  ledger::Ledger& ledger();

  // One state of everything, at one now.
  View view();
  // The same for reading the trash of a collection: all its deaths up to the view's now have been
  // recorded, so that those who go to the trash first are there (docs/decisions/0007).
  Result<View> settled_view(CollectionId collection);
  // The same for the trash of several.
  Result<View> settled_view(std::span<const CollectionId> collections);
  // A point read: the living document, without the cost of a view. No document is not an error.
  Result<std::optional<Document>> get(const CollectionPtr& collection, const DocumentKey& key);

  // Runs `work` on a transaction and commits it; where the commit lost a race, runs it again from
  // the start, at a later now, at most limits::commit_attempts_max times. `work` may look at
  // collections only through the transaction's catalog. Gives the instant of the commit; where
  // nothing was written, the transaction's now.
  using Work = std::function<Result<void>(Transaction&)>;
  // Called once after the commit, while `transaction` still shows what was written.
  using Committed = std::function<void(const Transaction& transaction, Instant written_at)>;
  Result<Instant> transact(const Work& work, const Committed& committed = {});

  // Lets go of those documents of a trash that have been in it longest, at most `documents_max`.
  // Who is held stays, and is not counted. Gives how many go; none is not an error. Fails with
  // not_found where there is no such collection.
  Result<std::size_t> trim_trash(CollectionId id, std::size_t documents_max);

  // --- the catalog; each is one commit, exact at once for every later reader ---
  Result<DatabaseInfoPtr> create_database(const std::string& name, Facets facets = {});
  // One that no dialect lists or finds by name (catalog.h); its name begins with '#', as no other's
  // may.
  Result<DatabaseInfoPtr> create_internal_database(const std::string& name);
  // Gives internal names to what earlier versions kept under names that anyone can choose; its rows
  // stay. Once in a directory: later, a user may have made what bears such a name.
  Result<void> move_names_from_before(std::span<const NameFromBefore> names);
  // Drops all of these at once, databases with their collections; those that are not there are
  // passed over. Gives what was there. Fails with not_found where there was nothing, forbidden
  // where one has a document under hold: then nothing is dropped.
  Result<CatalogParts> drop(const CatalogParts& parts);
  Result<void> drop_database(DatabaseId id);
  Result<CollectionPtr> create_collection(DatabaseId database, const CollectionSpec& spec);
  // The same in the database of that name; where it is missing, the commit makes it, too.
  Result<CollectionPtr> create_collection(const DatabaseSpec& database, const CollectionSpec& spec);
  // The one of the specification's name; made where it is missing, else as it is. Never null. Fails
  // with not_found where there is no such database, contended where it has just been dropped.
  Result<CollectionPtr> ensure_collection(DatabaseId database, const CollectionSpec& spec);
  Result<CollectionPtr> change_collection(CollectionId id, const CollectionChange& change);
  Result<void> drop_collection(CollectionId id);
  // Fails with exists where a unique index meets two living documents with the same values.
  // Asks `goes_on` between its commits, if there is one; with contended, and nothing made, where
  // that says no. An index of cut values that others are filling is filled by this, too: the first
  // that is done makes it ready. Fails with not_found where they have given it up.
  Result<CollectionPtr> create_index(CollectionId id, const IndexSpec& spec,
                                     const std::function<bool()>& goes_on = {});
  // The same in the background, some time, if there is room for one more that no definition names.
  // For an index that answers do not depend on.
  void request_index(const Collection& collection, IndexSpec spec);
  // Fails with forbidden where the index belongs to the definition of the collection.
  Result<CollectionPtr> drop_index(CollectionId id, const std::string& name);
  // The same for the keeper of the definition: it drops any.
  Result<CollectionPtr> drop_any_index(CollectionId id, const std::string& name);

  // Writes the latest instant answered with, so that a restart goes on from there: at a clean stop,
  // and before a backup. It is not yet durable.
  Result<void> persist_clock();
  // Writes a floor ahead of time (database_clock.h), if a reader or writer has been at work since
  // the last time.
  Result<void> persist_clock_if_asked();

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
  Result<std::size_t> trim_front(CollectionId id, std::size_t most);
  Result<void> keep_trash_since(const CollectionPtr& collection, Instant through);
  std::unique_ptr<State> state_;
};

}  // namespace mayfly
