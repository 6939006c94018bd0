// The text language of query_string:
//
//   query  := clause (["AND" | "&&" | "OR" | "||"] clause)*
//   clause := ["NOT" | "!" | "+" | "-"] [field ":"] what ["^" number]
//   what   := "(" query ")" | '"' words '"' | "/" regexp "/" | range | word
//   range  := ("[" | "{") from "TO" to ("]" | "}") | (">" | ">=" | "<" | "<=") word
//
// `field:*` and `_exists_:field` match if there is a value, `*:*` always. A word with * or ? is a
// wildcard; a backslash escapes the next character. As in Lucene, operands of AND are required;
// beside required clauses, operands of OR are optional.
#include <optional>

#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"
#include "expr/functions/texts/case.h"
#include "value/scanner.h"

namespace mayfly::kuzzle::search {
namespace {

constexpr std::string_view white_space = " \t\n\r\f\v";
constexpr std::string_view ends_word = " \t\n\r\f\v()\":[]{}^~\"";

enum class Occur { must, should, must_not };
struct QueryPart {
  Occur occur = Occur::should;
  Clause clause;
};

// A default field.
struct AmongField {
  FieldValues of;
  double boost = 1;
};

// A condition without word scores.
Clause exact(ExprPtr condition) {
  return {std::move(condition), constant(1)};
}

// A word without its escapes.
struct Word {
  std::string text;
  std::string pattern;  // with escapes, if it is a wildcard
  bool is_wildcard = false;
};

class QueryStringParser {
 public:
  QueryStringParser(Lowering& lowering, std::string_view text, std::string place)
      : lowering_(lowering), in_{text}, place_(std::move(place)) {}

  bool needs_all = false;                        // default_operator
  std::optional<std::vector<AmongField>> among;  // the default fields; nothing: all fields

  Result<Clause> run() {
    Clause made = TRY(query(1));
    skip_white_space();
    if (!in_.rest.empty()) return wrong("has a bracket that nothing opens");
    return made;
  }

 private:
  tl::unexpected<Error> wrong(std::string_view claim) const { return search::wrong(place_, claim); }

  void skip_white_space() {
    while (in_.at_any(white_space)) in_.any(white_space);
  }

  // Consumes this keyword if it is next, as a separate word.
  bool take_keyword(std::string_view keyword) {
    if (!in_.rest.starts_with(keyword)) return false;
    const std::string_view behind = in_.rest.substr(keyword.size());
    const bool is_letters = keyword.front() >= 'A' && keyword.front() <= 'Z';
    const bool ends =
        behind.empty() || white_space.find(behind[0]) != std::string_view::npos || behind[0] == '(';
    if (is_letters && !ends) return false;
    in_.rest = behind;
    skip_white_space();
    return true;
  }
  bool take_any(std::initializer_list<std::string_view> keywords) {
    for (const std::string_view keyword : keywords) {
      if (take_keyword(keyword)) return true;
    }
    return false;
  }

  bool is_at_end() {
    skip_white_space();
    return in_.rest.empty() || in_.rest[0] == ')';
  }

  Result<Clause> query(std::size_t depth) {
    std::vector<QueryPart> parts;
    while (!is_at_end()) {
      TRY(lowering_.enter(place_, depth));
      const bool has_and = take_any({"AND", "&&"});
      const bool has_or = !has_and && take_any({"OR", "||"});
      const bool joins_nothing = (has_and || has_or) && parts.empty();
      if (joins_nothing || is_at_end()) return wrong("ends where something is looked for");
      const bool is_prohibited = take_any({"NOT", "!", "-"});
      const bool is_required = !is_prohibited && take_any({"+"});
      if (!parts.empty() && parts.back().occur != Occur::must_not) {
        if (has_and) parts.back().occur = Occur::must;
        if (has_or && needs_all) parts.back().occur = Occur::should;
      }
      std::optional<Lowering::MarkingSuspended> unnoted;
      if (is_prohibited) unnoted.emplace(lowering_);
      Clause found = TRY(this->clause(depth));
      QueryPart part{Occur::should, std::move(found)};
      if (has_and || is_required || (needs_all && !has_or)) part.occur = Occur::must;
      if (is_prohibited) part.occur = Occur::must_not;
      parts.push_back(std::move(part));
    }
    if (parts.empty()) return wrong("says nothing to look for");
    return combined(std::move(parts));
  }

  static Clause combined(std::vector<QueryPart> parts) {
    ExprList must;
    ExprList should;
    std::vector<ScorePtr> scores;
    bool is_bound = false;
    for (QueryPart& part : parts) {
      if (part.occur == Occur::must) is_bound = true;
      const bool is_sure = part.occur == Occur::must || parts.size() == 1;
      if (part.occur == Occur::must_not) {
        part.clause.condition = expr::negation(part.clause.condition);
      } else {
        scores.push_back(is_sure ? part.clause.score : score_where(part.clause));
      }
      (part.occur == Occur::should ? should : must).push_back(std::move(part.clause.condition));
    }
    if (!is_bound && !should.empty()) must.push_back(expr::any_of(std::move(should)));
    return {must.empty() ? expr::literal(true) : expr::all_of(std::move(must)),
            sum_of(std::move(scores))};
  }

