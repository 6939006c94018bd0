// Queries by name, and compound queries.
#include <algorithm>

#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"
#include "expr/analyse.h"

namespace mayfly::kuzzle::search {
namespace {

// Queries of Elasticsearch that are not supported.
constexpr std::string_view clauses_not_offered[] = {"fuzzy",
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
                                                    "distance_feature",
                                                    "match_bool_prefix",
                                                    "combined_fields",
                                                    "field_masking_span",
                                                    "span_containing",
                                                    "span_within",
                                                    "shape",
                                                    "knn",
                                                    "text_expansion",
                                                    "indices"};

using Clauses = std::vector<Clause>;

// An object is one query, a list several.
Result<Clauses> lower_all(Lowering& lowering, const Value& queries, const std::string& place,
                          std::size_t depth) {
  Clauses lowered;
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

ExprList conditions_of(Clauses clauses) {
  ExprList conditions;
  for (Clause& clause : clauses) conditions.push_back(std::move(clause.condition));
  return conditions;
}

// The lists of a bool.
struct Lists {
  Clauses must;
  Clauses filter;
  Clauses must_not;
  Clauses should;
};

Result<Lists> lists_of(Lowering& lowering, const Object& body, const std::string& place,
                       std::size_t depth) {
  const auto all = [&](std::string_view name) -> Result<Clauses> {
    const Value* queries = body.find(name);
    if (queries == nullptr || queries->is_null()) return Clauses();
    return lower_all(lowering, *queries, place + "." + std::string(name), depth + 1);
  };
  Lists lists;
  lists.must = TRY(all("must"));
  lists.filter = TRY(all("filter"));
  {
    const Lowering::MarkingSuspended unnoted(lowering);
    lists.must_not = TRY(all("must_not"));
  }
  lists.should = TRY(all("should"));
  return lists;
}

// The score is the sum of the matching queries in must and should; an empty bool has the score 1.
Result<Clause> lower_bool(Lowering& lowering, const Value& body, const std::string& place,
                          std::size_t depth) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  TRY(check_members(body.object(),
                    {"must", "filter", "should", "must_not", "minimum_should_match", "boost",
                     "_name", "disable_coord", "adjust_pure_negative"},
                    place));
  const double boost = TRY(boost_of(body, place));
  Lists lists = TRY(lists_of(lowering, body.object(), place, depth));
  std::vector<ScorePtr> scores;
  for (const Clause& clause : lists.must) scores.push_back(clause.score);
  ExprList conditions = conditions_of(std::move(lists.must));
  for (Clause& clause : lists.filter) conditions.push_back(std::move(clause.condition));
  const bool is_bound = !conditions.empty();
  for (Clause& clause : lists.must_not) {
    conditions.push_back(expr::negation(std::move(clause.condition)));
  }
  if (!lists.should.empty()) {
    const std::string least_place = place + ".minimum_should_match";
    const Value* least = body.object().find("minimum_should_match");
    const std::size_t all = lists.should.size();
    const std::size_t count =
        least ? TRY(minimum_of(*least, all, least_place)) : (is_bound ? 0U : 1U);
    for (const Clause& clause : lists.should) {
      scores.push_back(count == all ? clause.score : score_where(clause));
    }
    conditions.push_back(at_least(count, conditions_of(std::move(lists.should))));
  }
  if (conditions.empty()) return Clause{expr::literal(true), boosted(constant(1), boost)};
  return Clause{expr::all_of(std::move(conditions)), boosted(sum_of(std::move(scores)), boost)};
}

// The score is 1, however well the items match.
Result<Clause> lower_nested(Lowering& lowering, const Value& body, const std::string& place,
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
  const FieldValues items = lowering.find(path.text());
  if (items.is_fact) return wrong(place + ".path", "has no fields of its own");
  const double boost = TRY(boost_of(body, place));
  const Slot slot = lowering.new_slot();
  const Lowering::Nested nested(lowering, path.text(), slot);
  Clause inner = TRY(lower_query(lowering, *query, place + ".query", depth + 1));
  ExprPtr condition = false_if_missing(
      expr::each(expr::Each::Mode::any, slot, items.values, std::move(inner.condition)));
  return Clause{std::move(condition), boosted(constant(1), boost)};
}

Result<Clauses> lower_inner(Lowering& lowering, const Value& body, std::string_view member,
                            const std::string& place, std::size_t depth) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  const std::string inner = place + "." + std::string(member);
  const Value* queries = body.object().find(member);
  if (queries == nullptr) return wrong(inner, "is a query");
  return lower_all(lowering, *queries, inner, depth + 1);
}

ExprPtr any_of_them(Clauses clauses) {
  if (clauses.empty()) return expr::literal(false);
  return expr::any_of(conditions_of(std::move(clauses)));
}

Result<Clause> lower_constant_score(Lowering& lowering, const Value& body, const std::string& place,
                                    std::size_t depth) {
  Clauses filter = TRY(lower_inner(lowering, body, "filter", place, depth));
  const double boost = TRY(boost_of(body, place));
  return Clause{any_of_them(std::move(filter)), boosted(constant(1), boost)};
}

Result<Clause> lower_dis_max(Lowering& lowering, const Value& body, const std::string& place,
                             std::size_t depth) {
  Clauses queries = TRY(lower_inner(lowering, body, "queries", place, depth));
  const double boost = TRY(boost_of(body, place));
  const Value tie = body.member("tie_breaker");
  const double tie_breaker = tie.is_number() ? std::clamp(tie.number(), 0.0, 1.0) : 0;
  std::vector<ScorePtr> scores;
  for (const Clause& clause : queries) {
    scores.push_back(queries.size() == 1 ? clause.score : score_where(clause));
  }
  return Clause{any_of_them(std::move(queries)),
                boosted(best_of(std::move(scores), tie_breaker), boost)};
}

Result<Clause> lower_compound(Lowering& lowering, std::string_view name, const Value& body,
                              const std::string& place, std::size_t depth) {
  if (name == "match_all" || name == "match_none") {
    if (!body.is(Kind::object)) return wrong(place, "is an object");
    const double boost = TRY(boost_of(body, place));
    return Clause{expr::literal(name == "match_all"), boosted(constant(1), boost)};
  }
  if (name == "bool") return lower_bool(lowering, body, place, depth);
  if (name == "nested") return lower_nested(lowering, body, place, depth);
  if (name == "constant_score") return lower_constant_score(lowering, body, place, depth);
  if (name == "dis_max") return lower_dis_max(lowering, body, place, depth);
  if (name == "query_string") return lower_query_string(lowering, body, place);
  return Clause();
}

}  // namespace

