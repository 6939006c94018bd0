#include "dialect/kuzzle/trash/collector.h"

#include "base/service/logging.h"
#include "base/threads/no_wait.h"
#include "dialect/kuzzle/collections/places.h"

namespace mayfly::kuzzle {
namespace {

tl::unexpected<Error> pass_waits() {
  return fail(Code::contended, "a pass of the trash collector is due or under way");
}

}  // namespace

Collector::Collector(const Services& services, const TrashCollectorOptions& options,
                     std::function<bool()> is_overloaded)
    : services_(services),
      options_(options),
      is_overloaded_(std::move(is_overloaded)),
      next_at_(services.database.now() + options_.every) {}

Instant Collector::next_at() {
  const std::lock_guard lock(passes_);
  return next_at_;
}

Result<std::size_t> Collector::run_due(const std::function<bool()>& must_end) {
  std::unique_lock lock(passes_, std::try_to_lock);
  if (!lock.owns_lock()) {
    if (NoWait::refuses()) return pass_waits();
    lock.lock();
  }
  const Instant now = services_.database.now();
  if (now < next_at_) return 0;
  if (is_overloaded_()) {
    next_at_ = now + options_.retry_after;
    return 0;
  }
  // A pass waits for the sweeper and for commits. On a thread that may not block, it would skip the
  // collections and still count as the pass of a whole interval.
  if (NoWait::refuses()) return pass_waits();
  const std::size_t removed_count = run_pass(must_end);
  const bool was_ended = must_end && must_end();
  if (!was_ended) next_at_ = services_.database.now() + options_.every;
  return removed_count;
}

// A failure in one collection does not stop the pass for the others.
std::size_t Collector::run_pass(const std::function<bool()>& must_end) {
  log(LogLevel::info, "[GC] Started");
  std::size_t removed_count = 0;
  const CatalogPtr catalog = services_.database.catalog();
  for (const auto& index : catalog->databases()) {
    if (!is_visible_index(*index)) continue;
    for (const auto& collection : catalog->collections(index->id)) {
      if (must_end && must_end()) break;
      if (!collection->facets.contains(mapping_facet) || is_overloaded_()) continue;
      const auto cleaned =
          services_.database.evict_oldest_trash(collection->id, options_.documents_max);
      if (!cleaned) {
        log(LogLevel::warn, "[GC] a trashcan could not be emptied",
            {{"collection", collection->name}, {"error", cleaned.error().message}});
        continue;
      }
      removed_count += *cleaned;
    }
  }
  log(LogLevel::info, "[GC] Finished", {{"documents", std::to_string(removed_count)}});
  return removed_count;
}

}  // namespace mayfly::kuzzle