  Result<Clause> clause(std::size_t depth) {
    const std::optional<FieldValues> outer = field_;
    const bool was_everything = is_everything_;
    const std::optional<std::string> name = TRY(field_name());
    if (name && *name == "_exists_") {
      const Word word = TRY(this->word());
      return exact(has_any_value(lowering_, lowering_.find(word.text)));
    }
    if (name) {
      is_everything_ = *name == "*";
      if (!is_everything_ && name->find('*') != std::string::npos) {
        return fail(Code::unsupported, "of patterns of fields only * is offered", place_);
      }
      field_ = is_everything_ ? lowering_.everywhere() : lowering_.find(*name);
    }
    Result<Clause> made = what(depth);
    field_ = outer;
    is_everything_ = was_everything;
    if (made) made->score = boosted(made->score, TRY(boost()));
    return made;
  }

  // Consumes a name and its colon; nothing if there is none.
  Result<std::optional<std::string>> field_name() {
    const std::string_view before = in_.rest;
    if (in_.at_any("(\"/[{<>")) return std::nullopt;
    const Word name = TRY(word());
    if (in_.skip(':')) {
      skip_white_space();
      return name.text;
    }
    in_.rest = before;
    return std::nullopt;
  }

  Result<Clause> what(std::size_t depth) {
    if (in_.skip('(')) {
      Clause inner = TRY(query(depth + 1));
      skip_white_space();
      if (!in_.skip(')')) return wrong("has a bracket that is not closed");
      return inner;
    }
    if (in_.skip('"')) return phrase();
    if (in_.skip('/')) return regexp();
    if (in_.at_any("[{")) return range();
    if (in_.at_any("<>")) return half_range();
    return plain(TRY(word()));
  }

  Result<Word> word() {
    Word word;
    while (!in_.rest.empty() && ends_word.find(in_.rest[0]) == std::string_view::npos) {
      char c = in_.rest[0];
      in_.rest.remove_prefix(1);
      if (c == '\\' && !in_.rest.empty()) {
        c = in_.rest[0];
        in_.rest.remove_prefix(1);
        word.pattern += '\\';
      } else if (c == '*' || c == '?') {
        word.is_wildcard = true;
      }
      word.pattern += c;
      word.text += c;
    }
    if (word.text.empty()) return wrong("has nothing to look for at '" + next() + "'");
    return word;
  }
  std::string next() const { return std::string(in_.rest.substr(0, 1)); }

  Result<double> boost() {
    if (in_.at_any("~")) {
      return fail(Code::unsupported,
                  "\"~\" (fuzziness, slop) is not offered: words are looked for as they are",
                  place_);
    }
    if (!in_.skip('^')) return 1;
    std::string number = "^";
    while (in_.at_any("0123456789.")) number += in_.any("0123456789.");
    const auto read = boosted_name(number, place_);
    if (!read) return wrong("has a ^ without a number");
    return read->boost;
  }

  // Applies a condition to the current fields; the best score counts.
  Result<Clause> in_fields(const std::function<Result<Clause>(const FieldValues&)>& is) {
    if (field_) return is(*field_);
    if (!among) return is(lowering_.everywhere());
    ExprList any;
    std::vector<ScorePtr> scores;
    for (const AmongField& field : *among) {
      Clause made = TRY(is(field.of));
      const ScorePtr score = among->size() == 1 ? made.score : score_where(made);
      scores.push_back(boosted(score, field.boost));
      any.push_back(std::move(made.condition));
    }
    return Clause{expr::any_of(std::move(any)), best_of(std::move(scores))};
  }

  Result<Clause> plain(const Word& word) {
    if (word.text == "*" && word.is_wildcard) {
      if (!field_ || is_everything_) return exact(expr::literal(true));
      return exact(has_any_value(lowering_, *field_));
    }
    return in_fields([&](const FieldValues& of) -> Result<Clause> {
      if (!word.is_wildcard) {
        return match(lowering_, of, Value(word.text), {MatchKind::words, needs_all, {}}, place_);
      }
      // Words are in lower case, and so are wildcards on them.
      const bool has_words = of.type == FieldType::dynamic || of.type == FieldType::text;
      const std::string wildcard = has_words ? to_lower(word.pattern) : word.pattern;
      const std::string pattern = TRY(wildcard_pattern(wildcard, place_));
      return exact(TRY(matches_pattern(lowering_, of, pattern, place_)));
    });
  }

  // Consumes the text up to the next `end`, and `end` itself.
  Result<std::string> until(char end) {
    std::string text;
    while (!in_.rest.empty() && in_.rest[0] != end) {
      const bool is_escape = in_.rest[0] == '\\' && in_.rest.size() > 1;
      // Escapes within the expression are kept.
      if (is_escape && (end != '/' || in_.rest[1] == '/')) in_.rest.remove_prefix(1);
      if (is_escape && end == '/' && in_.rest[0] == '\\') {
        text += '\\';
        in_.rest.remove_prefix(1);
      }
      text += in_.rest[0];
      in_.rest.remove_prefix(1);
    }
    if (!in_.skip(end)) return wrong(std::string("has a ") + end + " that is not closed");
    return text;
  }

