#include "app/metrics/inspection.h"

#include <malloc.h>

#include <algorithm>

#include "db/rows/keys.h"

namespace mayfly::app {
namespace {

constexpr const char* other_databases = "other";

std::uint64_t allocated_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

}  // namespace

void Inspection::look() {
  const CatalogPtr catalog = database_.catalog();
  const bool is_full = looks_++ % limits::full_look_every == 0;
  std::erase_if(counted_,
                [&](const auto& one) { return !catalog->all_collections().contains(one.first); });
  const store::Version applied = database_.store().applied();
  if (left_ == 0 && (is_full || applied != counted_at_)) {
    left_ = catalog->all_collections().size();
    counted_at_ = applied;
  }
  count_some(*catalog, monotonic_now() + look_time_max_);
  publish(*catalog);
  if (!is_full) return;
  const std::uint64_t heap = allocated_bytes();
  const std::lock_guard lock(mutex_);
  heap_bytes_ = heap;
}

void Inspection::count_some(const Catalog& catalog, Instant ends_at) {
  const auto& all = catalog.all_collections();
  left_ = std::min(left_, all.size());
  const std::size_t most = std::min(left_, limits::collections_per_look_max);
  for (std::size_t i = 0; i < most && (i == 0 || monotonic_now() < ends_at); ++i) {
    auto at = all.lower_bound(next_);
    if (at == all.end()) at = all.begin();
    next_ = at->first + 1;
    --left_;
    // A collection that cannot be read keeps its last number; requests that read it report the
    // error.
    (void)count(at->first, ends_at);
  }
}

// The first page is always counted, so the number of a small collection is exact.
Result<void> Inspection::count(CollectionId id, Instant ends_at) {
  const Bytes lo = keys::table(keys::Table::head, id);
  const Bytes hi = after_prefix(lo);
  store::Range range{.lo = lo,
                     .hi = hi,
                     .rows_max = limits::counted_page_rows_max,
                     .keys_only = true,
                     .is_read_once = true};
  std::uint64_t documents = 0;
  for (;;) {
    const store::ReadReply reply = TRY(database_.store().read({{}, {range}}, nullptr));
    const store::Page& page = reply.scans.front();
    documents += page.rows.size();
    if (!page.next) break;
    if (documents >= limits::counted_documents_max || monotonic_now() >= ends_at) {
      documents = std::max(documents, TRY(database_.store().estimate(lo, hi)));
      break;
    }
    range.lo = *page.next;
  }
  counted_[id] = documents;
  return {};
}

void Inspection::publish(const Catalog& catalog) {
  std::map<std::string, std::uint64_t> documents;
  for (const DatabaseInfoPtr& database : catalog.databases()) {
    const bool is_named = documents.size() < limits::metered_databases_max;
    std::uint64_t& sum = documents[is_named ? database->name : other_databases];
    for (const CollectionPtr& collection : catalog.collections(database->id)) {
      const auto counted = counted_.find(collection->id);
      if (counted != counted_.end()) sum += counted->second;
    }
  }
  const std::lock_guard lock(mutex_);
  documents_ = std::move(documents);
}

std::map<std::string, std::uint64_t> Inspection::documents() const {
  const std::lock_guard lock(mutex_);
  return documents_;
}

std::uint64_t Inspection::heap_bytes() const {
  const std::lock_guard lock(mutex_);
  return heap_bytes_;
}

}  // namespace mayfly::app
