// Aggregations: what a search says of all that it found. Each that makes buckets is one grouped
// query of the core; the tree that clients see is built from their rows.
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
struct Place;

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
    std::string by;  // "_count", "_key", or a metric below: "name" or "name.part"
    bool is_descending = true;
  };

  std::string name;
  Kind kind = Kind::filter;
  // An array of the row's values: of buckets the keys, each once; of metrics what they are made of.
  // For a filter: its condition.
  ExprPtr values;
  std::size_t size = 10;  // of terms
  std::vector<Order> order;
  std::uint64_t count_min = 1;  // of documents, for a bucket to be shown
  double interval = 0;          // of histograms, where buckets are equally wide
  std::string unit = {};        // of date histograms by the calendar
  bool is_date = false;         // values are milliseconds that are shown as dates, too
  std::string format = {};      // of the dates; empty: as ISO 8601
  std::vector<Aggregation> inner = {};

  bool has_buckets() const { return kind <= Kind::filter; }
};

// What stands behind "aggregations".
Result<std::vector<Aggregation>> parse_aggregations(const Value& body, const Language& language,
                                                    const std::string& place);

// What they say of the rows that the query (null: all) finds.
Result<Value> aggregate(const std::vector<Aggregation>& aggregations, const ExprPtr& query,
                        const Place& place);

}  // namespace mayfly::kuzzle::search
