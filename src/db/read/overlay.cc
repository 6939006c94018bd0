#include "db/read/overlay.h"

#include <limits>

#include "db/limits.h"
#include "db/rows/records.h"

namespace mayfly {
namespace {

bool is_before_end(BytesView key, BytesView hi) {
  return hi.empty() || key < hi;
}

}  // namespace

store::ReadReply Overlay::merge(const store::ReadBatch& batch, store::ReadReply reply,
                                Instant now) {
  store::ReadReply merged;
  for (std::size_t i = 0; i < batch.gets.size(); ++i) {
    const Bytes& key = batch.gets[i];
    if (const auto own = rows.find(key); own != rows.end()) {
      const bool is_present = own->second.has_value();
      merged.gets.append(key, is_present ? BytesView(*own->second) : BytesView{},
                         is_present ? records::to_version(now) : 0);
      continue;
    }
    const store::Row row = reply.gets[i];
    ++reads_;
    absences_ += row.present() ? 0 : 1;
    points_.emplace(key, row.version);
    merged.gets.append(key, row.value, row.version);
  }
  for (std::size_t i = 0; i < batch.scans.size(); ++i) {
    merged.scans.push_back(merge_page(batch.scans[i], std::move(reply.scans[i]), now));
  }
  return merged;
}

store::Page Overlay::merge_page(const store::Range& range, store::Page page, Instant now) {
  const Bytes lo = range.reverse && page.next ? *page.next : range.lo;
  const Bytes hi = !range.reverse && page.next ? *page.next : range.hi;
  guard(range, page, lo, hi);
  auto own = rows.lower_bound(lo);
  if (own == rows.end() || !is_before_end(own->first, hi)) return page;

  // Both sides are merged in ascending order, and reversed at the end if the range is read in
  // reverse.
  std::map<BytesView, store::Row> all;
  for (std::size_t i = 0; i < page.rows.size(); ++i) all[page.rows[i].key] = page.rows[i];
  for (; own != rows.end() && is_before_end(own->first, hi); ++own) {
    all.erase(BytesView(own->first));
    if (!own->second) continue;
    const BytesView value = range.keys_only ? BytesView{} : BytesView(*own->second);
    all[own->first] = {own->first, value, records::to_version(now)};
  }
  store::Page merged;
  merged.next = page.next;
  const auto append = [&merged](const store::Row& row) {
    merged.rows.append(row.key, row.value, row.version);
  };
  if (range.reverse) {
    for (auto it = all.rbegin(); it != all.rend(); ++it) append(it->second);
  } else {
    for (const auto& [key, row] : all) append(row);
  }
  return merged;
}

Result<void> Overlay::count_searched_partition() {
  ++searched_partitions_;
  if (!has_searched_too_many()) return {};
  return fail(Code::too_large,
              "a transaction searches at most " +
                  std::to_string(limits::transaction_searched_partitions_max) +
                  " partitions for ids: name the documents' partitions, or change fewer documents",
              "partition");
}

bool Overlay::has_searched_too_many() const {
  return searched_partitions_ > limits::transaction_searched_partitions_max;
}

// Whether a guard covers all of that already: while it holds, reading there again gives the same
// rows.
bool Overlay::is_guarded(BytesView lo, BytesView hi) const {
  const auto behind = last_from_.upper_bound(lo);
  if (behind == last_from_.begin()) return false;
  const Bytes& end = ranges_[std::prev(behind)->second].hi;
  return end.empty() || (!hi.empty() && hi <= end);
}

void Overlay::guard(const store::Range& range, const store::Page& page, BytesView lo,
                    BytesView hi) {
  ++reads_;
  ++absences_;
  if (is_guarded(lo, hi)) return;
  std::uint64_t version_sum = 0;
  for (std::size_t i = 0; i < page.rows.size(); ++i) version_sum += page.rows[i].version;
  // The pages of one scan follow one another: one guard serves all.
  if (!ranges_.empty() && !range.reverse && ranges_.back().hi == lo && !lo.empty()) {
    ranges_.back().hi = hi;
    ranges_.back().rows += page.rows.size();
    ranges_.back().version_sum += version_sum;
    return;
  }
  last_from_.insert_or_assign(Bytes(lo), ranges_.size());
  ranges_.push_back({Bytes(lo), Bytes(hi), page.rows.size(), version_sum});
}

// One read, so that it is of one moment. For a range it reads as many rows as there were, and one
// more.
Result<void> Overlay::check_guards(store::Store& store) const {
  store::ReadBatch batch;
  for (const auto& [key, seen] : points_) batch.gets.push_back(key);
  for (const store::RangeGuard& range : ranges_) {
    batch.scans.push_back({.lo = range.lo,
                           .hi = range.hi,
                           .rows_max = range.rows + 1,
                           .bytes_max = std::numeric_limits<std::size_t>::max(),
                           .keys_only = true,
                           .is_read_once = true});
  }
  const store::ReadReply reply = TRY(store.read(batch, nullptr));
  std::size_t i = 0;
  bool holds = true;
  for (const auto& [key, seen] : points_) holds = holds && reply.gets[i++].version == seen;
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    const store::Rows& rows = reply.scans[r].rows;
    std::uint64_t version_sum = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) version_sum += rows[k].version;
    holds = holds && rows.size() == ranges_[r].rows && version_sum == ranges_[r].version_sum;
  }
  if (holds) return {};
  return fail(Code::contended, "what was read has changed");
}

void Overlay::put_guards(store::CommitBatch& batch) const {
  for (const auto& [key, seen] : points_) batch.points.push_back({key, seen});
  batch.ranges.insert(batch.ranges.end(), ranges_.begin(), ranges_.end());
}

}  // namespace mayfly
