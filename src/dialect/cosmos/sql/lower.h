// Lowering: turns a query of the service into a query of the core. Source: spec cosmos.md, sections
// 17.4, 18 and 20.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/ast.h"
#include "expr/analyse.h"
#include "query/query.h"

namespace mayfly::cosmos::sql {

struct UserFunction {
  expr::ForeignFunction call;
  std::string source;  // which distinguishes it from a later function of the same name
};
// The user-defined function udf.name; nothing if there is none of that name.
using UserFunctions = std::function<Result<std::optional<UserFunction>>(const std::string& name)>;

// The rows that a query runs on.
struct Target {
  query::QueryPtr rows;
  const Container* container = nullptr;  // outlives the query; null: the rows are values
  Instant now;
  DocumentOrder order = DocumentOrder::of_creation;  // of documents, if the query has none
  std::optional<EpkRange> epks = {};                 // the only filter that the rows have
  std::shared_ptr<Random> random = {};               // null: RAND is seeded with `now`
  UserFunctions user_functions = {};                 // none: every udf is unknown
};

// The text of a query and its parameters.
struct QueryInput {
  std::string_view text;
  Object parameters;  // by name, with the @
};

// A row without a value of its own is a document, to be shown whole. Fails with invalid and the
// service's message.
Result<query::QueryPtr> lower(const Query& query, const QueryInput& input, const Target& target);

// The value of an expression that depends on no row. Nothing if it depends on one, is invalid, or
// is random.
std::optional<Value> constant_of(const ScalarPtr& scalar, const QueryInput& input, Instant now);

// Whether it contains an aggregate function, outside subqueries.
bool holds_aggregate(const Scalar& scalar);
bool selects_aggregates(const Query& query);

// The bounds of the core's expressions. The parser bounds the query. A node of it takes at most
// three levels of an expression, and a computed property is a query within a query.
inline constexpr SizeBounds expression_bounds{.depth_max = 6 * limits::sql_query_depth_max + 100,
                                              .nodes_max = 4 * limits::sql_query_nodes_max};

inline constexpr std::string_view too_complex =
    "The query is too complex: it has more parts than can be evaluated.";

// The maximum of TOP, OFFSET and LIMIT.
inline constexpr std::int64_t count_max = 4'294'967'295;

}  // namespace mayfly::cosmos::sql
