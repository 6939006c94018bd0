// Hits of searches as answers show them.
#pragma once

#include <optional>
#include <string>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle {

// Where a hit comes from.
struct HitOrigin {
  std::string index;
  std::string collection;
  // Also shown in version 2: the search was in several collections.
  bool is_one_of_many = false;
};

std::string render_score(const std::optional<double>& score);
Result<void> render_hit(const Call& call, const HitOrigin& origin, const search::Search& asked,
                        const search::Hit& hit, Meter& meter, std::string& out);

}  // namespace mayfly::kuzzle
