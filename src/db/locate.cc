// Finding a document by its id alone in a collection with partitions.
#include <algorithm>

#include "db/keys.h"
#include "db/partition.h"
#include "db/view_state.h"

namespace mayfly {
namespace {

tl::unexpected<Error> partition_is_needed(std::string message) {
  return fail(Code::invalid, std::move(message), "partition");
}

tl::unexpected<Error> is_in_several(const DocumentKey& key) {
  return partition_is_needed("documents of several partitions have the id '" + key.id +
                             "': name the partition");
}

bool names_partition(const Collection& collection, const DocumentKey& key) {
  return !collection.body.is_partitioned() || !key.routing.empty();
}

}  // namespace

// The key of the first row of the range; nothing where there is none. A transaction's own removals
// may hide rows.
Result<std::optional<Bytes>> View::first_key(store::Range range) {
  for (;;) {
    const store::Page page = std::move(TRY(read({{}, {range}})).scans.front());
    if (!page.rows.empty()) return Bytes(page.rows[0].key);
    if (!page.next) return std::nullopt;
    range.lo = *page.next;
  }
}

// The encoded keys with that id of which the table has a row. Partitions lie one behind the other,
// so each costs one look at its first row.
Result<std::vector<Bytes>> View::partitions_of(const Collection& collection, keys::Table table,
                                               std::string_view id) {
  state_->uses(collection);
  const Bytes prefix = keys::table(table, collection.id);
  store::Range range{.lo = prefix, .hi = after_prefix(prefix), .rows_max = 1, .keys_only = true};
  std::vector<Bytes> found;
  for (std::size_t partitions = 0;; ++partitions) {
    const auto first = TRY(first_key(range));
    if (!first) return found;
    if (partitions == limits::searched_partitions_max) {
      return partition_is_needed("the collection has more than " +
                                 std::to_string(limits::searched_partitions_max) +
                                 " partitions: name the document's");
    }
    Reader behind(keys::behind_collection(*first));
    const Bytes routing(behind.escaped_raw());
    if (!behind.ok()) return fail(Code::corrupt, "a document key in the store is damaged");
    Bytes key = routing + Bytes(id);
    // Rows of a table that has several of one document go on behind its key.
    store::Range own = range;
    own.lo = prefix + key;
    own.hi = own.lo + '\x01';
    if (TRY(first_key(own))) found.push_back(std::move(key));
    range.lo = after_prefix(prefix + routing);
  }
}

Result<DocumentKey> View::locate_in(const Collection& collection, const DocumentKey& key,
                                    keys::Table table) {
  if (names_partition(collection, key)) return key;
  std::vector<Bytes> found = TRY(partitions_of(collection, table, key.id));
  if (table == keys::Table::trash) {
    // Rows that the trash no longer keeps may not have been collected yet.
    std::vector<Bytes> kept;
    for (Bytes& one : found) {
      if (TRY(get_removed(collection, BytesView(one)))) kept.push_back(std::move(one));
    }
    found = std::move(kept);
  }
  const bool is_here = !found.empty() && found.front() == keys::encode(key);
  if (found.size() > 1 && !is_here) return is_in_several(key);
  return found.empty() ? Result<DocumentKey>(key) : keys::decode_document_key(found.front());
}

Result<DocumentKey> View::locate(const Collection& collection, const DocumentKey& key,
                                 const Lens& lens) {
  if (names_partition(collection, key)) return key;
  // Among documents that need no partition key, the id alone names the one without.
  const bool may_lack = collection.body.may_lack_partition;
  if (may_lack) {
    const Bytes without = keys::encode(key);
    if (TRY(get_many(collection, {&without, 1}, lens)).front()) return key;
  }
  auto candidates = TRY(partitions_of(collection, keys::Table::head, key.id));
  const auto add = [&](keys::Table table) -> Result<void> {
    for (Bytes& other : TRY(partitions_of(collection, table, key.id))) {
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
