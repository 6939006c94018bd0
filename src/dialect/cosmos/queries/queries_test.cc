// Queries, case by case (spec cosmos-cases.md, section E).
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

class CosmosQueries : public ::testing::Test {
 protected:
  CosmosQueries() {
    account = Account::with_container(
        R"("indexingPolicy":{"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/secret/*"}],)"
        R"("compositeIndexes":[[{"path":"/\"k\""},{"path":"/n"}]]},"defaultTtl":-1)");
    account->create(
        "1",
        R"("k":"x","n":3,"tags":["red","blue"],"children":[{"name":"Ann","pets":[{"n":"p"}]}])");
    account->create("2", R"("k":"x","n":1,"tags":["red"],"a b":1,"order":"o")");
    account->send("POST", documents,
                  R"({"id":"3","pk":"b","k":"y","n":2,"tags":[],"name":"Zoe","mixed":true})");
    account->send("POST", documents,
                  R"({"id":"4","pk":"b","k":"y","date":"2020-06-01","mixed":"text"})");
  }

  Answer query(const std::string& text, std::vector<net::Pair> headers = {},
               const std::string& parameters = "[]") {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    body += R"(,"parameters":)" + parameters + "}";
    headers.emplace_back("x-ms-documentdb-isquery", "True");
    headers.push_back(first_range);
    headers.emplace_back("content-type", "application/query+json");
    return account->send("POST", documents, body, std::move(headers));
  }
  std::string rows(const std::string& text, std::vector<net::Pair> headers = {},
                   const std::string& parameters = "[]") {
    const Answer answer = query(text, std::move(headers), parameters);
    return answer.status == 200 ? render_json(answer.body.member("Documents")) : answer.message();
  }

  std::unique_ptr<Account> account;
};

// Q1 to Q3, Q5 to Q13, Q15, Q16, Q18 to Q20, Q22, Q25, Q27, Q28
TEST_F(CosmosQueries, GiveTheResultsOfTheTable) {
  const std::pair<const char*, const char*> table[] = {
      {"SELECT VALUE 1", "[1]"},  // Q1
      {R"(SELECT "Adventure", "Works")", R"([{"$1":"Adventure","$2":"Works"}])"},
      {"SELECT c.none FROM c WHERE c.id = '1'", "[{}]"},
      {"SELECT VALUE c.none FROM c", "[]"},
      {"SELECT VALUE [1, undefined, 2]", "[[1,2]]"},
      {"SELECT VALUE null ?? 5", "[null]"},
      {"SELECT VALUE undefined ?? 5", "[5]"},
      {"SELECT VALUE 1 < 'a'", "[]"},
      {"SELECT VALUE 1 = '1'", "[false]"},
      {"SELECT VALUE false AND undefined", "[false]"},
      {"SELECT VALUE true AND undefined", "[]"},
      {"SELECT VALUE ~130679749712577953", "[-1022657953]"},
      {"SELECT VALUE 1 | 2 & 3 ^ 4", "[7]"},  // Q10
      {"SELECT c.id, p.n FROM c JOIN ch IN c.children JOIN p IN ch.pets",
       R"([{"id":"1","n":"p"}])"},
      {"SELECT c.id, t, u FROM c JOIN t IN c.tags JOIN u IN c.tags",
       R"([{"id":"1","t":"red","u":"red"},{"id":"1","t":"red","u":"blue"},)"
       R"({"id":"1","t":"blue","u":"red"},{"id":"1","t":"blue","u":"blue"},)"
       R"({"id":"2","t":"red","u":"red"}])"},
      {"SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags WHERE t > 'c') FROM c WHERE c.pk = 'a'",
       R"([["red"],["red"]])"},
      {"SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'blue')",
       R"(["1"])"},
      {"SELECT VALUE c.id FROM c ORDER BY c.n", R"(["2","3","1"])"},  // Q15
      {"SELECT VALUE c.id FROM c ORDER BY c.mixed", R"(["3","4"])"},
      {"SELECT VALUE c.id FROM c ORDER BY c.k, c.n", R"(["2","1","4","3"])"},
      {"SELECT VALUE c.id FROM c ORDER BY c.k DESC, c.n DESC", R"(["3","4","1","2"])"},
      {"SELECT DISTINCT TOP 2 VALUE c.k FROM c", R"(["x","y"])"},
      {"SELECT VALUE c.id FROM c OFFSET 1 LIMIT 2", R"(["2","3"])"},
      {"SELECT c.k, COUNT(1) AS n, AVG(c.n) AS a FROM c GROUP BY c.k",
       R"([{"k":"x","n":2,"a":2},{"k":"y","n":2,"a":2}])"},  // Q20
      {"SELECT c.name, COUNT(1) AS n, AVG(c.n) AS a FROM c GROUP BY c.name",
       R"([{"n":3,"a":2},{"name":"Zoe","n":1,"a":2}])"},
      {"SELECT VALUE AVG(c.k) FROM c", "[]"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.n > 9", "[0]"},
      {"SELECT VALUE SUM(c.n) FROM c WHERE c.n > 9", "[0]"},
      {"SELECT VALUE MIN(c.n) FROM c WHERE c.n > 9", "[]"},
      {"SELECT VALUE AVG(c.n) FROM c WHERE c.n > 9", "[]"},
      {"SELECT AVG(c.n) AS a FROM c WHERE c.n > 9", "[{}]"},
      {"SELECT VALUE c.id FROM c WHERE c.name LIKE '%o_'", R"(["3"])"},  // Q25
      {"SELECT VALUE c.id FROM c WHERE c.k LIKE '[a-x]%'", R"(["1","2"])"},
      {"SELECT VALUE t FROM t IN c.tags WHERE t LIKE '[a-c]%'", R"(["blue"])"},
      {"SELECT VALUE '20%' LIKE '20!%' ESCAPE '!'", "[true]"},
      {"SELECT VALUE c.id FROM c WHERE c.date BETWEEN '2020' AND '2021'", R"(["4"])"},
      {"SELECT VALUE c.id FROM c WHERE c.n NOT IN (1, 2)", R"(["1"])"},
      {R"(SELECT c["a b"], c["order"] FROM c WHERE c.id = '2')", R"([{"a b":1,"order":"o"}])"},
      {"SELECT VALUE t FROM t IN c.tags", R"(["red","blue","red"])"},
      {"SELECT VALUE s.top FROM c JOIN (SELECT VALUE {'top': MAX(t)} FROM t IN c.tags) s WHERE "
       "c.pk = 'a'",
       R"(["red","red"])"},
      {"SELECT VALUE COUNT(1) FROM c GROUP BY c.k", "[2,2]"},
      {"SELECT VALUE c.n > 1 ? 'big' : 'small' FROM c WHERE c.pk = 'a'", R"(["big","small"])"},
      {"SELECT VALUE IS_DEFINED(c.name) FROM c", "[false,false,true,false]"},
      {"SELECT VALUE CONTAINS(c.name, 'ZO', true) FROM c WHERE c.id = '3'", "[true]"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(rows(text), expected) << text;
}

TEST_F(CosmosQueries, GiveAllTheFirstAndTheLastOfASubquery) {
  const std::string of_1 = " FROM c WHERE c.id = '1'";
  const std::string of_3 = " FROM c WHERE c.id = '3'";  // it has no tags
  const std::pair<std::string, const char*> table[] = {
      {"SELECT VALUE ALL(SELECT VALUE t > 'a' FROM t IN c.tags)" + of_1, "[true]"},
      {"SELECT VALUE ALL(SELECT VALUE t = 'red' FROM t IN c.tags)" + of_1, "[false]"},
      {"SELECT VALUE ALL(SELECT VALUE t = 'red' FROM t IN c.tags)" + of_3, "[true]"},
      {"SELECT VALUE FIRST(SELECT VALUE t FROM t IN c.tags)" + of_1, R"(["red"])"},
      {"SELECT VALUE LAST(SELECT VALUE t FROM t IN c.tags)" + of_1, R"(["blue"])"},
      {"SELECT VALUE FIRST(SELECT VALUE t FROM t IN c.tags)" + of_3, "[]"},
      {"SELECT LAST(SELECT VALUE t FROM t IN c.tags) AS last" + of_3, "[{}]"},
      {"SELECT VALUE c.id FROM c WHERE FIRST(SELECT VALUE t FROM t IN c.tags) = 'red'",
       R"(["1","2"])"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(rows(text), expected) << text;
}

// Q14, Q17, Q19, Q21, Q23, Q24
TEST_F(CosmosQueries, AreRefusedWithTheMessagesOfTheService) {
  const std::pair<const char*, const char*> table[] = {
      {"SELECT VALUE (SELECT VALUE t FROM t IN c.tags) FROM c WHERE c.id = '1'",
       "cardinality of a scalar subquery"},
      {"SELECT VALUE (SELECT t FROM t IN c.none) FROM c WHERE c.id = 'none'",
       "cardinality of a scalar subquery"},
      {"SELECT (SELECT VALUE COUNT(1) FROM t IN c.tags GROUP BY t) AS n FROM c WHERE c.id = 'none'",
       "cardinality of a scalar subquery"},
      {"SELECT * FROM c ORDER BY c.n, c.k",
       "does not have a corresponding composite index"},  // Q17
      {"SELECT * FROM c ORDER BY c.k ASC, c.n DESC",
       "does not have a corresponding composite index"},
      {"SELECT * FROM c ORDER BY c.secret.x", "specified order-by item is excluded"},
      {"SELECT * FROM c ORDER BY LOWER(c.k)", "could not be mapped to a document path"},
      {"SELECT * FROM c OFFSET 1", "SC100"},  // Q19
      {"SELECT * FROM c GROUP BY c.k", "SC2041"},
      {"SELECT BADFUNC(c.a) FROM c", "SC2005"},
      {"SELECT * FROM c WHERE", "SC1001"},
      {"SELEC *", "SC1001"},
      {"SELECT STARTSWITH('a') FROM c", "SC2050"},
      {"SELECT c.n, COUNT(1) FROM c GROUP BY c.k", "SC2102"},
      {"SELECT SUM(COUNT(1)) FROM c", "SC2101"},
      {"SELECT TOP 1.5 * FROM c", "SC"},
      {"SELECT * FROM c JOIN t IN c.tags", "only valid with a single input set"},
      {"SELECT * ", "not valid if FROM clause is omitted"},
      {"SELECT nobody.x FROM c", "could not be resolved"},
  };
  for (const auto& [text, word] : table) {
    const Answer answer = query(text);
    EXPECT_EQ(answer.status, 400) << text;
    EXPECT_NE(answer.message().find(word), std::string::npos) << text << ": " << answer.message();
  }
}

TEST_F(CosmosQueries, UseComputedProperties) {  // Q29
  const auto defined = [](const std::string& name, const std::string& query) {
    return Account::definition(R"("computedProperties":[{"name":")" + name + R"(","query":")" +
                               query + R"("}])");
  };
  const auto replaced = [&](const std::string& name, const std::string& query) {
    return account->send("PUT", container, defined(name, query)).status;
  };
  EXPECT_EQ(replaced("cp_lower", "SELECT VALUE LOWER(c.name) FROM c"), 200);
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c WHERE c.cp_lower = 'zoe'"), R"(["3"])");
  EXPECT_EQ(rows("SELECT x.cp_lower FROM x WHERE x.id = '3'"), R"([{"cp_lower":"zoe"}])");
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c ORDER BY c.cp_lower DESC OFFSET 0 LIMIT 1"), R"(["3"])");
  const Answer whole = query("SELECT * FROM c WHERE c.id = '3'");
  EXPECT_TRUE(whole.body.member("Documents").array().at(0).member("cp_lower").is_missing());
  EXPECT_EQ(replaced("name", "SELECT VALUE UPPER(c.name) FROM c"), 200);
  EXPECT_EQ(rows("SELECT VALUE c.name FROM c"), R"(["ZOE"])");
  EXPECT_EQ(replaced("_ts", "SELECT VALUE 1 FROM c"), 400);
  EXPECT_EQ(replaced("x", "SELECT * FROM c"), 400);
  EXPECT_EQ(replaced("x", "SELECT"), 400);
}

TEST_F(CosmosQueries, OfOnePartitionReadNoOther) {
  const auto read = [&](const std::string& text) {
    const Answer answer = query(text, {{"x-ms-documentdb-populatequerymetrics", "true"}});
    const std::string metrics = answer.header("x-ms-documentdb-query-metrics");
    const std::string word = "retrievedDocumentCount=";
    return metrics.substr(metrics.find(word) + word.size(), 1);
  };
  EXPECT_EQ(read("SELECT * FROM c WHERE c.n > 0"), "4");
  EXPECT_EQ(read("SELECT * FROM c WHERE c.n > 0 AND c.pk = 'a'"), "2");
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c WHERE c.pk = 'b' AND c.n = 2"), R"(["3"])");
}

TEST_F(CosmosQueries, TakeParameters) {  // Q4
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c WHERE c.n = @n", {}, R"([{"name":"@n","value":2}])"),
            R"(["3"])");
  const std::string by = R"([{"name":"@by","value":"n"},{"name":"@odd","value":"a b"}])";
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c ORDER BY c[@by]", {}, by), R"(["2","3","1"])");
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c ORDER BY c[@odd] DESC", {}, by), R"(["2"])");
  EXPECT_THAT(rows("SELECT * FROM c ORDER BY c[@none]", {}, by),
              ::testing::HasSubstr("document path"));
  EXPECT_EQ(rows("SELECT VALUE (SELECT TOP @n VALUE t FROM t IN c.tags) FROM c WHERE c.id = '1'",
                 {}, R"([{"name":"@n","value":1}])"),
            R"(["red"])");
  EXPECT_EQ(rows("SELECT TOP @n VALUE c.id FROM c", {}, R"([{"name":"@n","value":1}])"),
            R"(["1"])");
}

TEST_F(CosmosQueries, SortByThePropertyThatAParameterNames) {
  const std::string by_n = R"([{"name":"@p","value":"n"}])";
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c ORDER BY c[@p] DESC", {}, by_n), R"(["1","3","2"])");
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c ORDER BY c.k, c[@p]", {}, by_n), R"(["2","1","4","3"])");
  const std::string no_name = R"([{"name":"@p","value":1}])";
  EXPECT_EQ(query("SELECT VALUE c.id FROM c ORDER BY c[@p]", {}, no_name).status, 400);
  EXPECT_EQ(query("SELECT VALUE c.id FROM c ORDER BY c[@p]").status, 400);
}

TEST_F(CosmosQueries, IntersectSetsInTheOrderOfTheSecond) {
  EXPECT_EQ(rows("SELECT VALUE SETINTERSECT([1, 2, 3], [3, 4, 1, 3])"), "[[3,1]]");
}

TEST_F(CosmosQueries, AreRestrictedToAPartition) {  // Q26, L5
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c", {key_a}), R"(["1","2"])");
  const Answer gone = query("SELECT * FROM c", {{"x-ms-documentdb-partitionkeyrangeid", "7"}});
  EXPECT_EQ(gone.status, 410);
  EXPECT_EQ(gone.header("x-ms-substatus"), "1002");
  EXPECT_EQ(query("SELECT * FROM c", {{"x-ms-documentdb-partitionkeyrangeid", "0"}}).status, 200);
}

TEST_F(CosmosQueries, AreRestrictedToARangeByTheRidOfItsContainerToo) {
  const std::string rid = account->send("GET", container).body.member("_rid").text();
  const auto range = [&](const std::string& id) {
    return net::Pair{"x-ms-documentdb-partitionkeyrangeid", rid + "," + id};
  };
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c", {range("0")}), R"(["1","2","3","4"])");
  EXPECT_EQ(rows("SELECT VALUE c.id FROM c", {range("0"), key_a}), R"(["1","2"])");
  EXPECT_EQ(account->list({range("0")}).body.member("_count").integer(), 4);
  for (const Answer& gone : {query("SELECT * FROM c", {range("7")}), account->list({range("7")})}) {
    EXPECT_EQ(gone.status, 410);
    EXPECT_EQ(gone.header("x-ms-substatus"), "1002");
  }
}

TEST(CosmosQueriesOfMixedTypes, SortThemAsTheTypesAreOrdered) {  // Q16
  auto account = Account::with_container();
  const std::pair<const char*, const char*> values[] = {
      {"object", R"({"a":1})"}, {"array", "[1]"},   {"text b", R"("b")"},
      {"text a", R"("a")"},     {"two", "2"},       {"one half", "0.5"},
      {"true", "true"},         {"false", "false"}, {"null", "null"}};
  for (const auto& [id, value] : values) account->create(id, R"("m":)" + std::string(value));
  account->create("undefined");
  const auto sorted = [&](const std::string& direction) {
    const Answer told =
        account->send("POST", documents,
                      R"({"query":"SELECT VALUE c.id FROM c ORDER BY c.m )" + direction + R"("})",
                      {first_range, {"x-ms-documentdb-isquery", "True"}});
    return render_json(told.body.member("Documents"));
  };
  EXPECT_EQ(sorted("ASC"),
            R"(["null","false","true","one half","two","text a","text b","array","object"])");
  EXPECT_EQ(sorted("DESC"),
            R"(["object","array","text b","text a","two","one half","true","false","null"])");
}

TEST_F(CosmosQueries, ReportTheirCostIfRequested) {
  const Answer plain = query("SELECT * FROM c");
  EXPECT_EQ(plain.header("x-ms-documentdb-query-metrics"), "");
  EXPECT_EQ(plain.header("x-ms-cosmos-index-utilization"), "");
  const Answer told =
      query("SELECT * FROM c WHERE c.n > 1", {{"x-ms-documentdb-populatequerymetrics", "True"},
                                              {"x-ms-cosmos-populateindexmetrics-v2", "true"}});
  const std::string metrics = told.header("x-ms-documentdb-query-metrics");
  EXPECT_TRUE(metrics.starts_with("totalExecutionTimeInMs=")) << metrics;
  EXPECT_FALSE(metrics.starts_with("totalExecutionTimeInMs=0.000;")) << metrics;
  EXPECT_NE(metrics.find("outputDocumentCount=2;"), std::string::npos) << metrics;
  EXPECT_TRUE(told.header("x-ms-cosmos-index-utilization")
                  .starts_with("%7B%22Utilized%22%3A%7B%22SingleIndexes%22%3A%5B"));
}

TEST(CosmosQueryMetrics, NameTheIndexOfAUniqueKey) {
  auto account = Account::with_container(R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/n"]}]})");
  account->create("1", R"("n":1)");
  const Answer told = account->send("POST", documents,
                                    R"({"query":"SELECT * FROM c WHERE c.pk = 'a' AND c.n = 1"})",
                                    {first_range,
                                     {"x-ms-documentdb-isquery", "True"},
                                     {"x-ms-cosmos-populateindexmetrics-v2", "true"}});
  EXPECT_NE(told.header("x-ms-cosmos-index-utilization")
                .find("%22IndexSpecs%22%3A%5B%22%2Fpk%20ASC%22%2C%22%2Fn%20ASC%22%5D"),
            std::string::npos)
      << told.header("x-ms-cosmos-index-utilization");
}

TEST(CosmosQueryMetrics, OfAUniqueKeyDistinguishNullFromMissing) {
  auto account = Account::with_container(R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/n"]}]})");
  account->create("1");
  account->send("POST", documents, R"({"id":"2","pk":"b","n":null})", {{key_a.first, R"(["b"])"}});
  const auto count = [&account](const std::string& condition) {
    const Answer told =
        account->send("POST", documents,
                      R"({"query":"SELECT VALUE COUNT(1) FROM c WHERE c.pk IN ('a', 'b') AND )" +
                          condition + "\"}",
                      {first_range, {"x-ms-documentdb-isquery", "True"}});
    return render_json(told.body.member("Documents"));
  };
  EXPECT_EQ(count("c.n = null"), "[1]");
  EXPECT_EQ(count("NOT IS_DEFINED(c.n)"), "[1]");
  EXPECT_EQ(count("c.n = 1"), "[0]");
}

TEST_F(CosmosQueries, ShowDocumentsWholeAsAReadDoes) {
  const Answer found = query("SELECT * FROM c WHERE c.id = '1'");
  EXPECT_EQ(render_json(found.body.member("Documents").array().at(0)),
            render_json(account->get("1").body));
  EXPECT_EQ(rows("SELECT VALUE c FROM c WHERE c.id = '1'"),
            render_json(found.body.member("Documents")));
  const Answer nested = query("SELECT c AS whole, c._ts FROM c WHERE c.id = '1'");
  const Value row = nested.body.member("Documents").array().at(0);
  EXPECT_EQ(row.member("_ts").integer(), start.whole_seconds());
  EXPECT_EQ(row.member("whole").member("_rid").text(),
            account->get("1").body.member("_rid").text());
}

TEST_F(CosmosQueries, ContinueInPagesIfDocumentsExpireMeanwhile) {  // T38, T39
  account->put("1", R"("n":3,"ttl":5)");
  for (const auto* text :
       {"SELECT VALUE c.id FROM c ORDER BY c.n DESC", "SELECT VALUE c.id FROM c WHERE c.n > 0"}) {
    const Answer first = query(text, {{"x-ms-max-item-count", "1"}});
    ASSERT_NE(first.header("x-ms-continuation"), "");
    EXPECT_EQ(first.body.member("_count").integer(), 1);
  }
  Answer page = query("SELECT VALUE c.id FROM c ORDER BY c.n", {{"x-ms-max-item-count", "2"}});
  EXPECT_EQ(render_json(page.body.member("Documents")), R"(["2","3"])");
  account->advance(5);
  page = query(
      "SELECT VALUE c.id FROM c ORDER BY c.n",
      {{"x-ms-max-item-count", "2"}, {"x-ms-continuation", page.header("x-ms-continuation")}});
  EXPECT_EQ(render_json(page.body.member("Documents")), "[]");
  EXPECT_EQ(page.header("x-ms-continuation"), "");
  EXPECT_EQ(query("SELECT * FROM c", {{"x-ms-continuation", "junk"}}).status, 400);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
