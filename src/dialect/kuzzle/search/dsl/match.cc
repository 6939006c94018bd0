// Queries about words: match, match_phrase, match_phrase_prefix, multi_match.
#include <algorithm>

#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

// How the scores of several fields are combined.
enum class Together { best, most, words };
struct MatchOptions {
  const Value* text = nullptr;
  Match how;
  Together together = Together::best;
  double boost = 1;
  double tie_breaker = 0;
};

Together together_of(std::string_view type) {
  if (type == "most_fields") return Together::most;
  return type == "cross_fields" ? Together::words : Together::best;
}

Result<MatchKind> kind_of(std::string_view type, const std::string& place) {
  if (type == "phrase") return MatchKind::phrase;
  if (type == "phrase_prefix") return MatchKind::phrase_prefix;
  for (const std::string_view known : {"boolean", "best_fields", "most_fields", "cross_fields"}) {
    if (type == known) return MatchKind::words;
  }
  return wrong(place, "is not known");
}

// Options that are not supported because they would change the matches.
Result<void> check_offered(const Object& options, const std::string& place) {
  const Value* fuzziness = options.find("fuzziness");
  const bool is_exact = fuzziness == nullptr || fuzziness->is_null() ||
                        (fuzziness->is_number() && fuzziness->number() == 0) ||
                        (fuzziness->is(Kind::text) && fuzziness->text() == "0");
  if (!is_exact) {
    return fail(Code::unsupported, "\"fuzziness\" is not offered: words are looked for as they are",
                place + ".fuzziness");
  }
  const Value* nothing = options.find("zero_terms_query");
  const bool finds_none =
      nothing == nullptr || (nothing->is(Kind::text) && nothing->text() == "none");
  if (!finds_none) {
    return fail(Code::unsupported,
                "\"zero_terms_query\" is none: a text without words finds nothing",
                place + ".zero_terms_query");
  }
  const Value* slop = options.find("slop");
  if (slop != nullptr && TRY(count_of(*slop, place + ".slop")) != 0) {
    return fail(Code::unsupported, "\"slop\" is 0: the words of a phrase stand side by side",
                place + ".slop");
  }
  return {};
}

Result<MatchOptions> read_options(const Object& options, MatchKind kind, const std::string& place) {
  // Options about the analysis of words, some of which have no effect here.
  TRY(check_members(
      options,
      {"query", "operator", "minimum_should_match", "type", "boost", "analyzer", "lenient",
       "zero_terms_query", "max_expansions", "tie_breaker", "cutoff_frequency", "_name", "fields",
       "prefix_length", "slop", "fuzziness", "auto_generate_synonyms_phrase_query"},
      place));
  TRY(check_offered(options, place));
  MatchOptions match_options{.text = options.find("query"), .how = {kind, false, {}}};
  if (match_options.text == nullptr) return wrong(place + ".query", "is the text to look for");
  match_options.boost = TRY(boost_of(Value(options), place));
  if (const Value* tie = options.find("tie_breaker"); tie != nullptr && tie->is_number()) {
    match_options.tie_breaker = std::clamp(tie->number(), 0.0, 1.0);
  }
  if (const Value* type = options.find("type")) {
    if (!type->is(Kind::text)) return wrong(place + ".type", "is a text");
    match_options.how.kind = TRY(kind_of(type->text(), place + ".type"));
    match_options.together = together_of(type->text());
  }
  if (const Value* op = options.find("operator")) {
    const std::string name = op->is(Kind::text) ? op->text() : std::string();
    match_options.how.needs_all = name == "and" || name == "AND";
    if (!match_options.how.needs_all && name != "or" && name != "OR") {
      return wrong(place + ".operator", "is and or or");
    }
  }
  if (const Value* least = options.find("minimum_should_match"))
    match_options.how.words_min = *least;
  return match_options;
}

