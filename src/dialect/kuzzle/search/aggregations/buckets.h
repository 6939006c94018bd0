// The rows of aggregations: one grouped query for each aggregation with buckets, whose keys are
// those of the enclosing buckets and its own. Private to the folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dialect/kuzzle/search/searched_rows.h"

namespace mayfly::kuzzle::search {

struct Bucket {
  Array keys;     // of the enclosing buckets, outermost first, and its own
  Object values;  // "count", and "name.part" for metrics
};

// The buckets within one aggregation with buckets, or at the top of the search.
struct Level {
  // By the keys of the enclosing buckets, as JSON.
  std::map<std::string, std::vector<Bucket>, std::less<>> buckets;
  std::map<std::string, Level, std::less<>> inner;  // by name of the aggregation
};

// `query` null: all rows.
Result<Level> read_level(const std::vector<Aggregation>& aggregations, const ExprPtr& query,
                         const SearchContext& context);

// The tree that clients see.
Result<Object> render_level(const std::vector<Aggregation>& aggregations, const Level& level);

}  // namespace mayfly::kuzzle::search
