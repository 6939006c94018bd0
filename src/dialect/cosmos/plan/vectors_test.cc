// The vendor's baselines of its query plans (sql/vendor_vectors.h). Of several ranges they name the
// last one only.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/plan/plan.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "dialect/cosmos/sql/vendor_vectors.h"
#include "value/order/order.h"

namespace mayfly::cosmos {
namespace {

constexpr Instant vectors_now = Instant::from_seconds(1'800'000'000);

using testing::text_in;

// --- what is planned ---

Definition definition_of(const Value& vector) {
  Definition definition;
  for (const Value& path : vector.member("partitionKeys").array()) {
    definition.key.paths.push_back(parse_key_path(path.text()).value_or(Path::of(path.text())));
  }
  definition.key.is_hierarchical = definition.key.paths.size() > 1;
  if (definition.key.paths.empty()) definition.key.paths.push_back(Path::of("_partitionKey"));
  const std::string about = text_in(vector, "description");
  const std::string metric = about.starts_with("Euclidean") ? "Euclidean"
                             : about.starts_with("Dot")     ? "DotProduct"
                                                            : "Cosine";
  definition.shown.set("vectorEmbeddingPolicy",
                       Object{{"vectorEmbeddings", Array{Object{{"path", "/embedding"},
                                                                {"distanceFunction", metric}}}}});
  definition.shown.set("fullTextPolicy",
                       Object{{"fullTextPaths", Array{Object{{"path", "/text"}}}}});
  return definition;
}

const Object& parameters() {
  static const Object values{{"@OFFSETCOUNT", 42},
                             {"@LIMITCOUNT", 1337},
                             {"@TOPCOUNT", 42},
                             {"@LIKEPATTERN", "%a%"},
                             {"@vectorEmbedding", Array{0.5, 0.25}}};
  return values;
}

Result<QueryPlan> plan_of(const Value& vector) {
  const std::string text = text_in(vector, "query");
  const sql::QueryPtr query = TRY(sql::parse_query(text));
  return make_plan(*query, {text, parameters()}, definition_of(vector), vectors_now);
}

// --- what the baseline says ---

Value count_of(const Value& text) {
  return text.is(Kind::text) ? Value(std::int64_t{std::stoll(text.text())}) : Value(nullptr);
}

Value list_of(const Value& list) {
  return list.is(Kind::array) ? list : Value(Array());
}

// The baseline in the form of Mayfly's plans.
Value info_of(const Value& vector) {
  const Value told = vector.member("queryInfo");
  Object types;
  const Value listed = list_of(told.member("GroupByAliasToAggregateType"));
  for (const Value& pair : listed.array()) {
    const Value& type = pair.array()[1];
    types.set(pair.array()[0].text(), same(type, "null") ? Value(nullptr) : type);
  }
  return Object{{"distinctType", told.member("DistinctType")},
                {"top", count_of(told.member("Top"))},
                {"offset", count_of(told.member("Offset"))},
                {"limit", count_of(told.member("Limit"))},
                {"orderBy", list_of(told.member("OrderBy"))},
                {"orderByExpressions", list_of(told.member("OrderByExpressions"))},
                {"groupByExpressions", list_of(told.member("GroupByExpressions"))},
                {"groupByAliases", list_of(told.member("GroupByAliases"))},
                {"aggregates", list_of(told.member("Aggregates"))},
                {"groupByAliasToAggregateType", std::move(types)},
                {"rewrittenQuery", vector.member("rewrittenQuery")},
                {"hasSelectValue", told.member("HasSelectValue").text() == "True"},
                {"dCountInfo", nullptr},
                {"hasNonStreamingOrderBy",
                 text_in(vector, "file").find("VectorSearch") != std::string::npos}};
}

// [[1.0],[1.0]]: two keys, and whether each belongs to the range.
EpkRange range_in(const std::string& text, const PartitionKey& key) {
  const Value keys = parse_json("[" + text.substr(1, text.size() - 2) + "]").value();
  const bool is_max_inclusive = text.ends_with(']');
  if (keys.array()[1].is(Kind::text)) return {"", std::string(epk_max), false};
  PartitionValues values;
  for (const Value& value : keys.array()[0].array()) values.push_back(hashed_component(value));
  if (values.empty()) return {"", "", is_max_inclusive};
  return epk_range_of(values, hash_of(key), key.paths.size());
}

std::string render(const std::vector<EpkRange>& ranges) {
  std::string text;
  for (const EpkRange& range : ranges) {
    text += "[" + range.min + "," + range.max + (range.is_max_inclusive ? "]" : ")");
  }
  return text;
}

// --- differences ---

// By query: Mayfly's ranges, or its error. Wider ranges are right, only slower.
const std::map<std::string, std::string>& exceptions() {
  static const std::map<std::string, std::string> rows = {
      // A function that only the service's own clients know.
      {"SELECT * FROM c WHERE _TRY_ARRAY_CONTAINS([1, 2, 3], c.a)",
       R"({"errors":[{"severity":"Error","location":{"start":22,"end":41},"code":"SC2005","message":"'_TRY_ARRAY_CONTAINS' is not a recognized built-in function name."}]})"},
      // Several paths are always hierarchical here, so the first restricts the ranges.
      {"SELECT * FROM Root r WHERE r.a.b.c = null and 2 paths",
       "[378867E4430E67857ACE5C908374FE16,378867E4430E67857ACE5C908374FE16FF)"},
      {"SELECT * FROM Root r WHERE r.a.b.c and 2 paths",
       "[0E711127C5B5A8E4726AC6DD306A3E59,0E711127C5B5A8E4726AC6DD306A3E59FF)"},
      // Conditions on the key in a subquery are ignored.
      {R"(
                    SELECT * 
                    FROM c 
                    WHERE (c.blah = (
                        SELECT * 
                        FROM c 
                        WHERE c.key = 42 and c.id = 5)) and c.key = 32
                )",
       "[1F396D0386DFB6EF02AC9352A6CFC8FC,1F396D0386DFB6EF02AC9352A6CFC8FC]"},
  };
  return rows;
}

// For these the vectors only say that there is a plan; their errors are checked below.
bool is_of_full_text(const Value& vector) {
  return text_in(vector, "query").find("RANK FullTextScore") != std::string::npos;
}

// Containers are partitioned by hashes only.
bool is_of_values(const Value& vector) {
  return text_in(vector, "partitionKeyType") == "Range";
}

// Every place is on the globe.
bool is_of_the_plane(const Value& vector) {
  return text_in(vector, "description").ends_with("Constant Foldable Geometry");
}

class PlanVectors : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::are_vendor_vectors_due()) GTEST_SKIP() << "the vendor's data are not here";
    vectors = testing::read_vectors(testing::vendor_folder() + "/queryplan.jsonl");
  }

  std::vector<Value> vectors;
};

