// Renders hits of searches for answers.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/search/search.h"
#include "value/json/writer.h"

namespace mayfly::kuzzle {

// The collection that a hit comes from.
struct HitOrigin {
  std::string index;
  std::string collection;
  bool is_one_of_many = false;  // the search was in several collections
};

Result<void> render_hit(const KuzzleCall& call, const HitOrigin& origin,
                        const search::Search& parsed_search, const search::Hit& hit, Meter& meter,
                        JsonWriter& json);

}  // namespace mayfly::kuzzle
