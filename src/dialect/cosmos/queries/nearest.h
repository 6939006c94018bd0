// Queries for the nearest vectors by a vector index. The index proposes candidates, and the query
// runs on these.
#pragma once

#include <optional>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"
#include "query/vectors/vector_indexes.h"

namespace mayfly::cosmos {

// A query that a vector index may serve: the first rows by ascending distance, if the policy's
// index of the vectors is not flat and the query does not request brute force.
struct Nearest {
  query::VectorField field;
  std::vector<float> vector;
  std::size_t count = 0;  // rows, including skipped ones
  std::size_t skipped = 0;
  bool has_filter = false;
};
std::optional<Nearest> nearest_of(const sql::Query& query, const sql::QueryInput& input,
                                  const Container& container, Instant now);

// The first page, from candidates of the index. Nothing if all documents must be read. `lower`
// makes the query over these rows. `exact` is the same query over all documents, with which the
// next pages continue.
using LowerOver = std::function<Result<query::QueryPtr>(query::QueryPtr rows)>;
Result<std::optional<query::RowsPage>> answer_nearest(query::VectorIndexes& indexes,
                                                      const Nearest& nearest,
                                                      const Container& container,
                                                      const LowerOver& lower,
                                                      const query::QueryPtr& exact, View& view,
                                                      const query::RunOptions& options);

}  // namespace mayfly::cosmos