TEST_F(PlanVectors, GiveTheSamePlans) {
  std::size_t compared = 0;
  for (const Value& vector : vectors) {
    const std::string text = text_in(vector, "query");
    if (!vector.member("ok").is_missing() || is_of_full_text(vector) ||
        exceptions().contains(text)) {
      continue;
    }
    const auto plan = plan_of(vector);
    ASSERT_TRUE(plan.has_value()) << text << ": " << plan.error().message;
    const Value ours = parse_json(render_plan(*plan)).value().member("queryInfo");
    EXPECT_TRUE(same(ours, info_of(vector))) << text << "\n"
                                             << render_json(ours) << "\n"
                                             << render_json(info_of(vector));
    ++compared;
  }
  EXPECT_GT(compared, 300U);
}

TEST_F(PlanVectors, GiveTheSameRanges) {
  std::size_t compared = 0;
  for (const Value& vector : vectors) {
    std::string text = text_in(vector, "query");
    const bool has_ranges = vector.member("ok").is_missing() && !is_of_full_text(vector);
    if (!has_ranges || is_of_values(vector) || is_of_the_plane(vector)) continue;
    const Definition definition = definition_of(vector);
    if (definition.key.paths.size() > 1) text += " and 2 paths";
    if (exceptions().contains(text)) continue;
    const EpkRange theirs =
        range_in(text_in(vector.member("queryRanges").array().front(), "range"), definition.key);
    const auto plan = plan_of(vector);
    ASSERT_TRUE(plan.has_value()) << text << ": " << plan.error().message;
    EXPECT_NE(std::find(plan->ranges.begin(), plan->ranges.end(), theirs), plan->ranges.end())
        << text << "\nours " << render(plan->ranges) << "\ntheirs " << render({theirs});
    ++compared;
  }
  EXPECT_GT(compared, 300U);
}

TEST_F(PlanVectors, AreRefusedInTheSameWords) {
  std::size_t refused = 0;
  for (const Value& vector : vectors) {
    const std::string error = text_in(vector, "error");
    const bool is_refusal = error.starts_with(R"({"errors")") || error.starts_with(R"({"Errors")");
    if (!is_refusal) continue;
    const auto plan = plan_of(vector);
    EXPECT_EQ(plan ? "a plan" : plan.error().message, error) << text_in(vector, "query");
    ++refused;
  }
  EXPECT_GT(refused, 15U);
}

