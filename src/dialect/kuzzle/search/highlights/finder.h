// Finder: finds the search terms of a query in a text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/kuzzle/search/highlights/highlight_terms.h"
#include "expr/evaluation/meter.h"
#include "expr/functions/texts/words.h"
#include "expr/relevance/passages.h"

namespace mayfly::kuzzle::search {

class Finder {
 public:
  // The terms outlive it. `is_whole`: the whole text is one unchanged word.
  Finder(std::vector<const HighlightTerm*> highlight_terms, bool is_whole, Meter& meter)
      : terms_(std::move(highlight_terms)), is_whole_(is_whole), meter_(meter) {}

  // Ordered by their beginnings, each once. Fails as the meter does.
  Result<std::vector<relevance::FoundTerm>> find(const std::string& text);
  // How often each word was found so far, by the word's number.
  const std::vector<std::uint32_t>& often() const { return often_; }

 private:
  Result<void> find(const HighlightTerm& term, const std::string& text);
  Result<void> find_words(const HighlightTerm& term);
  Result<void> find_phrases(const HighlightTerm& term);
  bool has_phrase_at(const HighlightTerm& term, std::size_t at) const;
  Result<void> find_words_where(const HighlightTerm& term);
  Result<void> find_value(const HighlightTerm& term, const std::string& text);
  Result<bool> is_true_of(const HighlightTerm& term, const std::string& text);
  void add(const FoundWord& word);

  const std::vector<const HighlightTerm*> terms_;
  const bool is_whole_;
  Meter& meter_;
  std::vector<FoundWord> words_;  // of the text
  std::vector<relevance::FoundTerm> found_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::uint32_t> often_;
};

}  // namespace mayfly::kuzzle::search
