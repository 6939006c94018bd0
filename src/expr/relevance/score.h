// Score: how a hit's score comes about, as an immutable tree beside the condition that it fits. The
// query language makes it; a Scorer (scorer.h) computes it.
//
//   constant  `weight`
//   words     the sum over `words` of BM25, of how often each stands in the values of `input`
//   phrase    the same of all the words side by side, as if they were one
//   sum       of the parts
//   best      the highest of the parts, and `tie_breaker` times the others
//   where     the one part's, for rows for which `input` is true, and 0 for others
//
// Every kind but constant is multiplied with `weight`. A null pointer is 0, which is what anything
// in a filter is worth.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/expr.h"

namespace mayfly::relevance {

struct Score;
using ScorePtr = std::shared_ptr<const Score>;

struct Score {
  enum class Kind { constant, words, phrase, sum, best, where };
  Kind kind = Kind::constant;
  double weight = 1;
  double tie_breaker = 0;
  ExprPtr input;
  std::vector<std::string> words;
  bool ends_in_prefix = false;     // the last word of a phrase is the beginning of one
  bool is_zero_elsewhere = false;  // for rows that do not fit the condition it stands beside
  std::vector<ScorePtr> parts;
};

// A condition, and what it is worth.
struct Clause {
  ExprPtr condition;
  ScorePtr score;
};

ScorePtr constant(double score);
// `any_will_do`: whether one of the words is enough for the condition that stands beside it.
ScorePtr words_score(ExprPtr values, std::vector<std::string> words, bool any_will_do);
ScorePtr phrase_score(ExprPtr values, std::vector<std::string> words, bool ends_in_prefix);
// What is constant is computed at once.
ScorePtr sum_of(std::vector<ScorePtr> parts);
ScorePtr best_of(std::vector<ScorePtr> parts, double tie_breaker = 0);
// The clause's score where its condition is true.
ScorePtr score_where(const Clause& clause);
ScorePtr boosted(const ScorePtr& score, double boost);

// The score of every hit, where all have the same.
std::optional<double> constant_of(const ScorePtr& score);

}  // namespace mayfly::relevance
