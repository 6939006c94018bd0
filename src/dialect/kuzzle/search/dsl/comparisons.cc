// Conditions on one value, by the type of its field. A value of an unmapped field has its own type:
// a text is matched by words, and may be read as a date.
#include <cmath>

#include "dialect/kuzzle/search/dsl/dates.h"
#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"
#include "expr/functions/texts/words.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::search {
namespace {

using expr::call;
using expr::literal;

std::string text_of(const Value& value) {
  return value.is(Kind::text) ? value.text() : render_json(value);
}

// The number or boolean that a text contains.
Value reading_of(const Value& value) {
  if (!value.is(Kind::text) || value.text().empty() || value.text().front() <= ' ') return {};
  const char first = value.text().front();
  if (first == '"' || first == '[' || first == '{') return {};
  const auto parsed = parse_json(value.text());
  return parsed && (parsed->is_number() || parsed->is(Kind::boolean)) ? *parsed : Value();
}

// Whether it equals any of these values, none of which is missing.
ExprPtr is_any(const ExprPtr& x, Array values) {
  std::erase_if(values, [](const Value& value) { return value.is_missing(); });
  if (values.size() == 1) return expr::equal(x, literal(values.front()));
  return call("in", {x, literal(std::move(values))});
}

Result<Value> number_of(const Value& expected, const std::string& place) {
  const Value number = expected.is_number() ? expected : reading_of(expected);
  if (!number.is_number()) return wrong(place, "is no number");
  return number;
}

Result<Value> truth_of(const Value& expected, const std::string& place) {
  if (expected.is(Kind::text) && expected.text().empty()) return Value(false);
  return Value(TRY(boolean_of(expected, place)));
}

Result<std::int64_t> millis_of(Lowering& lowering, const Value& expected, Rounding rounding,
                               const std::string& place) {
  const auto millis = date_of(expected, lowering.now(), rounding);
  constexpr std::int64_t millis_max = 1'000'000'000'000'000;
  if (!millis) {
    return fail(
        Code::invalid,
        "the value is no date: dates are milliseconds or ISO 8601, whatever \"format\" says",
        place);
  }
  return std::clamp(*millis, -millis_max, millis_max);
}

// Clients see milliseconds: an instant equals the shown one from its first microsecond to its last.
ExprPtr is_at(const ExprPtr& x, std::int64_t millis) {
  return expr::all_of({call("greater_or_equal", {x, literal(Instant{millis * 1'000})}),
                       call("less", {x, literal(Instant{(millis + 1) * 1'000})})});
}

// An exact word in a text.
ExprPtr is_dynamic(Lowering& lowering, const ExprPtr& x, const Value& expected) {
  ExprList any{call("has_word", {x, literal(text_of(expected))})};
  const Value reading = expected.is(Kind::text) ? reading_of(expected) : expected;
  if (!reading.is_missing()) any.push_back(expr::equal(x, literal(reading)));
  if (expected.is(Kind::text) && looks_like_date(expected.text())) {
    const auto millis = parse_date(expected.text(), lowering.now(), Rounding::down);
    if (millis) any.push_back(expr::equal(call("to_millis", {x}), literal(*millis)));
  }
  return expr::any_of(std::move(any));
}

Result<ExprPtr> is_equal(Lowering& lowering, const FieldValues& of, const ExprPtr& x,
                         const Value& expected, const std::string& place) {
  switch (of.type) {
    case FieldType::dynamic: return is_dynamic(lowering, x, expected);
    case FieldType::text:
      return call("has_word", {call("to_text", {x}), literal(text_of(expected))});
    case FieldType::keyword: {
      if (of.is_fact) return expr::equal(x, literal(text_of(expected)));
      const Value reading = expected.is(Kind::text) ? reading_of(expected) : expected;
      return is_any(x, {Value(text_of(expected)), reading});
    }
    case FieldType::number:
      return expr::equal(call("to_number", {x}), literal(TRY(number_of(expected, place))));
    case FieldType::boolean:
      return expr::equal(call("to_boolean", {x}), literal(TRY(truth_of(expected, place))));
    case FieldType::date: {
      const std::int64_t millis = TRY(millis_of(lowering, expected, Rounding::down, place));
      if (of.is_fact) return is_at(x, millis);
      return expr::equal(call("to_millis", {x}), literal(millis));
    }
    case FieldType::object: return literal(false);
    case FieldType::other: return expr::equal(x, literal(expected));
  }
  return fail(Code::internal, "a type is not lowered");
}

bool has_words(const FieldValues& of) {
  return of.type == FieldType::dynamic || of.type == FieldType::text;
}

// How a value is matched in a text: as a word, or as the whole text.
void record_value(Lowering& lowering, const FieldValues& of, std::vector<std::string> texts) {
  if (has_words(of)) lowering.record_terms(HighlightTerm::Kind::words, of, std::move(texts));
  if (of.type == FieldType::keyword)
    lowering.record_terms(HighlightTerm::Kind::value, of, std::move(texts));
}

Result<void> check_scalar(const Value& expected, const std::string& place) {
  const bool is_scalar =
      expected.is(Kind::text) || expected.is_number() || expected.is(Kind::boolean);
  if (!is_scalar) return wrong(place, "is a text, a number or a truth");
  return {};
}

// --- ranges ---

Rounding rounding_of(std::string_view function) {
  const bool is_late = function == "greater" || function == "less_or_equal";
  return is_late ? Rounding::up : Rounding::down;
}

ExprPtr compare_instant(const ExprPtr& x, std::string_view function, std::int64_t millis) {
  const Value next(Instant{(millis + 1) * 1'000});
  if (function == "greater") return call("greater_or_equal", {x, literal(next)});
  if (function == "less_or_equal") return call("less", {x, literal(next)});
  return call(function, {x, literal(Instant{millis * 1'000})});
}

ExprPtr compare_dynamic(Lowering& lowering, const ExprPtr& x, const RangeBound& bound) {
  // Numbers that may be milliseconds of a date: from the second week of 1970 on.
  constexpr double millis_min = 1e9;
  ExprList any{call(bound.function, {x, literal(bound.value)})};
  if (bound.value.is(Kind::text)) {
    const Value reading = reading_of(bound.value);
    if (reading.is_number()) any.push_back(call(bound.function, {x, literal(reading)}));
    const bool is_date = looks_like_date(bound.value.text());
    const auto millis =
        is_date ? parse_date(bound.value.text(), lowering.now(), rounding_of(bound.function))
                : std::nullopt;
    // A value that is a date is compared as a date; other texts are compared as texts.
    if (millis) {
      return expr::if_missing(call(bound.function, {call("to_millis", {x}), literal(*millis)}),
                              any.front());
    }
  } else if (bound.value.is_number() && std::abs(bound.value.number()) >= millis_min) {
    any.push_back(call(bound.function, {call("to_millis", {x}), literal(bound.value)}));
  }
  return expr::any_of(std::move(any));
}

Result<ExprPtr> compare(Lowering& lowering, const FieldValues& of, const ExprPtr& x,
                        const RangeBound& bound, const std::string& place) {
  switch (of.type) {
    case FieldType::dynamic: return compare_dynamic(lowering, x, bound);
    case FieldType::text:
    case FieldType::keyword: return call(bound.function, {x, literal(text_of(bound.value))});
    case FieldType::number: {
      ExprPtr number = literal(TRY(number_of(bound.value, place)));
      return call(bound.function, {call("to_number", {x}), std::move(number)});
    }
    case FieldType::boolean: {
      ExprPtr truth = literal(TRY(truth_of(bound.value, place)));
      return call(bound.function, {x, std::move(truth)});
    }
    case FieldType::date: {
      const std::int64_t millis =
          TRY(millis_of(lowering, bound.value, rounding_of(bound.function), place));
      if (of.is_fact) return compare_instant(x, bound.function, millis);
      return call(bound.function, {call("to_millis", {x}), literal(millis)});
    }
    case FieldType::object: return literal(false);
    case FieldType::other: return call(bound.function, {x, literal(bound.value)});
  }
  return fail(Code::internal, "a type is not lowered");
}

// --- match ---

ExprPtr match_words(Lowering& lowering, const FieldValues& of, Array words, std::size_t count_min) {
  const auto text = [&](const ExprPtr& x) {
    return of.type == FieldType::text ? call("to_text", {x}) : x;
  };
  if (words.empty() || count_min > words.size()) return literal(false);
  if (count_min <= 1) {
    return lowering.any(of, [&](const ExprPtr& x) {
      return call("has_any_word", {text(x), literal(std::move(words))});
    });
  }
  ExprList conditions;
  for (const Value& word : words) {
    conditions.push_back(lowering.any(
        of, [&](const ExprPtr& x) { return call("has_word", {text(x), literal(word)}); }));
  }
  return at_least(count_min, std::move(conditions));
}

Result<Clause> match_text(Lowering& lowering, const FieldValues& of, const Value& expected,
                          const Match& how, const std::string& place) {
  std::vector<std::string> wanted_text = TRY(search_words(expected, place));
  if (wanted_text.empty()) return Clause{literal(false), nullptr};
  const bool is_words = how.kind == MatchKind::words;
  lowering.record_terms(is_words ? HighlightTerm::Kind::words : HighlightTerm::Kind::phrase, of,
                        wanted_text, how.kind == MatchKind::phrase_prefix);
  Array words(wanted_text.begin(), wanted_text.end());
  ExprPtr texts = lowering.scored_texts(of);
  if (is_words) {
    std::size_t count_min = how.needs_all ? words.size() : 1;
    if (!how.words_min.is_missing() && !how.needs_all) {
      count_min = std::max<std::size_t>(
          1, TRY(minimum_of(how.words_min, words.size(), place + ".minimum_should_match")));
    }
    ScorePtr score = words_score(std::move(texts), std::move(wanted_text), count_min <= 1);
    return Clause{match_words(lowering, of, std::move(words), count_min), std::move(score)};
  }
  const bool ends_in_prefix = how.kind == MatchKind::phrase_prefix;
  const std::string_view function = ends_in_prefix ? "has_words_then_prefix" : "has_words_in_order";
  ExprPtr condition = lowering.any(
      of, [&](const ExprPtr& x) { return call(function, {x, literal(std::move(words))}); });
  return Clause{std::move(condition),
                phrase_score(std::move(texts), std::move(wanted_text), ends_in_prefix)};
}

}  // namespace

Result<ExprPtr> equals(Lowering& lowering, const FieldValues& of, const Value& expected,
                       const std::string& place) {
  TRY(check_scalar(expected, place));
  Result<ExprPtr> made = literal(false);
  ExprPtr condition = lowering.any(of, [&](const ExprPtr& x) {
    made = is_equal(lowering, of, x, expected, place);
    return made ? *made : literal(false);
  });
  TRY(std::move(made));
  record_value(lowering, of, {text_of(expected)});
  return condition;
}

Result<ExprPtr> equals_any(Lowering& lowering, const FieldValues& of, const Array& expected,
                           const std::string& place) {
  if (expected.size() > limits::search_terms_max) {
    return fail(Code::too_large,
                "at most " + std::to_string(limits::search_terms_max) + " values are looked for",
                place);
  }
  Array values;   // compared unchanged
  Array words;    // of texts
  ExprList rest;  // one by one
  for (const Value& value : expected) {
    TRY(check_scalar(value, place));
    if (of.type == FieldType::keyword || of.type == FieldType::other) {
      values.push_back(of.is_fact ? Value(text_of(value)) : value);
    } else if (of.type == FieldType::dynamic) {
      words.emplace_back(text_of(value));
      const Value reading = value.is(Kind::text) ? reading_of(value) : value;
      if (!reading.is_missing()) values.push_back(reading);
    } else if (of.type == FieldType::number) {
      values.push_back(TRY(number_of(value, place)));
    } else {
      TRY(lowering.enter(place, 0));
      rest.push_back(TRY(equals(lowering, of, value, place)));
    }
  }
  if (!rest.empty()) return expr::any_of(std::move(rest));
  if (expected.empty()) return literal(false);
  std::vector<std::string> texts;
  for (const Value& value : expected) texts.push_back(text_of(value));
  record_value(lowering, of, std::move(texts));
  return lowering.any(of, [&](const ExprPtr& x) {
    ExprList any;
    const ExprPtr value = of.type == FieldType::number ? call("to_number", {x}) : x;
    if (!values.empty()) any.push_back(is_any(value, std::move(values)));
    if (!words.empty()) any.push_back(call("has_any_word", {x, literal(std::move(words))}));
    return expr::any_of(std::move(any));
  });
}

Result<ExprPtr> within(Lowering& lowering, const FieldValues& of,
                       const std::vector<RangeBound>& bounds, const std::string& place) {
  Result<void> made;
  const auto is = [&](const ExprPtr& x) {
    ExprList all;
    for (const RangeBound& bound : bounds) {
      Result<ExprPtr> compared = compare(lowering, of, x, bound, place);
      if (!compared) made = tl::unexpected(std::move(compared).error());
      all.push_back(compared ? *compared : literal(false));
    }
    return all.empty() ? call("exists", {x}) : expr::all_of(std::move(all));
  };
  ExprPtr condition = lowering.any(of, is);
  TRY(std::move(made));
  if (of.type == FieldType::keyword)
    lowering.record_condition(HighlightTerm::Kind::value_where, of, is);
  return condition;
}

ExprPtr matches(Lowering& lowering, const FieldValues& of, const Lowering::Is& is) {
  if (of.type == FieldType::keyword)
    lowering.record_condition(HighlightTerm::Kind::value_where, of, is);
  if (!has_words(of)) return lowering.any(of, is);
  lowering.record_condition(HighlightTerm::Kind::word_where, of, is);
  return lowering.any(of, [&](const ExprPtr& x) {
    const Slot word = lowering.new_slot();
    return expr::each(expr::Each::Mode::any, word, call("words", {x}), is(expr::slot(word)));
  });
}

Result<std::vector<std::string>> search_words(const Value& expected, const std::string& place) {
  std::vector<std::string> words = words_of(text_of(expected));
  if (words.size() <= limits::search_words_max) return words;
  return fail(
      Code::too_large,
      "a text to search for has at most " + std::to_string(limits::search_words_max) + " words",
      place);
}

Result<Clause> match(Lowering& lowering, const FieldValues& of, const Value& expected,
                     const Match& how, const std::string& place) {
  TRY(check_scalar(expected, place));
  if (of.type == FieldType::text) return match_text(lowering, of, expected, how, place);
  if (of.type != FieldType::dynamic) {
    ExprPtr condition = TRY(equals(lowering, of, expected, place));
    return Clause{std::move(condition), constant(1)};
  }
  Clause in_text = TRY(match_text(lowering, of, expected, how, place));
  const Value reading = expected.is(Kind::text) ? reading_of(expected) : expected;
  const bool is_date = expected.is(Kind::text) && looks_like_date(expected.text());
  if (reading.is_missing() && !is_date) return in_text;
  ExprPtr condition = TRY(equals(lowering, of, expected, place));
  // A value that is no text has no words to score.
  const Clause as_value{expr::all_of({expr::negation(in_text.condition), condition}), constant(1)};
  ScorePtr score = best_of({in_text.score, score_where(as_value)});
  return Clause{expr::any_of({std::move(in_text.condition), std::move(condition)}),
                std::move(score)};
}

}  // namespace mayfly::kuzzle::search