Result<Clause> lower_query(Lowering& lowering, const Value& query, const std::string& place,
                           std::size_t depth) {
  TRY(lowering.enter(place, depth));
  if (query.is(Kind::object) && query.object().empty()) {
    return Clause{expr::literal(true), constant(1)};
  }
  const Object::Member* only = TRY(only_member(query, place));
  const auto& [name, body] = *only;
  const std::string inner = place + "." + name;
  if (Clause made = TRY(lower_compound(lowering, name, body, inner, depth)); made.condition) {
    return made;
  }
  if (Clause made = TRY(lower_exact(lowering, name, body, inner)); made.condition) return made;
  if (Clause made = TRY(lower_match(lowering, name, body, inner)); made.condition) return made;
  if (Clause made = TRY(lower_geo(lowering, name, body, inner)); made.condition) return made;
  if (std::find(std::begin(clauses_not_offered), std::end(clauses_not_offered), name) !=
      std::end(clauses_not_offered)) {
    return fail(Code::unsupported, "the query " + name + " is not offered", inner);
  }
  return fail(Code::invalid, "there is no query " + name, inner);
}

Result<Clause> parse_clause(const Value& query, const Language& language,
                            const std::string& place) {
  if (query.is_missing() || query.is_null()) return Clause{nullptr, constant(1)};
  if (language.read_query != nullptr && place == "query") {
    ExprPtr condition = TRY(language.read_query(query, language));
    return Clause{std::move(condition), constant(1)};
  }
  Lowering lowering(language);
  Clause made = TRY(lower_query(lowering, query, place, 1));
  Result<void> size = mayfly::check_size(*made.condition);
  if (size) return made;
  size.error().field = place;
  return tl::unexpected(std::move(size).error());
}

Result<ExprPtr> parse_query(const Value& query, const Language& language,
                            const std::string& place) {
  return TRY(parse_clause(query, language, place)).condition;
}

}  // namespace mayfly::kuzzle::search
