// Full text in queries: the functions that search words, and the values that ORDER BY RANK sorts
// by.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos::sql {

// Whether the call searches, counts or scores words. Its first argument is a path, whose language
// determines how words are stemmed.
bool is_full_text_call(const ScalarCall& call);
// Whether it is a call of _FullTextScore: a score whose statistics are its arguments. Plans write
// it.
bool is_known_score(const Scalar& scalar);
// FULLTEXTSCORE and RRF, which are valid only after ORDER BY RANK.
bool is_of_rank(const ScalarCall& call);

// The language by which words at the path are stemmed; nothing if it is no path of the container's
// policy. `definition` is the container's.
std::optional<std::string> language_of(const ScalarPtr& path, const Object& definition);

// One of the parts that RANK combines.
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
// Fails with invalid if it is neither FULLTEXTSCORE nor RRF of such scores and of distances, and if
// a path is not in the policy.
Result<Ranking> ranking_of(const Ordering& ordering, const QueryInput& input,
                           const Object& definition, Instant now);

}  // namespace mayfly::cosmos::sql
