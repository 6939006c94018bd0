// Queries about exact values: term, terms, range, exists, ids, prefix, wildcard, regexp.
#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

using expr::call;
using expr::literal;

// {field: wanted}, or {field: {`member`: wanted, …}}.
struct FieldAndValue {
  std::string field;
  const Value* value = nullptr;
  std::string place;
};

Result<FieldAndValue> field_and_value(const Value& body, const std::string& place,
                                      std::initializer_list<std::string_view> names) {
  const Object::Member* only = TRY(only_member(body, place));
  FieldAndValue found{only->first, &only->second, place + "." + only->first};
  if (!only->second.is(Kind::object)) return found;
  for (const std::string_view name : names) {
    if (const Value* value = only->second.object().find(name)) {
      found.value = value;
      found.place += "." + std::string(name);
      return found;
    }
  }
  return wrong(found.place, "has no value to look for");
}

Result<std::string> text_of_query(const FieldAndValue& query) {
  if (query.value->is(Kind::text)) return query.value->text();
  return wrong(query.place, "is a text");
}

// A condition without word scores: its score is the boost in the options.
Result<Clause> exact(ExprPtr condition, const Value& options, const std::string& place) {
  const double boost = TRY(boost_of(options, place));
  return Clause{std::move(condition), boosted(constant(1), boost)};
}
// The same with the options of the single field.
Result<Clause> exact_of_field(ExprPtr condition, const Value& body, const std::string& place) {
  const Object::Member* only = TRY(only_member(body, place));
  return exact(std::move(condition), only->second, place + "." + only->first);
}

// In a text field the word is searched with a score; other values match or not.
Result<Clause> lower_term(Lowering& lowering, const Value& body, const std::string& place) {
  const FieldAndValue query = TRY(field_and_value(body, place, {"value", "term"}));
  const FieldValues of = lowering.find(query.field);
  ExprPtr condition = TRY(equals(lowering, of, *query.value, query.place));
  Clause made = TRY(exact_of_field(std::move(condition), body, place));
  if (of.type != FieldType::text || !query.value->is(Kind::text) || !made.score) return made;
  const double boost = *constant_of(made.score);
  made.score = boosted(words_score(lowering.scored_texts(of), {query.value->text()}, true), boost);
  return made;
}

Result<ExprPtr> lower_terms(Lowering& lowering, const Value& body, const std::string& place) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  const Object::Member* query = nullptr;
  for (const Object::Member& member : body.object()) {
    if (member.first == "boost" || member.first == "_name") continue;
    if (query != nullptr) return wrong(place, "names one field");
    query = &member;
  }
  if (query == nullptr) return wrong(place, "names no field");
  const std::string field_place = place + "." + query->first;
  if (query->second.is(Kind::object)) {
    return fail(Code::unsupported, "terms of another document are not offered", field_place);
  }
  if (!query->second.is(Kind::array)) return wrong(field_place, "is a list of values");
  return equals_any(lowering, lowering.find(query->first), query->second.array(), field_place);
}

// The bounds of a range, also with the old names `from` and `to`.
Result<std::vector<RangeBound>> bounds_of(const Object& range, const std::string& place) {
  TRY(check_members(range,
                    {"gt", "gte", "lt", "lte", "from", "to", "include_lower", "include_upper",
                     "boost", "format", "time_zone", "_name"},
                    place));
  const Value* time_zone = range.find("time_zone");
  const bool is_utc =
      time_zone == nullptr ||
      (time_zone->is(Kind::text) &&
       (time_zone->text() == "UTC" || time_zone->text() == "Z" || time_zone->text() == "+00:00"));
  if (!is_utc) {
    return fail(Code::unsupported, "\"time_zone\" is not offered but for UTC",
                place + ".time_zone");
  }
  const auto includes = [&](std::string_view name) -> Result<bool> {
    const Value* value = range.find(name);
    return value == nullptr ? Result<bool>(true)
                            : boolean_of(*value, place + "." + std::string(name));
  };
  std::vector<RangeBound> bounds;
  for (const auto& [name, value] : range) {
    if (value.is_null()) continue;  // no bound
    const bool is_scalar = value.is(Kind::text) || value.is_number() || value.is(Kind::boolean);
    std::string_view function;
    if (name == "gt") function = "greater";
    if (name == "gte") function = "greater_or_equal";
    if (name == "lt") function = "less";
    if (name == "lte") function = "less_or_equal";
    if (name == "from") function = TRY(includes("include_lower")) ? "greater_or_equal" : "greater";
    if (name == "to") function = TRY(includes("include_upper")) ? "less_or_equal" : "less";
    if (function.empty()) continue;
    if (!is_scalar) return wrong(place + "." + name, "is a number, a text or a date");
    bounds.push_back({function, value});
  }
  return bounds;
}

