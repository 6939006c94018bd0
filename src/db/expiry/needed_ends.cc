#include "db/expiry/needed_ends.h"

#include <algorithm>

#include "db/limits.h"
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
  const auto collection = keys::collection_of(row.key);
  if (!collection) return fail(Code::corrupt, "a stored row of logged ends is damaged");
  const Instant at = records::to_instant(row.version);
  const auto ends = decode_logged_ends(row);
  return Found{*collection, {at, at, ends ? begins_of(*ends) : Begins{}}};
}

Result<void> NeededEnds::load(store::Store& store) {
  const Bytes all(1, static_cast<char>(keys::Table::logged_ends));
  const Bytes end = after_prefix(all);
  Bytes from = all;
  while (auto found = TRY(find(store, from, end))) {
    found->logged.last = Instant::never();  // not known
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

std::vector<CollectionId> NeededEnds::outdated(const Catalog& catalog, const HeldFeeds& held,
                                               Instant horizon) {
  std::vector<CollectionId> outdated;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, logged] : logged_) {
    if (outdated.size() == limits::needed_ends_looked_up_max) break;
    const CollectionPtr collection = catalog.any_collection(id);
    const Instant through =
        collection ? std::max(collection->policy.feed.since, held.floor(*collection, horizon))
                   : Instant::never();
    if (logged.first <= through) outdated.push_back(id);
  }
  return outdated;
}

std::unordered_map<CollectionId, NeededEnds::Begins> NeededEnds::begins(store::Store& store,
                                                                        const Catalog& catalog,
                                                                        const HeldFeeds& held,
                                                                        Instant horizon) {
  for (const CollectionId id : outdated(catalog, held, horizon)) {
    const Instant asked_at = records::to_instant(store.applied());
    const Bytes prefix = keys::table(keys::Table::logged_ends, id);
    const auto found = find(store, prefix, after_prefix(prefix));
    if (!found) continue;
    const std::lock_guard lock(mutex_);
    const auto known = logged_.find(id);
    if (known == logged_.end()) continue;
    const bool has_later = known->second.last > asked_at && !known->second.last.is_never();
    if (*found) {
      known->second.first = (*found)->logged.first;
      known->second.begins = (*found)->logged.begins;
    } else if (!has_later) {
      logged_.erase(known);
    }
  }
  std::unordered_map<CollectionId, Begins> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, logged] : logged_) all.emplace(id, logged.begins);
  return all;
}

}  // namespace mayfly
