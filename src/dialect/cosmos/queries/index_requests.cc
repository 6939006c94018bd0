#include "dialect/cosmos/queries/index_requests.h"

#include "dialect/cosmos/containers/indexes.h"
#include "dialect/cosmos/limits.h"
#include "query/planning/indexable_fields.h"
#include "value/order/truncated_value.h"

namespace mayfly::cosmos {
namespace {

// Through an index, documents are read one by one, which costs several times as much as a scan.
constexpr std::size_t cost_of_one = 8;
constexpr std::size_t fields_of_index = 2;  // the property, and the instant of creation

// Whether an index can hold most values of the field untruncated. Truncated ones form runs, which
// are sorted for each page.
bool holds_most_whole(const std::vector<query::QueryRow>& rows, const Field& field) {
  std::size_t seen = 0;
  std::size_t whole = 0;
  for (const query::QueryRow& row : rows) {
    if (!row.document) continue;
    ++seen;
    const Value value = row.document->body.at(field.path);
    whole += truncated_value(value, limits::cut_entry_bytes_max / fields_of_index).is_exact ? 1 : 0;
  }
  return 2 * whole >= seen;
}

}  // namespace

bool has_index_of_order(const Container& container, const query::Query& asked) {
  const query::IndexableFields wanted = query::indexable_fields(asked);
  if (!wanted.order || wanted.has_other_conditions) return false;
  const auto spec = index_of_field(container.definition, *wanted.order);
  const Index* index = spec ? container.collection->find_index(spec->name) : nullptr;
  return index != nullptr && index->is_ready;
}

void request_index(Database& database, const Container& container, const query::Query& asked,
                   const query::RowsPage& page) {
  const query::Statistics& read = page.statistics;
  if (read.documents_read < limits::index_requested_documents_min) return;
  const query::IndexableFields wanted = query::indexable_fields(asked);
  const bool leaves_out_most = read.documents_matched * cost_of_one < read.documents_read;
  std::optional<Field> field;
  if (wanted.has_other_conditions && leaves_out_most) {
    field = wanted.filter;
  } else if (!is_name_of_policy_index(read.index) && wanted.order &&
             holds_most_whole(page.rows, *wanted.order)) {
    field = wanted.order;
  }
  auto spec = field ? index_of_field(container.definition, *field) : std::nullopt;
  if (spec) database.request_index(*container.collection, *std::move(spec));
}

}  // namespace mayfly::cosmos
