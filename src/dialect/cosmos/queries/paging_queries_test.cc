// Queries over documents that come and go between pages, orders that the indexing policy allows,
// and the reported cost of queries.
#include <algorithm>

#include "dialect/cosmos/testing.h"
#include "query/bookmark.h"

namespace mayfly::cosmos::testing {
namespace {

Answer query(Account& account, const std::string& text, std::vector<net::Pair> headers = {}) {
  std::string body = R"({"query":)";
  render_json_text(text, body);
  headers.emplace_back("x-ms-documentdb-isquery", "True");
  headers.push_back(first_range);
  return account.send("POST", documents, body + "}", std::move(headers));
}

std::string rows(Account& account, const std::string& text) {
  const Answer answer = query(account, text);
  return answer.status == 200 ? render_json(answer.body.member("Documents")) : answer.message();
}

// The rows of all pages of one row each; time passes after the first page.
std::string rows_in_pages(Account& account, const std::string& text, std::int64_t seconds) {
  std::string all;
  std::string continuation;
  for (int pages = 0; pages < 20; ++pages) {
    std::vector<net::Pair> headers{{"x-ms-max-item-count", "1"}};
    if (pages > 0) headers.emplace_back("x-ms-continuation", continuation);
    const Answer page = query(account, text, headers);
    EXPECT_EQ(page.status, 200) << page.response.body;
    for (const Value& row : page.body.member("Documents").array()) all += render_json(row);
    continuation = page.header("x-ms-continuation");
    if (continuation.empty()) return all;
    if (pages == 0) account.advance(seconds);
  }
  return all + " and no end";
}

TEST(CosmosPagedQueries, GiveTheSameRowsInPagesAsInOne) {
  auto account = Account::with_container();
  for (int i = 0; i < 6; ++i) {
    account->create(std::to_string(i), R"("a":)" + std::to_string(i % 3) + R"(,"z":[1,2])");
  }
  // Equal values, too long for a sort key, whose members are written in another order.
  const std::string text = '"' + std::string(5'000, 'x') + '"';
  account->create("x", R"("v":{"a":1,"b":)" + text + "}");
  account->create("y", R"("v":{"b":)" + text + R"(,"a":1.0})");
  for (const std::string query_text :
       {"SELECT VALUE t FROM (SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a ORDER BY c.a) t "
        "ORDER BY t.n",
        "SELECT VALUE [t.a, z] FROM (SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a ORDER BY c.a) t "
        "JOIN z IN [1, 2] ORDER BY t.n",
        "SELECT DISTINCT VALUE c.v FROM c", "SELECT c.v, COUNT(1) AS n FROM c GROUP BY c.v"}) {
    std::string whole;
    const Value all = query(*account, query_text).body.member("Documents");
    ASSERT_TRUE(all.is(Kind::array)) << query_text;
    for (const Value& row : all.array()) whole += render_json(row);
    EXPECT_EQ(rows_in_pages(*account, query_text, 0), whole) << query_text;
  }
}

// The parameters of a subquery are part of the query, as all others are.
TEST(CosmosPagedQueries, DoNotGoOnWithOtherParametersInASubquery) {
  auto account = Account::with_container();
  for (const char* id : {"1", "2", "3"}) account->create(id, R"("tags":["red","blue"])");
  const std::string text =
      "SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = @t)";
  const auto page = [&](const std::string& colour, const std::string& from) {
    const std::string body =
        R"({"query":")" + text + R"(","parameters":[{"name":"@t","value":")" + colour + R"("}]})";
    std::vector<net::Pair> headers{
        first_range, {"x-ms-documentdb-isquery", "True"}, {"x-ms-max-item-count", "1"}};
    if (!from.empty()) headers.emplace_back("x-ms-continuation", from);
    return account->send("POST", documents, body, std::move(headers));
  };
  const Answer first = page("red", "");
  ASSERT_EQ(first.status, 200) << first.response.body;
  const std::string continuation = first.header("x-ms-continuation");
  ASSERT_NE(continuation, "");
  EXPECT_EQ(page("red", continuation).status, 200);
  EXPECT_EQ(page("blue", continuation).status, 400);
}

TEST(CosmosPagedQueries, GiveEachGroupAndValueOnceIfDocumentsExpireBetweenPages) {
  const std::pair<const char*, const char*> table[] = {
      {"SELECT DISTINCT VALUE c.g FROM c", "123"},
      {"SELECT DISTINCT VALUE c.g FROM c ORDER BY c.g DESC", "321"},
      {"SELECT VALUE c.g FROM c GROUP BY c.g", "123"},
      {"SELECT VALUE c.g FROM c GROUP BY c.g ORDER BY c.g DESC", "321"},
      {"SELECT DISTINCT VALUE t FROM t IN c.tags", "123"},
  };
  for (const auto& [text, expected] : table) {
    for (const bool is_swept : {false, true}) {
      auto account = Account::with_container(R"("defaultTtl":-1)");
      account->create("1", R"("g":1,"tags":[1],"ttl":5)");
      account->create("2", R"("g":3,"tags":[1],"ttl":5)");
      account->create("3", R"("g":1,"tags":[1,2])");
      account->create("4", R"("g":2,"tags":[2,3])");
      account->create("5", R"("g":3,"tags":[3])");
      const std::string given = rows_in_pages(*account, text, is_swept ? 500 : 5);
      std::string sorted = given;
      const bool is_descending = std::string_view(expected) == "321";
      if (is_descending) {
        EXPECT_EQ(given, expected) << text;
      } else {
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, expected) << text;
      }
    }
  }
}

// A bookmark that a client has made or altered is refused, whatever its content.
TEST(CosmosPagedQueries, AreRefusedATokenThatThisServerHasNotSealed) {
  auto account = Account::with_container();
  for (const char* id : {"1", "2", "3"}) account->create(id);
  const auto page = [&](const std::string& from) {
    return query(*account, "SELECT VALUE c.id FROM c",
                 {{"x-ms-max-item-count", "1"}, {"x-ms-continuation", from}});
  };
  const std::string next = page("").header("x-ms-continuation");
  ASSERT_EQ(page(next).status, 200);
  const Bytes token = *decode_base64url(next);
  EXPECT_FALSE(query::decode_bookmark(token.substr(24)).has_value()) << "it is sealed";
  EXPECT_EQ(page(encode_base64url(token.substr(1))).status, 400);
  EXPECT_EQ(page(encode_base64url(Bytes(24, '\0') + token)).status, 400);
  for (std::size_t i = 0; i < token.size(); ++i) {
    Bytes altered = token;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    const Answer refused = page(encode_base64url(altered));
    EXPECT_EQ(refused.status, 400) << i;
    EXPECT_NE(refused.message().find("Invalid Continuation Token"), std::string::npos);
  }
}

TEST(CosmosPagedQueries, AreRefusedATokenOfAnotherForm) {
  auto account = Account::with_container();
  account->create("1", R"("g":1)");
  EXPECT_EQ(query(*account, "SELECT VALUE c.g FROM c GROUP BY c.g",
                  {{"x-ms-continuation", "AQAAAAAAAAAAAAA"}})
                .status,
            400);
}

TEST(CosmosOrders, FollowTheIndexingPolicyForEveryNameOfAClient) {
  auto account = Account::with_container(
      R"("indexingPolicy":{"includedPaths":[{"path":"/*"}],)"
      R"("excludedPaths":[{"path":"/_secret/?"}]},)"
      R"("computedProperties":[{"name":"double","query":"SELECT VALUE c.n * 2 FROM c"}])");
  account->create("1", R"("_foo":2,"_secret":1,"n":2)");
  account->create("2", R"("_foo":1,"n":1)");
  account->create("3");
  EXPECT_EQ(rows(*account, "SELECT VALUE c.id FROM c ORDER BY c._foo"), R"(["2","1"])");
  EXPECT_EQ(rows(*account, "SELECT VALUE c.id FROM c ORDER BY c.double"), R"(["2","1"])");
  EXPECT_EQ(rows(*account, "SELECT VALUE c.id FROM c ORDER BY c._ts"), R"(["1","2","3"])");
  for (const char* name : {"_secret", "_etag"}) {
    EXPECT_NE(rows(*account, std::string("SELECT VALUE c.id FROM c ORDER BY c.") + name)
                  .find("order-by item is excluded"),
              std::string::npos)
        << name;
  }
}

TEST(CosmosComputedProperties, AreDeterministicExpressionsOverOneDocument) {
  const auto status = [](const std::string& value) {
    Account account;
    account.send("POST", "/dbs", R"({"id":"d"})");
    return account
        .send("POST", containers,
              Account::definition(R"("computedProperties":[{"name":"x","query":"SELECT VALUE )" +
                                  value + R"( FROM c"}])"))
        .status;
  };
  EXPECT_EQ(status("LOWER(c.name)"), 201);
  for (const char* value :
       {"RAND()", "GETCURRENTTIMESTAMP()", "1 + GetCurrentTicks()", "SUM(c.n)", "(SELECT VALUE 1)",
        "EXISTS(SELECT VALUE t FROM t IN c.v)", "udf.f(c)", "NOSUCHFUNCTION(c)", "d.n", "@p"}) {
    EXPECT_EQ(status(value), 400) << value;
  }
}

TEST(CosmosQueryMetrics, ReportReadAndWrittenAmounts) {
  auto account = Account::with_container();
  account->create("1", R"("n":1,"text":"some more bytes than that")");
  const auto size = [&](const std::string& text, const std::string& word) {
    const std::string told =
        query(*account, text, {{"x-ms-documentdb-populatequerymetrics", "True"}})
            .header("x-ms-documentdb-query-metrics");
    const std::size_t at = told.find(word + "=");
    return at == std::string::npos ? -1 : std::stoi(told.substr(at + word.size() + 1));
  };
  EXPECT_EQ(size("SELECT VALUE c.n FROM c", "outputDocumentSize"), 1);
  EXPECT_EQ(size("SELECT VALUE c.n FROM c WHERE c.n > 1", "outputDocumentSize"), 0);
  EXPECT_GT(size("SELECT VALUE c.n FROM c", "retrievedDocumentSize"), 25);
}

// As in the service: a page does not say that it is the last by being full (addendum 1.4).
TEST(CosmosFullPages, AreFollowedByAnEmptyOne) {
  auto account = Account::with_container();
  for (const char* id : {"1", "2", "3", "4"}) account->create(id, R"("n":)" + std::string(id));
  const std::pair<const char*, bool> table[] = {
      {"", true},  // a feed
      {"SELECT * FROM c", true},
      {"SELECT * FROM c ORDER BY c.n DESC", true},
      {"SELECT * FROM c WHERE c.n > 2", true},
      {"SELECT TOP 2 * FROM c", false},
      {"SELECT * FROM c OFFSET 1 LIMIT 2", false},
      {"SELECT DISTINCT VALUE c.n FROM c WHERE c.n > 2", false},
      {"SELECT c.n FROM c WHERE c.n > 2 GROUP BY c.n", false},
  };
  for (const auto& [text, goes_on] : table) {
    const std::string asked = text;
    const auto page = [&](std::vector<net::Pair> headers) {
      headers.emplace_back("x-ms-max-item-count", "2");
      return asked.empty() ? account->list(headers) : query(*account, asked, headers);
    };
    std::vector<std::int64_t> counts;
    std::string next;
    do {
      std::vector<net::Pair> headers;
      if (!next.empty()) headers.emplace_back("x-ms-continuation", next);
      const Answer told = page(headers);
      ASSERT_EQ(told.status, 200) << asked << told.response.body;
      counts.push_back(told.body.member("_count").integer());
      next = told.header("x-ms-continuation");
    } while (!next.empty());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const bool is_behind = goes_on && i + 1 == counts.size();
      EXPECT_EQ(counts[i], is_behind ? 0 : 2) << asked << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
