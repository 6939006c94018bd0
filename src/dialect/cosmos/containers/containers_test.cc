// Containers: valid definitions, conditions, pages of them, the size that they report, and the
// headers of requests that name their ranges, sessions and rids.
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

std::string definition(const std::string& key, const std::string& more = "") {
  return R"({"id":"c","partitionKey":{"paths":["/pk"])" + key + "}" + more + "}";
}

// An account with a database and no container.
std::unique_ptr<Account> account_with_database() {
  auto account = std::make_unique<Account>();
  EXPECT_EQ(account->send("POST", "/dbs", R"({"id":"d"})").status, 201);
  return account;
}

// Sends as a client of that version of the API.
Answer send_as_of(Account& account, const std::string& version, const std::string& method,
                  const std::string& path, const std::string& body) {
  return account.send(method, path, body, {{"x-ms-version", version}});
}

std::int64_t version_of(const Answer& answer) {
  return answer.body.member("partitionKey").member("version").integer();
}

TEST(CosmosContainers, HaveTheVersionOfKeysOfTheirClient) {
  for (const auto& [api, version] : std::vector<std::pair<std::string, int>>{
           {"2017-11-15", 1}, {"2018-06-18", 1}, {"2018-12-31", 2}, {"2020-07-15", 2}}) {
    auto account = account_with_database();
    const Answer made = send_as_of(*account, api, "POST", containers, definition(""));
    ASSERT_EQ(made.status, 201) << made.response.body;
    EXPECT_EQ(version_of(account->send("GET", container)), version) << api;
    // Clients that may not know versions get none.
    EXPECT_EQ(made.body.member("partitionKey").member("version").is_missing(), version == 1) << api;
    const Answer replaced =
        send_as_of(*account, "2020-07-15", "PUT", container, definition(R"(,"kind":"Hash")"));
    EXPECT_EQ(replaced.status, 200) << replaced.response.body;
    EXPECT_EQ(version_of(replaced), version) << api;
  }
}

TEST(CosmosContainers, HaveKeysOfKnownKindsAndVersionsOnly) {
  auto account = account_with_database();
  for (const std::string key : {R"(,"version":3)", R"(,"version":0)", R"(,"version":"2")",
                                R"(,"kind":"Range")", R"(,"kind":5)"}) {
    EXPECT_EQ(account->send("POST", containers, definition(key)).status, 400) << key;
  }
  for (const std::string more :
       {R"(,"uniqueKeyPolicy":{"uniqueKeys":"x"})", R"(,"conflictResolutionPolicy":{"mode":"Foo"})",
        R"(,"analyticalStorageTtl":-5)", R"(,"analyticalStorageTtl":"abc")",
        R"(,"analyticalStorageTtl":1.5)"}) {
    EXPECT_EQ(account->send("POST", containers, definition("", more)).status, 400) << more;
  }
  EXPECT_EQ(account->send("POST", containers, definition("", R"(,"analyticalStorageTtl":-1)"))
                .body.member("analyticalStorageTtl")
                .integer(),
            -1);
}

TEST(CosmosContainers, KeepTheirModeOfConflictResolution) {
  auto account = Account::with_container();
  const auto replace = [&](const std::string& mode) {
    return account
        ->send("PUT", container,
               Account::definition(R"("conflictResolutionPolicy":{"mode":")" + mode + R"("})"))
        .status;
  };
  EXPECT_EQ(replace("Custom"), 400);
  EXPECT_EQ(replace("lastWriterWins"), 200);
}

