// Refused patches, and patches of documents of other dialects.
#include "dialect/cosmos/testing.h"
#include "net/requests/testing.h"

namespace mayfly::cosmos {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

std::string operations(const std::string& all, const std::string& more = "") {
  return R"({"operations":[)" + all + "]" + more + "}";
}
std::string set(const std::string& path, const std::string& value) {
  return R"({"op":"set","path":")" + path + R"(","value":)" + value + "}";
}
Answer patch_item(Account& account, const std::string& body) {
  return account.send("PATCH", documents + "/1", body, {key_a});
}

TEST(CosmosPatch, OfTheSystemsPartitionKeyIsRefusedAndReachesNoOther) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  const net::Pair no_key{"x-ms-documentdb-partitionkey", "[]"};
  ASSERT_EQ(account
                .send("POST", containers,
                      R"({"id":"c","partitionKey":{"paths":["/_partitionKey"],"kind":"Hash",)"
                      R"("systemKey":true}})")
                .status,
            201);
  account.send("POST", documents, R"({"id":"1","who":"none"})", {no_key});
  const net::Pair key_z{"x-ms-documentdb-partitionkey", R"(["z"])"};
  account.send("POST", documents, R"({"id":"1","_partitionKey":"z","who":"z"})", {key_z});
  const Answer refused = account.send("PATCH", documents + "/1",
                                      operations(set("/_partitionKey", R"("z")")), {no_key});
  EXPECT_EQ(refused.status, 400) << refused.response.body;
  EXPECT_EQ(account.send("GET", documents + "/1", "", {key_z}).body.member("who").text(), "z");
  EXPECT_EQ(account.send("GET", documents + "/1", "", {no_key}).body.member("who").text(), "none");
}

TEST(CosmosPatch, AddsUpToNumbersOnly) {
  auto account = Account::with_container();
  account->create("1", R"("n":1e308)");
  const std::string increment = R"({"op":"incr","path":"/n","value":1e308})";
  EXPECT_EQ(patch_item(*account, operations(increment)).status, 400);
  EXPECT_EQ(account->get("1").body.member("n").number(), 1e308);
}

TEST(CosmosPatch, RefusesAConditionThatIsNoText) {
  auto account = Account::with_container();
  account->create("1");
  for (const std::string condition : {"5", "true", "{}", "[]"}) {
    const std::string body = operations(set("/n", "1"), R"(,"condition":)" + condition);
    EXPECT_EQ(patch_item(*account, body).status, 400) << condition;
  }
  EXPECT_TRUE(account->get("1").body.member("n").is_missing());
}

// Other dialects store ids beside bodies.
TEST(CosmosPatch, ChangesWhatOtherDialectsHaveWritten) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  Database& database = *account.database;
  const auto place = database.catalog()->find_database("d")->id;
  const CollectionPtr collection = *database.create_collection(place, {"c", {}, {}});
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    return transaction
        .put(collection, DocumentKey::of("1"), TRY(pack_json(R"({"n":1})")),
             {.lifetime = Lifetime(At{start + Span::seconds(10)})})
        .map([](bool) {});
  }));
  const net::Pair no_key{"x-ms-documentdb-partitionkey", "[]"};
  const Answer patched =
      account.send("PATCH", documents + "/1", operations(set("/m", "2")), {no_key});
  ASSERT_EQ(patched.status, 200) << patched.response.body;
  EXPECT_EQ(patched.body.member("id").text(), "1");
  EXPECT_EQ(patched.body.member("n").integer(), 1);
  EXPECT_EQ(patched.body.member("m").integer(), 2);
}

// Its condition is an expression that may take as long as a query.
TEST(CosmosPatch, WithAConditionIsAWorkers) {
  Account account;
  const auto is_quick = [&](const std::string& body) {
    const std::string path = documents + "/1";
    const net::Request request{.method = "PATCH", .target = path, .path = path, .body = body};
    return net::PendingRequest(*account.dialect, request)->pace() == net::Pace::quick;
  };
  EXPECT_TRUE(is_quick(operations(set("/a", "1"))));
  EXPECT_FALSE(is_quick(operations(set("/a", "1"), R"(,"condition":"from c")")));
  EXPECT_FALSE(is_quick(operations(set("/a", "1"), R"(,"\u0063ondition":"from c")")));
}

}  // namespace
}  // namespace mayfly::cosmos
