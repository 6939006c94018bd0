#include "dialect/cosmos/queries/nearest.h"

#include <algorithm>

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/containers/policies/search.h"
#include "dialect/cosmos/plan/plan.h"
#include "dialect/cosmos/sql/lowering/lowering.h"
#include "dialect/cosmos/sql/ordering.h"

namespace mayfly::cosmos {
namespace {

bool is_indexed(const Object& definition, std::string_view path) {
  const Value type = policy_row(definition, "indexingPolicy", "vectorIndexes", path).member("type");
  return type.is(Kind::text) && (type.text() == "quantizedFlat" || type.text() == "diskANN");
}

std::optional<query::VectorMetric> metric_of(std::string_view name) {
  if (name == "cosine") return query::VectorMetric::cosine;
  if (name == "dotproduct") return query::VectorMetric::dot_product;
  if (name == "euclidean") return query::VectorMetric::euclidean;
  return std::nullopt;
}

std::vector<float> vector_of(const std::optional<Value>& value) {
  std::vector<float> vector;
  if (!value || !value->is(Kind::array)) return vector;
  for (const Value& x : value->array()) {
    if (!x.is_number()) return {};
    vector.push_back(static_cast<float>(x.number()));
  }
  return vector;
}

// The only distance that the rows are ordered by; null if they are not plain documents in such an
// order.
const sql::ScalarCall* ordering_distance(const sql::Query& query) {
  const bool is_plain = query.from.size() == 1 && query.group_by.empty() && !query.is_distinct &&
                        sql::document_name(query) && !sql::selects_aggregates(query);
  if (!is_plain || !query.order_by || query.order_by->items.size() != 1) return nullptr;
  const sql::Scalar& value = *query.order_by->items.front().value;
  return sql::is_vector_distance(value) ? value.as<sql::ScalarCall>() : nullptr;
}

bool is_by_brute_force(const sql::ScalarCall& call, const sql::QueryInput& input, Instant now) {
  if (call.arguments.size() < 3) return false;
  const auto flag = sql::constant_of(call.arguments[2], input, now);
  return !flag || flag->is_true();
}

}  // namespace

std::optional<Nearest> nearest_of(const sql::Query& query, const sql::QueryInput& input,
                                  const Container& container, Instant now) {
  const sql::ScalarCall* call = ordering_distance(query);
  if (call == nullptr || call->arguments.size() < 2 || (!query.top && !query.slice)) return {};
  const Object& definition = container.definition.shown;
  const sql::Steps steps = sql::steps_of(call->arguments[0]);
  const std::string path = render_key_path(Path{steps.steps});
  const auto* name = steps.from->as<sql::Name>();
  const auto metric = metric_of(sql::vector_metric(*call, input, definition));
  if (name == nullptr || name->name != sql::document_name(query) || !metric) return {};
  const bool is_descending =
      sql::sorts_descending(query.order_by->items.front(), input, definition);
  const bool is_nearest_first = is_descending == (*metric != query::VectorMetric::euclidean);
  if (!is_nearest_first || !is_indexed(definition, path)) return {};
  if (is_by_brute_force(*call, input, now)) return {};
  Nearest nearest{.vector = vector_of(sql::constant_of(call->arguments[1], input, now))};
  nearest.field = {container.collection->id, Path{steps.steps}, *metric, nearest.vector.size()};
  const Value size = policy_row(definition, "vectorEmbeddingPolicy", "vectorEmbeddings", path)
                         .member("dimensions");
  const auto dimensions = static_cast<std::int64_t>(nearest.vector.size());
  if (!size.is(Kind::integer) || size.integer() != dimensions || dimensions == 0) return {};
  std::int64_t rows = query.top ? number_of(*query.top, input) : sql::count_max;
  if (query.slice) {
    nearest.skipped = static_cast<std::size_t>(number_of(query.slice->offset, input));
    rows = std::min(rows, number_of(query.slice->limit, input));
  }
  nearest.count = nearest.skipped + static_cast<std::size_t>(rows);
  nearest.has_filter = query.where != nullptr;
  return nearest;
}

Result<std::optional<query::RowsPage>> answer_nearest(query::VectorIndexes& indexes,
                                                      const Nearest& nearest,
                                                      const Container& container,
                                                      const LowerOver& lower,
                                                      const query::QueryPtr& exact, View& view,
                                                      const query::RunOptions& options) {
  using Nothing = std::optional<query::RowsPage>;
  auto keys =
      TRY(indexes.candidates(nearest.field, nearest.vector, nearest.count, view, options.meter));
  if (!keys) return Nothing();
  const auto rows = query::make(query::Lookup{container.collection, view.live(), *std::move(keys)});
  query::RowsPage page = TRY(query::answer(TRY(lower(rows)), view, options));
  // If a row was left out, the next nearest may not be a candidate.
  if (!page.next && page.rows.size() + nearest.skipped < nearest.count) {
    if (!nearest.has_filter) indexes.report_expired(nearest.field);
    return Nothing();
  }
  for (auto* mark : {&page.next, &page.end}) {
    if (!*mark) continue;
    // A position that only counts rows would count those of the candidates.
    if (!std::holds_alternative<query::AtSorted>((*mark)->position)) return Nothing();
    (*mark)->query = query::fingerprint(*exact);
  }
  return Nothing(std::move(page));
}

}  // namespace mayfly::cosmos
