// Scorer: computes the scores of hits. First it counts every match of the search, to find how rare
// each word is among the matches and how long their texts are. Then it computes the score of each
// match.
//
//   Scorer scorer(*search.score);
//   for (each match) scorer.note(values of scorer.texts());
//   scorer.score(values of scorer.inputs())
//
// The score of a word or a phrase is that of BM25 (bm25.h), where "all texts" are the matches with
// words in the text. Words are those of words_of() (functions/texts/words.h).
//
// The memory is that of the words and phrases of the query, whatever the number of matches.
// Threads: one during note(); any during score().
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

  // The values whose words are counted: each an array, or one value.
  const ExprList& texts() const { return text_inputs_; }
  // The texts, followed by the conditions that parts of the score depend on.
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
    std::uint64_t documents = 0;  // counted ones, with words in this text
    std::uint64_t length = 0;     // total words of these documents
  };
  struct Counts {
    std::vector<std::uint32_t> often;    // by counter
    std::vector<std::uint32_t> lengths;  // by text
  };

  Node node_of(const Score& score);
  std::size_t index_of_text(const ExprPtr& input);
  static void count_text(const Text& text, std::string_view value, std::size_t at, Counts& counts);
  Counts count(std::span<const Value> texts) const;
  double score_of(const Node& node, const Counts& counts, std::span<const Value> conditions) const;
  double score_of_counter(std::size_t counter, std::size_t text, const Counts& counts) const;

  ExprList text_inputs_;
  ExprList conditions_;
  std::vector<Text> texts_;
  std::vector<std::uint64_t> document_counts_;  // by counter: counted documents that contain it
  Node root_;
};

}  // namespace mayfly::relevance
