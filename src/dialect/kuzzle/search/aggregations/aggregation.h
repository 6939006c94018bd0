// Aggregations over all hits of a search. Each aggregation with buckets is one grouped query of the
// core; the tree that clients see is built from the rows of these queries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dialect/kuzzle/search/limits.h"
#include "expr/expr.h"
#include "value/value.h"

namespace mayfly::kuzzle::search {

struct Language;
struct SearchContext;

struct Aggregation {
  enum class Kind {
    terms,
    histogram,
    date_histogram,
    filter,
    average,
    minimum,
    maximum,
    sum,
    stats,
    value_count,
    cardinality
  };
  struct Order {
    std::string by;  // "_count", "_key", or an inner metric: "name" or "name.part"
    bool is_descending = true;
  };

  std::string name;
  Kind kind = Kind::filter;
  // An array of the row's values: the distinct keys of buckets, or the input of metrics. For a
  // filter: its condition.
  ExprPtr values;
  std::size_t size = 10;  // for terms
  std::vector<Order> order;
  std::uint64_t count_min = 1;  // documents that a bucket needs to be shown
  double interval = 0;          // for histograms with buckets of equal width
  std::string unit = {};        // for date histograms by calendar units
  bool is_date = false;         // values are milliseconds, which are shown as dates, too
  std::string format = {};      // of dates; empty: ISO 8601
  std::vector<Aggregation> inner = {};

  bool has_buckets() const { return kind <= Kind::filter; }
};

// Parses the value of "aggregations".
Result<std::vector<Aggregation>> parse_aggregations(const Value& body, const Language& language,
                                                    const std::string& place);

// Computes them over the rows that match the query (null: all).
Result<Value> aggregate(const std::vector<Aggregation>& aggregations, const ExprPtr& query,
                        const SearchContext& context);

}  // namespace mayfly::kuzzle::search
