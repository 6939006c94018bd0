// A cache of definitions by schema version. A version never changes, so entries are never stale;
// missing ones are read from the store.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "db/read/view.h"
#include "dialect/fauna/schema/definition.h"

namespace mayfly::fauna {

class SchemaCache;

// The cache for one version of the schema of one database. Threads: any.
class CachedSchema {
 public:
  CachedSchema(SchemaCache& all, DatabaseId database, Instant version)
      : all_(all), database_(database), version_(version) {}

  Instant version() const { return version_; }
  // By name or alias: the definition; null if the schema has none; nullopt if it is not cached.
  std::optional<DefinitionPtr> find_collection(std::string_view name) const;
  std::optional<FunctionPtr> find_function(std::string_view name) const;
  // `bytes` is the size of the document that it was read from. The number of cached missing names
  // is bounded, because clients may ask for any name.
  void add_collection(std::string_view name, const DefinitionPtr& definition, std::size_t bytes);
  void add_function(std::string_view name, const FunctionPtr& definition, std::size_t bytes);

 private:
  SchemaCache& all_;
  const DatabaseId database_;
  const Instant version_;
  mutable std::mutex mutex_;
  std::map<std::string, DefinitionPtr, std::less<>> collections_;
  std::map<std::string, FunctionPtr, std::less<>> functions_;
  std::size_t missing_ = 0;  // number of entries for missing names
};
using CachedSchemaPtr = std::shared_ptr<CachedSchema>;

// Caches the newest version of each database that was used. It must outlive the objects that it
// returns. Threads: any.
class SchemaCache {
 public:
  // The schema version of a view, read only if system documents may have been written since the
  // last call.
  Result<Instant> version(View& view, DatabaseId of);
  // Null if a newer version is known.
  CachedSchemaPtr find(DatabaseId database, Instant version);
  // Counts bytes of documents added to that schema. Beyond limits::fql_cached_schema_bytes_max, the
  // whole cache is cleared. Does nothing if the schema is no longer the cached one of its database.
  void count_bytes(DatabaseId database, const CachedSchema& schema, std::size_t bytes);
  // The counted bytes of all cached schemas.
  std::size_t bytes() const;

 private:
  struct Entry {
    CachedSchemaPtr schema;
    std::size_t bytes = 0;
  };
  // The version that a view at `now` had.
  struct SeenVersion {
    CollectionId table = 0;
    Instant now;
    Instant version;
  };

  mutable std::mutex mutex_;
  std::map<DatabaseId, Entry> newest_;
  std::map<DatabaseId, SeenVersion> seen_;
  std::size_t bytes_ = 0;
};

}  // namespace mayfly::fauna
