#include "dialect/cosmos/queries/index_requests.h"

#include "dialect/cosmos/containers/indexes.h"
#include "dialect/cosmos/limits.h"
#include "query/wanted.h"

namespace mayfly::cosmos {
namespace {

// Through an index each document is read by itself, which costs some times as much as in a row.
constexpr std::size_t cost_of_one = 8;

}  // namespace

void request_index(Database& database, const Container& container, const query::Query& asked,
                   const query::RowsPage& page) {
  const query::Statistics& read = page.statistics;
  if (read.documents_read < limits::index_requested_documents_min) return;
  if (is_name_of_policy_index(read.index)) return;
  const query::WantedFields wanted = query::wanted_fields(asked);
  const bool is_selective = read.documents_passed * cost_of_one < read.documents_read;
  const auto& field = wanted.filter && is_selective ? wanted.filter : wanted.order;
  auto spec = field ? index_of_field(container.definition, *field) : std::nullopt;
  if (spec) database.request_index(*container.collection, *std::move(spec));
}

}  // namespace mayfly::cosmos
