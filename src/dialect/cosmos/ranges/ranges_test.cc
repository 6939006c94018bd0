// Containers of several key ranges: the documents of each, how much of them is read, and requests
// during a split.
#include <algorithm>
#include <map>

#include "dialect/cosmos/containers/keys/epk.h"
#include "dialect/cosmos/ranges/key_range.h"
#include "dialect/cosmos/testing.h"
#include "store/wrappers/counting.h"

namespace mayfly::cosmos::testing {
namespace {

net::Pair units(const std::string& number) {
  return {"x-ms-offer-throughput", number};
}
net::Pair named(const std::string& range) {
  return {first_range.first, range};
}
net::Pair key_header(const std::string& key) {
  return {key_a.first, "[\"" + key + "\"]"};
}
const net::Pair query_flag{"x-ms-documentdb-isquery", "true"};

// A database d with a container c of that throughput, which has documents 0, 1, … of keys k0, …
class CosmosRanges : public ::testing::Test {
 protected:
  void begin(const std::string& throughput, int documents_made = 40,
             const std::string& policy = R"({"indexingMode":"consistent"})") {
    auto counting = std::make_unique<store::CountingStore>(store::open_memory());
    counts = counting.get();
    account = std::make_unique<Account>(Credentials{}, CosmosOptions{}, std::move(counting));
    account->send("POST", "/dbs", R"({"id":"d"})");
    const Answer made =
        account->send("POST", containers,
                      R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},)"
                      R"("defaultTtl":-1,"changeFeedPolicy":{"retentionDuration":10},)"
                      R"("indexingPolicy":)" +
                          policy + "}",
                      {units(throughput)});
    ASSERT_EQ(made.status, 201) << made.response.body;
    self = made.body.member("_self").text();
    for (int i = 0; i < documents_made; ++i) make(i);
  }
  Answer make(int i) {
    const std::string id = std::to_string(i);
    return account->send("POST", documents,
                         R"({"id":")" + id + R"(","pk":"k)" + id + R"(","n":)" + id + "}",
                         {key_header("k" + id)});
  }
  void raise_to(const std::string& throughput) {
    const Answer found = account->send(
        "POST", "/offers", R"({"query":"SELECT * FROM r WHERE r.resource = ')" + self + R"('"})",
        {query_flag});
    const std::string id = found.body.member("Offers").array().at(0).member("id").text();
    const Answer changed =
        account->send("PUT", "/offers/" + id,
                      R"({"id":")" + id + R"(","content":{"offerThroughput":)" + throughput + "}}");
    ASSERT_EQ(changed.status, 200) << changed.response.body;
  }
  std::vector<Value> ranges() {
    return account->send("GET", container + "/pkranges").body.member("PartitionKeyRanges").array();
  }
  std::vector<std::string> range_ids() {
    std::vector<std::string> ids;
    for (const Value& range : ranges()) ids.push_back(range.member("id").text());
    return ids;
  }
  Answer query(const std::string& text, std::vector<net::Pair> headers) {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    headers.push_back(query_flag);
    return account->send("POST", documents, body + "}", std::move(headers));
  }
  static std::vector<std::string> ids_in(const Answer& answer) {
    EXPECT_EQ(answer.status, 200) << answer.response.body;
    std::vector<std::string> ids;
    const Value rows = answer.body.member("Documents");
    if (!rows.is(Kind::array)) return ids;
    for (const Value& row : rows.array()) {
      const Value image = row.member("current");
      const Value whole = image.is_missing() ? row : image;
      ids.push_back(whole.is(Kind::text) ? whole.text() : whole.member("id").text());
    }
    return ids;
  }
  // The documents of a range, by the hashes that clients compute.
  std::vector<std::string> ids_of(const Value& range, int documents_made = 40) {
    std::map<std::string, std::string> by_hash;
    for (int i = 0; i < documents_made; ++i) {
      const std::string epk = epk_of({Value("k" + std::to_string(i))}, KeyHash::v2);
      const bool is_in =
          epk >= range.member("minInclusive").text() && epk < range.member("maxExclusive").text();
      if (is_in) by_hash[epk] = std::to_string(i);
    }
    std::vector<std::string> ids;
    for (const auto& [epk, id] : by_hash) ids.push_back(id);
    return ids;
  }
  static std::vector<std::string> sorted(std::vector<std::string> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  store::CountingStore* counts = nullptr;
  std::unique_ptr<Account> account;
  std::string self;
};

TEST_F(CosmosRanges, AreListedWithTheirBounds) {
  begin("30000", 0);
  EXPECT_EQ(range_ids(), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  std::string end;
  for (const Value& range : ranges()) {
    EXPECT_EQ(range.member("minInclusive").text(), end);
    end = range.member("maxExclusive").text();
    EXPECT_EQ(range.member("parents").array().size(), 0U);
  }
  EXPECT_EQ(end, "FF");
  begin("10000", 0);
  EXPECT_EQ(range_ids(), (std::vector<std::string>{"0"}));
}

TEST_F(CosmosRanges, AreOneWhereThereIsNoKeyAndWhereAnotherApiMadeTheContainer) {
  Account old;
  old.send("POST", "/dbs", R"({"id":"d"})");
  const std::vector<net::Pair> headers{{"x-ms-date", date},
                                       {"x-ms-version", "2017-11-15"},
                                       {"authorization", Account::signature("POST", containers)},
                                       units("30000")};
  EXPECT_EQ(old.send_as_it_is("POST", containers, R"({"id":"c"})", headers).status, 201);
  EXPECT_EQ(old.send("GET", container + "/pkranges").body.member("_count").integer(), 1);
  const auto database = old.database->catalog()->find_database("d");
  ASSERT_TRUE(old.database->create_collection(database->id, {.name = "other"}));
  const Answer other = old.send("GET", "/dbs/d/colls/other/pkranges");
  EXPECT_EQ(other.body.member("_count").integer(), 1);
}

TEST_F(CosmosRanges, HoldEachDocumentOnceInQueriesAndFeeds) {
  begin("30000");
  std::size_t all = 0;
  for (const Value& range : ranges()) {
    const net::Pair header = named(range.member("id").text());
    const auto expected = ids_of(range);
    all += expected.size();
    EXPECT_EQ(ids_in(query("SELECT VALUE c.id FROM c", {header})), expected);
    EXPECT_EQ(ids_in(account->list({header})), expected);
    const auto count = query("SELECT VALUE COUNT(1) FROM c", {header});
    EXPECT_EQ(count.body.member("Documents").array().at(0).integer(),
              static_cast<std::int64_t>(expected.size()));
    EXPECT_EQ(count.header(first_range.first), header.second);
    EXPECT_TRUE(count.header("x-ms-session-token").starts_with(header.second + ":-1#"));
  }
  EXPECT_EQ(all, 40U);
}

TEST_F(CosmosRanges, FollowOneAnotherWhereNoneIsNamed) {  // by hash, then by creation
  begin("12000");
  account->create("x");
  account->create("y");
  account->create("w");
  auto expected = ids_of(ranges()[0], 40);
  const auto rest = ids_of(ranges()[1], 40);
  expected.insert(expected.end(), rest.begin(), rest.end());
  auto reported = ids_in(query("SELECT VALUE c.id FROM c", {across}));
  const auto at = std::find(reported.begin(), reported.end(), "x");
  ASSERT_NE(at, reported.end());
  EXPECT_EQ(std::vector<std::string>(at, at + 3), (std::vector<std::string>{"x", "y", "w"}));
  reported.erase(at, at + 3);
  EXPECT_EQ(reported, expected);
  std::vector<std::string> paged;
  std::string next;
  do {
    std::vector<net::Pair> headers{across, {"x-ms-max-item-count", "7"}};
    if (!next.empty()) headers.emplace_back("x-ms-continuation", next);
    const Answer page = query("SELECT VALUE c.id FROM c WHERE c.n >= 0", headers);
    for (const std::string& id : ids_in(page)) paged.push_back(id);
    next = page.header("x-ms-continuation");
  } while (!next.empty());
  EXPECT_EQ(paged, expected);
}

TEST_F(CosmosRanges, AreReadByQueriesOfOneOnly) {
  begin("30000", 500);
  for (const char* text : {"SELECT VALUE COUNT(1) FROM c", "SELECT TOP 1 * FROM c ORDER BY c.n",
                           "SELECT VALUE c.id FROM c WHERE c.n >= 0",
                           "SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE 1 WHERE c.n > 1)",
                           "SELECT VALUE COUNT(1) FROM c WHERE ARRAY(SELECT VALUE 1) = [1]",
                           "SELECT c.n, COUNT(1) AS m FROM c GROUP BY c.n"}) {
    counts->reset();
    const Answer all = query(text, {named("3"), {"x-ms-max-item-count", "-1"}});
    EXPECT_EQ(all.status, 200) << all.response.body;
    const auto of_one = ids_of(ranges()[3], 500).size();
    const std::uint64_t read = counts->counts().rows + counts->counts().gets;
    EXPECT_LT(of_one, 160U);
    // Each document with its index entry, and a few rows of the catalog.
    EXPECT_LE(read, 2 * of_one + 40) << text;
  }
}

// The index has entries of all ranges, which contain the EPK.
TEST_F(CosmosRanges, AreReadByAnOrderOfAnIndexWithoutDocumentsOfOthers) {
  begin("30000", 500, R"({"includedPaths":[{"path":"/n/?"}],"excludedPaths":[{"path":"/*"}]})");
  const auto of_one = ids_of(ranges()[3], 500);
  counts->reset();
  const Answer all =
      query("SELECT VALUE c.id FROM c ORDER BY c.n", {named("3"), {"x-ms-max-item-count", "-1"}});
  auto expected = of_one;
  const auto number = [](const std::string& id) { return std::stoi(id); };
  std::ranges::sort(expected, {}, number);
  EXPECT_EQ(ids_in(all), expected);
  EXPECT_LE(counts->counts().gets, of_one.size() + 40);
  EXPECT_GE(counts->counts().rows, 500U);
}

TEST_F(CosmosRanges, AreNotReadIfOneKeyIsRequested) {
  begin("30000", 300);
  const std::string epk = epk_of({Value("k7")}, KeyHash::v2);
  for (const Value& range : ranges()) {
    const bool is_in =
        epk >= range.member("minInclusive").text() && epk < range.member("maxExclusive").text();
    counts->reset();
    const auto ids = ids_in(
        query("SELECT VALUE c.id FROM c WHERE c.pk = 'k7'", {named(range.member("id").text())}));
    EXPECT_EQ(ids.size(), is_in ? 1U : 0U);
    EXPECT_LE(counts->counts().rows + counts->counts().gets, 10U);
  }
}

TEST_F(CosmosRanges, DivideTheChangeFeedAndBulk) {
  begin("12000", 20);
  for (const Value& range : ranges()) {
    const net::Pair header = named(range.member("id").text());
    const Answer changes = account->list({header, {"a-im", "Incremental feed"}});
    EXPECT_EQ(sorted(ids_in(changes)), sorted(ids_of(range, 20)));
    EXPECT_EQ(changes.header(first_range.first), header.second);
  }
  const std::string of_0 = ids_of(ranges()[0], 20).front();
  const std::string of_1 = ids_of(ranges()[1], 20).front();
  const auto operation = [](const std::string& id) {
    return R"({"operationType":"Read","id":")" + id + R"(","partitionKey":"[\"k)" + id + R"(\"]"})";
  };
  const Answer bulk =
      account->send("POST", documents, "[" + operation(of_0) + "," + operation(of_1) + "]",
                    {{"x-ms-cosmos-is-batch-request", "true"},
                     {"x-ms-cosmos-batch-continue-on-error", "true"},
                     named("1")});
  ASSERT_EQ(bulk.status, 207) << bulk.response.body;
  EXPECT_EQ(bulk.body.array()[0].member("statusCode").integer(), 410);
  EXPECT_EQ(bulk.body.array()[0].member("subStatusCode").integer(), 1002);
  EXPECT_EQ(bulk.body.array()[1].member("statusCode").integer(), 200);
}

// Most changes are in other ranges, and the time of each request ends while it reads those.
TEST_F(CosmosRanges, GoOnInTheChangeFeedWhereTheTimeEndsBeforeAPageIsFull) {
  const int made = 1'200;
  begin("12000", made);
  const Value range = ranges()[1];
  const net::Pair header = named(range.member("id").text());
  account->answer_by = monotonic_now();
  std::vector<std::string> ids;
  std::vector<std::string> positions{"\"0\""};
  Answer page;
  do {
    page = account->list({header,
                          {"a-im", "Incremental feed"},
                          {"if-none-match", positions.back()},
                          {"x-ms-max-item-count", "1000"}});
    if (page.status == 304) break;
    for (const std::string& id : ids_in(page)) ids.push_back(id);
    ASSERT_NE(page.header("etag"), positions.back());
    positions.push_back(page.header("etag"));
  } while (positions.size() < 100);
  EXPECT_EQ(page.status, 304);
  EXPECT_GT(positions.size(), 4U);
  EXPECT_EQ(sorted(ids), sorted(ids_of(range, made)));
}

TEST_F(CosmosRanges, GiveAnEmptyPageOfTheChangeFeedWhereTheTimeEndsBeforeTheirFirstChange) {
  begin("12000", 0);
  const Value range = ranges()[1];
  const std::string epk_min = range.member("minInclusive").text();
  int elsewhere = 0;
  for (int i = 0; elsewhere < 600; ++i) {
    if (epk_of({Value("k" + std::to_string(i))}, KeyHash::v2) >= epk_min) continue;
    make(i);
    ++elsewhere;
  }
  const net::Pair header = named(range.member("id").text());
  account->answer_by = monotonic_now();
  const auto read = [&](const std::string& position) {
    return account->list({header, {"a-im", "Incremental feed"}, {"if-none-match", position}});
  };
  const Answer first = read("\"0\"");
  EXPECT_EQ(ids_in(first), std::vector<std::string>());
  const Answer second = read(first.header("etag"));
  EXPECT_EQ(second.status, 200);
  EXPECT_NE(second.header("etag"), first.header("etag"));
  EXPECT_EQ(read(second.header("etag")).status, 304);
}

TEST_F(CosmosRanges, SplitWhenTheThroughputIsRaised) {
  begin("400");
  const std::string etag = account->send("GET", container + "/pkranges").header("etag");
  const auto before = ids_in(account->list({named("0")}));
  account->advance(1);
  raise_to("12000");
  EXPECT_EQ(range_ids(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(render_json(ranges()[0].member("parents")), R"(["0"])");
  EXPECT_EQ(account->send("GET", container + "/pkranges", "", {{"if-none-match", etag}}).status,
            200);
  const Answer gone = query("SELECT * FROM c", {named("0")});
  EXPECT_EQ(gone.status, 410);
  EXPECT_EQ(gone.header("x-ms-substatus"), "1002");
  EXPECT_EQ(account->list({named("0")}).status, 410);
  EXPECT_EQ(account->get("1", {key_header("k1"), named("0")}).status, 410);
  auto after = ids_in(account->list({named("1")}));
  for (const std::string& id : ids_in(account->list({named("2")}))) after.push_back(id);
  EXPECT_EQ(sorted(after), sorted(before));
  raise_to("400");
  EXPECT_EQ(range_ids(), (std::vector<std::string>{"1", "2"}));
  raise_to("18000");
  EXPECT_EQ(range_ids(), (std::vector<std::string>{"3", "4", "2"}));
  EXPECT_EQ(render_json(ranges()[0].member("parents")), R"(["0","1"])");
  EXPECT_EQ(make(40).status, 201);
  EXPECT_EQ(ids_in(query("SELECT VALUE c.id FROM c", {across})).size(), 41U);
}

TEST_F(CosmosRanges, KeepWhatTheContainerIsReplacedBy) {
  begin("12000");
  const std::string body =
      R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":7})";
  ASSERT_EQ(account->send("PUT", container, body).status, 200);
  EXPECT_EQ(range_ids(), (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(ids_in(account->list({named("1")})), ids_of(ranges()[1]));
}

// Reads three rows of the parent, splits it, and reads the rest of its children.
TEST_F(CosmosRanges, ContinueInTheirChildrenWhereTheirPagesStopped) {
  const std::pair<const char*, const char*> tries[] = {{"400", "0"}, {"12000", "1"}};
  for (const char* text : {"SELECT VALUE c.id FROM c", "SELECT VALUE c.id FROM c ORDER BY c.n",
                           "SELECT VALUE c.id FROM c WHERE c.n >= 0 ORDER BY c.n DESC", ""}) {
    for (const auto& [throughput, parent] : tries) {
      begin(throughput);
      const auto page = [&](const std::string& range, const std::string& from) {
        std::vector<net::Pair> headers{named(range), {"x-ms-max-item-count", "3"}};
        if (!from.empty()) headers.emplace_back("x-ms-continuation", from);
        return *text == 0 ? account->list(headers) : query(text, headers);
      };
      const auto rest_of = [&](const std::string& range, std::string next,
                               std::vector<std::string>& ids) {
        do {
          const Answer reported = page(range, next);
          for (const std::string& id : ids_in(reported)) ids.push_back(id);
          next = reported.header("x-ms-continuation");
        } while (!next.empty());
      };
      std::vector<std::string> expected;
      rest_of(parent, "", expected);
      const Answer first = page(parent, "");
      std::vector<std::string> reported = ids_in(first);
      raise_to("24000");
      for (const Value& range : ranges()) {
        const std::string parents = render_json(range.member("parents"));
        if (parents != "[\"" + std::string(parent) + "\"]") continue;
        rest_of(range.member("id").text(), first.header("x-ms-continuation"), reported);
      }
      EXPECT_EQ(sorted(reported), sorted(expected)) << text << ' ' << throughput;
    }
  }
}

TEST_F(CosmosRanges, GoOnWhereNoneIsNamed) {
  begin("400");
  const Answer first = query("SELECT VALUE c.id FROM c", {across, {"x-ms-max-item-count", "3"}});
  raise_to("12000");
  auto reported = ids_in(first);
  std::string next = first.header("x-ms-continuation");
  while (!next.empty()) {
    const Answer page = query("SELECT VALUE c.id FROM c",
                              {across, {"x-ms-max-item-count", "9"}, {"x-ms-continuation", next}});
    for (const std::string& id : ids_in(page)) reported.push_back(id);
    next = page.header("x-ms-continuation");
  }
  std::vector<std::string> expected;
  for (int i = 0; i < 40; ++i) expected.push_back(std::to_string(i));
  EXPECT_EQ(reported, expected);
}

TEST(CosmosRangesOfVersion1, HoldKeysThatAreAsLongAsTheyCanBe) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  account.send("POST", containers,
               R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":1}})",
               {units("30000")});
  std::string longest;
  for (int i = 0; i < 100; ++i) longest += "\xF0\x9F\x98\x80";
  const Answer made = account.send("POST", documents, R"({"id":"1","pk":")" + longest + "\"}");
  EXPECT_EQ(made.status, 201) << made.response.body;
  std::int64_t found = 0;
  for (const char* range : {"0", "1", "2", "3", "4"}) {
    found += account.list({named(range)}).body.member("_count").integer();
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
