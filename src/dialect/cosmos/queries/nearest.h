// Queries for the nearest vectors, from an index of vectors: it names documents among which the
// nearest are, and the query is asked of these.
#pragma once

#include <optional>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"
#include "query/vectors/vector_indexes.h"

namespace mayfly::cosmos {

// What is asked for, where an index may propose it: the first rows by ascending distance, of
// documents whose vectors the policy indexes other than flat, and not by brute force.
struct Nearest {
  query::VectorField field;
  std::vector<float> vector;
  std::size_t count = 0;  // rows, with those that are skipped
  std::size_t skipped = 0;
  bool has_filter = false;
};
std::optional<Nearest> nearest_of(const sql::Query& query, const sql::Asked& asked,
                                  const Container& container, Instant now);

// A page that the index has proposed, which is the first. Nothing where all documents are to be
// asked. `lower` makes the query of these rows; `exact` is the same of all documents, with which
// the pages after it go on.
using LowerOver = std::function<Result<query::QueryPtr>(query::QueryPtr rows)>;
Result<std::optional<query::RowsPage>> answer_nearest(query::VectorIndexes& indexes,
                                                      const Nearest& nearest,
                                                      const Container& container,
                                                      const LowerOver& lower,
                                                      const query::QueryPtr& exact, View& view,
                                                      const query::RunOptions& options);

}  // namespace mayfly::cosmos
