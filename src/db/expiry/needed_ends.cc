#include "db/expiry/needed_ends.h"

#include <algorithm>

#include "db/rows/keys.h"
#include "db/rows/records.h"

namespace mayfly {
namespace {

NeededEnds::Begins begins_of(const LoggedEnds& ends) {
  NeededEnds::Begins begins;
  for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = ends.queues[i].from;
  return begins;
}

}  // namespace

Result<std::optional<NeededEnds::Found>> NeededEnds::find(store::Store& store, Bytes from,
                                                          BytesView end) {
  const store::Range range{.lo = std::move(from), .hi = Bytes(end), .rows_max = 1};
  const store::Page page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
  if (page.rows.empty()) return std::nullopt;
  const store::Row row = page.rows[0];
  const LoggedEnds ends = TRY(decode_logged_ends(row));
  const Instant at = records::to_instant(row.version);
  return Found{*keys::collection_of(row.key), {at, at, begins_of(ends)}};
}

Result<void> NeededEnds::load(store::Store& store) {
  const Bytes all(1, static_cast<char>(keys::Table::logged_ends));
  const Bytes end = after_prefix(all);
  Bytes from = all;
  while (auto found = TRY(find(store, from, end))) {
    // The last one is not known: none is ever later than this, so it is looked for again.
    found->logged.last = Instant::never();
    from = after_prefix(keys::table(keys::Table::logged_ends, found->collection));
    const std::lock_guard lock(mutex_);
    logged_[found->collection] = std::move(found->logged);
  }
  return {};
}

void NeededEnds::note(CollectionId collection, Instant committed_at, const LoggedEnds& ends) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_first] =
      logged_.try_emplace(collection, Logged{committed_at, committed_at, begins_of(ends)});
  if (!is_first) known->second.last = committed_at;
}

void NeededEnds::forget(CollectionId collection) {
  const std::lock_guard lock(mutex_);
  logged_.erase(collection);
}

std::unordered_map<CollectionId, Instant> NeededEnds::outdated(const Catalog& catalog,
                                                               const HeldFeeds& held,
                                                               Instant horizon) {
  std::unordered_map<CollectionId, Instant> outdated;
  const std::lock_guard lock(mutex_);
  for (auto known = logged_.begin(); known != logged_.end();) {
    const CollectionPtr collection = catalog.any_collection(known->first);
    const Instant floor = collection ? held.floor(*collection, horizon) : Instant::beginning();
    const Instant through = collection ? std::max(collection->policy.feed.since, floor) : floor;
    const bool is_outdated = collection && known->second.first <= through;
    if (is_outdated && known->second.last <= through) {
      known = logged_.erase(known);
      continue;
    }
    if (is_outdated) outdated.emplace(known->first, through);
    ++known;
  }
  return outdated;
}

std::unordered_map<CollectionId, NeededEnds::Begins> NeededEnds::begins(store::Store& store,
                                                                        const Catalog& catalog,
                                                                        const HeldFeeds& held,
                                                                        Instant horizon) {
  for (const auto& [id, through] : outdated(catalog, held, horizon)) {
    const Bytes prefix = keys::table(keys::Table::logged_ends, id);
    const auto found =
        find(store, keys::logged_ends(id, through + Span{1}, 0), after_prefix(prefix));
    if (!found) continue;  // what is known keeps more, and is no less right
    const std::lock_guard lock(mutex_);
    const auto known = logged_.find(id);
    if (known == logged_.end()) continue;
    if (*found) {
      known->second.first = (*found)->logged.first;
      known->second.begins = (*found)->logged.begins;
    } else if (known->second.last <= through || known->second.last.is_never()) {
      logged_.erase(known);
    }
  }
  std::unordered_map<CollectionId, Begins> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, logged] : logged_) all.emplace(id, logged.begins);
  return all;
}

}  // namespace mayfly
