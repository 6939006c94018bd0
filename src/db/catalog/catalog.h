// The catalog: which databases and collections there are, and what each collection promises. A
// Catalog is an immutable picture; a change makes a new one. Names are unique among siblings; ids
// are never used again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "db/rows/commit_number.h"
#include "db/write/rules/body_rules.h"
#include "expr/stored.h"
#include "lifetime/lifetime.h"
#include "store/store.h"
#include "value/order/stand_in.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly {

using DatabaseId = std::uint32_t;
using CollectionId = std::uint32_t;
using IndexId = std::uint32_t;

// What a dialect keeps beside a database or collection, by a key of its own; opaque here. Small:
// the catalog lives in memory.
using Facets = std::map<std::string, std::string, std::less<>>;

struct IndexField {
  Field field;
  bool is_descending = false;
  // Null and what is missing are one value, which is greater than all others: so it comes last, or
  // first where descending.
  bool null_is_greatest = false;
  // An array has an entry for each of its items, equal ones once; an empty one has one as if it
  // were missing. Any other value has one for itself.
  bool is_each = false;
  // Set: it holds what this gives, in place of a field (docs/decisions/0034).
  StoredExpression computed = {};
  bool operator==(const IndexField&) const = default;

  // What it holds, as text.
  std::string render() const;
};

// Which living documents may not have the same values in all fields of an index.
enum class Uniqueness : std::uint8_t {
  none,
  of_complete,  // those that lack none of the fields; where null_is_greatest, null is lack, too
  of_routing,   // those of one routing, where a missing field counts as null; the index holds null
};

// What entries hold of the values of their fields (docs/decisions/0016).
enum class Entries : std::uint8_t {
  whole,  // all of them; a document with a value too long for that is refused
  cut,    // what stands in for them, so that any document fits; such an index is not unique
};

struct Index {
  IndexId id = 0;
  std::string name;
  std::vector<IndexField> fields;
  Uniqueness unique = Uniqueness::none;
  Entries entries = Entries::whole;
  // A definition that a dialect keeps of the collection needs it: it goes only with that.
  bool is_of_definition = false;
  // Its entries are all there. Until then writes maintain it and no reader uses it.
  bool is_ready = false;
  // It also knows what has left it since, so that it can be read as of any later instant; never():
  // of none.
  Instant past_since = Instant::never();
};

// What an entry of the index holds for a value.
StandIn held_in(const Index& index, const Value& value);
// Appends that to an entry, or to what entries begin with. Fails with too_large.
Result<void> put_held(Bytes& entry, const IndexField& indexed, const Value& held);

// What is made of a collection's facets: made when it is first asked for, and kept as long as this
// picture of the collection. A copy begins without. Threads: any.
class Derived {
 public:
  Derived() = default;
  Derived(const Derived&) {}
  Derived& operator=(const Derived&);

  // There is one of each type. `make` gives a Result<std::shared_ptr<const T>>; a failure is not
  // kept.
  template <class T, class Make>
  Result<std::shared_ptr<const T>> get(const Make& make) const {
    if (auto known = find(typeid(T))) return std::static_pointer_cast<const T>(std::move(known));
    std::shared_ptr<const T> made = TRY(make());
    return std::static_pointer_cast<const T>(keep(typeid(T), std::move(made)));
  }

 private:
  using Part = std::shared_ptr<const void>;
  Part find(std::type_index type) const;
  Part keep(std::type_index type, Part made) const;  // the first that was made stays

  mutable std::mutex mutex_;
  mutable std::map<std::type_index, Part> parts_;
};

struct Collection {
  CollectionId id = 0;
  DatabaseId database = 0;
  std::string name;
  Instant created_at;
  Instant changed_at;
  Policy policy;
  std::vector<Index> indexes;
  IndexId next_index = 1;
  BodyRules body;
  Facets facets;
  Derived derived = {};
  // The version of its row in the store, which whoever relies on it guards. 0: not written yet.
  store::Version row_version = 0;
  // Of the collection, however its definition changes. Never null.
  std::shared_ptr<CommitNumber> commits = std::make_shared<CommitNumber>();

  const Index* find_index(std::string_view index_name) const;
};
using CollectionPtr = std::shared_ptr<const Collection>;

// Databases whose names begin with '#', and all that lies in them, are internal, as are collections
// of such names in any database: there a dialect keeps what is no document of its users. They go
// with their database. A caller who takes a name or an id from outside never finds one.
bool is_internal(std::string_view name);

struct DatabaseInfo {
  DatabaseId id = 0;
  std::string name;
  Instant created_at;
  Facets facets;
  store::Version row_version = 0;  // as in Collection
};
using DatabaseInfoPtr = std::shared_ptr<const DatabaseInfo>;

class Catalog {
 public:
  // What is not internal. Null where there is none.
  DatabaseInfoPtr find_database(std::string_view name) const;
  CollectionPtr find_collection(DatabaseId database, std::string_view name) const;
  DatabaseInfoPtr database(DatabaseId id) const;
  CollectionPtr collection(CollectionId id) const;
  std::vector<DatabaseInfoPtr> databases() const;                     // by name
  std::vector<CollectionPtr> collections(DatabaseId database) const;  // by name

  // What is internal. Null where there is none.
  DatabaseInfoPtr find_internal_database(std::string_view name) const;
  CollectionPtr find_internal(DatabaseId database, std::string_view name) const;
  std::vector<CollectionPtr> internal_collections(DatabaseId database) const;  // by name

  // Both.
  DatabaseInfoPtr any_database(DatabaseId id) const;
  CollectionPtr any_collection(CollectionId id) const;
  const std::map<DatabaseId, DatabaseInfoPtr>& all_databases() const { return databases_; }
  const std::map<CollectionId, CollectionPtr>& all_collections() const { return collections_; }
  std::size_t database_count() const { return databases_.size(); }
  // Whether a collection of that name is internal there.
  bool is_internal_at(DatabaseId database, std::string_view name) const;

  // Only Database (database.h) changes a catalog, on a copy of its own.
  void put(DatabaseInfoPtr database);
  void put(CollectionPtr collection);
  void remove_database(DatabaseId id);
  void remove_collection(CollectionId id);
  std::uint32_t next_id = 1;           // for databases and collections alike
  store::Version next_id_version = 0;  // of its row

 private:
  DatabaseInfoPtr named(std::string_view name) const;
  CollectionPtr named(DatabaseId database, std::string_view name) const;
  std::vector<CollectionPtr> collections_of(DatabaseId database, bool internal) const;

  std::map<DatabaseId, DatabaseInfoPtr> databases_;
  std::map<std::string, DatabaseId, std::less<>> database_names_;
  std::map<CollectionId, CollectionPtr> collections_;
  std::map<std::pair<DatabaseId, std::string>, CollectionId> collection_names_;
};
using CatalogPtr = std::shared_ptr<const Catalog>;

// Names of databases, collections and indexes: 1 to 255 bytes of UTF-8 without control characters
// and without '/'. Fails with invalid; `what` names the thing in the message, `field` the member.
Result<void> check_name(std::string_view name, std::string_view what, std::string field);

// How catalog rows lie in the store: JSON, so that a person can read them.
std::string encode(const Collection& collection);
std::string encode(const DatabaseInfo& database);
Result<Collection> decode_collection(std::string_view text);
Result<DatabaseInfo> decode_database(std::string_view text);

}  // namespace mayfly
