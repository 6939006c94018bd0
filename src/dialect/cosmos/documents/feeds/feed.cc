#include "dialect/cosmos/documents/feeds/feed.h"

#include <fmt/format.h>

#include <charconv>

#include "base/crypto/crypto.h"
#include "dialect/common/collections/holds.h"
#include "dialect/common/limits.h"
#include "dialect/common/page_token.h"
#include "dialect/common/requests/meter.h"
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/ranges/document_selection.h"
#include "dialect/cosmos/reply.h"
#include "query/running/row.h"

namespace mayfly::cosmos {
namespace {

constexpr double units_per_document = 0.3;
constexpr double units_per_feed_page = 0.01;
constexpr std::size_t removals_per_commit = limits::transaction_operations_max;

std::string name_of(const List& list) {
  return fmt::format("cosmos {} {}", row_of(list.kind).segment, encode_hex(list.owner_rid));
}

// The condition that documents have this value at the path. A value that is not a scalar counts as
// missing.
ExprPtr has_value(const Path& path, const Value& value) {
  ExprPtr own = expr::field({Part::body, path});
  if (!value.is_missing()) return expr::equal(std::move(own), expr::literal(value));
  return expr::negation(expr::call("is_scalar", {std::move(own)}));
}

// The condition that documents are in the range. For one partition, the values decide it for all
// its documents.
ExprPtr lies_within(const EpkRange& range, const Restriction& restriction,
                    const PartitionKey& key) {
  const bool is_known = restriction.routing && restriction.values.size() == key.paths.size();
  if (!is_known) return is_within(range, key);
  return expr::literal(Value(range.contains(epk_of(restriction.values, hash_of(key)))));
}

// The query for the documents that the removal of a partition removes.
Result<query::QueryPtr> documents_to_remove(CosmosCall& call, const Container& container,
                                            const View& view) {
  const Restriction restriction = TRY(restriction_of(call, container));
  if (!restriction.has_key()) return tl::unexpected(key_is_missing());
  return documents_of(container, view.live(), restriction);
}

// Fails with forbidden if one of them is under hold.
Result<void> check_none_is_held(CosmosCall& call) {
  View view = call.database().view();
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  const auto all = TRY(documents_to_remove(call, *container, view));
  if (!TRY(has_holds(view, *container->collection))) return {};
  query::RunOptions options{.rows_max = removals_per_commit, .meter = meter_of(call.request)};
  do {
    auto page = TRY(query::answer(all, view, options));
    TRY(options.meter.tick(static_cast<std::uint32_t>(page.rows.size())));
    for (const query::QueryRow& row : page.rows) TRY(check_removable(*row.document));
    options.bookmark = std::move(page.next);
  } while (options.bookmark);
  return {};
}

}  // namespace

std::string continuation_of(const CosmosCall& call, const List& list, const query::Bookmark& next) {
  return call.services.page_tokens.seal({.list = name_of(list), .place = query::encode(next)});
}

Result<query::Bookmark> open_continuation(const CosmosCall& call, const List& list,
                                          std::string_view continuation) {
  const auto place =
      call.services.page_tokens.open(name_of(list), continuation, call.database().now());
  auto bookmark = place ? query::decode_bookmark(*place) : tl::unexpected(place.error());
  if (!bookmark) return tl::unexpected(wrong_continuation());
  return bookmark;
}

Error wrong_continuation() {
  return bad_request("Invalid Continuation Token: it is none of this list or query.",
                     "x-ms-continuation");
}

Result<query::RunOptions> page_size_of(const CosmosCall& call) {
  query::RunOptions options;
  options.bytes_max = limits::feed_page_bytes_max;
  options.meter = meter_of(call.request);
  const std::string_view count = call.header("x-ms-max-item-count");
  if (!count.empty()) {
    std::int64_t rows = 0;
    const auto read = std::from_chars(count.data(), count.data() + count.size(), rows);
    if (read.ec != std::errc() || read.ptr != count.data() + count.size() || rows == 0 ||
        rows < -1) {
      return tl::unexpected(
          bad_request(fmt::format("The input PageSize {} is invalid. Ensure to pass a valid page "
                                  "size which must be a positive integer or -1 for a dynamic page "
                                  "size.",
                                  count),
                      "x-ms-max-item-count"));
    }
    const auto most = static_cast<std::int64_t>(limits::page_rows_max);
    options.rows_max = static_cast<std::size_t>(rows == -1 ? most : std::min(rows, most));
  }
  return options;
}

Result<query::RunOptions> paging_of(const CosmosCall& call, const List& list) {
  query::RunOptions options = TRY(page_size_of(call));
  options.kept = call.services.kept;
  const std::string_view continuation = call.header("x-ms-continuation");
  if (!continuation.empty()) options.bookmark = TRY(open_continuation(call, list, continuation));
  return options;
}

void add_continuation(const CosmosCall& call, const List& list, const query::RowsPage& page,
                      net::Response& response) {
  if (!page.next) return;
  response.headers.emplace_back("x-ms-continuation", continuation_of(call, list, *page.next));
}

void add_continuation_of_full_page(const CosmosCall& call, const List& list,
                                   const query::RowsPage& page, net::Response& response) {
  if (!page.end) return add_continuation(call, list, page, response);
  response.headers.emplace_back("x-ms-continuation", continuation_of(call, list, *page.end));
}

query::QueryPtr documents_of(const Container& container, const Lens& lens,
                             const Restriction& restriction) {
  return restricted(query::scan(container.collection, lens, restriction.routing), container,
                    restriction);
}

query::QueryPtr restricted(query::QueryPtr documents, const Container& container,
                           const Restriction& restriction) {
  const PartitionKey& key = container.definition.key;
  ExprList conditions;
  for (std::size_t i = 0; !restriction.routing && i < restriction.values.size(); ++i) {
    conditions.push_back(has_value(key.paths[i], restriction.values[i]));
  }
  if (restriction.epks) conditions.push_back(lies_within(*restriction.epks, restriction, key));
  if (conditions.empty()) return documents;
  return query::filter(std::move(documents), expr::all_of(std::move(conditions)));
}

DocumentOrder order_of(const Container& container) {
  const bool is_one = container.definition.ranges.is_one();
  return is_one ? DocumentOrder::of_creation : DocumentOrder::of_keys;
}

query::QueryPtr in_order(query::QueryPtr documents, DocumentOrder order, const PartitionKey& key) {
  const auto* filter = documents->as<query::Filter>();
  const auto* scan = (filter ? *filter->input : *documents).as<query::Scan>();
  const bool is_one_partition = scan != nullptr && scan->routing;
  std::vector<query::SortKey> keys;
  if (order == DocumentOrder::of_keys && !is_one_partition) keys.push_back({epk_expression(key)});
  keys.push_back({expr::metadata("created_at")});
  return query::sort(std::move(documents), std::move(keys), query::Ties::ascending);
}

Result<net::Response> list_documents(CosmosCall& call) {
  View view = call.database().view();
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  const List list{ResourceKind::document, container->rid};
  const query::RunOptions options = TRY(paging_of(call, list));
  const Restriction restriction = TRY(restriction_of(call, *container));
  const MakeQuery ask = [&](const DocumentSelection& reading) -> Result<query::QueryPtr> {
    return in_order(documents_of(*container, view.live(), reading.restriction), reading.order,
                    container->definition.key);
  };
  const auto wanted = TRY(ask(selection_of(*container, restriction)));
  const auto page = answer_or_continue(wanted, ask, *container, restriction, view, options);
  if (!page) {
    const bool is_token = page.error().code == Code::invalid && options.bookmark;
    return tl::unexpected(is_token ? wrong_continuation() : page.error());
  }
  Feed feed(list.kind, list.owner_rid);
  for (const query::QueryRow& row : page->rows)
    render_document(*container, *row.document, feed.next());
  net::Response response = feed.finish();
  add_continuation_of_full_page(call, list, *page, response);
  add_container_headers(*container, response, range_of(*container, restriction));
  set_charge(units_per_feed_page + units_per_document * static_cast<double>(page->rows.size()),
             response);
  return response;
}

// Each commit removes as many documents as one request may write, so readers may see some of them
// removed before others. Documents under hold are searched before the first commit. A commit
// continues where the previous one stopped. Meanwhile others may write documents before that
// position, or move some there in an index. So the removal ends with a commit that has seen the
// whole partition, from its first document on.
Result<net::Response> remove_partition(CosmosCall& call) {
  TRY(check_none_is_held(call));
  ContainerPtr container;
  query::RunOptions options{.rows_max = removals_per_commit, .meter = meter_of(call.request)};
  for (bool has_more = true; has_more;) {
    std::optional<query::Bookmark> next;
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      next.reset();
      View& view = transaction.view();
      container = TRY(call.containers.find(view.catalog(), call.address));
      const auto all = TRY(documents_to_remove(call, *container, view));
      auto page = query::answer(all, view, options);
      const bool is_lost = !page && options.bookmark && page.error().code == Code::invalid;
      if (is_lost) return {};  // its index is gone: starts again
      if (!page) return tl::unexpected(page.error());
      TRY(options.meter.tick(static_cast<std::uint32_t>(page->rows.size())));
      for (const query::QueryRow& row : page->rows) {
        TRY(remove_document(transaction, *container, row.document->document_key(), {}));
      }
      next = std::move(page->next);
      return {};
    }));
    has_more = next || options.bookmark;
    options.bookmark = std::move(next);
  }
  net::Response response;
  response.body = "{}";
  add_container_headers(*container, response);
  return response;
}

}  // namespace mayfly::cosmos