// The vectors of the parser include queries that its parser accepts and its plan refuses.
TEST_F(PlanVectors, OfTheParserAreRefusedInTheSameWordsWhereItIsThePlanThatRefuses) {
  std::size_t refused = 0;
  for (const Value& vector : testing::read_vectors(testing::vendor_folder() + "/parser.jsonl")) {
    const std::string error = text_in(vector, "error");
    const auto query = sql::parse_query(text_in(vector, "query"));
    const bool is_json = error.starts_with(R"({"errors")") || error.starts_with(R"({"Errors")");
    if (!is_json || !query) continue;
    const auto plan = plan_of(vector);
    EXPECT_EQ(plan ? "a plan" : plan.error().message, error) << text_in(vector, "query");
    ++refused;
  }
  EXPECT_GE(refused, 8U);
}

// The vendor's client cannot read a plan with such numbers, and reports it in its error.
TEST_F(PlanVectors, WithNumbersTooLargeForTheVendorsClientAreThosePlans) {
  std::size_t compared = 0;
  for (const Value& vector : vectors) {
    const std::string error = text_in(vector, "error");
    if (!error.starts_with(R"({"queryInfo")")) continue;
    const auto plan = plan_of(vector);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const Value ours = parse_json(render_plan(*plan)).value().member("queryInfo");
    const Value theirs = parse_json(error).value().member("queryInfo");
    for (const Object::Member& member : theirs.object()) {
      if (member.second.is(Kind::integer) && member.first.starts_with("has")) continue;
      EXPECT_TRUE(same(ours.member(member.first), member.second)) << member.first;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 3U);
}

TEST_F(PlanVectors, OfRanksWithNumbersTooLargeForTheVendorsClientAreThosePlans) {
  std::size_t compared = 0;
  for (const Value& vector : vectors) {
    const std::string error = text_in(vector, "error");
    if (!error.starts_with(R"({"queryRanges")")) continue;
    const auto plan = plan_of(vector);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const Value ours = parse_json(render_plan(*plan))->member("hybridSearchQueryInfo");
    const Value theirs = parse_json(error)->member("hybridSearchQueryInfo");
    const auto both = [&](const char* name) {
      EXPECT_EQ(render_json(ours.member(name)), render_json(theirs.member(name)));
    };
    both("globalStatisticsQuery");
    both("take");
    both("requiresGlobalStatistics");
    const Value part = ours.member("componentQueryInfos").array().at(0);
    const Value their_part = theirs.member("componentQueryInfos").array().at(0);
    for (const char* name : {"orderBy", "orderByExpressions"}) {
      EXPECT_EQ(render_json(part.member(name)), render_json(their_part.member(name)));
    }
    // The number of rows of a part is Mayfly's own.
    const auto body_of = [](const Value& of) {
      const std::string text = of.member("rewrittenQuery").text();
      const std::size_t from = text.find("c._rid");
      return text.substr(from, text.find("\nOFFSET") - from);
    };
    EXPECT_EQ(body_of(part), body_of(their_part));
    ++compared;
  }
  EXPECT_EQ(compared, 3U);
}

TEST_F(PlanVectors, WithExceptionsAreAsTheseSay) {
  std::size_t excepted = 0;
  for (const Value& vector : vectors) {
    std::string text = text_in(vector, "query");
    if (definition_of(vector).key.paths.size() > 1) text += " and 2 paths";
    const auto exception = exceptions().find(text);
    if (exception == exceptions().end()) continue;
    ++excepted;
    const auto plan = plan_of(vector);
    EXPECT_EQ(plan ? render(plan->ranges) : plan.error().message, exception->second);
  }
  EXPECT_EQ(excepted, exceptions().size());
}

TEST_F(PlanVectors, OfRanksAreHybrid) {
  std::size_t hybrid = 0;
  for (const Value& vector : vectors) {
    if (!is_of_full_text(vector) || !vector.member("ok").is_missing()) continue;
    const auto plan = plan_of(vector);
    ASSERT_TRUE(plan.has_value()) << text_in(vector, "query") << ": " << plan.error().message;
    EXPECT_NE(plan->hybrid, nullptr);
    ++hybrid;
  }
  EXPECT_GE(hybrid, 5U);
}

}  // namespace
}  // namespace mayfly::cosmos
