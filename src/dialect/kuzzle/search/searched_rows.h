// The rows that searches and aggregations read. Private to the folder.
#pragma once

#include "dialect/kuzzle/search/search.h"
#include "query/query.h"

namespace mayfly::kuzzle::search {

Lens lens_of(const SearchContext& context);
query::QueryPtr rows_of(const SearchContext& context, const Lens& lens);

}  // namespace mayfly::kuzzle::search