TEST(CosmosContainers, AreDroppedAndTheirOffersReplacedUnderConditions) {
  auto account = Account::with_container();
  const net::Pair stale{"if-match", account->send("GET", container).header("etag")};
  account->advance(1);
  account->send("PUT", container, Account::definition(R"("defaultTtl":5)"));
  EXPECT_EQ(account->send("DELETE", container, "", {stale}).status, 412);
  EXPECT_EQ(account->send("PUT", container, Account::definition(""), {stale}).status, 412);
  // The replacement has a new index, which is created before the definition changes.
  const net::Pair current{"if-match", account->send("GET", container).header("etag")};
  const std::string indexed = Account::definition(
      R"("indexingPolicy":{"includedPaths":[{"path":"/n/?"}],"excludedPaths":[{"path":"/*"}]})");
  EXPECT_EQ(account->send("PUT", container, indexed, {current}).status, 200);
  const Value offers = account->send("GET", "/offers").body.member("Offers");
  ASSERT_EQ(offers.array().size(), 1U);
  const std::string rid = offers.array()[0].member("_rid").text();
  const std::string offer = "/offers/" + rid;
  const std::string content = R"({"id":")" + rid + R"(","content":{"offerThroughput":500}})";
  EXPECT_EQ(account->send("PUT", offer, content, {{"if-match", "\"x\""}}).status, 412);
  EXPECT_EQ(account->send("PUT", offer, content, {{"if-match", "*"}}).status, 200);
  EXPECT_EQ(account->send("DELETE", container, "", {{"if-match", "*"}}).status, 204);
}

TEST(CosmosContainers, ThatAreRemovedLeaveTheCache) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  Database& database = *account.database;
  const DatabaseInfoPtr place = database.catalog()->find_database("d");
  Containers known;
  std::weak_ptr<const Collection> first;
  for (int i = 0; i < 200; ++i) {
    const auto made = database.create_collection(place->id, {.name = "c" + std::to_string(i)});
    ASSERT_TRUE(made);
    ASSERT_TRUE(known.of(place, *made));
    if (i == 0) first = *made;
    ASSERT_TRUE(database.drop_collection((*made)->id));
  }
  EXPECT_TRUE(first.expired());
}

// The names in a feed, with bars between the pages.
std::string pages(Account& account, const std::string& feed, const std::string& plural) {
  std::string reported;
  std::vector<net::Pair> headers{{"x-ms-max-item-count", "2"}};
  while (true) {
    const Answer page = account.send("GET", feed, "", headers);
    EXPECT_EQ(page.status, 200) << page.response.body;
    const Value items = page.body.member(plural);
    for (const Value& one : items.array()) reported += one.member("id").text();
    const std::string next = page.header("x-ms-continuation");
    if (next.empty()) return reported;
    reported += "|";
    headers = {{"x-ms-max-item-count", "2"}, {"x-ms-continuation", next}};
  }
}

TEST(CosmosContainers, AndDatabasesAreListedInPages) {
  auto account = Account::with_container();
  for (const std::string id : {"e", "f"}) {
    account->send("POST", "/dbs", R"({"id":")" + id + R"("})");
    account->send("POST", containers, R"({"id":")" + id + R"(","partitionKey":{"paths":["/pk"]}})");
  }
  EXPECT_EQ(pages(*account, "/dbs", "Databases"), "de|f");
  EXPECT_EQ(pages(*account, containers, "DocumentCollections"), "ce|f");
  const net::Pair junk{"x-ms-continuation", "junk"};
  EXPECT_EQ(account->send("GET", "/dbs", "", {junk}).status, 400);
  EXPECT_EQ(account->send("GET", containers, "", {junk}).status, 400);
}

TEST(CosmosContainers, ContinueOnlyAfterAPageOfTheirOwnList) {
  auto account = Account::with_container();
  for (const std::string id : {"e", "f"}) {
    account->send("POST", "/dbs", R"({"id":")" + id + R"("})");
    for (const std::string db : {"d", "e"}) {
      account->send("POST", "/dbs/" + db + "/colls",
                    R"({"id":")" + id + R"(","partitionKey":{"paths":["/pk"]}})");
    }
  }
  account->send("POST", "/dbs/e/colls", R"({"id":"c","partitionKey":{"paths":["/pk"]}})");
  for (const std::string list : {"/dbs/d/colls/c", "/dbs/e/colls/c"}) {
    for (const char* id : {"1", "2"}) {
      const Answer made = account->send("POST", list + "/docs", Account::document(id), {key_a});
      EXPECT_EQ(made.status, 201) << made.response.body;
    }
  }
  const std::vector<std::string> lists = {"/dbs", "/dbs/d/colls", "/dbs/e/colls",
                                          "/dbs/d/colls/c/docs", "/dbs/e/colls/c/docs"};
  for (const std::string& from : lists) {
    const Answer page = account->send("GET", from, "", {{"x-ms-max-item-count", "1"}});
    const net::Pair next{"x-ms-continuation", page.header("x-ms-continuation")};
    ASSERT_NE(next.second, "") << from;
    for (const std::string& to : lists) {
      EXPECT_EQ(account->send("GET", to, "", {next}).status, to == from ? 200 : 400)
          << from << " " << to;
    }
    // It is still valid after weeks, as in the service.
    account->advance(100 * 86'400);
    EXPECT_EQ(account->send("GET", from, "", {next}).status, 200) << from;
  }
}

TEST(CosmosContainers, ReportTheKilobytesOfLivingDocuments) {
  auto account = Account::with_container(R"("defaultTtl":-1)");
  const auto usage = [&] {
    return account->send("GET", container, "", {{"x-ms-documentdb-populatequotainfo", "true"}})
        .header("x-ms-resource-usage");
  };
  EXPECT_EQ(usage(), "documentSize=0;documentsSize=0;documentsCount=0;collectionSize=0;");
  account->create("small");
  account->create("large", R"("ttl":10,"text":")" + std::string(10 << 10, 'x') + '"');
  EXPECT_EQ(usage(), "documentSize=0;documentsSize=11;documentsCount=2;collectionSize=11;");
  account->advance(10);
  EXPECT_EQ(usage(), "documentSize=0;documentsSize=1;documentsCount=1;collectionSize=1;");
}

TEST(CosmosContainers, ReportTheDocumentsOfEachRange) {
  auto account = Account::with_container(R"("defaultTtl":-1)");
  const auto statistics = [&](const std::string& path) {
    return render_json(
        account->send("GET", path, "", {{"x-ms-documentdb-populatepartitionstatistics", "True"}})
            .body.member("statistics"));
  };
  account->create("small");
  account->create("large", R"("ttl":10,"text":")" + std::string(10 << 10, 'x') + '"');
  EXPECT_EQ(statistics(container),
            R"([{"id":"0","sizeInKB":11,"documentCount":2,"partitionKeys":[]}])");
  account->advance(10);
  EXPECT_EQ(statistics(container),
            R"([{"id":"0","sizeInKB":1,"documentCount":1,"partitionKeys":[]}])");
  EXPECT_TRUE(account->send("GET", container).body.member("statistics").is_missing());
  ASSERT_EQ(account
                ->send("POST", containers,
                       R"({"id":"large","partitionKey":{"paths":["/pk"],"kind":"Hash"}})",
                       {{"x-ms-offer-throughput", "30000"}})
                .status,
            201);
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::to_string(i);
    account->send("POST", "/dbs/d/colls/large/docs",
                  R"({"id":")" + name + R"(","pk":")" + name + "\"}");
  }
  const Value all = *parse_json(statistics("/dbs/d/colls/large"));
  ASSERT_EQ(all.array().size(), 5U);
  std::int64_t documents_in_all = 0;
  for (const Value& one : all.array()) documents_in_all += one.member("documentCount").integer();
  EXPECT_EQ(documents_in_all, 20);
}

TEST(CosmosContainers, ShowTheIndexesThatTheirClientKnows) {
  auto account = account_with_database();
  const std::string policy =
      R"(,"indexingPolicy":{"includedPaths":[{"path":"/*","indexes":[{"kind":"Hash",)"
      R"("dataType":"String"}]}],"spatialIndexes":[{"path":"/at/*","types":["Point"]}]})";
  ASSERT_EQ(account->send("POST", containers, definition("", policy)).status, 201);
  const auto reported = [&](const std::string& version, const char* list, const char* member) {
    const Answer read = send_as_of(*account, version, "GET", container, "");
    return render_json(
        read.body.member("indexingPolicy").member(list).array().front().member(member));
  };
  const std::string both = R"([{"kind":"Range","dataType":"Number","precision":-1},)"
                           R"({"kind":"Range","dataType":"String","precision":-1}])";
  const std::string four = R"(["Point","LineString","Polygon","MultiPolygon"])";
  EXPECT_EQ(reported("2017-11-15", "includedPaths", "indexes"), both);
  EXPECT_EQ(reported("2018-06-18", "includedPaths", "indexes"), both);
  EXPECT_EQ(reported("2018-09-17", "includedPaths", "indexes"), render_json(Value()));
  EXPECT_EQ(reported("2020-07-15", "includedPaths", "indexes"), render_json(Value()));
  EXPECT_EQ(reported("2018-06-18", "spatialIndexes", "types"), R"(["Point"])");
  EXPECT_EQ(reported("2018-09-17", "spatialIndexes", "types"), four);
  EXPECT_EQ(reported("2020-07-15", "spatialIndexes", "types"), R"(["Point"])");
}

TEST(CosmosContainers, HaveKeysWithPathsInQuotesOfBothKinds) {
  auto account = account_with_database();
  const std::string path = R"~(/'level" 1*()'/"le'vel2")~";
  const Object made{{"id", "c"},
                    {"partitionKey", Object{{"paths", Array{Value(path)}}, {"kind", "Hash"}}}};
  ASSERT_EQ(account->send("POST", containers, render_json(Value(made))).status, 201);
  EXPECT_EQ(
      render_json(account->send("GET", container).body.member("partitionKey").member("paths")),
      render_json(Value(Array{Value(path)})));
  const net::Pair key{"x-ms-documentdb-partitionkey", R"(["x"])"};
  const std::string document = R"~({"id":"1","level\" 1*()":{"le'vel2":"x"}})~";
  EXPECT_EQ(account->send("POST", documents, document, {key}).status, 201);
  EXPECT_EQ(account->send("GET", documents + "/1", "", {key}).status, 200);
}

TEST(CosmosContainers, GiveThePathOfTheirKeyAsItWasSent) {
  auto account = account_with_database();
  for (const char* path : {R"(/'x')", R"(/\"x\")", "/x"}) {
    const std::string key = R"({"paths":[")" + std::string(path) + R"("],"kind":"Hash"})";
    const std::string sent = R"({"id":"c","partitionKey":)" + key + "}";
    ASSERT_EQ(account->send("POST", containers, sent).status, 201);
    account->restart({});
    for (const Answer& answer :
         {account->send("GET", container), account->send("PUT", container, sent)}) {
      ASSERT_EQ(answer.status, 200) << answer.response.body;
      EXPECT_EQ(render_json(answer.body.member("partitionKey").member("paths")),
                "[\"" + std::string(path) + "\"]");
    }
    EXPECT_EQ(account->send("DELETE", container).status, 204);
  }
}

TEST(CosmosContainers, RefuseKeysThatAreTooShortOrTooLong) {
  auto account = account_with_database();
  const auto made_with = [&](const std::string& paths) {
    return account->send(
        "POST", containers,
        R"({"id":"c","partitionKey":{"paths":[)" + paths + R"(],"kind":"MultiHash","version":2}})");
  };
  EXPECT_THAT(made_with(R"("/a","/b","/c","/d")").message(),
              ::testing::HasSubstr("Too many partition key paths"));
  ASSERT_EQ(made_with(R"("/a","/b")").status, 201);
  const net::Pair half{"x-ms-documentdb-partitionkey", R"(["x"])"};
  const std::string document = R"({"id":"1","a":"x","b":"y"})";
  const std::string wrong = "Partition key provided either doesn't correspond to definition";
  EXPECT_THAT(account->send("POST", documents, document, {half}).message(),
              ::testing::HasSubstr(wrong));
  const Answer read = account->send("GET", documents + "/1", "", {half});
  EXPECT_EQ(read.status, 400);
  EXPECT_THAT(read.message(), ::testing::HasSubstr(wrong));
  const Answer batch = account->send(
      "POST", documents, R"([{"operationType":"Create","resourceBody":)" + document + "}]",
      {half, {"x-ms-cosmos-is-batch-request", "True"}, {"x-ms-cosmos-batch-atomic", "True"}});
  EXPECT_EQ(batch.status, 400);
  EXPECT_THAT(batch.message(), ::testing::HasSubstr(wrong));
}

TEST(CosmosContainers, HaveNoConflictsAndAskForTheKeyOfOne) {
  auto account = Account::with_container();
  EXPECT_EQ(account->send("DELETE", container + "/conflicts/x").status, 400);
  EXPECT_EQ(account->send("DELETE", container + "/conflicts/x", "", {key_a}).status, 404);
  EXPECT_EQ(account->send("GET", container + "/conflicts/x").status, 404);
}

TEST(CosmosContainers, ReportTheRangeOfADocumentThatIsRead) {
  auto account = Account::with_container();
  account->create("1");
  EXPECT_EQ(account->send("GET", documents + "/1", "", {key_a}).header("content-location"),
            "http://localhost:8081" + documents + "/1");
  EXPECT_EQ(account
                ->send("GET", container, "",
                       {{"x-forwarded-host", "db.example"}, {"x-forwarded-proto", "https"}})
                .header("content-location"),
            "https://db.example" + container);
  EXPECT_EQ(account->send("GET", documents + "/2", "", {key_a}).header("content-location"), "");
}

TEST(CosmosContainers, OfAnotherRidThanTheRequestsAreRefused) {
  auto account = Account::with_container();
  const std::string rid = account->send("GET", container).body.member("_rid").text();
  constexpr const char* intended = "x-ms-cosmos-intended-collection-rid";
  EXPECT_EQ(account->create("1", "", {{intended, rid}}).status, 201);
  const Answer other = account->create("2", "", {{intended, "AAAAAYAAAH8="}});
  EXPECT_EQ(other.status, 400);
  EXPECT_EQ(other.header("x-ms-substatus"), "1024");
  EXPECT_EQ(account->get("2").status, 404);
}

TEST(CosmosContainers, HaveOneRangeAndNoOther) {
  auto account = Account::with_container();
  account->create("1");
  const auto status = [&](std::vector<net::Pair> headers, const std::string& range) {
    headers.emplace_back("x-ms-documentdb-partitionkeyrangeid", range);
    const Answer answer = account->list(std::move(headers));
    if (answer.status == 410) {
      EXPECT_EQ(answer.header("x-ms-substatus"), "1002");
    }
    return answer.status;
  };
  for (const auto& headers :
       {std::vector<net::Pair>(), std::vector<net::Pair>{{"a-im", "Incremental feed"}}}) {
    EXPECT_EQ(status(headers, "7"), 410);
    EXPECT_EQ(status(headers, "0"), 200);
  }
  const std::vector<net::Pair> bulk{{"x-ms-cosmos-is-batch-request", "True"},
                                    {"x-ms-documentdb-partitionkeyrangeid", "7"}};
  EXPECT_EQ(account->send("POST", documents, "[]", bulk).status, 410);
}

TEST(CosmosAccount, GrantsNoStrongerConsistencyThanItReports) {
  auto account = Account::with_container();
  account->create("1");
  const auto status = [&](const std::string& level) {
    return account->get("1", {{"x-ms-consistency-level", level}}).status;
  };
  for (const std::string level : {"Session", "ConsistentPrefix", "Eventual"}) {
    EXPECT_EQ(status(level), 200) << level;
  }
  for (const std::string level : {"Strong", "BoundedStaleness", "Foo"}) {
    EXPECT_EQ(status(level), 400) << level;
  }
}

// The catalogs of older data directories have no body rules.
TEST(CosmosContainers, OfAnOlderVersionAreHeldToTheirDefinitions) {
  auto account = Account::with_container(R"("defaultTtl":-1)");
  Database& database = *account->database;
  const auto collection = [&] {
    const CatalogPtr catalog = database.catalog();
    return catalog->find_collection(catalog->find_database("d")->id, "c");
  };
  const BodyRules rules = collection()->body;
  EXPECT_TRUE(rules.specifies_lifetime);
  EXPECT_EQ(rules.partition, std::vector{Path::of("pk")});
  ASSERT_TRUE(database.change_collection(collection()->id, {.body = BodyRules{}}));
  ASSERT_TRUE(adopt_containers(database));
  EXPECT_EQ(collection()->body, rules);
  const Instant changed_at = collection()->changed_at;
  ASSERT_TRUE(adopt_containers(database));
  EXPECT_EQ(collection()->changed_at, changed_at);
}

TEST(CosmosAccount, ReportsTheTimeInEveryAnswer) {
  auto account = Account::with_container();
  account->advance(60);
  for (const Answer& answer : {account->get("none"), account->send("GET", "/dbs")}) {
    EXPECT_EQ(answer.header("date"), "Fri, 15 Jan 2027 08:01:00 GMT");
    EXPECT_EQ(answer.header("x-ms-last-state-change-utc"), "Fri, 15 Jan 2027 08:00:00 GMT");
  }
}

class CosmosDefinitionIndexes : public ::testing::Test {
 protected:
  CollectionPtr collection() const {
    const CatalogPtr catalog = account->database->catalog();
    return catalog->find_collection(catalog->find_database("d")->id, "c");
  }
  Answer replace(const std::string& policy) {
    return account->send("PUT", container, Account::definition(policy));
  }
  // Drops it as a client of another dialect does.
  Result<CollectionPtr> drop(const std::string& name) {
    return account->database->drop_index(collection()->id, name);
  }
  void create_index(const IndexSpec& spec) {
    EXPECT_TRUE(account->database->create_index(collection()->id, spec));
  }

  const std::string keys = R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/e"]}]})";
  const std::string paths = R"("indexingPolicy":{"includedPaths":[{"path":"/k/?"},{"path":"/*"}]})";
  std::unique_ptr<Account> account = Account::with_container(keys + "," + paths);
};

TEST_F(CosmosDefinitionIndexes, AreDroppedOnlyWithTheDefinition) {
  for (const char* name : {"by creation", "by writing", "unique key 1", "policy .k"}) {
    const auto dropped = drop(name);
    ASSERT_FALSE(dropped) << name;
    EXPECT_EQ(dropped.error().code, Code::forbidden);
    EXPECT_NE(collection()->find_index(name), nullptr);
  }
  EXPECT_EQ(account->create("1", R"("e":1)").status, 201);
  EXPECT_EQ(account->create("2", R"("e":1)").status, 409);
  EXPECT_EQ(replace(keys).status, 200);
  EXPECT_EQ(collection()->find_index("policy .k"), nullptr);
  EXPECT_EQ(replace(keys + "," + paths).status, 200);
  EXPECT_FALSE(drop("policy .k"));
}

TEST_F(CosmosDefinitionIndexes, AreFilledAgainAndTakenOverWhereTheyBelongedToNoDefinitionBefore) {
  const IndexSpec spec{
      "unique key 1", {{Field::body("pk")}, {Field::body("e")}}, Uniqueness::of_routing};
  EXPECT_TRUE(account->database->drop_any_index(collection()->id, spec.name));
  EXPECT_EQ(replace(keys + "," + paths).status, 200);
  EXPECT_FALSE(drop(spec.name));
  EXPECT_TRUE(account->database->drop_any_index(collection()->id, spec.name));
  create_index(spec);
  EXPECT_EQ(replace(keys + "," + paths).status, 200);
  EXPECT_FALSE(drop(spec.name));
  EXPECT_EQ(account->create("1", R"("e":1)").status, 201);
  EXPECT_EQ(account->create("2", R"("e":1)").status, 409);
}

TEST_F(CosmosDefinitionIndexes, WhichCannotBeFilledRefuseTheReplacement) {
  EXPECT_TRUE(account->database->drop_any_index(collection()->id, "unique key 1"));
  account->create("1", R"("e":1)");
  account->create("2", R"("e":1)");
  EXPECT_EQ(replace(keys + "," + paths + R"(,"defaultTtl":5)").status, 409);
  EXPECT_TRUE(account->send("GET", container).body.member("defaultTtl").is_missing());
  account->remove("2");
  EXPECT_EQ(replace(keys + "," + paths).status, 200);
  EXPECT_EQ(account->create("2", R"("e":1)").status, 409);
}

TEST_F(CosmosDefinitionIndexes, AnotherIndexOfTheNameOfOneRefusesTheReplacement) {
  create_index({"policy .x", {{Field::body("y")}}});
  const std::string other = R"("indexingPolicy":{"includedPaths":[{"path":"/x/?"},{"path":"/*"}]})";
  const Answer refused = replace(keys + "," + other);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.message().find("there is another of that name"), std::string::npos);
  EXPECT_NE(collection()->find_index("policy .k"), nullptr);
  EXPECT_TRUE(drop("policy .x"));
  EXPECT_EQ(replace(keys + "," + other).status, 200);
  EXPECT_EQ(collection()->find_index("policy .x")->entries, Entries::cut);
}

TEST(CosmosContainers, NameTheirDatabaseAsTheirOwner) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  const Answer made = account.send("POST", containers, Account::definition());
  const std::string rid = account.send("GET", "/dbs/d").body.member("_rid").text();
  for (const Answer& answer : {made, account.send("GET", container)}) {
    EXPECT_EQ(answer.header("x-ms-alt-content-path"), "dbs/d");
    EXPECT_EQ(answer.header("x-ms-content-path"), rid);
  }
  account.send("POST", "/dbs", R"({"id":"ü"})");
  const Answer other = account.send("POST", "/dbs/%C3%BC/colls", Account::definition());
  EXPECT_EQ(other.header("x-ms-alt-content-path"), "dbs/%C3%BC");
}

TEST(CosmosContainers, OfLazyIndexingReportTheirProgress) {
  const std::string progress = "x-ms-documentdb-collection-lazy-indexing-progress";
  auto lazy = Account::with_container(R"("indexingPolicy":{"indexingMode":"lazy"})");
  EXPECT_EQ(lazy->send("GET", container).header(progress), "100");
  EXPECT_EQ(Account::with_container()->send("GET", container).header(progress), "");
}

TEST(CosmosContainers, HaveAnIndexingPolicyAsTheVersionOfTheirClientExpects) {  // 4.5, 4b.7
  auto account = Account::with_container(
      R"("indexingPolicy":{"includedPaths":[{"path":"/*","indexes":[{"kind":"Hash",)"
      R"("dataType":"String"}]}],"spatialIndexes":[{"path":"/at/*","types":["Point"]}]})");
  const auto policy = [&](const char* version) {
    const std::vector<net::Pair> headers{{"x-ms-date", date},
                                         {"x-ms-version", version},
                                         {"authorization", Account::signature("GET", container)}};
    return account->send_as_it_is("GET", container, "", headers).body.member("indexingPolicy");
  };
  const std::string both =
      R"([{"path":"/*","indexes":[{"kind":"Range","dataType":"Number","precision":-1},)"
      R"({"kind":"Range","dataType":"String","precision":-1}]}])";
  for (const char* version : {"2017-11-15", "2018-06-18"}) {
    EXPECT_EQ(render_json(policy(version).member("includedPaths")), both) << version;
  }
  for (const char* version : {"2018-09-17", "2018-12-31", "2020-07-15"}) {
    EXPECT_EQ(render_json(policy(version).member("includedPaths")), R"([{"path":"/*"}])")
        << version;
  }
  EXPECT_EQ(render_json(policy("2020-07-15").member("spatialIndexes")),
            R"([{"path":"/at/*","types":["Point"]}])");
  EXPECT_EQ(render_json(policy("2018-09-17").member("spatialIndexes")),
            R"([{"path":"/at/*","types":["Point","LineString","Polygon","MultiPolygon"]}])");
}

TEST(CosmosContainers, TakePathsInEitherQuotes) {  // addendum 4b.3
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  const std::string paths = R"j(["/'level\" 1*()'/'le/vel2'"])j";
  const Answer made = account.send(
      "POST", containers, R"({"id":"c","partitionKey":{"paths":)" + paths + R"(,"kind":"Hash"}})");
  ASSERT_EQ(made.status, 201) << made.response.body;
  const std::string body = R"j({"id":"1","level\" 1*()":{"le/vel2":"x"}})j";
  EXPECT_EQ(account.send("POST", documents, body, {{key_a.first, R"(["x"])"}}).status, 201);
  EXPECT_EQ(account.send("GET", documents + "/1", "", {{key_a.first, R"(["x"])"}}).status, 200);
}

TEST(CosmosContainers, HaveThreePathsInAHierarchicalKeyAtMost) {  // addendum 4b.5
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  const Answer refused = account.send(
      "POST", containers,
      R"({"id":"c","partitionKey":{"paths":["/a","/b","/c","/d"],"kind":"MultiHash"}})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.message().find("Too many partition key paths"), std::string::npos);
}

TEST(CosmosContainers, OfAHierarchicalKeyRefuseDocumentsOfAPartOfIt) {  // addendum 4b.4
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  account.send("POST", containers,
               R"({"id":"c","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash"}})");
  const net::Pair part{key_a.first, R"(["x"])"};
  const std::string body = R"({"id":"1","a":"x","b":"y"})";
  const std::string operation = R"([{"operationType":"Create","resourceBody":)" + body + "}]";
  const Answer refusals[] = {
      account.send("POST", documents, body, {part}),
      account.send("GET", documents + "/1", "", {part}),
      account.send(
          "POST", documents, operation,
          {part, {"x-ms-cosmos-is-batch-request", "true"}, {"x-ms-cosmos-batch-atomic", "true"}})};
  for (const Answer& refused : refusals) {
    EXPECT_EQ(refused.status, 400);
    EXPECT_NE(refused.message().find("doesn't correspond to definition in the collection"),
              std::string::npos)
        << refused.message();
  }
}

}  // namespace
}  // namespace mayfly::cosmos
