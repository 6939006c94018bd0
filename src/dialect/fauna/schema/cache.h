// What queries have read of a schema, by the version that it belongs to: read again, it would be
// the same. So nothing here is ever out of date; what is not here is read.
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

class KnownSchemas;

// Of one version of the schema of one database. Threads: any.
class KnownSchema {
 public:
  KnownSchema(KnownSchemas& all, DatabaseId database, Instant version)
      : all_(all), database_(database), version_(version) {}

  Instant version() const { return version_; }
  // By name or alias: the definition, null where the schema has none; nothing where that is not
  // known.
  std::optional<DefinitionPtr> find_collection(std::string_view name) const;
  std::optional<FunctionPtr> find_function(std::string_view name) const;
  // `bytes`: of the document that it was read from. Of names that the schema does not have, so
  // many are kept: any client may ask for any.
  void add_collection(std::string_view name, const DefinitionPtr& definition, std::size_t bytes);
  void add_function(std::string_view name, const FunctionPtr& definition, std::size_t bytes);

 private:
  KnownSchemas& all_;
  const DatabaseId database_;
  const Instant version_;
  mutable std::mutex mutex_;
  std::map<std::string, DefinitionPtr, std::less<>> collections_;
  std::map<std::string, FunctionPtr, std::less<>> functions_;
  std::size_t missing_ = 0;  // names that the schema does not have, among them
};
using KnownSchemaPtr = std::shared_ptr<KnownSchema>;

// The newest version of each database that was asked for. It outlives what it gives. Threads: any.
class KnownSchemas {
 public:
  // The version that a view has, read only if the system's documents may have been written since
  // the last time.
  Result<Instant> version(View& view, DatabaseId of);
  // Null where a newer version is known.
  KnownSchemaPtr find(DatabaseId database, Instant version);
  // So many bytes of documents have been read into that one. Beyond limits::fql_known_bytes_max all
  // is forgotten. Nothing where it is no longer the one of its database.
  void note(DatabaseId database, const KnownSchema& schema, std::size_t bytes);
  // Of all that are kept.
  std::size_t bytes() const;

 private:
  struct Kept {
    KnownSchemaPtr schema;
    std::size_t bytes = 0;
  };
  // A version as a view at `now` had it.
  struct Seen {
    CollectionId table = 0;
    Instant now;
    Instant version;
  };

  mutable std::mutex mutex_;
  std::map<DatabaseId, Kept> newest_;
  std::map<DatabaseId, Seen> seen_;
  std::size_t bytes_ = 0;
};

}  // namespace mayfly::fauna
