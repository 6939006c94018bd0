#include "db/expiry/watermarks.h"

#include <algorithm>

namespace mayfly {
namespace {

std::size_t published_queue_index(keys::Queue queue) {
  const auto place = std::find(published_queues.begin(), published_queues.end(), queue);
  return static_cast<std::size_t>(place - published_queues.begin());
}

}  // namespace

Result<store::Version> Watermarks::load(store::Store& store) {
  const Bytes prefix = keys::all_watermarks();
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  store::Version newest = 0;
  for (bool more = true; more;) {
    const store::Page page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      const auto watermark = keys::decode_watermark(row.key);
      if (!watermark || published_queue_index(watermark->queue) == published_queues.size()) {
        return fail(Code::corrupt, "a stored watermark of the feed is damaged");
      }
      Rows rows;
      rows[published_queue_index(watermark->queue)] =
          keys::queue(watermark->collection, watermark->queue) + Bytes(row.value);
      advance(watermark->collection, rows, row.version);
      newest = std::max(newest, row.version);
    }
  }
  return newest;
}

void Watermarks::put(CollectionId collection, const Rows& rows, store::CommitBatch& batch) const {
  const std::lock_guard lock(mutex_);
  const auto known = tracked_.find(collection);
  for (std::size_t i = 0; i < published_queues.size(); ++i) {
    if (rows[i].empty()) continue;
    Bytes row = keys::watermark(collection, published_queues[i]);
    const bool is_known = known != tracked_.end();
    batch.points.push_back({row, is_known ? known->second.newest.row_versions[i] : 0});
    const std::size_t prefix = keys::queue(collection, published_queues[i]).size();
    batch.puts.push_back({std::move(row), rows[i].substr(prefix)});
  }
}

void Watermarks::advance(CollectionId collection, const Rows& rows, store::Version version) {
  const std::lock_guard lock(mutex_);
  Tracked& known = tracked_[collection];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    known.newest.rows[i] = std::max(known.newest.rows[i], rows[i]);
    if (!rows[i].empty()) known.newest.row_versions[i] = version;
  }
  known.newest.version = std::max(known.newest.version, version);
  if (known.awaited.version == 0) known.awaited = known.newest;
}

void Watermarks::forget(CollectionId collection) {
  const std::lock_guard lock(mutex_);
  tracked_.erase(collection);
}

Watermarks::Rows Watermarks::of(CollectionId collection) const {
  const std::lock_guard lock(mutex_);
  const auto known = tracked_.find(collection);
  return known == tracked_.end() ? Rows{} : known->second.newest.rows;
}

std::unordered_map<CollectionId, Watermarks::Rows> Watermarks::durable(store::Version durable) {
  const std::lock_guard lock(mutex_);
  std::unordered_map<CollectionId, Rows> all;
  for (auto& [id, known] : tracked_) {
    if (known.awaited.version <= durable) {
      known.durable = known.newest.version <= durable ? known.newest : known.awaited;
      known.awaited = known.newest;
    }
    if (known.durable.version != 0) all.emplace(id, known.durable.rows);
  }
  return all;
}

bool Watermarks::covers(const Rows& rows, BytesView queue_row) {
  const auto entry = keys::decode_queue(queue_row);
  if (!entry) return false;
  const std::size_t place = published_queue_index(entry->queue);
  return place < rows.size() && queue_row <= rows[place];
}

}  // namespace mayfly
