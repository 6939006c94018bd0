// Renders hits of searches for answers.
#pragma once

#include <optional>
#include <string>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle {

// The collection that a hit comes from.
struct HitOrigin {
  std::string index;
  std::string collection;
  // The search was in several collections; then version 2 shows the origin, too.
  bool is_one_of_many = false;
};

std::string render_score(const std::optional<double>& score);
Result<void> render_hit(const Call& call, const HitOrigin& origin,
                        const search::Search& parsed_search, const search::Hit& hit, Meter& meter,
                        std::string& out);

}  // namespace mayfly::kuzzle
