#include "dialect/cosmos/ranges/split.h"

#include "base/limits.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/containers/indexes.h"
#include "dialect/cosmos/errors.h"

namespace mayfly::cosmos {
namespace {

// Nothing where the container has enough of them.
std::optional<KeyRanges> more_ranges(const Definition& definition, std::int64_t units) {
  const std::size_t wanted = ranges_for(units);
  if (definition.key.is_system || wanted <= definition.ranges.size()) return std::nullopt;
  RangeCounts counts = definition.ranges.counts();
  counts.push_back(wanted);
  return KeyRanges(std::move(counts), hash_of(definition.key));
}

// Fails with stale where the container has been changed meanwhile.
Result<void> split_once(Call& call, CollectionId id, std::int64_t units) {
  const CatalogPtr catalog = call.database().catalog();
  const CollectionPtr collection = catalog->collection(id);
  const DatabaseInfoPtr database = collection ? catalog->database(collection->database) : nullptr;
  if (!database) return tl::unexpected(no_such_resource());
  Definition definition = TRY(call.containers.of(database, collection))->definition;
  auto ranges = more_ranges(definition, units);
  if (!ranges) return {};
  definition.ranges = *std::move(ranges);
  CollectionChange change;
  change.if_changed_at = collection->changed_at;
  change.facets[std::string(ranges_facet)] = render_counts(definition.ranges.counts());
  change.definition_indexes = TRY(change_indexes(call.database(), *collection, definition));
  TRY(call.database().change_collection(id, change));
  return {};
}

}  // namespace

Result<void> split_ranges(Call& call, CollectionId container, std::int64_t units) {
  for (int attempt = 0; attempt < limits::commit_attempts_max; ++attempt) {
    const auto done = split_once(call, container, units);
    if (done || done.error().code != Code::stale) return done;
  }
  return fail(Code::contended, "The container is being changed by other requests.");
}

}  // namespace mayfly::cosmos
