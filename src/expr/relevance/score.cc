#include "expr/relevance/score.h"

#include <algorithm>

namespace mayfly::relevance {
namespace {

ScorePtr made(Score score) {
  return std::make_shared<const Score>(std::move(score));
}

bool is_zero_elsewhere(const std::vector<ScorePtr>& parts) {
  return std::all_of(parts.begin(), parts.end(),
                     [](const ScorePtr& part) { return part->is_zero_elsewhere; });
}

// Merges the constant parts into one, and drops those that are 0.
std::vector<ScorePtr> merge_constants(std::vector<ScorePtr> parts) {
  double sum = 0;
  std::vector<ScorePtr> rest;
  for (ScorePtr& part : parts) {
    if (const auto all = constant_of(part)) {
      sum += *all;
    } else {
      rest.push_back(std::move(part));
    }
  }
  if (sum > 0) rest.push_back(constant(sum));
  return rest;
}

}  // namespace

ScorePtr constant(double score) {
  return made({.weight = score});
}

ScorePtr words_score(ExprPtr values, std::vector<std::string> words, bool matches_any_word) {
  return made({.kind = Score::Kind::words,
               .input = std::move(values),
               .words = std::move(words),
               .is_zero_elsewhere = matches_any_word});
}

ScorePtr phrase_score(ExprPtr values, std::vector<std::string> words, bool ends_in_prefix) {
  return made({.kind = Score::Kind::phrase,
               .input = std::move(values),
               .words = std::move(words),
               .ends_in_prefix = ends_in_prefix,
               .is_zero_elsewhere = true});
}

ScorePtr sum_of(std::vector<ScorePtr> parts) {
  parts = merge_constants(std::move(parts));
  if (parts.empty()) return nullptr;
  if (parts.size() == 1) return parts.front();
  const bool is_zero = is_zero_elsewhere(parts);
  return made({.kind = Score::Kind::sum, .is_zero_elsewhere = is_zero, .parts = std::move(parts)});
}

ScorePtr best_of(std::vector<ScorePtr> parts, double tie_breaker) {
  std::erase(parts, nullptr);
  if (parts.empty()) return nullptr;
  if (parts.size() == 1) return parts.front();
  const bool is_zero = is_zero_elsewhere(parts);
  return made({.kind = Score::Kind::best,
               .tie_breaker = tie_breaker,
               .is_zero_elsewhere = is_zero,
               .parts = std::move(parts)});
}

ScorePtr score_where(const Clause& clause) {
  if (clause.score == nullptr || clause.score->is_zero_elsewhere) return clause.score;
  const auto* literal = clause.condition->as<expr::Literal>();
  if (literal != nullptr && literal->value.is(Kind::boolean)) {
    return literal->value.boolean() ? clause.score : nullptr;
  }
  return made({.kind = Score::Kind::where,
               .input = clause.condition,
               .is_zero_elsewhere = true,
               .parts = {clause.score}});
}

ScorePtr boosted(const ScorePtr& score, double boost) {
  if (score == nullptr || boost == 1) return score;
  if (boost == 0) return nullptr;
  Score more = *score;
  more.weight *= boost;
  return made(std::move(more));
}

std::optional<double> constant_of(const ScorePtr& score) {
  if (score == nullptr) return 0;
  if (score->kind == Score::Kind::constant) return score->weight;
  return std::nullopt;
}

}  // namespace mayfly::relevance
