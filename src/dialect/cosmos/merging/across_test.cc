// Queries across partitions: answered, refused, or refused with a plan.
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

const net::Pair query_header{"x-ms-documentdb-isquery", "true"};
const net::Pair in_parallel{"x-ms-documentdb-query-parallelizecrosspartitionquery", "true"};

// Containers of one range and of several, each with two documents, one without a key, and one that
// another API has made.
class CosmosAcross : public ::testing::Test {
 protected:
  CosmosAcross() {
    account.send("POST", "/dbs", R"({"id":"d"})");
    for (const auto& [id, units] : {std::pair{"one", "400"}, {"many", "30000"}}) {
      account.send("POST", containers,
                   R"({"id":")" + std::string(id) + R"(","partitionKey":{"paths":["/pk"]},)" +
                       R"("fullTextPolicy":{"fullTextPaths":[{"path":"/t"}]}})",
                   {{"x-ms-offer-throughput", units}});
    }
    const std::string old = R"({"id":"keyless"})";
    send_as("2017-11-15", "POST", containers, old, {});
    const auto database = account.database->catalog()->find_database("d");
    EXPECT_TRUE(account.database->create_collection(database->id, {.name = "other"}));
    for (const char* name : {"one", "many", "keyless"}) {
      for (const char* id : {"1", "2"}) {
        const std::string body =
            R"({"id":")" + std::string(id) + R"(","pk":")" + id + R"(","n":)" + id + "}";
        EXPECT_EQ(account.send("POST", feed(name), body, {}).status, 201);
      }
    }
  }
  static std::string feed(const std::string& name) { return containers + "/" + name + "/docs"; }

  Answer send_as(const std::string& version, const std::string& method, const std::string& target,
                 const std::string& body, std::vector<net::Pair> headers) {
    headers.emplace_back("x-ms-date", date);
    headers.emplace_back("x-ms-version", version);
    headers.emplace_back("authorization", Account::signature(method, target));
    return account.send_as_it_is(method, target, body, std::move(headers));
  }
  Answer ask(const std::string& name, const std::string& text, std::vector<net::Pair> headers,
             const std::string& version = "2020-07-15") {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    headers.push_back(query_header);
    return send_as(version, "POST", feed(name), body + "}", std::move(headers));
  }
  // "rows", "plan", or the status and substatus of another refusal.
  std::string result_of(const std::string& name, const std::string& text,
                        const std::vector<net::Pair>& headers,
                        const std::string& version = "2020-07-15") {
    const Answer answer = ask(name, text, headers, version);
    if (answer.status == 200) return "rows";
    const bool has_plan = answer.body.member("additionalErrorInfo").is(Kind::text);
    if (answer.status == 400 && answer.header("x-ms-substatus") == "1004" && has_plan) {
      return "plan";
    }
    return std::to_string(answer.status) + answer.header("x-ms-substatus") +
           (has_plan ? " and a plan" : "");
  }
  Answer plan(const std::string& name, const std::string& text, const std::string& features) {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    return account.send("POST", feed(name), body + "}",
                        {{"x-ms-cosmos-is-query-plan-request", "True"},
                         {"x-ms-cosmos-supported-query-features", features}});
  }

  Account account;
};

