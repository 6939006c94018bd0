// Full text in queries: the functions that look for words, and what ORDER BY RANK sorts by.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos::sql {

// Whether it looks for words, counts them or gives what they are worth, so that the language of its
// first argument, a path, matters.
bool is_full_text_call(const Call& call);
// What those are worth of which everything is known (_FullTextScore), as plans write it.
bool is_known_score(const Scalar& scalar);
// FULLTEXTSCORE and RRF, which stand behind ORDER BY RANK and nowhere else.
bool is_of_rank(const Call& call);

// By which the words at the path are stemmed; none where it is no path of the container's policy.
// `definition` is the container's.
std::optional<std::string> language_of(const ScalarPtr& path, const Object& definition);

// One of what RANK puts together.
struct RankPart {
  ScalarPtr text;  // the path; null: it is a distance of vectors
  std::vector<std::string> keywords;
  ScalarPtr distance;
  bool is_descending = true;  // the best first
};
struct Ranking {
  std::vector<RankPart> parts;
  std::vector<double> weights;  // one for each part, or none
};
// Fails with invalid where it is neither FULLTEXTSCORE nor RRF of that and of distances, and for a
// path that is not in the policy.
Result<Ranking> ranking_of(const Ordering& ordering, const Asked& asked, const Object& definition,
                           Instant now);

}  // namespace mayfly::cosmos::sql