  Result<Clause> phrase() {
    const std::string text = TRY(until('"'));
    return in_fields([&](const FieldValues& of) {
      return match(lowering_, of, Value(text), {MatchKind::phrase, false, {}}, place_);
    });
  }

  Result<Clause> regexp() {
    const std::string pattern = TRY(regexp_pattern(TRY(until('/')), place_));
    return in_fields([&](const FieldValues& of) -> Result<Clause> {
      return exact(TRY(matches_pattern(lowering_, of, pattern, place_)));
    });
  }

  Result<Value> bound() {
    skip_white_space();
    std::string text;
    if (in_.skip('"')) {
      text = TRY(until('"'));
    } else {
      while (!in_.rest.empty() &&
             std::string_view(" \t\n\r]})").find(in_.rest[0]) == std::string_view::npos) {
        text += in_.rest[0];
        in_.rest.remove_prefix(1);
      }
    }
    skip_white_space();
    if (text.empty()) return wrong("has a range without a bound");
    return text == "*" ? Value() : Value(text);
  }

  Result<Clause> range() {
    const bool includes_from = in_.any("[{") == '[';
    const Value from = TRY(bound());
    if (!take_keyword("TO")) return wrong("has a range without TO");
    const Value to = TRY(bound());
    if (!in_.at_any("]}")) return wrong("has a range that is not closed");
    const bool includes_to = in_.any("]}") == ']';
    std::vector<RangeBound> bounds;
    if (!from.is_missing()) {
      bounds.push_back({includes_from ? "greater_or_equal" : "greater", from});
    }
    if (!to.is_missing()) bounds.push_back({includes_to ? "less_or_equal" : "less", to});
    return in_range(bounds);
  }

  Result<Clause> half_range() {
    const bool is_less = in_.any("<>") == '<';
    const bool is_included = in_.skip('=');
    const Value value = TRY(bound());
    if (value.is_missing()) return wrong("has a range without a bound");
    const std::string_view function = is_less ? (is_included ? "less_or_equal" : "less")
                                              : (is_included ? "greater_or_equal" : "greater");
    return in_range({{function, value}});
  }

  Result<Clause> in_range(const std::vector<RangeBound>& bounds) {
    return in_fields([&](const FieldValues& of) -> Result<Clause> {
      return exact(TRY(within(lowering_, of, bounds, place_)));
    });
  }

  Lowering& lowering_;
  Scanner in_;
  const std::string place_;
  std::optional<FieldValues> field_;  // of the enclosing group
  bool is_everything_ = false;
};

Result<void> read_fields(Lowering& lowering, const Object& options, QueryStringParser& parser,
                         const std::string& place) {
  const Value* one = options.find("default_field");
  const Value* several = options.find("fields");
  if (one == nullptr && several == nullptr) return {};
  Array names =
      several && several->is(Kind::array) ? several->array() : Array{several ? *several : *one};
  parser.among.emplace();
  for (const Value& name : names) {
    if (!name.is(Kind::text)) return wrong(place, "names its fields with texts");
    const auto [field, boost] = TRY(boosted_name(name.text(), place));
    TRY(lowering.enter(place, 0));
    if (field == "*" || field == "_all") {
      parser.among->push_back({lowering.everywhere(), boost});
    } else if (field.find('*') != std::string::npos) {
      return fail(Code::unsupported, "of patterns of fields only * is offered", place);
    } else {
      parser.among->push_back({lowering.find(field), boost});
    }
  }
  if (parser.among->empty()) return wrong(place, "names no field");
  return {};
}

}  // namespace

Result<Clause> lower_query_string(Lowering& lowering, const Value& body, const std::string& place) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  TRY(check_members(body.object(),
                    {"query", "default_field", "fields", "default_operator", "analyze_wildcard",
                     "allow_leading_wildcard", "lenient", "boost", "analyzer", "time_zone",
                     "lowercase_expanded_terms", "split_on_whitespace", "use_dis_max", "_name"},
                    place));
  const Value text = body.member("query");
  const std::string text_place = place + ".query";
  if (!text.is(Kind::text)) return wrong(text_place, "is a text");
  if (text.text().size() > limits::search_text_bytes_max) {
    return fail(Code::too_large, "the query is too long", text_place);
  }
  QueryStringParser parser(lowering, text.text(), text_place);
  const Value op = body.member("default_operator");
  if (op.is(Kind::text)) parser.needs_all = op.text() == "AND" || op.text() == "and";
  TRY(read_fields(lowering, body.object(), parser, place));
  const double boost = TRY(boost_of(body, place));
  Clause made = TRY(parser.run());
  made.score = boosted(made.score, boost);
  return made;
}

}  // namespace mayfly::kuzzle::search
