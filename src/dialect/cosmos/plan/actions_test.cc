// Requests for plans, the rewritten queries that clients then send, and queries of ranges of
// partition keys (spec cosmos-cases.md, section I).
#include "dialect/cosmos/containers/keys/epk.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

constexpr std::string_view place_of_filter = "{documentdb-formattableorderbyquery-filter}";

class CosmosPlans : public ::testing::Test {
 protected:
  CosmosPlans() {
    account =
        Account::with_container(R"("defaultTtl":-1,"changeFeedPolicy":{"retentionDuration":10})");
    create("1", "a", R"("x":5,"g":"p","v":[1,0])");
    create("2", "b", R"("x":7,"g":"q","v":[0,1])");
    create("3", "c", R"("x":6,"g":"p")");
    create("4", "a", R"("g":"q")");
  }

  void create(const std::string& id, const std::string& key, const std::string& members) {
    const Answer made = account->send(
        "POST", documents, R"({"id":")" + id + R"(","pk":")" + key + "\"," + members + "}",
        {{key_a.first, "[\"" + key + "\"]"}});
    EXPECT_EQ(made.status, 201) << made.response.body;
  }
  Answer ask(const std::string& text, const net::Pair& how, std::vector<net::Pair> headers = {}) {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    headers.push_back(how);
    headers.push_back(first_range);
    headers.emplace_back("content-type", "application/query+json");
    return account->send("POST", documents, body + "}", std::move(headers));
  }
  Answer plan(const std::string& text) {
    return ask(text, {"x-ms-cosmos-is-query-plan-request", "True"});
  }
  std::string rows(const std::string& text, std::vector<net::Pair> headers = {}) {
    const Answer answer = ask(text, {"x-ms-documentdb-isquery", "True"}, std::move(headers));
    return answer.status == 200 ? render_json(answer.body.member("Documents")) : answer.message();
  }
  // The rows of a rewritten query without system identifiers.
  std::string rewritten_rows(const std::string& text, const std::string& filter = "true") {
    std::string rewritten = plan(text).body.member("queryInfo").member("rewrittenQuery").text();
    const auto at = rewritten.find(place_of_filter);
    if (at != std::string::npos) rewritten.replace(at, place_of_filter.size(), filter);
    const Answer answer = ask(rewritten, {"x-ms-documentdb-isquery", "True"});
    if (answer.status != 200) return answer.message();
    Value told = answer.body.member("Documents");
    for (Value& row : told.mutable_array()) {
      if (row.is(Kind::object)) row.mutable_object().remove("_rid");
    }
    return render_json(told);
  }
  static std::vector<net::Pair> range(const std::string& from, const std::string& to) {
    return {{"x-ms-read-key-type", "EffectivePartitionKeyRange"},
            {"x-ms-start-epk", from},
            {"x-ms-end-epk", to}};
  }
  static std::string epk(const char* key) { return epk_of({Value(key)}, KeyHash::v2); }

  std::unique_ptr<Account> account;
};

TEST_F(CosmosPlans, SayHowASortedQueryIsMerged) {  // L1
  const Answer told = plan("SELECT * FROM c ORDER BY c.x DESC");
  ASSERT_EQ(told.status, 200) << told.message();
  const Value info = told.body.member("queryInfo");
  EXPECT_EQ(render_json(info.member("orderBy")), R"(["Descending"])");
  EXPECT_EQ(render_json(info.member("orderByExpressions")), R"(["c.x"])");
  EXPECT_NE(info.member("rewrittenQuery").text().find(place_of_filter), std::string::npos);
}

