#include "expr/relevance/scorer.h"

#include <algorithm>

#include "expr/functions/texts/words.h"
#include "expr/relevance/bm25.h"

namespace mayfly::relevance {
namespace {

template <class Visit>
void for_each_text(const Value& values, const Visit& visit) {
  if (values.is(Kind::text)) visit(values.text());
  if (!values.is(Kind::array)) return;
  for (const Value& value : values.array()) {
    if (value.is(Kind::text)) visit(value.text());
  }
}

}  // namespace

Scorer::Scorer(const Score& score) : root_(node_of(score)) {}

ExprList Scorer::inputs() const {
  ExprList all = text_inputs_;
  all.insert(all.end(), conditions_.begin(), conditions_.end());
  return all;
}

std::size_t Scorer::index_of_text(const ExprPtr& input) {
  const auto known = std::find(text_inputs_.begin(), text_inputs_.end(), input);
  const auto index = static_cast<std::size_t>(known - text_inputs_.begin());
  if (known == text_inputs_.end()) {
    text_inputs_.push_back(input);
    texts_.emplace_back();
  }
  return index;
}

Scorer::Node Scorer::node_of(const Score& score) {
  Node node{
      .kind = score.kind, .weight = score.weight, .tie_breaker = score.tie_breaker, .parts = {}};
  if (score.kind == Score::Kind::where) {
    node.input = conditions_.size();
    conditions_.push_back(score.input);
  } else if (score.kind == Score::Kind::words) {
    node.input = index_of_text(score.input);
    for (const std::string& word : score.words) {
      const auto [known, is_new] = texts_[node.input].words.emplace(word, document_counts_.size());
      if (is_new) document_counts_.push_back(0);
      node.counters.push_back(known->second);
    }
  } else if (score.kind == Score::Kind::phrase) {
    node.input = index_of_text(score.input);
    node.counters.push_back(document_counts_.size());
    texts_[node.input].phrases.push_back(
        {score.words, score.ends_in_prefix, document_counts_.size()});
    document_counts_.push_back(0);
  }
  for (const ScorePtr& part : score.parts) node.parts.push_back(node_of(*part));
  return node;
}

void Scorer::count_text(const Text& text, std::string_view value, std::size_t at, Counts& counts) {
  const std::vector<std::string> words = words_of(value);
  counts.lengths[at] += static_cast<std::uint32_t>(words.size());
  for (const std::string& word : words) {
    const auto known = text.words.find(word);
    if (known != text.words.end()) ++counts.often[known->second];
  }
  for (const Phrase& phrase : text.phrases) {
    counts.often[phrase.counter] += occurrences(phrase.words, phrase.ends_in_prefix, words);
  }
}

Scorer::Counts Scorer::count(std::span<const Value> texts) const {
  Counts counts{std::vector<std::uint32_t>(document_counts_.size()),
                std::vector<std::uint32_t>(texts_.size())};
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    for_each_text(texts[i], [&](std::string_view value) {  //
      count_text(texts_[i], value, i, counts);
    });
  }
  return counts;
}

void Scorer::note(std::span<const Value> texts) {
  const Counts counts = count(texts);
  for (std::size_t i = 0; i < document_counts_.size(); ++i)
    document_counts_[i] += counts.often[i] > 0 ? 1 : 0;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    texts_[i].documents += counts.lengths[i] > 0 ? 1 : 0;
    texts_[i].length += counts.lengths[i];
  }
}

double Scorer::score(std::span<const Value> inputs) const {
  const Counts counts = count(inputs.first(texts_.size()));
  return score_of(root_, counts, inputs.subspan(texts_.size()));
}

double Scorer::score_of(const Node& node, const Counts& counts,
                        std::span<const Value> conditions) const {
  if (node.kind == Score::Kind::where) {
    const Value& holds = conditions[node.input];
    if (!holds.is(Kind::boolean) || !holds.boolean()) return 0;
  }
  double sum = node.kind == Score::Kind::constant ? 1 : 0;
  double best = 0;
  for (const std::size_t counter : node.counters) {
    sum += score_of_counter(counter, node.input, counts);
  }
  for (const Node& part : node.parts) {
    const double score = score_of(part, counts, conditions);
    sum += score;
    best = std::max(best, score);
  }
  if (node.kind == Score::Kind::best) sum = best + node.tie_breaker * (sum - best);
  return node.weight * sum;
}

double Scorer::score_of_counter(std::size_t counter, std::size_t text, const Counts& counts) const {
  const Text& of = texts_[text];
  return bm25(counts.often[counter], counts.lengths[text],
              static_cast<double>(document_counts_[counter]),
              {static_cast<double>(of.documents), static_cast<double>(of.length)});
}

}  // namespace mayfly::relevance