TEST_F(CosmosAcross, AreRefusedWithAPlanIfClientsMergeRows) {  // addendum 1.1
  struct Case {
    const char* text;
    const char* of_one_range;
    const char* of_several;
  };
  const Case rows[] = {
      {"SELECT * FROM c", "rows", "rows"},
      {"SELECT VALUE 1", "rows", "rows"},
      {"SELECT * FROM c WHERE c.n > 1", "rows", "rows"},
      {"SELECT * FROM c ORDER BY c.n", "plan", "plan"},
      {"SELECT TOP 1 * FROM c", "plan", "plan"},
      {"SELECT VALUE COUNT(1) FROM c", "plan", "plan"},
      {"SELECT COUNT(1) AS n FROM c", "plan", "plan"},
      {"SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk", "plan", "plan"},
      {"SELECT DISTINCT c.pk FROM c", "plan", "plan"},
      {"SELECT TOP 1 * FROM c ORDER BY VectorDistance(c.v, [1, 0])", "plan", "plan"},
      {"SELECT * FROM c OFFSET 0 LIMIT 1", "rows", "plan"},
      {"SELECT * FROM c ORDER BY c.n OFFSET 0 LIMIT 1", "plan", "plan"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.pk = '1'", "plan", "plan"},
      {"SELECT * FROM c WHERE c.pk = '1' OFFSET 0 LIMIT 1", "rows", "rows"},
      {"SELECT VALUE ABS(AVG(c.n)) FROM c", "400", "400"},
      {"SELECT c.pk FROM c GROUP BY c.pk ORDER BY c.pk", "rows", "400"},
      {"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.n FROM c)", "plan", "400"},
      {"SELEC", "400", "400"},
  };
  for (const auto& [text, of_one_range, of_several] : rows) {
    EXPECT_EQ(result_of("one", text, {across}), of_one_range) << text;
    EXPECT_EQ(result_of("many", text, {across}), of_several) << text;
    const std::string alone = std::string(of_one_range) == "plan" ? "rows" : of_one_range;
    const bool is_composed = std::string(text).find("ABS") != std::string::npos;
    EXPECT_EQ(result_of("one", text, {across, first_range}), is_composed ? "rows" : alone) << text;
    EXPECT_EQ(result_of("one", text, {across, {key_a.first, R"(["1"])"}}),
              is_composed ? "rows" : alone)
        << text;
    EXPECT_EQ(result_of("keyless", text, {}), is_composed ? "rows" : alone) << text;
    EXPECT_EQ(result_of("other", text, {}), is_composed ? "rows" : alone) << text;
  }
}

TEST_F(CosmosAcross, ShowThePlanAsAPlanRequestDoes) {
  const std::string text = "SELECT VALUE MAX(c.n) FROM c WHERE c.n > 9";
  const Answer refused = ask("one", text, {across});
  EXPECT_EQ(refused.body.member("code").text(), "BadRequest");
  EXPECT_NE(refused.message().find("can not be directly served by the gateway"), std::string::npos);
  const Answer plan_alone = plan("one", text, "Aggregate");
  EXPECT_EQ(refused.body.member("additionalErrorInfo").text(), plan_alone.response.body);
  // Without rows, the part of a maximum has the count 0, which the client handles.
  const std::string rewritten = plan_alone.body.member("queryInfo").member("rewrittenQuery").text();
  EXPECT_EQ(render_json(ask("one", rewritten, {first_range}).body.member("Documents")),
            R"([[{"item2":{"count":0}}]])");  // addendum 4b.12
}

TEST_F(CosmosAcross, RequestedInParallelAreAllRefusedWithAPlan) {
  EXPECT_EQ(result_of("one", "SELECT * FROM c", {across, in_parallel}), "plan");
  EXPECT_EQ(result_of("many", "SELECT * FROM c OFFSET 0 LIMIT 1", {across, in_parallel}), "plan");
  EXPECT_EQ(result_of("many", "SELECT * FROM c", {across, in_parallel, first_range}), "rows");
  EXPECT_EQ(result_of("keyless", "SELECT * FROM c", {across, in_parallel}), "rows");
}

TEST_F(CosmosAcross, OfOneKeyAreAnsweredForOldClientsOnly) {
  const std::string text = "SELECT VALUE COUNT(1) FROM c WHERE c.pk = '1'";
  EXPECT_EQ(result_of("many", text, {across}, "2017-11-15"), "rows");
  EXPECT_EQ(result_of("many", text, {across}, "2018-06-18"), "plan");
  EXPECT_EQ(result_of("many", text, {across}, "2018-09-17"), "plan");
  EXPECT_EQ(result_of("many", text, {across}, "2020-07-15"), "plan");
}

TEST_F(CosmosAcross, AreRefusedWhereTheRequestDoesNotAllowThem) {  // addendum 1.3 and 1.6
  const net::Pair no_values{key_a.first, "[]"};
  const net::Pair off{across.first, "false"};
  for (const std::vector<net::Pair>& headers :
       {std::vector<net::Pair>{}, {off}, {no_values}, {no_values, off}}) {
    for (const char* name : {"one", "many"}) {
      const Answer refused = ask(name, "SELECT * FROM c", headers);
      EXPECT_EQ(refused.status, 400);
      EXPECT_EQ(refused.header("x-ms-substatus"), "");
      EXPECT_NE(refused.message().find("Cross partition query is required but disabled"),
                std::string::npos);
      // The message says that the query may be revised. A query of one key needs no other
      // partition.
      EXPECT_EQ(result_of(name, "SELECT * FROM c WHERE c.pk = '1'", headers), "rows");
    }
    EXPECT_EQ(result_of("keyless", "SELECT * FROM c", headers), "rows");
  }
  EXPECT_EQ(result_of("one", "SELECT * FROM c", {no_values, across}), "rows");
}

TEST_F(CosmosAcross, AreAskedInTheRangesOfEffectivePartitionKeys) {
  const auto within = [](const char* from, const char* to) {
    return std::vector<net::Pair>{{"x-ms-read-key-type", "EffectivePartitionKeyRange"},
                                  {"x-ms-start-epk", from},
                                  {"x-ms-end-epk", to},
                                  across};
  };
  const std::string text = "SELECT VALUE COUNT(1) FROM c";
  EXPECT_EQ(result_of("many", text, within("", "0A")), "rows");
  EXPECT_EQ(result_of("many", text, within("", "2A")), "plan");
  EXPECT_EQ(result_of("one", text, within("", "2A")), "rows");
}

TEST_F(CosmosAcross, HaveNoPlanThatTheClientCannotUse) {  // addendum 1.5
  struct Case {
    const char* text;
    const char* needed;
  };
  const Case rows[] = {
      {"SELECT * FROM c", ""},
      {"SELECT TOP 1 * FROM c", "Top"},
      {"SELECT * FROM c OFFSET 0 LIMIT 1", "OffsetAndLimit"},
      {"SELECT * FROM c ORDER BY c.n", "OrderBy"},
      {"SELECT * FROM c ORDER BY c.n, c.m", "MultipleOrderBy"},
      {"SELECT * FROM c ORDER BY VectorDistance(c.v, [1])", "OrderBy,NonStreamingOrderBy"},
      {"SELECT DISTINCT c.n FROM c", "Distinct"},
      {"SELECT VALUE COUNT(1) FROM c", "Aggregate"},
      {"SELECT COUNT(1) AS n FROM c", "NonValueAggregate"},
      {"SELECT COUNT(1), MAX(c.n) FROM c", "NonValueAggregate,MultipleAggregates"},
      {"SELECT c.n FROM c GROUP BY c.n", "GroupBy"},
      {"SELECT VALUE MAKELIST(c.n) FROM c", "Aggregate,ListAndSetAggregate"},
      {"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.n FROM c)", "Aggregate,DCount"},
      {"SELECT VALUE COUNTIF(c.n > 1) FROM c", "Aggregate,CountIf"},
      {"SELECT * FROM c ORDER BY RANK RRF(FullTextScore(c.t, 'a'), VectorDistance(c.v, [1]))",
       "HybridSearch"},
      {"SELECT * FROM c ORDER BY RANK RRF(FullTextScore(c.t, 'a'), VectorDistance(c.v, [1]), "
       "[1, 2])",
       "HybridSearch,WeightedRankFusion"},
  };
  for (const auto& [text, needed] : rows) {
    EXPECT_EQ(plan("one", text, "Some, " + std::string(needed)).status, 200) << text;
    if (*needed == 0) continue;
    std::string_view rest = needed;
    while (!rest.empty()) {
      const std::string name(rest.substr(0, rest.find(',')));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      const Answer refused = plan("one", text, "Some");
      EXPECT_EQ(refused.status, 400) << text;
      EXPECT_NE(refused.message().find(name), std::string::npos) << refused.message();
    }
  }
}

// These clients get plans only in refusals, and would show the rows of the parts.
TEST_F(CosmosAcross, AreNotRefusedWithAPlanForOldClientsThatCannotMergeRows) {
  const std::string groups = "SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk";
  const std::string distinct = "SELECT DISTINCT c.pk FROM c";
  EXPECT_EQ(result_of("one", groups, {across}, "2017-11-15"), "400");
  EXPECT_EQ(result_of("one", groups, {across}, "2018-06-18"), "400");
  EXPECT_EQ(result_of("one", distinct, {across}, "2017-11-15"), "400");
  EXPECT_EQ(result_of("one", distinct, {across}, "2018-06-18"), "plan");
  EXPECT_EQ(result_of("one", "SELECT * FROM c ORDER BY c.n", {across}, "2017-11-15"), "plan");
  EXPECT_EQ(result_of("one", groups, {across}), "plan");
}

}  // namespace
}  // namespace mayfly::cosmos::testing
