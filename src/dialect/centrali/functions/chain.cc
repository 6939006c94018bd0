#include "dialect/centrali/functions/chain.h"

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
  const Value body = document.body.unpack();
  const Value depth = body.member("depth");
  const Value root = body.member("root");
  if (!depth.is(Kind::integer)) return not_as_written("depth");
  return ChainLink{depth.integer(), root.is(Kind::text) ? root.text() : std::string()};
}

Result<void> put_chain_link(Transaction& transaction, DatabaseId workspace, std::string id,
                            const ChainLink& link) {
  const auto table = PrivateTable<ChainLink>::find(transaction.view().catalog(), workspace);
  const Instant until = transaction.now() + limits::function_chain_kept_for;
  return table.put(transaction, DocumentKey::of(std::move(id)), link,
                   {.lifetime = Lifetime{At{until}}});
}

Result<ChainLink> find_chain_link(View& view, DatabaseId workspace, Instant committed_at) {
  const auto table = PrivateTable<ChainLink>::find(view.catalog(), workspace);
  if (!table) return ChainLink();
  const auto asked =
      query::filter(query::scan(table.collection(), view.live()),
                    expr::equal(expr::metadata("written_at"), expr::literal(Value(committed_at))));
  const query::RowsPage page = TRY(query::answer(asked, view, {.rows_max = 1}));
  ChainLink longest;
  for (const query::QueryRow& row : page.rows) {
    auto link = table.decode(*row.document);
    if (link && link->depth > longest.depth) longest = *std::move(link);
  }
  return longest;
}

}  // namespace mayfly::centrali
