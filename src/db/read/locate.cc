// Finding a document by its id alone in a collection with partitions.
#include <algorithm>

#include "base/threads/no_wait.h"
#include "base/threads/run_permit.h"
#include "db/read/view_state.h"
#include "db/rows/keys.h"
#include "db/rows/partition.h"
#include "db/rows/records.h"

namespace mayfly {
namespace {

constexpr std::size_t partitions_at_once =
    16;  // searched without checking whether the search may go on

tl::unexpected<Error> partition_is_needed(std::string message) {
  return fail(Code::invalid, std::move(message), "partition");
}

tl::unexpected<Error> is_in_several(const DocumentKey& key) {
  return partition_is_needed("documents of several partitions have the id '" + key.id +
                             "': name the partition");
}

// For a search that is longer than most: it must not run on the event loop, and it runs as other
// long work.
Result<void> goes_on() {
  if (NoWait::refuses()) return fail(Code::contended, "the search goes on");
  if (RunPermit* permit = current_run_permit()) TRY(permit->renew());
  return {};
}

// The same in a transaction. It does not let other requests run first: they would make it lose its
// race, and requests that wait for it would wait for them. The number of partitions that it may
// search is bounded.
Result<void> goes_on_writing() {
  if (NoWait::refuses()) return fail(Code::contended, "many partitions are searched");
  RunPermit* permit = current_run_permit();
  if (permit == nullptr || !permit->is_cancelled()) return {};
  return fail(Code::timed_out, "the client no longer waits for the response");
}

bool names_partition(const Collection& collection, const DocumentKey& key) {
  return !collection.body.is_partitioned() || !key.routing.empty();
}

}  // namespace

// One table of a collection, searched for an id.
struct View::Search {
  const Collection& collection;
  keys::Table table;
  Lens lens;
  Instant now;

  // Whether the row counts. A row that compaction or the sweeper may have removed already does not.
  // The newest version counts for as long as the lens can need it.
  Result<bool> counts(const store::Row& row) const {
    const Policy& policy = collection.policy;
    switch (table) {
      case keys::Table::head: {
        const Lifetime lifetime = TRY(records::decode_lifetime(row.value));
        const Version version{.written_at = records::to_instant(row.version), .lifetime = lifetime};
        const bool is_current = lens.is_current(now);
        return now < (is_current ? death_of(version, policy) : history_end(version, policy));
      }
      case keys::Table::history: {
        const Document earlier = TRY(records::history_document(row, policy, nullptr));
        return now < history_end(earlier.version, policy);
      }
      case keys::Table::trash: {
        const Document removed = TRY(records::trash_document(row, policy, nullptr));
        return now < forgettable_at(removed.version, policy);
      }
      default: return true;  // a hold stands until it is released
    }
  }
};

// The key of the first row of the range that counts; nothing if there is none. Nearly always that
// is the first row. The answer is the same however many rows do not count; only the request's time
// bounds the search.
Result<std::optional<Bytes>> View::first_key(const Search& search, store::Range range) {
  for (range.rows_max = 1;;) {
    const store::Page page = std::move(TRY(read({{}, {range}})).scans.front());
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      if (TRY(search.counts(page.rows[i]))) return Bytes(page.rows[i].key);
    }
    if (!page.next) return std::nullopt;
    TRY(goes_on());
    range.lo = *page.next;
    range.rows_max = std::min(2 * range.rows_max, limits::store_page_rows_max);
  }
}

// Whether the table has a row of that document that counts.
Result<bool> View::has_row(const Search& search, const Bytes& row) {
  if (search.table == keys::Table::head) {
    const store::Rows rows = std::move(TRY(read({{row}, {}})).gets);
    return rows[0].present() && TRY(search.counts(rows[0]));
  }
  // In a table with several rows for one document, the row keys continue behind its key.
  return TRY(first_key(search, {.lo = row, .hi = row + '\x01'})).has_value();
}

// The encoded keys with that id for which the table has a row. Partitions follow one another, so
// each costs one read of its first row.
Result<std::vector<Bytes>> View::partitions_of(const Collection& collection, keys::Table table,
                                               std::string_view id, const Lens& lens) {
  state_->uses(collection);
  const Search search{collection, table, lens, now()};
  const Bytes prefix = keys::table(table, collection.id);
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  std::vector<Bytes> found;
  for (std::size_t partitions = 0;; ++partitions) {
    const auto first = TRY(first_key(search, range));
    if (!first) return found;
    if (partitions == limits::searched_partitions_max) {
      return partition_is_needed("the collection has documents in more than " +
                                 std::to_string(limits::searched_partitions_max) +
                                 " partitions: name the document's");
    }
    if (partitions > 0 && partitions % partitions_at_once == 0) {
      TRY(state_->overlay ? goes_on_writing() : goes_on());
    }
    if (state_->overlay) TRY(state_->overlay->count_searched_partition());
    Reader behind(keys::behind_collection(*first));
    const Bytes routing(behind.escaped_raw());
    if (!behind.ok()) return fail(Code::corrupt, "a document key in the store is damaged");
    Bytes key = routing + Bytes(id);
    if (TRY(has_row(search, prefix + key))) found.push_back(std::move(key));
    range.lo = after_prefix(prefix + routing);
  }
}

Result<DocumentKey> View::locate_in(const Collection& collection, const DocumentKey& key,
                                    keys::Table table) {
  if (names_partition(collection, key)) return key;
  const std::vector<Bytes> found = TRY(partitions_of(collection, table, key.id, live()));
  const bool is_here = !found.empty() && found.front() == keys::encode(key);
  if (found.size() > 1 && !is_here) return is_in_several(key);
  return found.empty() ? Result<DocumentKey>(key) : keys::decode_document_key(found.front());
}

Result<DocumentKey> View::locate(const Collection& collection, const DocumentKey& key,
                                 const Lens& lens) {
  if (names_partition(collection, key)) return key;
  // If documents may lack a partition key, an id alone names the document without one.
  const bool may_lack = collection.body.may_lack_partition;
  if (may_lack) {
    const Bytes without = keys::encode(key);
    if (TRY(get_many(collection, {&without, 1}, lens)).front()) return key;
  }
  auto candidates = TRY(partitions_of(collection, keys::Table::head, key.id, lens));
  const auto add = [&](keys::Table table) -> Result<void> {
    for (Bytes& other : TRY(partitions_of(collection, table, key.id, lens))) {
      const bool is_known =
          std::find(candidates.begin(), candidates.end(), other) != candidates.end();
      if (!is_known) candidates.push_back(std::move(other));
    }
    return {};
  };
  if (!lens.is_current(now())) TRY(add(keys::Table::history));
  if (lens.shows_trash) TRY(add(keys::Table::trash));
  std::optional<DocumentKey> found;
  for (std::span<const Bytes> left = candidates; !left.empty();) {
    const auto documents = TRY(get_many(collection, left, lens));
    for (const auto& document : documents) {
      if (!document) continue;
      if (found) return is_in_several(key);
      found = document->document_key();
    }
    left = left.subspan(documents.size());
  }
  return found.value_or(key);
}

}  // namespace mayfly
