// The catalog: which databases and collections exist, and the policy of each collection. A Catalog
// is an immutable snapshot; a change makes a new one. Names are unique among siblings; ids are
// never reused.
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
#include "value/order/truncated_value.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly {

using DatabaseId = std::uint32_t;
using CollectionId = std::uint32_t;
using IndexId = std::uint32_t;

// What a dialect stores beside a database or collection, by a key of its own; opaque here. It must
// be small, since the catalog lives in memory.
using Facets = std::map<std::string, std::string, std::less<>>;

struct IndexField {
  Field field;
  bool is_descending = false;
  // Null and a missing value count as one value, which is greater than all others: it comes last,
  // or first in descending order.
  bool null_is_greatest = false;
  // An array has one entry for each distinct item; an empty array has one entry, as a missing value
  // has. Any other value has one entry.
  bool is_each = false;
  // If set, the index holds the value of this expression instead of a field (docs/decisions/0034).
  StoredExpression computed = {};
  bool operator==(const IndexField&) const = default;

  // The field or the expression, as text.
  std::string render() const;
};

// Which living documents may not have the same values in all fields of an index.
enum class Uniqueness : std::uint8_t {
  none,
  of_complete,  // documents with all fields; where null_is_greatest, null counts as missing
  of_routing,   // documents with one routing; a missing field counts as null, also in the index
};

// What entries hold of the values of their fields (docs/decisions/0016).
enum class Entries : std::uint8_t {
  whole,  // the whole values; a document with a value too long for that is refused
  cut,    // truncated keys, so that any document fits; such an index is not unique
};

struct Index {
  IndexId id = 0;
  std::string name;
  std::vector<IndexField> fields;
  Uniqueness unique = Uniqueness::none;
  Entries entries = Entries::whole;
  // The definition that a dialect keeps for the collection needs it: it is dropped only with that.
  bool is_of_definition = false;
  // All entries exist. Until then writes maintain the index and no reader uses it.
  bool is_ready = false;
  // It also holds the entries that have left it since then, so that it can be read as of any later
  // instant; never(): it has none.
  Instant past_since = Instant::never();
};

// What an entry of the index holds for a value.
TruncatedValue entry_value_of(const Index& index, const Value& value);
// Appends that to an entry, or to a prefix of entries. Fails with too_large.
Result<void> put_entry_value(Bytes& entry, const IndexField& indexed, const Value& held);

// Values computed from a collection's facets: computed on first use, and kept as long as this
// version of the collection. A copy begins empty. Threads: any.
class Derived {
 public:
  Derived() = default;
  Derived(const Derived&) {}
  Derived& operator=(const Derived&);

  // There is one value of each type. `make` returns a Result<std::shared_ptr<const T>>; a failure
  // is not kept.
  template <class T, class Make>
  Result<std::shared_ptr<const T>> get(const Make& make) const {
    if (auto known = find(typeid(T))) return std::static_pointer_cast<const T>(std::move(known));
    std::shared_ptr<const T> made = TRY(make());
    return std::static_pointer_cast<const T>(keep(typeid(T), std::move(made)));
  }

 private:
  using Part = std::shared_ptr<const void>;
  Part find(std::type_index type) const;
  Part keep(std::type_index type, Part made) const;  // the first one that was made stays

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
  // The version of its row in the store. A commit that relies on the collection guards that row. 0:
  // not written yet.
  store::Version row_version = 0;
  // It belongs to the collection and survives changes of the definition. Never null.
  std::shared_ptr<CommitNumber> commits = std::make_shared<CommitNumber>();

  const Index* find_index(std::string_view index_name) const;
};
using CollectionPtr = std::shared_ptr<const Collection>;

// A database whose name begins with '#' is internal, with everything in it; so is a collection with
// such a name in any database. Dialects keep their own data there, which is not documents of users.
// Internal collections are dropped with their database. A lookup by a name or id from outside never
// finds one.
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
  // What is not internal. Null if there is none.
  DatabaseInfoPtr find_database(std::string_view name) const;
  CollectionPtr find_collection(DatabaseId database, std::string_view name) const;
  DatabaseInfoPtr database(DatabaseId id) const;
  CollectionPtr collection(CollectionId id) const;
  std::vector<DatabaseInfoPtr> databases() const;                     // by name
  std::vector<CollectionPtr> collections(DatabaseId database) const;  // by name

  // What is internal. Null if there is none.
  DatabaseInfoPtr find_internal_database(std::string_view name) const;
  CollectionPtr find_internal(DatabaseId database, std::string_view name) const;
  std::vector<CollectionPtr> internal_collections(DatabaseId database) const;  // by name

  // Internal or not.
  DatabaseInfoPtr any_database(DatabaseId id) const;
  CollectionPtr any_collection(CollectionId id) const;
  const std::map<DatabaseId, DatabaseInfoPtr>& all_databases() const { return databases_; }
  const std::map<CollectionId, CollectionPtr>& all_collections() const { return collections_; }
  std::size_t database_count() const { return databases_.size(); }
  // Whether a collection with that name in that database is internal.
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
// and without '/'. The caller ensures that the name is UTF-8; this is not checked. Fails with
// invalid; `what` names the kind of thing in the message, `field` the member.
Result<void> check_name(std::string_view name, std::string_view what, std::string field);

// How catalog rows are stored: as JSON, so that a person can read them.
std::string encode(const Collection& collection);
std::string encode(const DatabaseInfo& database);
Result<Collection> decode_collection(std::string_view text);
Result<DatabaseInfo> decode_database(std::string_view text);

}  // namespace mayfly
