// Removed documents of collections that keep a trash, and documents under hold.
#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/write.h"
#include "dialect/native/pages.h"
#include "value/json/writer.h"

namespace mayfly::native {

namespace {

using Scan = Result<DocumentPage> (View::*)(const Collection&, const Bytes& after,
                                            std::size_t rows_max);

// A page of the documents that `scan` finds; `name` distinguishes the tokens of different lists.
Result<net::Response> list_removed_or_held(NativeCall& call, std::string_view name, Scan scan) {
  const auto limit = TRY(integer_parameter(call.request, "limit", 1, limits::page_rows_max));
  const auto page = TRY(text_parameter(call.request, "page"));
  const auto known = TRY(find_collection(call, *call.database().catalog()));
  View view = TRY(call.database().up_to_date_view(known->id));
  const auto collection = TRY(find_collection(call, view.catalog()));
  const std::string list = fmt::format("native {} {}", name, collection->id);
  const Bytes after = page ? TRY(open_page(call, list, *page)) : Bytes();
  const std::size_t rows_max = limit.value_or(limits::page_rows_default);
  const DocumentPage found = TRY((view.*scan)(*collection, after, rows_max));
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  json.name("documents").begin_array();
  for (const Document& document : found.documents) render_removed(document, body);
  json.end_array();
  json.text_or_null("next", found.next ? seal_page(call, list, *found.next) : std::string());
  json.end_object();
  return json_response(200, std::move(body));
}

}  // namespace

Result<net::Response> list_trash(NativeCall& call) {
  return list_removed_or_held(call, "trash", &View::scan_trash);
}

Result<net::Response> list_holds(NativeCall& call) {
  return list_removed_or_held(call, "holds", &View::scan_holds);
}

Result<net::Response> restore_document(NativeCall& call) {
  const DocumentWriteOptions asked = TRY(read_write(call));
  return edit_document(
      call, [&](Transaction& t, const CollectionPtr& c, const DocumentKey& key) -> Result<void> {
        const LifetimeChange lifetime = TRY(lifetime_at(asked.lifetime, t.now()));
        return t.restore(c, key, {.author = asked.author, .lifetime = lifetime});
      });
}

Result<net::Response> forget_document(NativeCall& call) {
  const std::string author = TRY(author_of(call));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const auto collection = TRY(find_collection(call, transaction.view().catalog()));
    return transaction.forget(collection, TRY(key_of(call, *collection)), author);
  }));
  return empty_response();
}

}  // namespace mayfly::native
