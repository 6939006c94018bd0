#include "dialect/centrali/functions/chain.h"

#include <algorithm>
#include <utility>

#include "dialect/centrali/functions/compute_function.h"
#include "dialect/centrali/functions/limits.h"
#include "query/run.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK.
constexpr std::string_view function_chains_name = "#centrali.chains";

}  // namespace

PrivateSpec ChainLink::table() {
  return {.name = function_chains_name,
          .indexes = {{"by_writing", {IndexField{Field::metadata("written_at")}}}}};
}

Result<ChainLink> ChainLink::decode(const Document& document) {
  const Value depth = document.body.unpack().member("depth");
  if (!depth.is(Kind::integer)) return not_as_written("depth");
  return ChainLink{depth.integer()};
}

Result<void> put_chain_link(Transaction& transaction, DatabaseId workspace, std::string id,
                            const ChainLink& link) {
  const auto table = PrivateTable<ChainLink>::find(transaction.view().catalog(), workspace);
  const Instant until = transaction.now() + limits::function_chain_kept_for;
  return table.put(transaction, DocumentKey::of(std::move(id)), link,
                   {.lifetime = Lifetime{At{until}}});
}

Result<std::int64_t> chain_depth(View& view, DatabaseId workspace, Instant committed_at) {
  const auto table = PrivateTable<ChainLink>::find(view.catalog(), workspace);
  if (!table) return 0;
  const auto asked =
      query::filter(query::scan(table.collection(), view.live()),
                    expr::equal(expr::metadata("written_at"), expr::literal(Value(committed_at))));
  const query::RowsPage page = TRY(query::answer(asked, view, {.rows_max = 1}));
  std::int64_t depth = 0;
  for (const query::Row& row : page.rows) {
    if (const auto link = table.decode(*row.document)) depth = std::max(depth, link->depth);
  }
  return depth;
}

}  // namespace mayfly::centrali
