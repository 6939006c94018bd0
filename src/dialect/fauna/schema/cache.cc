#include "dialect/fauna/schema/cache.h"

#include "dialect/fauna/limits.h"
#include "dialect/fauna/schema/apply.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t missing_max = 256;  // names that a schema does not have
constexpr std::size_t seen_max = 10'000;  // databases
constexpr std::size_t entry_bytes = 256;  // of an entry, in addition to its document

template <class Entries>
auto find_known(std::mutex& mutex, const Entries& entries, std::string_view name) {
  const std::lock_guard lock(mutex);
  const auto found = entries.find(name);
  return found == entries.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<DefinitionPtr> CachedSchema::find_collection(std::string_view name) const {
  return find_known(mutex_, collections_, name);
}

std::optional<FunctionPtr> CachedSchema::find_function(std::string_view name) const {
  return find_known(mutex_, functions_, name);
}

void CachedSchema::add_collection(std::string_view name, const DefinitionPtr& definition,
                                  std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (definition == nullptr && missing_ >= missing_max) return;
    if (!collections_.emplace(name, definition).second) return;
    missing_ += definition == nullptr ? 1 : 0;
  }
  all_.count_bytes(database_, *this, entry_bytes + name.size() + bytes);
}

void CachedSchema::add_function(std::string_view name, const FunctionPtr& definition,
                                std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (definition == nullptr && missing_ >= missing_max) return;
    if (!functions_.emplace(name, definition).second) return;
    missing_ += definition == nullptr ? 1 : 0;
  }
  all_.count_bytes(database_, *this, entry_bytes + name.size() + bytes);
}

Result<Instant> SchemaCache::version(View& view, DatabaseId of) {
  const CollectionPtr table = view.catalog().find_internal(of, system_table);
  if (!table) return Instant::beginning();
  {
    const std::lock_guard lock(mutex_);
    const auto seen = seen_.find(of);
    if (seen != seen_.end() && seen->second.table == table->id && seen->second.now <= view.now() &&
        table->commits->unraised_since(seen->second.now)) {
      return seen->second.version;
    }
  }
  const Instant version = TRY(schema_version(view, of));
  const std::lock_guard lock(mutex_);
  if (seen_.size() == seen_max) seen_.clear();
  SeenVersion& seen = seen_[of];
  if (seen.table != table->id || seen.now < view.now()) seen = {table->id, view.now(), version};
  return version;
}

CachedSchemaPtr SchemaCache::find(DatabaseId database, Instant version) {
  const std::lock_guard lock(mutex_);
  Entry& newest = newest_[database];
  if (newest.schema && newest.schema->version() > version) return nullptr;
  if (!newest.schema || newest.schema->version() < version) {
    bytes_ -= newest.bytes;
    newest = {std::make_shared<CachedSchema>(*this, database, version), entry_bytes};
    bytes_ += newest.bytes;
  }
  return newest.schema;
}

void SchemaCache::count_bytes(DatabaseId database, const CachedSchema& schema, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto kept = newest_.find(database);
  if (kept == newest_.end() || kept->second.schema.get() != &schema) return;
  kept->second.bytes += bytes;
  bytes_ += bytes;
  if (bytes_ <= limits::fql_cached_schema_bytes_max) return;
  newest_.clear();
  bytes_ = 0;
}

std::size_t SchemaCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace mayfly::fauna
