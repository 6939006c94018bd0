// Indexes of existing collections: creating them, filling them with the entries of existing
// documents, and dropping them.
#include <algorithm>
#include <functional>

#include "base/service/kill_point.h"
#include "db/catalog/draft.h"
#include "db/database_state.h"
#include "db/limits.h"
#include "db/rows/keys.h"

namespace mayfly {
namespace {

constexpr std::size_t documents_per_commit = 200;

const Index* find(const Collection& collection, IndexId id) {
  for (const Index& index : collection.indexes) {
    if (index.id == id) return &index;
  }
  return nullptr;
}

// The index of that specification that other threads are filling; 0 if there is none.
IndexId being_filled(const Catalog& catalog, CollectionId id, const IndexSpec& spec) {
  const CollectionPtr collection = catalog.any_collection(id);
  const Index* found = collection ? collection->find_index(spec.name) : nullptr;
  const bool is_it = found != nullptr && !found->is_ready && has_content(*found, spec);
  return is_it && spec.entries == Entries::cut ? found->id : 0;
}

Result<IndexId> add_index(Database::State& state, CollectionId id, const IndexSpec& spec) {
  IndexId made = 0;
  TRY(change_catalog(state, [&](Draft& draft, Instant) -> Result<void> {
    const CollectionPtr current = draft.catalog->any_collection(id);
    if (!current) return no_such("collection");
    Collection c = *current;
    c.indexes.push_back(TRY(new_index(spec, c)));
    made = c.indexes.back().id;
    ++c.next_index;
    draft.put(std::move(c));
    return {};
  }));
  return made;
}

// Several threads may fill it; the first to finish makes it ready. Fails with not_found if the
// index has been dropped meanwhile.
Result<CollectionPtr> make_ready(Database::State& state, CollectionId id, IndexId filled) {
  CollectionPtr collection;
  TRY(change_catalog(state, [&](Draft& draft, Instant at) -> Result<void> {
    const CollectionPtr current = draft.catalog->any_collection(id);
    if (!current) return no_such("collection");
    Collection c = *current;
    const auto is_it = [filled](const Index& index) { return index.id == filled; };
    const auto found = std::find_if(c.indexes.begin(), c.indexes.end(), is_it);
    if (found == c.indexes.end()) return no_such("index");
    if (!found->is_ready) found->past_since = at;
    found->is_ready = true;
    collection = draft.put(std::move(c));
    return {};
  }));
  return collection;
}

enum class Drops : std::uint8_t { all, all_but_of_definition };

// Fails with not_found if there is none.
Result<CollectionPtr> drop_index_where(Database::State& state, CollectionId id,
                                       const std::function<bool(const Index&)>& is_it,
                                       Drops drops = Drops::all) {
  CollectionPtr collection;
  DroppedIndex dropped{.collection = id};
  TRY(change_catalog(state, [&](Draft& draft, Instant at) -> Result<void> {
    const CollectionPtr current = draft.catalog->any_collection(id);
    if (!current) return no_such("collection");
    Collection c = *current;
    const auto found = std::find_if(c.indexes.begin(), c.indexes.end(), is_it);
    if (found == c.indexes.end()) return no_such("index");
    if (found->is_of_definition && drops == Drops::all_but_of_definition) {
      return fail(Code::forbidden,
                  "the index belongs to the definition of the collection: change that", "index");
    }
    dropped.index = found->id;
    dropped.dropped_at = at;
    c.indexes.erase(found);
    collection = draft.put(std::move(c));
    draft.batch.space = store::CommitBatch::Space::less;
    return {};
  }));
  state.dropped.add_index(dropped);
  state.erase_soon();
  return collection;
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
      if (index->is_ready) return {};  // another thread that fills it was faster
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

Result<CollectionPtr> Database::create_index(CollectionId id, const IndexSpec& spec,
                                             const std::function<bool()>& goes_on) {
  const IndexId joined = being_filled(*state_->current(), id, spec);
  const IndexId filled = joined != 0 ? joined : TRY(add_index(*state_, id, spec));
  KILL_POINT("index.made");
  auto done = fill_index(id, filled, goes_on);
  if (done) {
    KILL_POINT("index.filled");
    auto ready = make_ready(*state_, id, filled);
    if (ready) return ready;
    done = tl::unexpected(std::move(ready).error());
  }
  if (joined != 0) return tl::unexpected(std::move(done).error());
  // A half-made index would restrict writers and keep its name taken. If it has been dropped
  // meanwhile, an index of that name is another one and stays; so does one that another thread has
  // made ready.
  const auto is_half_made = [filled](const Index& index) {
    return index.id == filled && !index.is_ready;
  };
  const auto dropped = drop_index_where(*state_, id, is_half_made);
  if (!dropped && dropped.error().code != Code::not_found) return dropped;
  return tl::unexpected(std::move(done).error());
}

Result<CollectionPtr> Database::drop_index(CollectionId id, const std::string& name) {
  const auto is_it = [&name](const Index& index) { return index.name == name; };
  return drop_index_where(*state_, id, is_it, Drops::all_but_of_definition);
}

Result<CollectionPtr> Database::drop_any_index(CollectionId id, const std::string& name) {
  return drop_index_where(*state_, id, [&name](const Index& index) { return index.name == name; });
}

// Drops indexes that a crash left half filled: no reader uses them, and their names become free.
Result<void> Database::drop_unfilled_indexes() {
  const CatalogPtr catalog = state_->current();
  for (const auto& [id, collection] : catalog->all_collections()) {
    for (const Index& index : collection->indexes) {
      if (!index.is_ready) TRY(drop_any_index(id, index.name));
    }
  }
  return {};
}

// An earlier version has removed the entries that left these indexes.
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
