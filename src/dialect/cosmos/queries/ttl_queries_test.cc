// TTL in queries, case by case (spec cosmos-cases.md, section A).
#include <tuple>

#include "dialect/cosmos/containers/keys/epk.h"
#include "dialect/cosmos/containers/keys/partition_key.h"
#include "dialect/cosmos/testing.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos::testing {
namespace {

// The ids on all pages of one row each; time passes between the first and the second.
std::string ids_in_pages(Account& account, const std::string& text, std::int64_t seconds) {
  std::string ids;
  std::string continuation;
  for (int pages = 0; pages < 9; ++pages) {
    std::vector<net::Pair> headers{
        first_range, {"x-ms-documentdb-isquery", "True"}, {"x-ms-max-item-count", "1"}};
    if (pages > 0) headers.emplace_back("x-ms-continuation", continuation);
    const Answer page = account.send("POST", documents, R"({"query":")" + text + R"("})", headers);
    EXPECT_EQ(page.status, 200) << page.response.body;
    for (const Value& id : page.body.member("Documents").array()) ids += id.text();
    continuation = page.header("x-ms-continuation");
    if (continuation.empty()) return ids;
    if (pages == 0) account.advance(seconds);
  }
  return ids + " and no end";
}

TEST(CosmosTtlQueries, LeaveOutDocumentsThatExpireBetweenTwoPagesAndContinue) {  // T38, T39
  for (const auto& [text, all, living] :
       {std::tuple{"SELECT VALUE c.id FROM c", "123", "13"},
        std::tuple{"SELECT VALUE c.id FROM c WHERE c.n > 0", "123", "13"},
        std::tuple{"SELECT VALUE c.id FROM c ORDER BY c.n", "123", "13"},
        std::tuple{"SELECT VALUE c.id FROM c ORDER BY c.n DESC", "321", "31"}}) {
    auto account = Account::with_container(R"("defaultTtl":-1)");
    account->create("1", R"("n":1)");
    account->create("2", R"("n":2,"ttl":5)");
    account->create("3", R"("n":3)");
    EXPECT_EQ(ids_in_pages(*account, text, 4), all) << text;
    account->put("2", R"("n":2,"ttl":5)");
    EXPECT_EQ(ids_in_pages(*account, text, 5), living) << text;
  }
}

TEST(CosmosTtlQueries, LeaveTheExpiredOutEverywhere) {  // T34, T35, T37, T66
  auto account = Account::with_container(R"("defaultTtl":-1)");
  for (int i = 1; i <= 5; ++i) {
    const std::string id = std::to_string(i);
    account->create(id, R"("n":)" + id + (i > 3 ? R"(,"ttl":5)" : ""));
  }
  const auto query = [&](const std::string& text) {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    return account->send("POST", documents, body + "}",
                         {first_range, {"x-ms-documentdb-isquery", "True"}});
  };
  const auto rows = [&](const std::string& text) {
    return render_json(query(text).body.member("Documents"));
  };
  struct Expected {
    const char* text;
    const char* before;  // one microsecond before the expiration of "4" and "5"
    const char* after;
  };
  const Expected table[] = {
      {"SELECT VALUE c.id FROM c", R"(["1","2","3","4","5"])", R"(["1","2","3"])"},
      {"SELECT VALUE COUNT(1) FROM c", "[5]", "[3]"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.n > 1", "[4]", "[2]"},
      {"SELECT DISTINCT VALUE c.n > 3 FROM c", "[false,true]", "[false]"},
      {"SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk", R"([{"pk":"a","n":5}])",
       R"([{"pk":"a","n":3}])"},
      {"SELECT VALUE SUM(c.n) FROM c", "[15]", "[6]"},
      {"SELECT VALUE MIN(-c.n) FROM c", "[-5]", "[-3]"},
      {"SELECT VALUE MAX(c.n) FROM c", "[5]", "[3]"},
      {"SELECT VALUE AVG(c.n) FROM c", "[3]", "[2]"},
      {"SELECT VALUE c.id FROM c WHERE c.id IN ('3', '4')", R"(["3","4"])", R"(["3"])"},
  };
  account->clock.advance(Span{4'999'999});
  EXPECT_EQ(query("SELECT * FROM c").header("x-ms-item-count"), "5");
  for (const Expected& row : table) EXPECT_EQ(rows(row.text), row.before) << row.text;
  account->clock.advance(Span{1});
  for (const Expected& row : table) EXPECT_EQ(rows(row.text), row.after) << row.text;
  const Answer whole = query("SELECT * FROM c");
  EXPECT_EQ(whole.body.member("_count").integer(), 3);
  EXPECT_EQ(whole.body.member("Documents").array().size(), 3U);
  EXPECT_EQ(whole.header("x-ms-item-count"), "3");
}

TEST(CosmosTtlQueries, SeeNoneOfAHundredThousandThatExpireAtOnce) {  // T62
  auto account = Account::with_container(R"("defaultTtl":5)");
  account->create("0");
  const CatalogPtr catalog = account->database->catalog();
  const CollectionPtr collection = catalog->find_collection(catalog->find_database("d")->id, "c");
  const Bytes packed = pack_json(Account::document("x")).value();
  const Bytes routing = routing_of({.paths = {Path::of("pk")}}, {Value("a")});
  for (int i = 0; i < 100; ++i) {
    const auto thousand = [&](Transaction& transaction) -> Result<void> {
      for (int k = 0; k < 1'000; ++k) {
        const DocumentKey key{routing, "d" + std::to_string(1'000 * i + k)};
        TRY(transaction.put(collection, key, packed, {.lifetime = Lifetime(Inherit{})}));
      }
      return {};
    };
    ASSERT_TRUE(account->database->transact(thousand).has_value());
  }
  const auto count = [&] {
    return render_json(account
                           ->send("POST", documents, R"({"query":"SELECT VALUE COUNT(1) FROM c"})",
                                  {first_range, {"x-ms-documentdb-isquery", "True"}})
                           .body.member("Documents"));
  };
  EXPECT_EQ(count(), "[100001]");
  EXPECT_EQ(account->get("d99999").status, 200);
  account->advance(5);
  EXPECT_EQ(count(), "[0]");
  for (const auto* id : {"0", "d0", "d50000", "d99999"}) EXPECT_EQ(account->get(id).status, 404);
}

TEST(CosmosTtlQueries, LeaveTheExpiredOutOfAPrefixOfAHierarchicalKey) {  // T63
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  account.send(
      "POST", containers,
      R"({"id":"c","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2},"defaultTtl":-1})");
  account.send("POST", documents, R"({"id":"1","a":"x","b":"y"})");
  account.send("POST", documents, R"({"id":"2","a":"x","b":"z","ttl":1})");
  account.send("POST", documents, R"({"id":"3","a":"other","b":"y"})");
  const auto found = [&](std::vector<net::Pair> headers) {
    headers.emplace_back("x-ms-documentdb-isquery", "True");
    headers.push_back(first_range);
    const Answer told = account.send("POST", documents, R"({"query":"SELECT VALUE c.id FROM c"})",
                                     std::move(headers));
    return render_json(told.body.member("Documents"));
  };
  const net::Pair prefix{key_a.first, R"(["x"])"};
  const std::string epk = epk_of({Value("x")}, KeyHash::multi);
  const std::vector<net::Pair> range{{"x-ms-read-key-type", "EffectivePartitionKeyRange"},
                                     {"x-ms-start-epk", epk},
                                     {"x-ms-end-epk", epk + "FF"}};
  EXPECT_EQ(found({prefix}), R"(["1","2"])");
  EXPECT_EQ(found(range), R"(["1","2"])");
  account.advance(1);
  EXPECT_EQ(found({prefix}), R"(["1"])");
  EXPECT_EQ(found(range), R"(["1"])");
}

}  // namespace
}  // namespace mayfly::cosmos::testing