TEST_F(CosmosPlans, MakeSortedQueriesThatCanBeResumed) {  // L2
  EXPECT_EQ(rewritten_rows("SELECT VALUE c.id FROM c ORDER BY c.x DESC"),
            R"([{"orderByItems":[{"item":7}],"payload":"2"},)"
            R"({"orderByItems":[{"item":6}],"payload":"3"},)"
            R"({"orderByItems":[{"item":5}],"payload":"1"}])");
  EXPECT_EQ(rewritten_rows("SELECT c.id FROM c ORDER BY c.x", "c.x > 5"),
            R"([{"orderByItems":[{"item":6}],"payload":{"id":"3"}},)"
            R"({"orderByItems":[{"item":7}],"payload":{"id":"2"}}])");
  EXPECT_EQ(rows("SELECT TOP 1 c._rid, [{\"item\": c.x}] AS orderByItems, c AS payload FROM c "
                 "WHERE (c.id = '1' AND (true)) ORDER BY c.x"),
            R"([{"_rid":)" + render_json(account->get("1").body.member("_rid")) +
                R"(,"orderByItems":[{"item":5}],"payload":)" + render_json(account->get("1").body) +
                "}]");
}

TEST_F(CosmosPlans, ShowAbsentSortValuesAsObjectsWithoutAnItem) {
  account->send("PUT", container,
                R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},)"
                R"("defaultTtl":-1,"indexingPolicy":{"includedPaths":[{"path":"/*"},)"
                R"({"path":"/x/?"}],"excludedPaths":[]}})");
  EXPECT_EQ(rewritten_rows("SELECT TOP 1 c.id FROM c ORDER BY c.x"),
            R"([{"orderByItems":[{}],"payload":{"id":"4"}}])");
}

TEST_F(CosmosPlans, NameAggregatesByTheirAliases) {  // L3
  const Value info = plan("SELECT COUNT(1) AS n FROM c").body.member("queryInfo");
  EXPECT_EQ(render_json(info.member("aggregates")), "[]");
  EXPECT_EQ(render_json(info.member("groupByAliasToAggregateType")), R"({"n":"Count"})");
}

TEST_F(CosmosPlans, MakeQueriesForPartsOfAggregates) {
  const std::pair<const char*, const char*> table[] = {
      {"SELECT VALUE COUNT(1) FROM c", R"([[{"item":4}]])"},
      {"SELECT VALUE AVG(c.x) FROM c", R"([[{"item":{"sum":18,"count":3}}]])"},
      {"SELECT VALUE MIN(c.x) FROM c", R"([[{"item":5,"item2":{"min":5,"count":3}}]])"},
      {"SELECT VALUE MAX(c.none) FROM c", R"([[{"item2":{"count":0}}]])"},
      {"SELECT VALUE SUM(c.g) FROM c", "[[{}]]"},
      {"SELECT COUNT(1) AS n, MAX(c.x) FROM c",
       R"([{"payload":{"n":{"item":4},"$1":{"item":7,"item2":{"max":7,"count":3}}}}])"},
      {"SELECT c.g, COUNT(c.x) AS n FROM c GROUP BY c.g",
       R"([{"groupByItems":[{"item":"p"}],"payload":{"g":"p","n":{"item":2}}},)"
       R"({"groupByItems":[{"item":"q"}],"payload":{"g":"q","n":{"item":1}}}])"},
      {"SELECT c.x, UPPER(c.g) AS u FROM c WHERE c.pk = 'a' GROUP BY c.x, UPPER(c.g)",
       R"([{"groupByItems":[{},{"item":"Q"}],"payload":{"u":"Q"}},)"
       R"({"groupByItems":[{"item":5},{"item":"P"}],"payload":{"x":5,"u":"P"}}])"},
      {"SELECT VALUE MAKESET(c.g) FROM c GROUP BY c.pk = 'a'",
       R"([{"groupByItems":[{"item":false}],"payload":[{"item":["q","p"]}]},)"
       R"({"groupByItems":[{"item":true}],"payload":[{"item":["p","q"]}]}])"},
      {R"(SELECT VALUE {"g": c.g} FROM c GROUP BY {"g": c.g})",
       R"([{"groupByItems":[{"item":{"g":"p"}}],"payload":{"g":"p"}},)"
       R"({"groupByItems":[{"item":{"g":"q"}}],"payload":{"g":"q"}}])"},
      {"SELECT DISTINCT TOP 1 VALUE c.g FROM c", R"(["p","q"])"},
      {"SELECT VALUE c.id FROM c OFFSET 1 LIMIT 1", R"(["1","2"])"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(rewritten_rows(text), expected) << text;
}

TEST_F(CosmosPlans, FindTheNearestVectors) {
  const std::string order = " FROM c ORDER BY VectorDistance(c.v, [1, 0.5])";
  EXPECT_EQ(rows("SELECT TOP 2 VALUE c.id" + order), R"(["1","2"])");
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c ORDER BY VectorDistance(c.v, [0, 2], false, "
                 "{'distanceFunction':'euclidean'})"),
            R"(["3","4","2","1"])");  // rows without a distance are first
  EXPECT_EQ(rewritten_rows("SELECT TOP 1 VALUE c.id FROM c ORDER BY VectorDistance(c.v, [2, 0])"),
            R"([{"orderByItems":[{"item":1}],"payload":"1"}])");
}

TEST_F(CosmosPlans, SayWhereTheRowsAre) {  // L4
  EXPECT_EQ(
      render_json(plan("SELECT * FROM c WHERE c.pk = 'a'").body.member("queryRanges")),
      R"([{"min":"3A5381E1114EB8D3FCC90795045B49B7","max":"3A5381E1114EB8D3FCC90795045B49B7",)"
      R"("isMinInclusive":true,"isMaxInclusive":true}])");
  EXPECT_EQ(render_json(plan("SELECT * FROM c").body.member("queryRanges")),
            R"([{"min":"","max":"FF","isMinInclusive":true,"isMaxInclusive":false}])");
}

TEST_F(CosmosPlans, AreRefusedAsQueriesAre) {
  EXPECT_EQ(plan("SELEC").status, 400);
  EXPECT_NE(plan("SELECT BADFUNC(c.a) FROM c").message().find("SC2005"), std::string::npos);
  EXPECT_NE(plan("SELECT VALUE ABS(AVG(c.x)) FROM c")
                .message()
                .find(R"({"Errors":["Compositions of aggregates)"),
            std::string::npos);
  EXPECT_EQ(rows("SELECT VALUE ABS(AVG(c.x)) FROM c"), "[6]");  // a single partition answers it
  EXPECT_EQ(account
                ->send("POST", "/dbs/d/colls/none/docs", R"({"query":"SELECT 1"})",
                       {{"x-ms-cosmos-is-query-plan-request", "true"}})
                .status,
            404);
}

TEST_F(CosmosPlans, RangesOfKeysRestrictQueries) {
  // "b" is hashed below 1, "a" at 3A….
  const std::string at_a = epk("a");
  const std::string from_a = R"(["1","4"])";
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c WHERE c.pk = 'a'", range(at_a, "FF")), from_a);
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c WHERE c.pk = 'a'", range("", at_a)), "[]");
  const std::string below = rows("SELECT VALUE COUNT(1) FROM c", range("", at_a));
  const std::string above = rows("SELECT VALUE COUNT(1) FROM c", range(at_a, "FF"));
  EXPECT_TRUE((below == "[2]" && above == "[2]") || (below == "[1]" && above == "[3]") ||
              (below == "[0]" && above == "[4]"))
      << below << above;
  EXPECT_EQ(rows("SELECT VALUE COUNT(1) FROM c", range("", "FF")), "[4]");
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c WHERE c.pk = 'b'", range(epk("b"), epk("b") + "00")),
            R"(["2"])");
  EXPECT_EQ(ask("SELECT 1", {"x-ms-documentdb-isquery", "True"}, range("zz", "FF")).status, 400);
}

TEST_F(CosmosPlans, RangesOfKeysRestrictFeeds) {
  const auto ids = [](const Answer& answer) {
    std::string text;
    const Value told = answer.body.member("Documents");
    if (!told.is(Kind::array)) return std::to_string(answer.status);
    for (const Value& row : told.array()) {
      const Value image = row.member("current");
      text += (image.is_missing() ? row : image).member("id").text();
    }
    return text;
  };
  const auto only_b = range(epk("b"), epk("b") + "00");
  EXPECT_EQ(ids(account->list(only_b)), "2");
  EXPECT_EQ(ids(account->list(range("", "FF"))), "1234");
  auto changes = only_b;
  changes.emplace_back("a-im", "Incremental feed");
  EXPECT_EQ(ids(account->list(changes)), "2");
  auto versions = only_b;
  versions.emplace_back("a-im", "Full-Fidelity Feed");
  versions.emplace_back("if-none-match",
                        account->list({{"a-im", "Incremental feed"}}).header("etag"));
  create("5", "b", R"("x":1)");
  create("6", "a", R"("x":1)");
  EXPECT_EQ(ids(account->list(versions)), "5");
}

TEST_F(CosmosPlans, RangesOfKeysDoNotStandForAKeyWhereOneIsRemoved) {
  const Answer refused =
      account->send("POST", container + "/operations/partitionkeydelete", "", range("", epk("a")));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(rows("SELECT VALUE COUNT(1) FROM c"), "[4]");
}

TEST(CosmosPlansOfVersion1, HashAsThatVersionDoes) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  const Answer made =
      account.send("POST", containers,
                   R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":1}})");
  EXPECT_EQ(made.status, 201) << made.response.body;
  for (const Answer& told : {made, account.send("GET", container)}) {
    EXPECT_EQ(told.body.member("partitionKey").member("version").integer(), 1);
  }
  EXPECT_EQ(account.create("1").status, 201);
  EXPECT_EQ(account.get("1").status, 200);
  const std::string query = R"({"query":"SELECT VALUE c.id FROM c WHERE c.pk = 'a'"})";
  const Answer plan =
      account.send("POST", documents, query, {{"x-ms-cosmos-is-query-plan-request", "True"}});
  const std::string epk = epk_of({Value("a")}, KeyHash::v1);
  EXPECT_EQ(render_json(plan.body.member("queryRanges")),
            R"([{"min":")" + epk + R"(","max":")" + epk +
                R"(","isMinInclusive":true,"isMaxInclusive":true}])");
  const auto found = [&](const std::string& from) {
    const Answer told = account.send("POST", documents, query,
                                     {first_range,
                                      {"x-ms-documentdb-isquery", "True"},
                                      {"x-ms-read-key-type", "EffectivePartitionKeyRange"},
                                      {"x-ms-start-epk", from},
                                      {"x-ms-end-epk", from + "FF"}});
    return render_json(told.body.member("Documents"));
  };
  EXPECT_EQ(found(epk), R"(["1"])");
  EXPECT_EQ(found(epk_of({Value("a")}, KeyHash::v2)), "[]");
}

TEST(CosmosPlansOfHierarchicalKeys, ServeTheRangeOfAPrefix) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  account.send("POST", containers,
               R"({"id":"c","partitionKey":{"paths":["/t","/u"],"kind":"MultiHash","version":2}})");
  for (const auto* body : {R"({"id":"1","t":"x","u":"y"})", R"({"id":"2","t":"x"})",
                           R"({"id":"3","t":"z","u":"y"})"}) {
    EXPECT_EQ(account.send("POST", documents, body).status, 201);
  }
  const std::string prefix = epk_of({Value("x")}, KeyHash::multi);
  const Answer found = account.send("POST", documents, R"({"query":"SELECT VALUE c.id FROM c"})",
                                    {first_range,
                                     {"x-ms-documentdb-isquery", "True"},
                                     {"x-ms-start-epk", prefix},
                                     {"x-ms-end-epk", prefix + "FF"},
                                     {"x-ms-read-key-type", "EffectivePartitionKeyRange"}});
  EXPECT_EQ(render_json(found.body.member("Documents")), R"(["1","2"])");
}

}  // namespace
}  // namespace mayfly::cosmos::testing
