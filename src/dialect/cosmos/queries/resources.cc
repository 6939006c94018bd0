#include "dialect/cosmos/queries/resources.h"

#include "dialect/cosmos/documents/feed.h"
#include "dialect/cosmos/queries/query_text.h"
#include "dialect/cosmos/reply.h"
#include "query/row.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

Result<net::Response> answer(Call& call, const List& list, const std::vector<std::string>& told,
                             const QueryText& text, View& view) {
  const query::RunOptions options = TRY(paging_of(call, list));
  std::vector<Value> rows;
  for (const std::string& one : told) rows.push_back(TRY(parse_json(one)));
  const auto wanted = TRY(lower_query(text, {query::values(std::move(rows)), nullptr, view.now()}));
  const auto page = TRY(query::answer(wanted, view, options));
  Feed feed(list.kind, list.owner_rid);
  for (const query::Row& row : page.rows) render_json(row.whole(), feed.next());
  net::Response response = feed.finish();
  add_continuation(call, list, page, response);
  return response;
}

}  // namespace

Result<net::Response> list_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                     const std::vector<std::string>& told) {
  View view = call.database().view();
  return answer(call, {kind, owner_rid}, told, {.text = "SELECT * FROM c", .parameters = {}}, view);
}

Result<net::Response> query_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                      const std::vector<std::string>& told) {
  View view = call.database().view();
  return query_resources(call, kind, owner_rid, told, view);
}

Result<net::Response> query_resources(Call& call, ResourceKind kind, BytesView owner_rid,
                                      const std::vector<std::string>& told, View& view) {
  const QueryText text = TRY(parse_query_body(call.request.body));
  return answer(call, {kind, owner_rid}, told, text, view);
}

}  // namespace mayfly::cosmos
