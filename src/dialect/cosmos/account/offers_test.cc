// Offers: the throughput of containers and of databases, case by case (spec cosmos-cases.md,
// sections B and F).
#include <thread>

#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

net::Pair by_hand(const std::string& units) {
  return {"x-ms-offer-throughput", units};
}
net::Pair automatic(const std::string& most) {
  return {"x-ms-cosmos-offer-autopilot-settings", R"({"maxThroughput":)" + most + "}"};
}

// An account with an empty database d, created with these headers.
std::unique_ptr<Account> with_database(std::vector<net::Pair> headers = {}) {
  auto account = std::make_unique<Account>();
  EXPECT_EQ(account->send("POST", "/dbs", R"({"id":"d"})", std::move(headers)).status, 201);
  return account;
}
Answer make(Account& account, std::vector<net::Pair> headers = {}) {
  return account.send("POST", containers, Account::definition(), std::move(headers));
}
// The offers with this member, by a query as clients send it.
std::vector<Value> find(Account& account, const std::string& member, const Value& value) {
  std::string text = "SELECT * FROM root WHERE root." + member + " = " + render_json(value);
  std::string body = R"({"query":)";
  render_json_text(text, body);
  const Answer found =
      account.send("POST", "/offers", body + "}", {{"x-ms-documentdb-isquery", "true"}});
  EXPECT_EQ(found.status, 200) << found.response.body;
  return found.body.member("Offers").array();
}
// The offer of a container or database, by its self link.
Value offer_of(Account& account, const Answer& made) {
  EXPECT_EQ(made.status, 201) << made.response.body;
  const auto offers = find(account, "resource", made.body.member("_self"));
  EXPECT_EQ(offers.size(), 1U);
  return offers.empty() ? Value() : offers.front();
}
std::string path_of(const Value& offer) {
  return "/offers/" + offer.member("id").text();
}
std::string throughput(const Value& offer) {
  const Value content = offer.member("content");
  const Value settings = content.member("offerAutopilotSettings");
  return render_json(content.member("offerThroughput")) +
         (settings.is_missing() ? "" : " " + render_json(settings));
}

std::string body_of(const Value& offer, const std::string& content) {
  return R"({"id":)" + render_json(offer.member("id")) + R"(,"content":)" + content + "}";
}

