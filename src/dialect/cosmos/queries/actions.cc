// Queries of documents.
#include <algorithm>

#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/merging/across.h"
#include "dialect/cosmos/queries/index_requests.h"
#include "dialect/cosmos/queries/metrics.h"
#include "dialect/cosmos/queries/nearest.h"
#include "dialect/cosmos/queries/query_text.h"
#include "dialect/cosmos/ranges/document_selection.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/scripts/user_functions.h"
#include "query/running/row.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr double units_per_query_page = 0.01;
constexpr double units_per_row = 0.3;
constexpr double units_per_document_read = 0.02;

void render_row(const Container& container, const query::QueryRow& row, std::string& out) {
  if (row.document && !row.value) {
    render_document(container, *row.document, out);
  } else {
    render_json(row.whole(), out);
  }
}

double charge_of(const query::RowsPage& page) {
  return units_per_query_page + units_per_row * static_cast<double>(page.rows.size()) +
         units_per_document_read * static_cast<double>(page.statistics.documents_read);
}

// Whether the query is one rewritten for ORDER BY (plan/rewrite.h).
bool is_of_a_plan(const sql::Query& query) {
  const auto* list = std::get_if<sql::SelectList>(&query.selection);
  return list != nullptr &&
         std::any_of(list->items.begin(), list->items.end(),
                     [](const sql::SelectItem& item) { return item.alias == "orderByItems"; });
}

// Whether the query can end before all documents are read, or has rows made of all documents.
bool has_end(const sql::Query& query) {
  return query.from.empty() || query.top || query.slice || query.is_distinct ||
         !query.group_by.empty() || sql::selects_aggregates(query);
}

// A client with a plan adds a condition when it continues, so the continuation is of another query.
// In an order of values the position is the same. Without a position, such a client skips the rows
// that it has already received.
Result<query::RowsPage> continue_by_plan(const query::QueryPtr& wanted, View& view,
                                         query::RunOptions options) {
  if (std::holds_alternative<query::AtSorted>(options.bookmark->position)) {
    options.bookmark->query = query::fingerprint(*wanted);
    auto page = query::answer(wanted, view, options);
    if (page || page.error().code != Code::invalid) return page;
  }
  options.bookmark.reset();
  return query::answer(wanted, view, options);
}

// The first page of the nearest vectors, if an index proposes candidates; a single partition is
// scanned.
Result<std::optional<query::RowsPage>> propose_nearest(
    const CosmosCall& call, const sql::Query& tree, const sql::QueryInput& asked,
    const Container& container, const Restriction& restriction, const LowerOver& lower,
    const query::QueryPtr& exact, View& view, const query::RunOptions& options) {
  std::optional<Nearest> nearest;
  if (call.services.vectors != nullptr && !options.bookmark && !restriction.has_key()) {
    nearest = nearest_of(tree, asked, container, view.now());
  }
  if (!nearest) return std::optional<query::RowsPage>();
  return answer_nearest(*call.services.vectors, *nearest, container, lower, exact, view, options);
}

// DISTINCT of one property with an index reads the values in order and skips most documents that
// repeat a value. A page continues in the order of the previous one.
Result<query::QueryPtr> query_for_page(const MakeQuery& make_query, const sql::Query& tree,
                                       const Container& container, const Restriction& restriction,
                                       const query::RunOptions& options) {
  if (tree.is_distinct && !tree.order_by) {
    query::QueryPtr by_values = TRY(make_query({DocumentOrder::of_values, restriction}));
    const bool is_chosen = options.bookmark
                               ? options.bookmark->query == query::fingerprint(*by_values)
                               : has_index_of_order(container, *by_values);
    if (is_chosen) return by_values;
  }
  return make_query(selection_of(container, restriction));
}

}  // namespace

Result<net::Response> query_documents(CosmosCall& call) {
  const QueryText text = TRY(parse_query_body(call.request.body));
  View view = call.database().view();
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  const List list{ResourceKind::document, container->rid};
  const query::RunOptions options = TRY(paging_of(call, list));
  const Restriction restriction = TRY(restriction_of(call, *container));
  const Instant started = monotonic_now();
  const sql::QueryPtr tree = TRY(parse_tree(text));
  TRY(check_cross_partition(call, *container, restriction, *tree, text.input(), view.now()));
  const auto over = [&](query::QueryPtr rows, const DocumentSelection& selection) {
    sql::Target target{std::move(rows), container.get(), view.now(), selection.order};
    if (!selection.restriction.has_key()) target.epks = selection.restriction.epks;
    target.user_functions = user_functions(call.services, *container, view, call.request.answer_by);
    return sql::lower(*tree, text.input(), target);
  };
  const MakeQuery make_query = [&](const DocumentSelection& selection) {
    return over(documents_of(*container, view.live(), selection.restriction), selection);
  };
  const auto wanted = TRY(query_for_page(make_query, *tree, *container, restriction, options));
  const Instant compiled = monotonic_now();
  const LowerOver among = [&](query::QueryPtr rows) {
    return over(restricted(std::move(rows), *container, restriction),
                selection_of(*container, restriction));
  };
  auto proposed = propose_nearest(call, *tree, text.input(), *container, restriction, among, wanted,
                                  view, options);
  if (!proposed) return tl::unexpected(proposed.error());
  auto page = *proposed
                  ? Result<query::RowsPage>(**std::move(proposed))
                  : answer_or_continue(wanted, make_query, *container, restriction, view, options);
  if (is_of_another_query(page, wanted, options) && is_of_a_plan(*tree)) {
    page = continue_by_plan(wanted, view, options);
  }
  const bool is_token = is_of_another_query(page, wanted, options);
  if (!page) return tl::unexpected(is_token ? wrong_continuation() : page.error());
  const Instant run = monotonic_now();
  if (call.principal.may_write) request_index(call.database(), *container, *wanted, *page);
  Feed feed(list.kind, list.owner_rid);
  for (const query::QueryRow& row : page->rows) render_row(*container, row, feed.next());
  const std::size_t bytes = feed.bytes();
  net::Response response = feed.finish();
  const QueryTimes times{compiled - started, run - compiled, monotonic_now() - run};
  if (has_end(*tree)) {
    add_continuation(call, list, *page, response);
  } else {
    add_continuation_of_full_page(call, list, *page, response);
  }
  add_container_headers(*container, response, range_of(*container, restriction));
  set_charge(charge_of(*page), response);
  add_metrics(call, *container, *page, times, bytes, response);
  return response;
}

}  // namespace mayfly::cosmos
