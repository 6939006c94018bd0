// Mayfly's own vectors (test/vectors/cosmos): queries with their printed form or error, and with
// their plan. The EPKs of its keys are computed independently (epk_test.py there).
#include <gtest/gtest.h>

#include <algorithm>

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/plan/plan.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "dialect/cosmos/sql/print.h"
#include "dialect/cosmos/sql/vendor_vectors.h"
#include "value/order/order.h"

namespace mayfly::cosmos {
namespace {

const std::string own_vectors = MAYFLY_SOURCE_DIR "/test/vectors/cosmos/";

TEST(OwnVectors, ArePrintedOrRefused) {
  const auto vectors = testing::read_vectors(own_vectors + "queries.jsonl");
  for (const Value& vector : vectors) {
    const std::string text = testing::text_in(vector, "query");
    const auto query = sql::parse_query(text);
    const Value printed = vector.member("printed");
    if (printed.is_null()) {
      EXPECT_FALSE(query.has_value()) << text;
    } else {
      EXPECT_EQ(query ? sql::print(**query) : query.error().message, printed.text()) << text;
    }
    if (!query) continue;
    // The printed query parses to the same tree.
    const auto again = sql::parse_query(sql::print(**query));
    ASSERT_TRUE(again.has_value()) << text;
    EXPECT_EQ(sql::print(**again), sql::print(**query));
  }
}

Definition partitioned_by(const Value& paths) {
  Definition definition;
  for (const Value& path : paths.array()) {
    definition.key.paths.push_back(parse_key_path(path.text()).value());
  }
  definition.key.is_hierarchical = definition.key.paths.size() > 1;
  return definition;
}

// The plan info, with defaults for members that the vector does not have.
Object info_in(const Value& vector) {
  Object info{{"distinctType", "None"},
              {"top", nullptr},
              {"offset", nullptr},
              {"limit", nullptr},
              {"orderBy", Array()},
              {"orderByExpressions", Array()},
              {"groupByExpressions", Array()},
              {"groupByAliases", Array()},
              {"aggregates", Array()},
              {"groupByAliasToAggregateType", Object()},
              {"rewrittenQuery", ""},
              {"hasSelectValue", false},
              {"dCountInfo", nullptr},
              {"hasNonStreamingOrderBy", false}};
  for (const Object::Member& member : vector.member("info").object()) {
    info.set(member.first, member.second);
  }
  const Value rewritten = vector.member("rewritten");
  if (!rewritten.is_missing()) info.set("rewrittenQuery", rewritten);
  return info;
}

TEST(OwnVectors, HaveTheirPlansAndRanges) {
  const auto vectors = testing::read_vectors(own_vectors + "plans.jsonl");
  for (const Value& vector : vectors) {
    const std::string text = testing::text_in(vector, "query");
    const auto query = sql::parse_query(text);
    ASSERT_TRUE(query.has_value()) << text << ": " << query.error().message;
    const auto plan = make_plan(**query, {text, Object()}, partitioned_by(vector.member("paths")),
                                Instant::from_seconds(1'800'000'000));
    ASSERT_TRUE(plan.has_value()) << text << ": " << plan.error().message;
    std::vector<std::string> expected;
    for (const Value& range : vector.member("ranges").array()) expected.push_back(range.text());
    std::vector<std::string> seen;
    for (const EpkRange& range : plan->ranges) {
      seen.push_back("[" + range.min + "," + range.max + (range.is_max_inclusive ? "]" : ")"));
    }
    std::sort(expected.begin(), expected.end());
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, expected) << text;
    const Value info = parse_json(render_plan(*plan)).value().member("queryInfo");
    EXPECT_EQ(render_json(info), render_json(info_in(vector))) << text;
  }
}

}  // namespace
}  // namespace mayfly::cosmos