TEST(CosmosOffers, ReportAndChangeTheThroughput) {  // C11, O1, O2, O3
  auto account = with_database();
  const Value offer = offer_of(*account, make(*account, {by_hand("1000")}));
  EXPECT_EQ(offer.member("offerVersion").text(), "V2");
  EXPECT_EQ(throughput(offer), "1000");
  const Value least = offer.member("content").member("offerMinimumThroughputParameters");
  EXPECT_EQ(least.member("maxThroughputEverProvisioned").integer(), 1'000);
  const std::string path = path_of(offer);
  const auto change = [&](const std::string& units) {
    return account->send("PUT", path, body_of(offer, R"({"offerThroughput":)" + units + "}"))
        .status;
  };
  EXPECT_EQ(change("500"), 200);
  EXPECT_EQ(throughput(account->send("GET", path).body), "500");
  EXPECT_EQ(change("450"), 400);
  EXPECT_EQ(change("300"), 400);
  EXPECT_EQ(account->send("GET", "/offers/no").status, 400);
  account->send("DELETE", container);
  EXPECT_EQ(account->send("GET", path).status, 404);
  EXPECT_EQ(make(*account, {by_hand("400"), automatic("4000")}).status, 400);
}

TEST(CosmosOffers, OfContainersDefaultToFourHundred) {  // C11
  auto account = with_database();
  EXPECT_EQ(throughput(offer_of(*account, make(*account))), "400");
}

TEST(CosmosOffers, GrowByThemselvesIfAMaximumThroughputIsRequested) {
  auto account = with_database();
  const Answer made = make(*account, {automatic("4000")});
  const Value offer = offer_of(*account, made);
  EXPECT_EQ(throughput(offer), R"(400 {"maxThroughput":4000})");
  const auto change = [&](const std::string& content) {
    return account->send("PUT", path_of(offer), body_of(offer, content));
  };
  const Answer changed =
      change(R"({"offerThroughput":400,"offerAutopilotSettings":{"maxThroughput":7000}})");
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(throughput(changed.body), R"(700 {"maxThroughput":7000})");
  EXPECT_EQ(change(R"({"offerAutopilotSettings":{"maxThroughput":1500}})").status, 400);
  for (const std::string settings : {"{}", R"({"maxThroughput":"1000"})", "[]"}) {
    EXPECT_EQ(change(R"({"offerAutopilotSettings":)" + settings + "}").status, 400) << settings;
  }
  EXPECT_EQ(throughput(offer_of(*account, made)), R"(700 {"maxThroughput":7000})");
  const std::string upgrade = R"({"throughputPolicy":{"incrementPercent":10}})";
  EXPECT_EQ(throughput(change(R"({"offerAutopilotSettings":{"maxThroughput":8000,)"
                              R"("autoUpgradePolicy":)" +
                              upgrade + "}}")
                           .body),
            R"(800 {"maxThroughput":8000,"autoUpgradePolicy":)" + upgrade + "}");
  EXPECT_EQ(throughput(change(R"({"offerAutopilotSettings":{"maxThroughput":7000}})").body),
            R"(700 {"maxThroughput":7000})");
  const Answer by_units = change(R"({"offerThroughput":500,"offerAutopilotSettings":{}})");
  EXPECT_EQ(throughput(by_units.body), "500");
  EXPECT_EQ(account->send("DELETE", container).status, 204);
  const std::string with_policy = R"({"maxThroughput":4000,"autoUpgradePolicy":)" + upgrade + "}";
  const Answer upgraded = make(*account, {{"x-ms-cosmos-offer-autopilot-settings", with_policy}});
  EXPECT_EQ(throughput(offer_of(*account, upgraded)), "400 " + with_policy);
  EXPECT_EQ(account->send("DELETE", container).status, 204);
  for (const net::Pair& wrong : {automatic("4500"), automatic("0"), automatic("1001000"),
                                 by_hand("450"), by_hand("300"), by_hand("1000100")}) {
    const Answer refused = make(*account, {wrong});
    EXPECT_EQ(refused.status, 400) << wrong.second;
    EXPECT_NE(refused.message().find("The offer should have valid throughput values between"),
              std::string::npos)
        << refused.message();
  }
}

TEST(CosmosOffers, OfADatabaseAreSharedByContainersWithoutAnOffer) {
  auto account = with_database({by_hand("1000")});
  const Value rid = account->send("GET", "/dbs/d").body.member("_rid");
  const auto shared = find(*account, "offerResourceId", rid);
  ASSERT_EQ(shared.size(), 1U);
  EXPECT_EQ(throughput(shared.front()), "1000");
  const Answer sharing = make(*account);
  EXPECT_EQ(find(*account, "resource", sharing.body.member("_self")).size(), 0U);
  const Answer own = account->send(
      "POST", containers, R"({"id":"own","partitionKey":{"paths":["/pk"]}})", {by_hand("500")});
  EXPECT_EQ(throughput(offer_of(*account, own)), "500");
  EXPECT_EQ(account->send("GET", "/offers").body.member("_count").integer(), 2);
  EXPECT_EQ(account->send("DELETE", "/dbs/d").status, 204);
  EXPECT_EQ(account->send("GET", "/offers").body.member("_count").integer(), 0);
  EXPECT_EQ(account->send("GET", path_of(shared.front())).status, 404);
}

TEST(CosmosOffers, OfADatabaseExistOnlyIfRequested) {
  auto account = with_database();
  EXPECT_EQ(account->send("GET", "/offers").body.member("_count").integer(), 0);
  EXPECT_EQ(
      account->send("POST", "/dbs", R"({"id":"e"})", {by_hand("400"), automatic("4000")}).status,
      400);
}

// Each thread reads the offer, and replaces it by the next throughput unless the other has replaced
// it meanwhile.
TEST(CosmosOffers, ChangeOnlyUnderTheirConditionDuringOtherChanges) {
  auto account = with_database();
  const std::string path = path_of(offer_of(*account, make(*account, {by_hand("400")})));
  constexpr int changes_each = 20;
  const auto raise_often = [&] {
    for (int done = 0; done < changes_each;) {
      const Answer found = account->send("GET", path);
      const std::int64_t units =
          found.body.member("content").member("offerThroughput").integer() + 100;
      const Answer changed = account->send(
          "PUT", path, body_of(found.body, R"({"offerThroughput":)" + std::to_string(units) + "}"),
          {{"if-match", found.header("etag")}});
      if (changed.status == 200) ++done;
    }
  };
  std::thread other(raise_often);
  raise_often();
  other.join();
  EXPECT_EQ(throughput(account->send("GET", path).body), std::to_string(400 + 200 * changes_each));
}

// Two requests replace the same offer if it is unchanged. One is refused, and leaves neither key
// ranges nor an index behind.
TEST(CosmosOffers, SplitAContainerOnlyIfTheirConditionHolds) {
  for (int round = 0; round < 20; ++round) {
    auto account = with_database();
    const Value offer = offer_of(*account, make(*account));
    for (int i = 0; i < 20; ++i) account->create(std::to_string(i));
    const auto replace = [&](const std::string& units) {
      return account
          ->send("PUT", path_of(offer), body_of(offer, R"({"offerThroughput":)" + units + "}"),
                 {{"if-match", offer.member("_etag").text()}})
          .status;
    };
    int status_of_other = 0;
    std::thread other([&] { status_of_other = replace("30000"); });
    const int status = replace("600");
    other.join();
    const bool is_divided = status_of_other == 200;
    EXPECT_EQ(status, is_divided ? 412 : 200);
    EXPECT_EQ(status_of_other, is_divided ? 200 : 412);
    EXPECT_EQ(throughput(account->send("GET", path_of(offer)).body), is_divided ? "30000" : "600");
    EXPECT_EQ(account->send("GET", container + "/pkranges").body.member("_count").integer(),
              is_divided ? 5 : 1);
    const CatalogPtr catalog = account->database->catalog();
    const auto database = catalog->find_database("d");
    const CollectionPtr collection = catalog->find_collection(database->id, "c");
    EXPECT_EQ(collection->find_index("by key hash") != nullptr, is_divided);
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
