// Query plans: what clients that answer queries themselves need to know of one. They ask every
// partition the rewritten query and put the rows together. Source: spec cosmos.md, section 15.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "dialect/cosmos/containers/definition.h"
#include "dialect/cosmos/containers/keys/epk.h"
#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos {

struct QueryPlan {
  // Ordered: equal rows follow one another.
  enum class Distinct : std::uint8_t { none, ordered, unordered };
  // A member of the rows of a grouped query.
  struct Alias {
    std::string name;
    std::string_view aggregate;  // empty: it is a value of the group
  };

  Distinct distinct = Distinct::none;
  // What the client is to do; the rewritten query may do some of it, too.
  std::optional<std::int64_t> top;
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> limit;
  std::vector<sql::Direction> order_by;  // never unstated
  std::vector<std::string> order_by_expressions;
  std::vector<std::string> group_by_expressions;
  std::vector<Alias> group_by_aliases;
  std::vector<std::string_view> aggregates;  // of SELECT VALUE
  std::string rewritten;                     // empty: the query as it was
  bool has_select_value = false;
  bool has_vector_order = false;  // no partition can tell its rows in order as it finds them
  std::vector<EpkRange> ranges;   // where its rows can be; ascending and apart, one at least
  std::optional<sql::Query> rewritten_query;        // of a part of a rank: what `rewritten` prints
  std::shared_ptr<const struct HybridPlan> hybrid;  // null but for ORDER BY RANK
};

// What stands in place of such a plan for ORDER BY RANK.
struct HybridPlan {
  std::string statistics;             // the query that gives them
  std::vector<QueryPlan> components;  // whose rows are put together by their ranks
  std::vector<double> weights;        // of these; none: all weigh the same
  std::optional<std::int64_t> skip;
  std::optional<std::int64_t> take;
  bool needs_statistics = false;
};

// Fails with invalid as the query itself would, and where its rows cannot be put together from
// those of partitions.
Result<QueryPlan> make_plan(const sql::Query& query, const sql::Asked& asked,
                            const Definition& definition, Instant now);
// A number of rows of a query that was lowered.
std::int64_t number_of(const sql::Count& count, const sql::Asked& asked);
std::string render_plan(const QueryPlan& plan);

}  // namespace mayfly::cosmos
