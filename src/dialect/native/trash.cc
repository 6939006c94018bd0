// Removed documents of collections that keep a trash.
#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/common/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/conditions.h"
#include "dialect/native/envelope.h"
#include "dialect/native/tokens.h"
#include "value/json.h"

namespace mayfly::native {

Result<net::Response> list_trash(Call& call) {
  const auto limit = TRY(integer_parameter(call.request, "limit", 1, limits::page_rows_max));
  const auto page = TRY(text_parameter(call.request, "page"));
  View view = call.database().view();
  const auto collection = TRY(find_collection(call, view.catalog()));
  const std::string list = fmt::format("trash {}", collection->id);
  const Bytes after = page ? TRY(open_place(list, *page)) : Bytes();
  const std::size_t rows_max = limit.value_or(limits::page_rows_default);
  const DocumentPage found = TRY(view.scan_trash(*collection, after, rows_max));
  std::string body = R"({"documents":[)";
  for (const Document& document : found.documents) {
    if (body.back() != '[') body += ',';
    render_removed(document, body);
  }
  body += R"(],"next":)";
  if (found.next) {
    render_json_text(seal_place(list, *found.next), body);
  } else {
    body += "null";
  }
  body += '}';
  return json_response(200, std::move(body));
}

Result<net::Response> restore_document(Call& call) {
  const DocumentKey key = DocumentKey::of(call["id"]);
  const std::string author = TRY(author_of(call));
  CollectionPtr collection;
  net::Response response;
  const auto work = [&](Transaction& transaction) -> Result<void> {
    collection = TRY(find_collection(call, transaction.view().catalog()));
    return transaction.restore(collection, key, {.author = author});
  };
  const auto committed = [&](const Transaction& transaction, Instant) {
    const auto document = transaction.written(collection, key);
    if (!document) return;
    response.headers.emplace_back("ETag", '"' + etag_of(document->version) + '"');
    render_document(*document, {}, response.body);
  };
  TRY(call.database().transact(work, committed));
  return response;
}

Result<net::Response> forget_document(Call& call) {
  const DocumentKey key = DocumentKey::of(call["id"]);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const auto collection = TRY(find_collection(call, transaction.view().catalog()));
    return transaction.forget(collection, key);
  }));
  return empty_response();
}

}  // namespace mayfly::native
