// Full text: words of a language as stems (relevance/stems.h), and their scores.
#include <algorithm>

#include "expr/functions/families.h"
#include "expr/functions/work.h"
#include "expr/relevance/bm25.h"
#include "expr/relevance/stems.h"

namespace mayfly {
namespace {

using Phrase = std::vector<std::string>;

// A phrase for each text; for a value that is no text, a phrase that never matches.
std::vector<Phrase> phrases_of(const Value& texts, std::string_view language) {
  std::vector<Phrase> phrases;
  const auto add = [&](const Value& text) {
    phrases.push_back(text.is(Kind::text) ? relevance::stems_of(text.text(), language) : Phrase());
  };
  if (texts.is(Kind::text)) add(texts);
  if (texts.is(Kind::array)) std::for_each(texts.array().begin(), texts.array().end(), add);
  return phrases;
}

// The second argument is the phrase or phrases, the third the language.
struct Phrases final : expr::Prepared {
  explicit Phrases(std::vector<Phrase> of) : list(std::move(of)) {}
  std::vector<Phrase> list;
};

std::shared_ptr<const expr::Prepared> prepare_phrases(std::span<const Value* const> literals) {
  const bool are_known = literals.size() > 2 && literals[1] != nullptr && literals[2] != nullptr;
  if (!are_known || !literals[2]->is(Kind::text)) return nullptr;
  return std::make_shared<const Phrases>(phrases_of(*literals[1], literals[2]->text()));
}

// The phrases to search for in a text, and the text's stems.
struct StemSearch {
  std::vector<Phrase> own_phrases;  // if they were not prepared
  const std::vector<Phrase>* phrases = nullptr;
  std::vector<std::string> stems;
};

Result<StemSearch> stem_search_of(const Arguments& a) {
  StemSearch search;
  if (const auto* prepared = static_cast<const Phrases*>(a.prepared())) {
    search.phrases = &prepared->list;
  } else {
    search.own_phrases = phrases_of(a[1], a[2].text());
  }
  const auto& phrases = search.phrases != nullptr ? *search.phrases : search.own_phrases;
  TRY(check_function_work(a[0].text().size(), phrases.size()));
  search.stems = relevance::stems_of(a[0].text(), a[2].text());
  return search;
}

const std::vector<Phrase>& phrases_in(const StemSearch& search) {
  return search.phrases != nullptr ? *search.phrases : search.own_phrases;
}

Result<Value> stems(const Arguments& a) {
  if (!all_texts(a)) return Value();
  Array found;
  for (std::string& stem : relevance::stems_of(a[0].text(), a[1].text())) {
    found.emplace_back(std::move(stem));
  }
  return Value(std::move(found));
}

Result<Value> count_stems(const Arguments& a) {
  if (!all_texts(a)) return Value();
  return Value(static_cast<std::int64_t>(relevance::stems_of(a[0].text(), a[1].text()).size()));
}

Result<Value> has_phrase(const Arguments& a) {
  if (!all_texts(a)) return Value();
  const StemSearch search = TRY(stem_search_of(a));
  return Value(relevance::occurrences(phrases_in(search).front(), false, search.stems) > 0);
}

Result<Value> score_phrases(const Arguments& a) {
  if (!a[1].is(Kind::array) || !a[2].is(Kind::text) || !a[5].is(Kind::array)) return Value();
  if (!a[3].is_number() || !a[4].is_number()) return Value();
  if (!a[0].is(Kind::text)) return Value(0.0);
  const StemSearch search = TRY(stem_search_of(a));
  const relevance::TextStatistics texts{a[3].number(), a[4].number()};
  const Array& having = a[5].array();
  const auto length = static_cast<double>(search.stems.size());
  double sum = 0;
  for (std::size_t i = 0; i < phrases_in(search).size() && i < having.size(); ++i) {
    if (!having[i].is_number()) return Value();
    const auto often = relevance::occurrences(phrases_in(search)[i], false, search.stems);
    sum += relevance::bm25(often, length, having[i].number(), texts);
  }
  return Value(sum);
}

Function prepared(Function row) {
  row.prepare = prepare_phrases;
  return row;
}

Function has_phrase_row() {
  Function row =
      n_ary("has_phrase", 3, 3,
            "Whether the words of a phrase stand in the text side by side, as stems of a language.",
            has_phrase,
            {{R"("Riding bicycles", "bicycle", "english")", "true"},
             {R"("A red bicycle", "red bicycles", "english")", "true"},
             {R"("A bicycle, red", "red bicycle", "english")", "false"},
             {R"("a", "…", "english")", "false"},
             {R"(1, "a", "english")", "missing"}});
  row.gives_truth = true;
  return prepared(std::move(row));
}

}  // namespace

std::span<const Function> full_text_functions() {
  static const Function table[] = {
      binary("stems", "The words of a text in small letters, without the endings of a language.",
             stems,
             {{R"("Running dogs, running!", "english")", R"(["run","dog","run"])"},
              {R"("Les chevaux", "french")", R"(["le","cheval"])"},
              {R"("C'est 3.14", "none")", R"(["c'est","3.14"])"},
              {R"(1, "english")", "missing"}}),
      binary("count_stems", "How many words a text of a language has.", count_stems,
             {{R"("Running dogs, running!", "english")", "3"}, {R"(1, "english")", "missing"}}),
      has_phrase_row(),
      prepared(n_ary("score_phrases", 3, 6,
                     "What the phrases are worth in the text by BM25, of so many texts with so "
                     "many words, and of which so many have each phrase.",
                     score_phrases,
                     {{R"("dogs", ["cat"], "english", 2, 2, [1])", "0.0"},
                      {R"(1, ["cat"], "english", 2, 2, [1])", "0.0"},
                      {R"("dogs", "dog", "english", 2, 2, [1])", "missing"}})),
  };
  return table;
}

}  // namespace mayfly
