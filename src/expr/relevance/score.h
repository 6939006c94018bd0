// Score: how to compute a hit's score, as an immutable tree beside the condition of the query. The
// query language builds it; a Scorer (scorer.h) computes it.
//
//   constant  `weight`
//   words     the sum over `words` of BM25, by how often each occurs in the values of `input`
//   phrase    the same for all the words side by side, as if they were one
//   sum       of the parts
//   best      the highest of the parts, and `tie_breaker` times the others
//   where     that of its only part for rows for which `input` is true, and 0 for others
//
// Every kind except constant is multiplied by `weight`. A null pointer is 0, which is the score of
// all conditions in a filter.
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
  bool ends_in_prefix = false;     // the last word of a phrase is a prefix
  bool is_zero_elsewhere = false;  // it is 0 for rows that do not match its condition
  std::vector<ScorePtr> parts;
};

// A condition and its score.
struct Clause {
  ExprPtr condition;
  ScorePtr score;
};

ScorePtr constant(double score);
// `matches_any_word`: whether one of the words suffices for the condition.
ScorePtr words_score(ExprPtr values, std::vector<std::string> words, bool matches_any_word);
ScorePtr phrase_score(ExprPtr values, std::vector<std::string> words, bool ends_in_prefix);
// Constant parts are computed immediately.
ScorePtr sum_of(std::vector<ScorePtr> parts);
ScorePtr best_of(std::vector<ScorePtr> parts, double tie_breaker = 0);
// The clause's score for rows that match its condition.
ScorePtr score_where(const Clause& clause);
ScorePtr boosted(const ScorePtr& score, double boost);

// The score of every hit, if all have the same.
std::optional<double> constant_of(const ScorePtr& score);

}  // namespace mayfly::relevance
