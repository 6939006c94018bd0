#include "dialect/cosmos/queries/resources.h"

#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/queries/query_text.h"
#include "dialect/cosmos/reply.h"
#include "query/running/row.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

// The fingerprint of lists: a list continues only from a page of its own.
constexpr std::uint64_t fingerprint_of_lists = 0;

Result<void> tick_bytes(Meter& meter, std::size_t bytes) {
  constexpr std::size_t bytes_per_step = 64;
  return meter.tick(static_cast<std::uint32_t>(1 + bytes / bytes_per_step));
}

Result<net::Response> answer_query(CosmosCall& call, const List& list, std::size_t count,
                                   const RenderOne& render, View& view) {
  const QueryText text = TRY(parse_query_body(call.request.body));
  query::RunOptions options = TRY(paging_of(call, list));
  std::vector<Value> rows;
  std::string rendered;
  for (std::size_t i = 0; i < count; ++i) {
    rendered.clear();
    TRY(render(i, rendered));
    TRY(tick_bytes(options.meter, rendered.size()));
    TRY(options.meter.build(rendered.size()));
    rows.push_back(TRY(parse_json(rendered)));
  }
  const auto wanted = TRY(lower_query(text, {query::values(std::move(rows)), nullptr, view.now()}));
  const auto page = TRY(query::answer(wanted, view, options));
  Feed feed(list.kind, list.owner_rid);
  for (const query::QueryRow& row : page.rows) render_json(row.whole(), feed.next());
  net::Response response = feed.finish();
  add_continuation(call, list, page, response);
  return response;
}

}  // namespace

Result<net::Response> list_resources(CosmosCall& call, ResourceKind kind, BytesView owner_rid,
                                     std::size_t count, const RenderOne& render) {
  const List list{kind, owner_rid};
  query::RunOptions options = TRY(paging_of(call, list));
  query::Bookmark next = options.bookmark.value_or(query::Bookmark{.query = fingerprint_of_lists});
  if (next.query != fingerprint_of_lists) return tl::unexpected(wrong_continuation());
  Feed feed(kind, owner_rid);
  while (next.rows_so_far < count && feed.size() < options.rows_max &&
         feed.bytes() <= options.bytes_max) {
    const std::size_t before = feed.bytes();
    TRY(render(next.rows_so_far++, feed.next()));
    TRY(tick_bytes(options.meter, feed.bytes() - before));
  }
  net::Response response = feed.finish();
  if (next.rows_so_far < count) {
    response.headers.emplace_back("x-ms-continuation", continuation_of(call, list, next));
  }
  return response;
}

Result<net::Response> query_resources(CosmosCall& call, ResourceKind kind, BytesView owner_rid,
                                      std::size_t count, const RenderOne& render) {
  View view = call.database().view();
  return answer_query(call, {kind, owner_rid}, count, render, view);
}

Result<net::Response> query_resources(CosmosCall& call, ResourceKind kind, BytesView owner_rid,
                                      const std::vector<std::string>& rendered, View& view) {
  const auto render = [&rendered](std::size_t i, std::string& out) -> Result<void> {
    out += rendered[i];
    return {};
  };
  return answer_query(call, {kind, owner_rid}, rendered.size(), render, view);
}

}  // namespace mayfly::cosmos
