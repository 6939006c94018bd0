// The account, databases and containers, case by case (spec cosmos-cases.md, section B).
#include "dialect/common/limits.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/testing.h"
#include "net/requests/testing.h"

namespace mayfly::cosmos::testing {
namespace {

TEST(CosmosAccount, ReportsTheAddressThatTheClientUsed) {  // A1, A2
  Account account;
  const Answer answer = account.send("GET", "/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.member("id").text(), "localhost");
  const auto endpoint = [](const Answer& reported) {
    return reported.body.member("writableLocations")
        .array()
        .at(0)
        .member("databaseAccountEndpoint")
        .text();
  };
  EXPECT_EQ(endpoint(answer), "http://localhost:8081/");
  EXPECT_EQ(answer.body.member("userConsistencyPolicy").member("defaultConsistencyLevel").text(),
            "Session");
  EXPECT_FALSE(answer.body.member("queryEngineConfiguration").text().empty());
  const Answer forwarded = account.send("GET", "/", "", {{"x-forwarded-host", "db.example:9000"}});
  EXPECT_EQ(endpoint(forwarded), "http://db.example:9000/");
  const Answer by_host = account.send("GET", "/", "", {{"host", "db.example:9001"}});
  EXPECT_EQ(endpoint(by_host), "http://db.example:9001/");
}

TEST(CosmosAccount, RefusesUnsignedRequests) {  // A3, A4
  Account account;
  const Answer unsigned_one = account.send_as_it_is("GET", "/", "", {{"x-ms-date", date}});
  EXPECT_EQ(unsigned_one.status, 401);
  EXPECT_EQ(unsigned_one.body.member("code").text(), "Unauthorized");
  const Answer wrong = account.send_as_it_is(
      "GET", "/", "",
      {{"x-ms-date", date}, {"authorization", "type%3Dmaster%26ver%3D1.0%26sig%3DAAAA"}});
  EXPECT_EQ(wrong.status, 401);
}

TEST(CosmosAccount, RefusesTheWellKnownKeyOnAServerThatAsksForKeys) {
  Account account({.keys = {"secret"}});
  const Answer refused = account.send("GET", "/dbs");
  EXPECT_EQ(refused.status, 401);
  EXPECT_NE(refused.message().find("cosmos.key"), std::string::npos) << refused.message();
  const Answer token = account.send_as_it_is(
      "GET", "/dbs/d/colls/c", "", {{"authorization", "type%3Dresource%26ver%3D1%26sig%3Dx"}});
  EXPECT_EQ(token.status, 401);
  EXPECT_EQ(account.send_as_it_is("GET", "/alive", "", {}).status, 200);
  Account keyed({.keys = {"secret"}}, {.key = std::string(well_known_key)});
  EXPECT_EQ(keyed.send("GET", "/dbs").status, 200);
}

TEST(CosmosAccount, RefusesRequestsByTheirHead) {
  auto account = Account::with_container();
  const CosmosOptions options{.key = encode_base64("another"),
                              .read_key = std::string(well_known_key)};
  const auto refusal = [&](const std::string& path, const std::string& signed_as,
                           const std::string& bytes) {
    net::Request request{.method = "POST", .target = path, .path = path};
    request.headers = {{"x-ms-date", date},
                       {"x-ms-version", "2020-07-15"},
                       {"authorization", Account::signature("POST", signed_as)}};
    if (!bytes.empty()) request.headers.emplace_back("content-length", bytes);
    const auto refused = net::PendingRequest(*account->dialect, request)->refuse_head();
    if (!refused) return 0;
    const net::Response answer = net::PendingRequest(*account->dialect, request)->answer();
    EXPECT_EQ(refused->status, answer.status);
    const auto message = [](const net::Response& one) {
      const std::string text = parse_json(one.body)->member("message").text();
      return text.substr(0, text.find("ActivityId"));
    };
    EXPECT_EQ(message(*refused), message(answer));
    EXPECT_EQ(refused->headers.size(), answer.headers.size());
    return refused->status;
  };
  const std::string in_chunks;
  const std::string most = std::to_string(limits::body_unauthenticated_bytes_max);
  EXPECT_EQ(refusal(documents, documents, "4000000"), 0);
  EXPECT_EQ(refusal(documents, documents, in_chunks), 0);
  EXPECT_EQ(refusal(documents, containers, "4000000"), 401);
  EXPECT_EQ(refusal(documents, containers, in_chunks), 401);
  EXPECT_EQ(refusal(documents, containers, most), 0);
  EXPECT_EQ(refusal("/nothing", "/nothing", "4000000"), 404);
  account->restart(options);
  EXPECT_EQ(refusal(documents, documents, "4000000"), 403);
}

TEST(CosmosAccount, AnswersKnownVersionsOfTheApiOnly) {
  auto account = Account::with_container();
  const auto status = [&](const std::string& version) {
    return account->send("GET", "/dbs/d", "", {{"x-ms-version", version}}).status;
  };
  for (const char* known : {"2014-08-21", "2017-11-15", "2018-12-31", "2020-07-15", "2024-06-06"}) {
    EXPECT_EQ(status(known), 200) << known;
  }
  for (const char* unknown : {"", "2018-12-30", "2099-01-01", "today"}) {
    EXPECT_EQ(status(unknown), 400) << unknown;
  }
  const Answer refused = account->send("GET", "/", "", {{"x-ms-version", ""}});
  EXPECT_NE(refused.message().find("Invalid API version."), std::string::npos);
  EXPECT_EQ(account->send_as_it_is("GET", "/", "", {{"x-ms-version", ""}}).status, 401);
  EXPECT_EQ(account->send_as_it_is("GET", "/ready", "", {{"x-ms-version", ""}}).status, 200);
}

TEST(CosmosAccount, RefusesPathsAndVerbsWithTheMessagesOfTheService) {
  auto account = Account::with_container();
  const auto refusal = [&](const std::string& method, const std::string& path) {
    const Answer answer = account->send(method, path, "{}", {key_a});
    const std::string text = answer.message();
    return std::to_string(answer.status) + " " + text.substr(0, text.find("\r\n"));
  };
  const std::string wrong_path = R"(400 Message: {"Errors":["Request url is invalid."]})";
  EXPECT_EQ(refusal("PUT", "//offers/offers/ABCD/"), wrong_path);
  EXPECT_EQ(refusal("GET", "/dbs/d/nothing/1"), wrong_path);
  const std::string nothing = refusal("GET", "/dbs/none");
  EXPECT_EQ(nothing.substr(0, 4), "404 ");
  EXPECT_EQ(refusal("GET", "/nothing"), nothing);
  EXPECT_EQ(refusal("GET", "/dbs/d/docs/1"), nothing);
  EXPECT_EQ(refusal("PATCH", "/dbs/d"),
            R"(405 Message: {"Errors":["The requested verb is not supported."]})");
}

TEST(CosmosAccount, FindsIdsWithAQuestionMarkThatAreNotEscaped) {
  auto account = Account::with_container();
  for (const char* id : {"a", "a?b=c", "a?"}) account->create(id);
  const auto found = [&](const std::string& raw, const std::string& signed_as) {
    const Answer answer = account->send_as_it_is(
        "GET", documents + "/" + raw, "",
        {key_a,
         {"x-ms-date", date},
         {"host", "localhost:8081"},
         {"authorization", Account::signature("GET", documents + "/" + signed_as)}});
    return answer.status == 200 ? answer.body.member("id").text() : std::to_string(answer.status);
  };
  EXPECT_EQ(found("a?b=c", "a?b=c"), "a?b=c");
  EXPECT_EQ(found("a?b=c", "a"), "a");
  EXPECT_EQ(found("a?", "a?"), "a?");
  EXPECT_EQ(found("a%3Fb=c", "a?b=c"), "a?b=c");
  EXPECT_EQ(found("a?b=c", "b"), "401");
}

TEST(CosmosAccount, IsReadyUnlessTheServerSaysWhyNot) {
  Account account;
  EXPECT_EQ(
      net::PendingRequest(*account.dialect, {.method = "GET", .path = "/ready"})->answer().status,
      200);
  const auto dialect =
      make_cosmos({.database = *account.database,
                   .random = account.random,
                   .credentials = account.credentials,
                   .page_tokens = account.page_tokens,
                   .readiness = [] { return fail(Code::no_space, "the disk is full"); }});
  const net::Response ready =
      net::PendingRequest(*dialect, {.method = "GET", .path = "/ready"})->answer();
  EXPECT_EQ(ready.status, 503);
  EXPECT_NE(ready.body.find("the disk is full"), std::string::npos);
  EXPECT_EQ(net::PendingRequest(*dialect, {.method = "GET", .path = "/alive"})->answer().status,
            200);
}

TEST(CosmosAccount, HasAPageForABrowserThatSaysHowToConnect) {
  Account account;
  const auto page = [&](const std::string& host) {
    return account.send_as_it_is("GET", "/_explorer/index.html", "", {{"host", host}}).response;
  };
  const net::Response open = page("localhost:8081");
  EXPECT_EQ(open.status, 200);
  EXPECT_EQ(open.content_type, "text/html; charset=utf-8");
  EXPECT_NE(open.body.find("AccountEndpoint=http://localhost:8081/;AccountKey=C2y6yDjf5/"),
            std::string::npos);
  EXPECT_EQ(page("<script>").body.find("<script>"), std::string::npos);
  account.restart({.key = encode_base64("another")});
  EXPECT_EQ(page("localhost:8081").body.find("C2y6yDjf5"), std::string::npos);
  EXPECT_EQ(page("localhost:8081").body.find(encode_base64("another")), std::string::npos);
}

TEST(CosmosAccount, ReportsBytesThatAreNotTextAsText) {
  auto account = Account::with_container();
  EXPECT_EQ(account->list({{key_a.first, "\xFF[\"a\"]"}}).status, 400);
}

TEST(CosmosAccount, DistinguishesAMissingOwnerFromAMissingResource) {
  auto account = Account::with_container();
  EXPECT_EQ(account->send("POST", "/dbs/d/users", R"({"id":"u"})").status, 201);
  const std::string no_database = "/dbs/none";
  const std::string no_container = "/dbs/d/colls/none";
  struct Case {
    const char* method;
    std::string path;
    const char* substatus;
    std::string body = {};
    std::vector<net::Pair> headers = {};
  };
  const net::Pair is_query{"x-ms-documentdb-isquery", "true"};
  const std::string query = R"({"query":"SELECT * FROM c"})";
  const std::string script = R"({"id":"s","body":"function () {}"})";
  const Case cases[] = {
      {"GET", no_database, "0"},
      {"DELETE", no_database, "0"},
      {"GET", no_container, "0"},
      {"PUT", no_container, "0", R"({"id":"none","partitionKey":{"paths":["/pk"]}})"},
      {"DELETE", no_container, "0"},
      {"GET", documents + "/none", "", "", {key_a}},
      {"DELETE", documents + "/none", "", "", {key_a}},
      {"GET", "/dbs/d/users/none", "0"},
      {"GET", "/dbs/d/users/u/permissions/none", "0"},
      {"GET", container + "/sprocs/none", "0"},
      {"POST", container + "/sprocs/none", "0", "[]", {key_a}},
      {"GET", "/offers/none", "0"},
      {"GET", no_database + "/colls", "1003"},
      {"POST", no_database + "/colls", "1003", Account::definition()},
      {"POST", no_database + "/colls", "1003", query, {is_query}},
      {"GET", no_database + "/colls/c", "1003"},
      {"GET", no_database + "/colls/c/docs/1", "1003", "", {key_a}},
      {"GET", no_database + "/users", "1003"},
      {"POST", no_database + "/users", "1003", R"({"id":"u"})"},
      {"GET", "/dbs/d/users/none/permissions", "1003"},
      {"GET", "/dbs/d/users/none/permissions/p", "1003"},
      {"POST", no_container + "/docs", "1003", Account::document("1"), {key_a}},
      {"POST", no_container + "/docs", "1003", query, {is_query}},
      {"GET", no_container + "/docs", "1003"},
      {"GET", no_container + "/docs", "1003", "", {{"a-im", "Incremental Feed"}}},
      {"GET", no_container + "/docs/1", "1003", "", {key_a}},
      {"PUT", no_container + "/docs/1", "1003", Account::document("1"), {key_a}},
      {"PATCH", no_container + "/docs/1", "1003", R"([{"op":"remove","path":"/x"}])", {key_a}},
      {"DELETE", no_container + "/docs/1", "1003", "", {key_a}},
      {"POST",
       no_container + "/docs",
       "1003",
       R"([{"operationType":"Read","id":"1"}])",
       {key_a, {"x-ms-cosmos-is-batch-request", "True"}}},
      {"POST", no_container + "/operations/partitionkeydelete", "1003", "", {key_a}},
      {"GET", no_container + "/pkranges", "1003"},
      {"GET", no_container + "/conflicts", "1003"},
      {"GET", documents + "/none/attachments", "0", "", {key_a}},
      {"GET", no_container + "/docs/1/attachments", "1003", "", {key_a}},
      {"GET", no_container + "/docs/1/attachments/a", "1003", "", {key_a}},
      {"GET", "/media/none", "0"},
      {"GET", no_container + "/sprocs", "1003"},
      {"POST", no_container + "/udfs", "1003", script},
      {"GET", no_container + "/triggers/t", "1003"},
      {"POST", no_container + "/sprocs/s", "1003", "[]", {key_a}},
  };
  for (const Case& one : cases) {
    const Answer answer = account->send(one.method, one.path, one.body, one.headers);
    EXPECT_EQ(answer.status, 404) << one.method << " " << one.path << answer.response.body;
    EXPECT_EQ(answer.header("x-ms-substatus"), one.substatus) << one.method << " " << one.path;
  }
}

TEST(CosmosAccount, SignsAsTheSpecificationShows) {
  EXPECT_EQ(text_to_sign("GET", "", "", "Fri, 15 Jan 2027 08:00:00 GMT", ""),
            "get\n\n\nfri, 15 jan 2027 08:00:00 gmt\n\n");
}

TEST(CosmosAccount, AReadOnlyKeyReadsOnly) {
  // The fixture signs with the second key, which is read-only.
  Account account({},
                  {.key = encode_base64("another key"), .read_key = std::string(well_known_key)});
  EXPECT_EQ(account.send("GET", "/dbs").status, 200);
  EXPECT_EQ(account.send("POST", "/dbs", R"({"id":"d"})").status, 403);
}

TEST(CosmosDatabases, AreCreatedReadListedAndDropped) {  // D1 to D4
  Account account;
  const Answer made = account.send("POST", "/dbs", R"({"id":"d"})");
  EXPECT_EQ(made.status, 201);
  const std::string rid = made.body.member("_rid").text();
  EXPECT_EQ(parse_rid(rid)->size(), 4U);
  EXPECT_EQ(made.body.member("_self").text(), "dbs/" + rid + "/");
  EXPECT_EQ(made.body.member("_colls").text(), "colls/");
  EXPECT_EQ(made.body.member("_users").text(), "users/");
  EXPECT_EQ(made.header("etag"), made.body.member("_etag").text());
  const Answer again = account.send("POST", "/dbs", R"({"id":"d"})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.body.member("code").text(), "Conflict");
  const Answer none = account.send("GET", "/dbs/nope");
  EXPECT_EQ(none.status, 404);
  EXPECT_EQ(none.body.member("code").text(), "NotFound");
  EXPECT_EQ(account.send("GET", "/dbs").body.member("_count").integer(), 1);
  EXPECT_EQ(account.send("GET", "/dbs/" + rid).body.member("id").text(), "d");
  const Answer dropped = account.send("DELETE", "/dbs/d");
  EXPECT_EQ(dropped.status, 204);
  EXPECT_EQ(dropped.response.body, "");
  EXPECT_EQ(account.send("GET", "/dbs/d").status, 404);
}

TEST(CosmosDatabases, AreDroppedWithTheirContents) {  // D7
  auto account = Account::with_container();
  account->create("1");
  account->send("POST", "/dbs/d/users", R"({"id":"u"})");
  const Value offers = account->send("GET", "/offers").body.member("Offers");
  ASSERT_EQ(offers.array().size(), 1U);
  EXPECT_EQ(account->send("DELETE", "/dbs/d").status, 204);
  const auto status = [&](const std::string& path) {
    return account->send("GET", path, "", {key_a}).status;
  };
  const std::string offer = "/offers/" + offers.array().at(0).member("id").text();
  for (const std::string& path : {container, documents + "/1", containers, offer}) {
    EXPECT_EQ(status(path), 404) << path;
  }
  EXPECT_EQ(account->send("GET", "/offers").body.member("_count").integer(), 0);
  EXPECT_EQ(account->send("POST", "/dbs", R"({"id":"d"})").status, 201);
  for (const std::string& feed :
       {containers, std::string("/dbs/d/users"), std::string("/offers")}) {
    EXPECT_EQ(account->send("GET", feed).body.member("_count").integer(), 0) << feed;
  }
  EXPECT_EQ(account->send("POST", containers, Account::definition()).status, 201);
  EXPECT_EQ(status(documents + "/1"), 404);
}

TEST(CosmosDatabases, AreQueried) {  // D5
  Account account;
  account.send("POST", "/dbs", R"({"id":"a"})");
  account.send("POST", "/dbs", R"({"id":"b"})");
  const Answer found = account.send(
      "POST", "/dbs",
      R"({"query":"SELECT * FROM root r WHERE r.id=@id","parameters":[{"name":"@id","value":"b"}]})",
      {{"x-ms-documentdb-isquery", "True"}});
  EXPECT_EQ(found.status, 200);
  EXPECT_EQ(found.body.member("_count").integer(), 1);
  EXPECT_EQ(found.body.member("Databases").array().at(0).member("id").text(), "b");
}

TEST(CosmosDatabases, HaveNamesThatFitInAPath) {  // D6
  Account account;
  for (const auto* bad : {"a/b", "a?", "a#", "a\\\\", "a ", ""}) {
    EXPECT_EQ(account.send("POST", "/dbs", R"({"id":")" + std::string(bad) + R"("})").status, 400)
        << bad;
  }
  EXPECT_EQ(account.send("POST", "/dbs", R"({"id":5})").status, 400);
}

Answer make(const std::string& definition, std::vector<net::Pair> headers = {}) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  return account.send("POST", containers, definition, std::move(headers));
}
std::string with_key(const std::string& key) {
  return R"({"id":"c","partitionKey":)" + key + "}";
}

TEST(CosmosContainers, AreShownWhole) {  // C1
  const Answer made = make(with_key(R"({"paths":["/pk"]})"));
  EXPECT_EQ(made.status, 201);
  const Value policy = made.body.member("indexingPolicy");
  EXPECT_EQ(render_json(policy.member("excludedPaths")), R"([{"path":"/\"_etag\"/?"}])");
  EXPECT_EQ(render_json(policy.member("includedPaths")), R"([{"path":"/*"}])");
  EXPECT_EQ(render_json(made.body.member("partitionKey")),
            R"({"paths":["/pk"],"kind":"Hash","version":2})");
  EXPECT_TRUE(made.body.member("geospatialConfig").is(Kind::object));
  EXPECT_EQ(parse_rid(made.body.member("_rid").text())->size(), 8U);
}

TEST(CosmosContainers, HaveKeysThatArePaths) {  // C2, C3, C4
  const auto refused = [](const std::string& key) {
    const Answer answer = make(with_key(key));
    EXPECT_EQ(answer.status, 400) << key;
    return answer.message();
  };
  EXPECT_NE(refused(R"({"paths":["id"]})")
                .find("The partition key component definition path 'id' could not be accepted"),
            std::string::npos);
  EXPECT_NE(refused(R"({"paths":["/id ds"]})")
                .find("Partition key paths must contain only valid characters"),
            std::string::npos);
  refused(R"({"paths":"/id"})");
  refused(R"({"paths":[]})");
  refused(R"({"paths":["/a","/b"],"kind":"Hash"})");
  refused("5");
  EXPECT_EQ(make(with_key(R"({"paths":["/\"a b\"/c"]})")).status, 201);
}

TEST(CosmosContainers, KeepTheirIdAndKey) {  // C5, C6
  auto account = Account::with_container();
  EXPECT_EQ(
      account->send("PUT", container, R"({"id":"c","partitionKey":{"paths":["/other"]}})").status,
      400);
  EXPECT_EQ(
      account->send("PUT", container, R"({"id":"x","partitionKey":{"paths":["/pk"]}})").status,
      400);
  const Answer changed = account->send(
      "PUT", container,
      Account::definition(
          R"("indexingPolicy":{"indexingMode":"Consistent","includedPaths":[{"path":"/*"}],)"
          R"("excludedPaths":[{"path":"/secret/*"}]})"));
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(render_json(changed.body.member("indexingPolicy").member("excludedPaths")),
            R"([{"path":"/secret/*"},{"path":"/\"_etag\"/?"}])");
  EXPECT_EQ(changed.body.member("indexingPolicy").member("indexingMode").text(), "consistent");
  const net::Pair stale{"if-match", "\"00000000-0000-0000-0000-000000000000\""};
  EXPECT_EQ(account->send("PUT", container, Account::definition(), {stale}).status, 412);
}

TEST(CosmosContainers, HaveCompositeIndexesWithAnOrder) {  // C7
  const auto composite = [](const std::string& rows) {
    return make(Account::definition(R"("indexingPolicy":{"compositeIndexes":[[)" + rows + "]]}"));
  };
  EXPECT_EQ(composite(R"({"path":"/a","order":"foo"},{"path":"/b"})").status, 400);
  EXPECT_EQ(composite(R"({"path":"/a"})").status, 400);
  const Answer made = composite(R"({"path":"/a"},{"path":"/b","order":"descending"})");
  EXPECT_EQ(render_json(made.body.member("indexingPolicy").member("compositeIndexes")),
            R"([[{"path":"/a","order":"ascending"},{"path":"/b","order":"descending"}]])");
}

TEST(CosmosContainers, OfOldClientsMayHaveNoKey) {  // C8
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  EXPECT_EQ(account.send("POST", containers, R"({"id":"c"})").status, 400);
  std::vector<net::Pair> old{{"x-ms-version", "2018-06-18"}};
  EXPECT_EQ(account.send("POST", containers, R"({"id":"c"})", old).status, 201);
  EXPECT_TRUE(
      account.send("GET", container).body.member("partitionKey").member("systemKey").is_true());
  const net::Pair none{"x-ms-documentdb-partitionkey", "[]"};
  EXPECT_EQ(account.send("POST", documents, R"({"id":"1"})", {none}).status, 201);
  EXPECT_EQ(account.send("GET", documents + "/1", "", {none}).status, 200);
}

TEST(CosmosContainers, WithAHierarchicalKeyNeedAllOfItForOneDocument) {  // C9
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  EXPECT_EQ(account
                .send("POST", containers,
                      with_key(R"({"paths":["/a","/b","/c"],"kind":"MultiHash","version":2})"))
                .status,
            201);
  const auto key = [](const std::string& values) {
    return net::Pair{"x-ms-documentdb-partitionkey", values};
  };
  EXPECT_EQ(account.send("POST", documents, R"({"id":"1","a":"x","b":"y","c":1})").status, 201);
  EXPECT_EQ(account.send("GET", documents + "/1", "", {key(R"(["x","y"])")}).status, 400);
  EXPECT_EQ(account.send("GET", documents + "/1", "", {key(R"(["x","y",1])")}).status, 200);
  EXPECT_EQ(account.list({key(R"(["x","y"])")}).body.member("_count").integer(), 1);
  EXPECT_EQ(account.list({key(R"(["z"])")}).body.member("_count").integer(), 0);
}

TEST(CosmosContainers, ReportQuotasWithoutExpiredDocuments) {  // T59, C10
  auto account = Account::with_container(R"("defaultTtl":5)");
  account->create("1");
  const auto read_quota = [&] {
    return account->send("GET", container, "", {{"x-ms-documentdb-populatequotainfo", "True"}});
  };
  account->clock.advance(Span{4'999'999});
  EXPECT_NE(read_quota().header("x-ms-resource-usage").find("documentsCount=1;"),
            std::string::npos);
  account->clock.advance(Span{1});
  const Answer read = read_quota();
  EXPECT_NE(read.header("x-ms-resource-usage").find("documentsCount=0;"), std::string::npos);
  EXPECT_NE(read.header("x-ms-resource-usage").find("collectionSize="), std::string::npos);
  EXPECT_NE(read.header("x-ms-resource-quota").find("collectionSize="), std::string::npos);
}

TEST(CosmosContainers, HaveOnePartitionRange) {  // C12
  auto account = Account::with_container();
  const Answer ranges = account->send("GET", container + "/pkranges");
  EXPECT_EQ(ranges.body.member("_count").integer(), 1);
  const Value range = ranges.body.member("PartitionKeyRanges").array().at(0);
  EXPECT_EQ(range.member("minInclusive").text() + range.member("maxExclusive").text(), "FF");
  EXPECT_EQ(account
                ->send("GET", container + "/pkranges", "",
                       {{"a-im", "Incremental Feed"}, {"if-none-match", ranges.header("etag")}})
                .status,
            304);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
