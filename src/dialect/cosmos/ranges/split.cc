#include "dialect/cosmos/ranges/split.h"

#include "base/limits.h"
#include "db/catalog/change_with.h"
#include "dialect/common/collections/new_indexes.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/containers/indexes.h"
#include "dialect/cosmos/errors.h"

namespace mayfly::cosmos {
namespace {

// The ranges after the split; nothing if the container has enough.
std::optional<KeyRanges> more_ranges(const Definition& definition, std::int64_t units) {
  const std::size_t count = ranges_for(units);
  if (definition.key.is_system || count <= definition.ranges.size()) return std::nullopt;
  RangeCounts counts = definition.ranges.counts();
  counts.push_back(count);
  return KeyRanges(std::move(counts), hash_of(definition.key));
}

// One request's change of a container.
struct Split {
  CollectionId container;
  std::int64_t units;
  const Database::Work& request;
  bool is_refused = false;  // the request's own work failed
};

Result<void> write(Database& database, Split& split, const CollectionChange* change) {
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    auto written = split.request(transaction);
    split.is_refused = !written;
    if (written && change != nullptr) change_with(transaction, split.container, *change);
    return written;
  }));
  return {};
}

// Fails with stale if the container has been changed meanwhile.
Result<void> split_once(CosmosCall& call, Split& split) {
  const CatalogPtr catalog = call.database().catalog();
  const CollectionPtr collection = catalog->collection(split.container);
  const DatabaseInfoPtr database = collection ? catalog->database(collection->database) : nullptr;
  if (!database) return tl::unexpected(no_such_resource());
  Definition definition = TRY(call.containers.of(database, collection))->definition;
  auto ranges = more_ranges(definition, split.units);
  if (!ranges) return write(call.database(), split, nullptr);
  definition.ranges = *std::move(ranges);
  CollectionChange change;
  change.if_changed_at = collection->changed_at;
  change.facets[std::string(ranges_facet)] = render_counts(definition.ranges.counts());
  NewIndexes created(call.database(), collection->id);
  change.definition_indexes =
      TRY(change_indexes(call.database(), *collection, definition, created));
  TRY(write(call.database(), split, &change));
  created.keep();
  return {};
}

}  // namespace

Result<void> split_ranges(CosmosCall& call, CollectionId container, std::int64_t units,
                          const Database::Work& request) {
  Split split{container, units, request};
  for (int attempt = 0; attempt < limits::commit_attempts_max; ++attempt) {
    auto done = split_once(call, split);
    if (done || split.is_refused || done.error().code != Code::stale) return done;
  }
  return fail(Code::contended, "The container is being changed by other requests.");
}

}  // namespace mayfly::cosmos
