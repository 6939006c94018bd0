// Scorer: computes the scores of hits. First every match of the search is noted, so that it is
// known how rare each word is among them and how long their texts are; then each gets its score.
//
//   Scorer scorer(*search.score);
//   for (each match) scorer.note(values of scorer.texts());
//   scorer.score(values of scorer.inputs())
//
// A word or a phrase is worth what BM25 says (bm25.h), where all are the matches with words in the
// text.
//
// What it holds is bounded by the query that it was made of. Threads: one while it notes; any
// thereafter.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/relevance/score.h"
#include "value/value.h"

namespace mayfly::relevance {

class Scorer {
 public:
  explicit Scorer(const Score& score);

  // The values that words are counted in: of each an array, or one value.
  const ExprList& texts() const { return text_inputs_; }
  // These, and behind them the conditions that parts of the score hang on.
  ExprList inputs() const;

  void note(std::span<const Value> texts);
  double score(std::span<const Value> inputs) const;

 private:
  struct Node {
    Score::Kind kind = Score::Kind::constant;
    double weight = 1;
    double tie_breaker = 0;
    std::size_t input = 0;              // a text, or a condition
    std::vector<std::size_t> counters;  // of the words, or of the phrase
    std::vector<Node> parts;
  };
  struct Phrase {
    std::vector<std::string> words;
    bool ends_in_prefix = false;
    std::size_t counter = 0;
  };
  struct Text {
    std::map<std::string, std::size_t, std::less<>> words;  // and their counters
    std::vector<Phrase> phrases;
    std::uint64_t documents = 0;  // noted ones, with words in this text
    std::uint64_t length = 0;     // of all these together
  };
  struct Counts {
    std::vector<std::uint32_t> often;    // by counter
    std::vector<std::uint32_t> lengths;  // by text
  };

  Node node_of(const Score& score);
  std::size_t place_of_text(const ExprPtr& input);
  static void count_text(const Text& text, std::string_view value, std::size_t at, Counts& counts);
  Counts count(std::span<const Value> texts) const;
  double score_of(const Node& node, const Counts& counts, std::span<const Value> conditions) const;
  double score_of_counter(std::size_t counter, std::size_t text, const Counts& counts) const;

  ExprList text_inputs_;
  ExprList conditions_;
  std::vector<Text> texts_;
  std::vector<std::uint64_t> having_;  // by counter: noted documents that have it
  Node root_;
};

}  // namespace mayfly::relevance