Result<Clause> lower_one(Lowering& lowering, const Value& body, MatchKind kind,
                         const std::string& place) {
  const Object::Member* only = TRY(only_member(body, place));
  const std::string field_place = place + "." + only->first;
  MatchOptions match_options{.text = &only->second, .how = {kind, false, {}}};
  if (only->second.is(Kind::object)) {
    match_options = TRY(read_options(only->second.object(), kind, field_place));
  }
  const FieldValues of = only->first == "_all" ? lowering.everywhere() : lowering.find(only->first);
  Clause made = TRY(match(lowering, of, *match_options.text, match_options.how, field_place));
  made.score = boosted(made.score, match_options.boost);
  return made;
}

// The score of a field: each word in its best field, or the best field as a whole.
class FieldScores {
 public:
  FieldScores(const MatchOptions& match_options, const std::string& place)
      : match_options_(match_options), place_(place) {}

  Result<void> add(Lowering& lowering, const FieldValues& of, const Clause& clause, double boost) {
    const bool has_words = of.type == FieldType::dynamic || of.type == FieldType::text;
    const bool is_by_words =
        match_options_.together == Together::words && has_words && clause.score;
    if (!is_by_words) {
      if (ScorePtr score = boosted(score_where(clause), boost)) scores_.push_back(std::move(score));
      return {};
    }
    const std::vector<std::string> words = TRY(search_words(*match_options_.text, place_));
    const ExprPtr texts = lowering.scored_texts(of);
    by_word_.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      by_word_[i].push_back(boosted(words_score(texts, {words[i]}, true), boost));
    }
    return {};
  }

  ScorePtr total() && {
    if (!by_word_.empty()) {
      std::vector<ScorePtr> words;
      for (auto& fields : by_word_)
        words.push_back(best_of(std::move(fields), match_options_.tie_breaker));
      scores_.push_back(sum_of(std::move(words)));
    }
    const bool adds = match_options_.together == Together::most;
    ScorePtr score =
        adds ? sum_of(std::move(scores_)) : best_of(std::move(scores_), match_options_.tie_breaker);
    return boosted(score, match_options_.boost);
  }

 private:
  const MatchOptions& match_options_;
  const std::string& place_;
  std::vector<ScorePtr> scores_;
  std::vector<std::vector<ScorePtr>> by_word_;  // the fields' scores, for each word
};

Result<Clause> lower_multi_match(Lowering& lowering, const Value& body, const std::string& place) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  const MatchOptions match_options = TRY(read_options(body.object(), MatchKind::words, place));
  const std::string fields_place = place + ".fields";
  Value fields = body.member("fields");
  if (fields.is_missing()) fields = Value(Array{"*"});
  if (fields.is(Kind::text)) fields = Value(Array{fields});
  if (!fields.is(Kind::array) || fields.array().empty()) {
    return wrong(fields_place, "is a list of fields");
  }
  ExprList any;
  FieldScores scores(match_options, place);
  for (const Value& field : fields.array()) {
    if (!field.is(Kind::text)) return wrong(fields_place, "is a list of fields");
    TRY(lowering.enter(fields_place, 0));
    const auto [name, boost] = TRY(boosted_name(field.text(), fields_place));
    const bool is_everywhere = name == "*" || name == "_all";
    if (!is_everywhere && name.find('*') != std::string::npos) {
      return fail(Code::unsupported, "of patterns of fields only * is offered", fields_place);
    }
    const FieldValues of = is_everywhere ? lowering.everywhere() : lowering.find(name);
    Clause clause =
        TRY(match(lowering, of, *match_options.text, match_options.how, place + ".query"));
    TRY(scores.add(lowering, of, clause, boost));
    any.push_back(std::move(clause.condition));
  }
  return Clause{expr::any_of(std::move(any)), std::move(scores).total()};
}

}  // namespace

Result<Clause> lower_match(Lowering& lowering, std::string_view name, const Value& body,
                           const std::string& place) {
  if (name == "match") return lower_one(lowering, body, MatchKind::words, place);
  if (name == "match_phrase") return lower_one(lowering, body, MatchKind::phrase, place);
  if (name == "match_phrase_prefix") {
    return lower_one(lowering, body, MatchKind::phrase_prefix, place);
  }
  if (name == "multi_match") return lower_multi_match(lowering, body, place);
  return Clause();
}

}  // namespace mayfly::kuzzle::search