Result<ExprPtr> lower_range(Lowering& lowering, const Value& body, const std::string& place) {
  const Object::Member* only = TRY(only_member(body, place));
  const std::string field_place = place + "." + only->first;
  if (!only->second.is(Kind::object)) return wrong(field_place, "is an object of bounds");
  const auto bounds = TRY(bounds_of(only->second.object(), field_place));
  return within(lowering, lowering.find(only->first), bounds, field_place);
}

Result<ExprPtr> lower_exists(Lowering& lowering, const Value& body, const std::string& place) {
  const Value field = body.member("field");
  if (!field.is(Kind::text)) return wrong(place + ".field", "is the name of a field");
  return has_any_value(lowering, lowering.find(field.text()));
}

Result<ExprPtr> lower_ids(Lowering& lowering, const Value& body, const std::string& place) {
  Value values = body.member("values");
  const std::string values_place = place + ".values";
  if (values.is(Kind::text)) values = Value(Array{values});
  if (!values.is(Kind::array)) return wrong(values_place, "is a list of ids");
  return equals_any(lowering, lowering.find("_id"), values.array(), values_place);
}

Result<ExprPtr> lower_prefix(Lowering& lowering, const Value& body, const std::string& place) {
  const FieldAndValue query = TRY(field_and_value(body, place, {"value", "prefix"}));
  const std::string prefix = TRY(text_of_query(query));
  if (prefix.size() > limits::search_pattern_bytes_max) {
    return fail(Code::too_large, "the prefix is too long", query.place);
  }
  return matches(lowering, lowering.find(query.field),
                 [&](const ExprPtr& x) { return call("starts_with", {x, literal(prefix)}); });
}

Result<ExprPtr> lower_wildcard(Lowering& lowering, const Value& body, const std::string& place) {
  const FieldAndValue query = TRY(field_and_value(body, place, {"value", "wildcard"}));
  const std::string pattern = TRY(wildcard_pattern(TRY(text_of_query(query)), query.place));
  return matches_pattern(lowering, lowering.find(query.field), pattern, query.place);
}

Result<ExprPtr> lower_regexp(Lowering& lowering, const Value& body, const std::string& place) {
  const FieldAndValue query = TRY(field_and_value(body, place, {"value"}));
  const std::string pattern = TRY(regexp_pattern(TRY(text_of_query(query)), query.place));
  return matches_pattern(lowering, lowering.find(query.field), pattern, query.place);
}

}  // namespace

Result<Clause> lower_exact(Lowering& lowering, std::string_view name, const Value& body,
                           const std::string& place) {
  if (name == "term") return lower_term(lowering, body, place);
  if (name == "terms") return exact(TRY(lower_terms(lowering, body, place)), body, place);
  if (name == "exists") return exact(TRY(lower_exists(lowering, body, place)), body, place);
  if (name == "ids") return exact(TRY(lower_ids(lowering, body, place)), body, place);
  ExprPtr made;
  if (name == "range") made = TRY(lower_range(lowering, body, place));
  if (name == "prefix") made = TRY(lower_prefix(lowering, body, place));
  if (name == "wildcard") made = TRY(lower_wildcard(lowering, body, place));
  if (name == "regexp") made = TRY(lower_regexp(lowering, body, place));
  return made ? exact_of_field(std::move(made), body, place) : Clause();
}

}  // namespace mayfly::kuzzle::search
