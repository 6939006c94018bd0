#include "dialect/kuzzle/search/highlights/finder.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "expr/evaluation/evaluate.h"

namespace mayfly::kuzzle::search {

using relevance::FoundTerm;

Result<std::vector<FoundTerm>> Finder::find(const std::string& text) {
  meter_.begin_evaluation();
  words_ = is_whole_ ? std::vector<FoundWord>{{text, 0, text.size()}} : mayfly::find_words(text);
  TRY(meter_.build(words_.size() * sizeof(FoundWord)));
  for (const HighlightTerm* term : terms_) TRY(find(*term, text));
  const auto standing = [](const FoundTerm& one) { return std::tie(one.begin, one.end); };
  std::sort(found_.begin(), found_.end(),
            [&](const FoundTerm& a, const FoundTerm& b) { return standing(a) < standing(b); });
  const auto is_same = [&](const FoundTerm& a, const FoundTerm& b) {
    return standing(a) == standing(b);
  };
  found_.erase(std::unique(found_.begin(), found_.end(), is_same), found_.end());
  for (const FoundTerm& one : found_) ++often_[one.term];
  return std::exchange(found_, {});
}

Result<void> Finder::find(const HighlightTerm& term, const std::string& text) {
  switch (term.kind) {
    case HighlightTerm::Kind::words: return find_words(term);
    case HighlightTerm::Kind::phrase: return find_phrases(term);
    case HighlightTerm::Kind::word_where: return find_words_where(term);
    case HighlightTerm::Kind::value:
    case HighlightTerm::Kind::value_where: return find_value(term, text);
  }
  return {};
}

Result<void> Finder::find_words(const HighlightTerm& term) {
  for (const FoundWord& word : words_) {
    TRY(meter_.tick());
    if (std::binary_search(term.texts.begin(), term.texts.end(), word.word)) add(word);
  }
  return {};
}

bool Finder::has_phrase_at(const HighlightTerm& term, std::size_t at) const {
  for (std::size_t i = 0; i < term.texts.size(); ++i) {
    const bool is_prefix = term.ends_in_prefix && i + 1 == term.texts.size();
    const std::string& word = words_[at + i].word;
    if (is_prefix ? !word.starts_with(term.texts[i]) : word != term.texts[i]) return false;
  }
  return true;
}

Result<void> Finder::find_phrases(const HighlightTerm& term) {
  for (std::size_t at = 0; at + term.texts.size() <= words_.size(); ++at) {
    TRY(meter_.tick());
    if (!has_phrase_at(term, at)) continue;
    TRY(meter_.tick(static_cast<std::uint32_t>(term.texts.size())));
    TRY(meter_.build(term.texts.size() * sizeof(FoundTerm)));
    for (std::size_t i = 0; i < term.texts.size(); ++i) add(words_[at + i]);
  }
  return {};
}

Result<bool> Finder::is_true_of(const HighlightTerm& term, const std::string& text) {
  const Value value(text);
  return TRY(truth(*term.condition, ValueScope(value), meter_)) == Truth::yes;
}

Result<void> Finder::find_words_where(const HighlightTerm& term) {
  for (const FoundWord& word : words_) {
    TRY(meter_.tick());
    if (TRY(is_true_of(term, word.word))) add(word);
  }
  return {};
}

Result<void> Finder::find_value(const HighlightTerm& term, const std::string& text) {
  const bool is_selected = term.kind == HighlightTerm::Kind::value
                               ? std::binary_search(term.texts.begin(), term.texts.end(), text)
                               : TRY(is_true_of(term, text));
  if (is_selected) add({text, 0, text.size()});
  return {};
}

void Finder::add(const FoundWord& word) {
  const auto [at, is_new] =
      numbers_.emplace(word.word, static_cast<std::uint32_t>(numbers_.size()));
  if (is_new) often_.push_back(0);
  found_.push_back(
      {static_cast<std::uint32_t>(word.begin), static_cast<std::uint32_t>(word.end), at->second});
}

}  // namespace mayfly::kuzzle::search
