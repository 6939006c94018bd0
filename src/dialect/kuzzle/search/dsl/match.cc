// Queries about words: match, match_phrase, match_phrase_prefix, multi_match.
#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

struct Asked {
  const Value* text = nullptr;
  Match how;
};

Result<MatchKind> kind_of(std::string_view type, const std::string& place) {
  if (type == "phrase") return MatchKind::phrase;
  if (type == "phrase_prefix") return MatchKind::phrase_prefix;
  for (const std::string_view known : {"boolean", "best_fields", "most_fields", "cross_fields"}) {
    if (type == known) return MatchKind::words;
  }
  return wrong(place, "is not known");
}

// What is not offered, where it would change what is found.
Result<void> check_offered(const Object& options, const std::string& place) {
  const Value* fuzziness = options.find("fuzziness");
  const bool is_exact = fuzziness == nullptr || fuzziness->is_null() ||
                        (fuzziness->is_number() && fuzziness->number() == 0) ||
                        (fuzziness->is(Kind::text) && fuzziness->text() == "0");
  if (!is_exact) {
    return fail(Code::unsupported, "words that are only alike are not looked for",
                place + ".fuzziness");
  }
  const Value* slop = options.find("slop");
  if (slop != nullptr && TRY(count_of(*slop, place + ".slop")) != 0) {
    return fail(Code::unsupported, "the words of a phrase stand side by side", place + ".slop");
  }
  return {};
}

Result<Asked> read_options(const Object& options, MatchKind kind, const std::string& place) {
  // Some of these change nothing here: scores, and how words were analysed.
  TRY(check_members(
      options,
      {"query", "operator", "minimum_should_match", "type", "boost", "analyzer", "lenient",
       "zero_terms_query", "max_expansions", "tie_breaker", "cutoff_frequency", "_name", "fields",
       "prefix_length", "slop", "fuzziness", "auto_generate_synonyms_phrase_query"},
      place));
  TRY(check_offered(options, place));
  Asked asked{options.find("query"), {kind, false, {}}};
  if (asked.text == nullptr) return wrong(place + ".query", "is the text to look for");
  if (const Value* type = options.find("type")) {
    if (!type->is(Kind::text)) return wrong(place + ".type", "is a text");
    asked.how.kind = TRY(kind_of(type->text(), place + ".type"));
  }
  if (const Value* op = options.find("operator")) {
    const std::string name = op->is(Kind::text) ? op->text() : std::string();
    asked.how.needs_all = name == "and" || name == "AND";
    if (!asked.how.needs_all && name != "or" && name != "OR") {
      return wrong(place + ".operator", "is and or or");
    }
  }
  if (const Value* least = options.find("minimum_should_match")) asked.how.words_min = *least;
  return asked;
}

Result<ExprPtr> lower_one(Lowering& lowering, const Value& body, MatchKind kind,
                          const std::string& place) {
  const Object::Member* only = TRY(only_member(body, place));
  const std::string field_place = place + "." + only->first;
  Asked asked{&only->second, {kind, false, {}}};
  if (only->second.is(Kind::object)) {
    asked = TRY(read_options(only->second.object(), kind, field_place));
  }
  const Values of = only->first == "_all" ? lowering.everywhere() : lowering.find(only->first);
  return match(lowering, of, *asked.text, asked.how, field_place);
}

Result<ExprPtr> lower_multi_match(Lowering& lowering, const Value& body, const std::string& place) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  const Asked asked = TRY(read_options(body.object(), MatchKind::words, place));
  const std::string fields_place = place + ".fields";
  Value fields = body.member("fields");
  if (fields.is_missing()) fields = Value(Array{"*"});
  if (fields.is(Kind::text)) fields = Value(Array{fields});
  if (!fields.is(Kind::array) || fields.array().empty()) {
    return wrong(fields_place, "is a list of fields");
  }
  ExprList any;
  for (const Value& field : fields.array()) {
    if (!field.is(Kind::text)) return wrong(fields_place, "is a list of fields");
    TRY(lowering.enter(fields_place, 0));
    const std::string name = field.text().substr(0, field.text().find('^'));
    const bool is_everywhere = name == "*" || name == "_all";
    if (!is_everywhere && name.find('*') != std::string::npos) {
      return fail(Code::unsupported, "of patterns of fields only * is offered", fields_place);
    }
    const Values of = is_everywhere ? lowering.everywhere() : lowering.find(name);
    any.push_back(TRY(match(lowering, of, *asked.text, asked.how, place + ".query")));
  }
  return expr::any_of(std::move(any));
}

}  // namespace

Result<ExprPtr> lower_match(Lowering& lowering, std::string_view name, const Value& body,
                            const std::string& place) {
  if (name == "match") return lower_one(lowering, body, MatchKind::words, place);
  if (name == "match_phrase") return lower_one(lowering, body, MatchKind::phrase, place);
  if (name == "match_phrase_prefix") {
    return lower_one(lowering, body, MatchKind::phrase_prefix, place);
  }
  if (name == "multi_match") return lower_multi_match(lowering, body, place);
  return ExprPtr();
}

}  // namespace mayfly::kuzzle::search
