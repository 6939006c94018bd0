// Actions that Kuzzle's users have requested and Kuzzle never had: restoring a removed document,
// and emptying a trashcan.
#include <span>

#include "db/rows/keys.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/trash/collector.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {

Result<std::string> restore_document(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  const DocumentKey key = DocumentKey::of(id);
  TRY(call.shared.collector.run_due());
  CollectionPtr collection;
  std::optional<Document> restored;
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        collection = TRY(collection_to_write(call, transaction.view().catalog()));
        View& view = transaction.view();
        const bool is_taken = TRY(view.get(*collection, key, view.live())).has_value();
        auto done = transaction.restore(collection, key, {.author = call.principal.id});
        if (!done && done.error().code == Code::not_found) {
          return no_such_document(call.message);
        }
        // Also if the living document is in another partition: an id names one document here. With
        // a free id the conflict is a value in a unique index, and the core's error names it.
        const bool is_id_in_way = is_taken && (done || done.error().code == Code::exists);
        if (is_id_in_way) return already_exists();
        return done;
      },
      [&](const Transaction& transaction, Instant) {
        restored = transaction.written(collection, key);
      }));
  return render_whole(*restored, call.generation());
}

namespace {

struct TrashedKeys {
  CollectionId collection = 0;
  KeyPage keys;
};
Result<TrashedKeys> trashed_keys(const KuzzleCall& call, const Bytes& after) {
  View view = TRY(view_with_trash(call));
  const auto collection = TRY(collection_to_write(call, view.catalog()));
  KeyPage keys = TRY(view.scan_trash_keys(*collection, after, limits::store_page_rows_max));
  return TrashedKeys{collection->id, std::move(keys)};
}

struct Forgotten {
  std::size_t keys = 0;       // that were visited
  std::size_t documents = 0;  // removed among them
};

// Purges documents from the trash in one commit: those of the first keys, as many as it has room
// for. A later collection with the same name is not touched.
Result<Forgotten> forget_some(const KuzzleCall& call, CollectionId id,
                              std::span<const Bytes> keys) {
  Forgotten done;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    done = {};
    const auto collection = TRY(collection_to_write(call, transaction.view().catalog()));
    for (const Bytes& key : keys) {
      if (collection->id != id) break;
      const DocumentKey document = TRY(keys::decode_document_key(key));
      auto forgotten = transaction.forget(collection, document, call.principal.id);
      if (transaction.is_full() && done.keys > 0) return {};
      const bool may_stay = !forgotten && (forgotten.error().code == Code::not_found ||
                                           forgotten.error().code == Code::forbidden);
      if (!forgotten && !may_stay) return forgotten;
      ++done.keys;
      if (forgotten) ++done.documents;
    }
    done.keys = collection->id == id ? done.keys : keys.size();
    return {};
  }));
  return done;
}

}  // namespace

Result<std::string> empty_trash(KuzzleCall& call) {
  std::size_t purged = 0;
  Bytes after;
  std::optional<CollectionId> emptied;
  for (bool more = true; more;) {
    const auto found = TRY(trashed_keys(call, after));
    if (emptied.value_or(found.collection) != found.collection) break;
    emptied = found.collection;
    more = found.keys.next.has_value();
    if (more) after = *found.keys.next;
    for (std::span<const Bytes> left = found.keys.keys; !left.empty();) {
      const Forgotten done = TRY(forget_some(call, found.collection, left));
      purged += done.documents;
      left = left.subspan(done.keys);
    }
  }
  return render_json(Object{{"deleted", static_cast<std::int64_t>(purged)}});
}

}  // namespace mayfly::kuzzle
