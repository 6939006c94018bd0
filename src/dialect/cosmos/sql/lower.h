// Tree to meaning: a query of the service as a query of the core.
// Source: spec cosmos.md, sections 17.4, 18 and 20.
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
  expr::ForeignCall call;
  std::string source;  // which tells one function of a name from a later one
};
// The function that users know as udf.name; nothing where they have defined none of that name.
using UserFunctions = std::function<Result<std::optional<UserFunction>>(const std::string& name)>;

// What a query is asked of.
struct Target {
  query::QueryPtr rows;
  const Container* container = nullptr;  // null: the rows are values and no documents
  Instant now;
  DocumentOrder order = DocumentOrder::of_creation;  // of documents, where the query asks for none
  std::optional<EpkRange> epks = {};    // that the rows are filtered to, and to nothing else
  std::shared_ptr<Random> random = {};  // null: RAND is seeded with the now
  UserFunctions user_functions = {};    // none: every udf is unknown
};

// What a query's text means nothing without.
struct Asked {
  std::string_view text;
  Object parameters;  // by name, with the @
};

// A row that has no value of its own is a document, to be shown whole. Fails with invalid, in the
// words of the service.
Result<query::QueryPtr> lower(const Query& query, const Asked& asked, const Target& target);

// The value of an expression that depends on no row; none where it does, where it would be refused,
// or where it differs from row to row all the same.
std::optional<Value> constant_of(const ScalarPtr& scalar, const Asked& asked, Instant now);

// Whether an aggregate function stands in it, subqueries aside.
bool holds_aggregate(const Scalar& scalar);
bool selects_aggregates(const Query& query);

// What the core's expressions may be. The parser bounds the query; a node of it takes three levels
// of an expression at most, and a computed property is a query within a query.
inline constexpr SizeBounds expression_bounds{.depth_max = 6 * limits::sql_query_depth_max + 100,
                                              .nodes_max = 4 * limits::sql_query_nodes_max};

inline constexpr std::string_view too_complex =
    "The query is too complex: it has more parts than can be evaluated.";

// The most rows that TOP, OFFSET and LIMIT can say.
inline constexpr std::int64_t count_max = 4'294'967'295;

}  // namespace mayfly::cosmos::sql
