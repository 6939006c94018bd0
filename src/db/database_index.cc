// Filling a new index with the entries of the documents that are already there.
#include "base/kill_point.h"
#include "db/database_state.h"
#include "db/draft.h"
#include "db/keys.h"
#include "db/limits.h"

namespace mayfly {
namespace {

constexpr std::size_t documents_per_commit = 200;

const Index* find(const Collection& collection, IndexId id) {
  for (const Index& index : collection.indexes) {
    if (index.id == id) return &index;
  }
  return nullptr;
}

}  // namespace

Result<void> Database::fill_index(CollectionId id, IndexId filled,
                                  const std::function<bool()>& goes_on) {
  DocumentRange range{.rows_max = documents_per_commit};
  for (bool more = true; more;) {
    if (goes_on && !goes_on()) return fail(Code::contended, "the making of the index was ended");
    std::optional<Bytes> next;
    TRY(transact([&](Transaction& transaction) -> Result<void> {
      View& view = transaction.view();
      const CollectionPtr collection = view.catalog().any_collection(id);
      const Index* index = collection ? find(*collection, filled) : nullptr;
      if (index == nullptr) return fail(Code::not_found, "the index has been dropped meanwhile");
      transaction.state_->used[id] = collection;
      transaction.view().overlay().uses(id, collection->row_version);
      const DocumentPage page = TRY(view.scan(*collection, range, view.live()));
      next = page.next;
      std::size_t bytes = 0;
      for (const Document& document : page.documents) {
        if (TRY(is_taken(view, *collection, *index, document))) {
          return fail(Code::exists,
                      "two documents have the same value of the unique index '" + index->name + "'",
                      index->fields.front().render());
        }
        Bytes value;
        records::encode_entry(document.version.lifetime, document.version.written_at, value);
        for (Bytes& row : TRY(entries_in(*collection, *index, document))) {
          bytes += row.size();
          view.overlay().rows[row] = value;
          transaction.state_->raw_puts.push_back({std::move(row), value});
        }
        if (bytes < limits::filled_bytes_max) continue;
        next = Bytes(document.key) + '\0';
        break;
      }
      return {};
    }));
    KILL_POINT("index.page_filled");
    more = next.has_value();
    if (more) range.from = *next;
  }
  return {};
}

// What a crash left half filled: no reader uses it, and its name is free again.
Result<void> Database::drop_unfilled_indexes() {
  const CatalogPtr catalog = state_->current();
  for (const auto& [id, collection] : catalog->all_collections()) {
    for (const Index& index : collection->indexes) {
      if (!index.is_ready) TRY(drop_any_index(id, index.name));
    }
  }
  return {};
}

// An earlier version has removed what left them.
Result<void> Database::begin_past_of_indexes() {
  const auto lacks_past = [](const Index& index) { return index.past_since.is_never(); };
  const CatalogPtr catalog = state_->current();
  for (const auto& [id, collection] : catalog->all_collections()) {
    if (std::ranges::none_of(collection->indexes, lacks_past)) continue;
    TRY(change_catalog(*state_, [&](Draft& draft, Instant at) -> Result<void> {
      Collection c = *draft.catalog->any_collection(id);
      for (Index& index : c.indexes) {
        if (lacks_past(index)) index.past_since = at;
      }
      draft.put(std::move(c));
      return {};
    }));
  }
  return {};
}

}  // namespace mayfly
