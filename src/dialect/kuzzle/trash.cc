// What Kuzzle's users have asked for and it never had: bringing a document back as it was, and
// emptying a trashcan.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collector.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/places.h"

namespace mayfly::kuzzle {

Result<std::string> restore_document(Call& call) {
  const std::string id = TRY(call.id());
  const DocumentKey key = DocumentKey::of(id);
  TRY(call.shared.collector.run_due());
  CollectionPtr collection;
  std::optional<Document> restored;
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        collection = TRY(place_to_write(call, transaction.view().catalog()));
        auto done = transaction.restore(collection, key, {.author = call.principal.id});
        if (done || done.error().code != Code::not_found) return done;
        return no_such_document(call.shape(), id);
      },
      [&](const Transaction& transaction, Instant) {
        restored = transaction.written(collection, key);
      }));
  std::string out = "{";
  render_id_and_version(*restored, out);
  out += ',';
  render_source(*restored, call.shape(), out);
  render_meta(*restored, call.shape(), out);
  return out + '}';
}

Result<std::string> empty_trash(Call& call) {
  std::size_t gone = 0;
  Bytes after;
  for (bool more = true; more;) {
    View view = TRY(view_with_trash(call));
    const auto collection = TRY(place_to_write(call, view.catalog()));
    const DocumentPage page = TRY(view.scan_trash(*collection, after, limits::store_page_rows_max));
    more = page.next.has_value();
    if (more) after = *page.next;
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      for (const Document& document : page.documents) {
        auto forgotten = transaction.forget(collection, document.document_key(), call.principal.id);
        const bool may_stay = !forgotten && (forgotten.error().code == Code::not_found ||
                                             forgotten.error().code == Code::forbidden);
        if (!forgotten && !may_stay) return forgotten;
      }
      return {};
    }));
    for (const Document& document : page.documents) gone += document.hold.empty() ? 1 : 0;
  }
  return fmt::format(R"({{"deleted":{}}})", gone);
}

}  // namespace mayfly::kuzzle
