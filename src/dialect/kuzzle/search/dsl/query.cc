// Queries, by their names; and those that are made of others.
#include <algorithm>

#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"
#include "expr/analyse.h"

namespace mayfly::kuzzle::search {
namespace {

// What Elasticsearch knows, and is not offered.
constexpr std::string_view not_offered[] = {"fuzzy",
                                            "geo_bounding_box",
                                            "geo_distance",
                                            "geo_distance_range",
                                            "geo_polygon",
                                            "geo_shape",
                                            "has_child",
                                            "has_parent",
                                            "more_like_this",
                                            "parent_id",
                                            "percolate",
                                            "script",
                                            "span_term",
                                            "span_near",
                                            "span_or",
                                            "span_first",
                                            "common",
                                            "boosting",
                                            "function_score",
                                            "script_score",
                                            "intervals",
                                            "rank_feature",
                                            "wrapper",
                                            "pinned",
                                            "template",
                                            "terms_set",
                                            "span_multi",
                                            "span_not",
                                            "simple_query_string",
                                            "type",
                                            "distance_feature"};

// An object is one query, a list several.
Result<ExprList> lower_all(Lowering& lowering, const Value& queries, const std::string& place,
                           std::size_t depth) {
  ExprList lowered;
  if (!queries.is(Kind::array)) {
    lowered.push_back(TRY(lower_query(lowering, queries, place, depth)));
    return lowered;
  }
  for (std::size_t i = 0; i < queries.array().size(); ++i) {
    lowered.push_back(
        TRY(lower_query(lowering, queries.array()[i], place + "." + std::to_string(i), depth)));
  }
  return lowered;
}

Result<ExprPtr> lower_bool(Lowering& lowering, const Value& body, const std::string& place,
                           std::size_t depth) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  TRY(check_members(body.object(),
                    {"must", "filter", "should", "must_not", "minimum_should_match", "boost",
                     "_name", "disable_coord", "adjust_pure_negative"},
                    place));
  const auto all = [&](std::string_view name) -> Result<ExprList> {
    const Value* queries = body.object().find(name);
    if (queries == nullptr || queries->is_null()) return ExprList();
    return lower_all(lowering, *queries, place + "." + std::string(name), depth + 1);
  };
  ExprList conditions = TRY(all("must"));
  for (ExprPtr& condition : TRY(all("filter"))) conditions.push_back(std::move(condition));
  const bool is_bound = !conditions.empty();
  for (ExprPtr& condition : TRY(all("must_not"))) {
    conditions.push_back(expr::negation(std::move(condition)));
  }
  ExprList should = TRY(all("should"));
  if (!should.empty()) {
    const std::string least_place = place + ".minimum_should_match";
    const Value* least = body.object().find("minimum_should_match");
    const std::size_t count =
        least ? TRY(minimum_of(*least, should.size(), least_place)) : (is_bound ? 0U : 1U);
    conditions.push_back(at_least(count, std::move(should)));
  }
  return conditions.empty() ? expr::literal(true) : expr::all_of(std::move(conditions));
}

Result<ExprPtr> lower_nested(Lowering& lowering, const Value& body, const std::string& place,
                             std::size_t depth) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  TRY(check_members(body.object(),
                    {"path", "query", "score_mode", "ignore_unmapped", "boost", "_name"}, place));
  const Value path = body.member("path");
  if (!path.is(Kind::text) || path.text().empty()) {
    return wrong(place + ".path", "is the name of a field");
  }
  const Value* query = body.object().find("query");
  if (query == nullptr) return wrong(place + ".query", "is a query");
  const Values items = lowering.find(path.text());
  if (items.is_fact) return wrong(place + ".path", "has no fields of its own");
  const Slot slot = lowering.new_slot();
  const Lowering::Nested nested(lowering, path.text(), slot);
  ExprPtr condition = TRY(lower_query(lowering, *query, place + ".query", depth + 1));
  return false_if_missing(
      expr::each(expr::Each::Mode::any, slot, items.values, std::move(condition)));
}

Result<ExprPtr> lower_inner(Lowering& lowering, const Value& body, std::string_view member,
                            const std::string& place, std::size_t depth) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  const std::string inner = place + "." + std::string(member);
  const Value* queries = body.object().find(member);
  if (queries == nullptr) return wrong(inner, "is a query");
  ExprList any = TRY(lower_all(lowering, *queries, inner, depth + 1));
  return any.empty() ? expr::literal(false) : expr::any_of(std::move(any));
}

Result<ExprPtr> lower_compound(Lowering& lowering, std::string_view name, const Value& body,
                               const std::string& place, std::size_t depth) {
  if (name == "match_all" || name == "match_none") {
    if (!body.is(Kind::object)) return wrong(place, "is an object");
    return expr::literal(name == "match_all");
  }
  if (name == "bool") return lower_bool(lowering, body, place, depth);
  if (name == "nested") return lower_nested(lowering, body, place, depth);
  if (name == "constant_score") return lower_inner(lowering, body, "filter", place, depth);
  if (name == "dis_max") return lower_inner(lowering, body, "queries", place, depth);
  if (name == "query_string") return lower_query_string(lowering, body, place);
  return ExprPtr();
}

}  // namespace

Result<ExprPtr> lower_query(Lowering& lowering, const Value& query, const std::string& place,
                            std::size_t depth) {
  TRY(lowering.enter(place, depth));
  if (query.is(Kind::object) && query.object().empty()) return expr::literal(true);
  const Object::Member* only = TRY(only_member(query, place));
  const auto& [name, body] = *only;
  const std::string inner = place + "." + name;
  if (ExprPtr made = TRY(lower_compound(lowering, name, body, inner, depth))) return made;
  if (ExprPtr made = TRY(lower_exact(lowering, name, body, inner))) return made;
  if (ExprPtr made = TRY(lower_match(lowering, name, body, inner))) return made;
  if (std::find(std::begin(not_offered), std::end(not_offered), name) != std::end(not_offered)) {
    return fail(Code::unsupported, "the query " + name + " is not offered", inner);
  }
  return fail(Code::invalid, "there is no query " + name, inner);
}

Result<ExprPtr> parse_query(const Value& query, const Language& language,
                            const std::string& place) {
  if (query.is_missing() || query.is_null()) return ExprPtr();
  if (language.read_query != nullptr && place == "query") return language.read_query(query);
  Lowering lowering(language);
  ExprPtr condition = TRY(lower_query(lowering, query, place, 1));
  Result<void> size = mayfly::check_size(*condition);
  if (size) return condition;
  size.error().field = place;
  return tl::unexpected(std::move(size).error());
}

}  // namespace mayfly::kuzzle::search
