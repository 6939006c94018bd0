// Query plans: the information by which a client evaluates a query itself. It sends the rewritten
// query to every partition and merges the rows. Source: spec cosmos.md, section 15.
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
  // Ordered: equal rows are adjacent.
  enum class Distinct : std::uint8_t { none, ordered, unordered };
  // A member of the rows of a grouped query.
  struct Alias {
    std::string name;
    std::string_view aggregate;  // empty: it is a value of the group
  };

  Distinct distinct = Distinct::none;
  // The work of the client; the rewritten query may do some of it, too.
  std::optional<std::int64_t> top;
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> limit;
  std::vector<sql::Direction> order_by;  // never unstated
  std::vector<std::string> order_by_expressions;
  std::vector<std::string> group_by_expressions;
  std::vector<Alias> group_by_aliases;
  std::vector<std::string_view> aggregates;  // of SELECT VALUE
  std::string rewritten;                     // empty: the original query
  bool has_select_value = false;
  bool has_vector_order =
      false;  // a partition must find all rows before it can return them in order
  std::vector<EpkRange> ranges;  // that the rows can be in; ascending, disjoint, one at least
  std::optional<sql::Query> rewritten_query;        // for a part of a rank: the tree of `rewritten`
  std::shared_ptr<const struct HybridPlan> hybrid;  // null except for ORDER BY RANK
};

// The form of a plan for ORDER BY RANK.
struct HybridPlan {
  std::string statistics;             // the query for the statistics
  std::vector<QueryPlan> components;  // their rows are merged by their ranks
  std::vector<double> weights;        // of the components; empty: equal weights
  std::optional<std::int64_t> skip;   // rows before the first; nothing: none
  std::optional<std::int64_t> take;   // rows after these; nothing: all
  bool needs_statistics = false;
};

// Fails with invalid as the query itself would, and if its rows cannot be merged from those of
// partitions.
Result<QueryPlan> make_plan(const sql::Query& query, const sql::QueryInput& input,
                            const Definition& definition, Instant now);
// The number of rows that TOP, OFFSET or LIMIT states. Lowering must have accepted the query.
std::int64_t number_of(const sql::Count& count, const sql::QueryInput& input);
std::string render_plan(const QueryPlan& plan);

}  // namespace mayfly::cosmos
