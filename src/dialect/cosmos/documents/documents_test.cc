// Documents, patches, batches and the change feed, case by case (spec cosmos-cases.md, sections C
// and D).
#include <fmt/format.h>

#include "dialect/common/limits.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

const net::Pair key_b{"x-ms-documentdb-partitionkey", R"(["b"])"};

std::string members_of(const Value& document) {
  std::string names;
  for (const auto& [name, value] : document.object()) names += (names.empty() ? "" : " ") + name;
  return names;
}

TEST(CosmosDocuments, HaveTheirOwnMembersAsSentAndThenTheSystems) {  // addendum 4.4
  auto account = Account::with_container();
  const std::string order = "z id pk a _rid _self _etag _attachments _ts";
  const std::string body = R"({"z":1,"id":"1","_ts":2,"pk":"a","_rid":"mine","a":3})";
  EXPECT_EQ(members_of(account->send("POST", documents, body, {key_a}).body), order);
  EXPECT_EQ(members_of(account->send("PUT", documents + "/1", body, {key_a}).body), order);
  EXPECT_EQ(members_of(account->get("1").body), order);
  const auto first = [](const Answer& feed) { return feed.body.member("Documents").array().at(0); };
  EXPECT_EQ(members_of(first(account->list())), order);
  EXPECT_EQ(members_of(first(account->list({{"a-im", "Incremental feed"}}))), order + " _lsn");
  for (const char* query : {"SELECT * FROM c", "SELECT VALUE c FROM c JOIN x IN [1]"}) {
    const std::string asked = std::string(R"({"query":")") + query + "\"}";
    const net::Pair is_query{"x-ms-documentdb-isquery", "true"};
    EXPECT_EQ(members_of(first(account->send("POST", documents, asked, {key_a, is_query}))), order);
  }
}

TEST(CosmosDocuments, AreShownWithSystemProperties) {  // I1
  auto account = Account::with_container();
  const Answer made = account->create("1", R"("n":1,"_rid":"mine","_ts":1)");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.body.member("_etag").text(), made.header("etag"));
  EXPECT_EQ(parse_rid(made.body.member("_rid").text())->size(), 16U);
  EXPECT_EQ(made.body.member("_ts").integer(), start.whole_seconds());
  EXPECT_GT(std::stod(made.header("x-ms-request-charge")), 0);
  EXPECT_EQ(made.header("x-ms-alt-content-path"), "dbs/d/colls/c");
  EXPECT_EQ(parse_rid(made.header("x-ms-content-path"))->size(), 8U);
  EXPECT_TRUE(made.header("x-ms-session-token").starts_with("0:-1#"));
  EXPECT_NE(made.header("x-ms-activity-id"), account->get("1").header("x-ms-activity-id"));
}

TEST(CosmosDocuments, HaveAnIdWithinTheirPartition) {  // I2, I3, I4, I5
  auto account = Account::with_container();
  account->create("1");
  EXPECT_EQ(account->create("1").status, 409);
  EXPECT_EQ(account->send("POST", documents, R"({"id":"1","pk":"b"})", {key_b}).status, 201);
  const Answer wrong = account->create("2", "", {key_b});
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.header("x-ms-substatus"), "1001");
  EXPECT_EQ(account->get("1").body.member("pk").text(), "a");
  EXPECT_EQ(account->get("1", {{key_a.first, R"(["z"])"}}).status, 404);
  EXPECT_EQ(account->send("GET", documents + "/1").status, 400);
}

TEST(CosmosDocuments, AreReadAndReplacedUnderConditions) {  // I6, I7
  auto account = Account::with_container();
  const Answer made = account->create("1");
  const Answer unchanged = account->get("1", {{"if-none-match", made.header("etag")}});
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_EQ(unchanged.response.body, "");
  const net::Pair match{"if-match", made.header("etag")};
  const Answer replaced = account->put("1", R"("n":2)", {match});
  EXPECT_EQ(replaced.status, 200);
  EXPECT_EQ(replaced.body.member("_rid").text(), made.body.member("_rid").text());
  EXPECT_EQ(account->put("1", "", {match}).status, 412);
  EXPECT_EQ(account->remove("1", {match}).status, 412);
  EXPECT_EQ(account->upsert("1", "", {match}).status, 412);
  EXPECT_EQ(account->upsert("2", "", {match}).status, 201);
  EXPECT_EQ(account->put("1", "", {{"if-match", "*"}}).status, 200);
}

TEST(CosmosDocuments, AreNotChangedByReads) {
  auto account = Account::with_container();
  const Answer made = account->create("1", R"("n":1)");
  const auto head = [&](const std::string& id, std::vector<net::Pair> headers) {
    return account->send("HEAD", documents + "/" + id, "", std::move(headers));
  };
  const Answer looked = head("1", {key_a});
  EXPECT_EQ(looked.status, 200);
  EXPECT_EQ(looked.header("etag"), made.header("etag"));
  EXPECT_EQ(looked.header("x-ms-alt-content-path"), "dbs/d/colls/c");
  EXPECT_GT(std::stod(looked.header("x-ms-request-charge")), 0);
  EXPECT_EQ(head("1", {key_a, {"if-none-match", made.header("etag")}}).status, 304);
  EXPECT_EQ(head("2", {key_a}).status, 404);
  EXPECT_EQ(head("1", {key_b}).status, 404);
  EXPECT_EQ(head("1", {}).status, 400);
}

TEST(CosmosDocuments, KeepTheOrderOfTheirPropertiesAsSent) {
  auto account = Account::with_container();
  account->create("1", R"("b":1,"a":{"z":1,"y":2})");
  const auto names = [](const Answer& answer) {
    std::string text;
    for (const auto& [name, value] : answer.body.object()) {
      if (!name.starts_with('_')) text += name + " ";
    }
    return text + render_json(answer.body.member("a"));
  };
  EXPECT_EQ(names(account->get("1")), R"(id pk b a {"z":1,"y":2})");
  Value body = account->get("1").body;
  body.mutable_object().set("new", 1);
  const Answer replaced = account->send("PUT", documents + "/1", render_json(body), {key_a});
  EXPECT_EQ(replaced.status, 200);
  EXPECT_EQ(names(replaced), R"(id pk b a new {"z":1,"y":2})");
  const std::string other = R"({"a":{"y":2,"z":1},"pk":"a","c":3,"id":"1","b":1})";
  EXPECT_EQ(names(account->send("PUT", documents + "/1", other, {key_a})),
            R"(a pk c id b {"y":2,"z":1})");
  EXPECT_EQ(names(account->get("1")), R"(a pk c id b {"y":2,"z":1})");
}

TEST(CosmosDocuments, AreUpsertedAndRemoved) {  // I8, I9
  auto account = Account::with_container();
  EXPECT_EQ(account->upsert("1").status, 201);
  EXPECT_EQ(account->upsert("1").status, 200);
  EXPECT_EQ(account->remove("1").status, 204);
  EXPECT_EQ(account->remove("1").status, 404);
  EXPECT_EQ(account->put("1").status, 404);
}

TEST(CosmosDocuments, MayLackAKeyWhichIsNotNull) {  // I10
  auto account = Account::with_container();
  const net::Pair none{key_a.first, "[{}]"};
  const net::Pair null{key_a.first, "[null]"};
  EXPECT_EQ(account->send("POST", documents, R"({"id":"1"})", {none}).status, 201);
  EXPECT_EQ(account->get("1", {none}).status, 200);
  EXPECT_EQ(account->get("1", {null}).status, 404);
  EXPECT_EQ(account->send("POST", documents, R"({"id":"1","pk":null})", {null}).status, 201);
}

TEST(CosmosDocuments, HaveIdsOfAnyCharacters) {  // I11
  auto account = Account::with_container();
  for (const auto& [id, path] : {std::pair{"a b", "a%20b"},
                                 {"a%20b", "a%2520b"},
                                 {"a+b", "a%2Bb"},
                                 {"ü", "%C3%BC"},
                                 {"😀", "%F0%9F%98%80"}}) {
    EXPECT_EQ(account->create(id).status, 201);
    EXPECT_EQ(account->get(path).body.member("id").text(), id);
  }
}

TEST(CosmosDocuments, AreOfBoundedSizeAndObjects) {  // I12, I13
  auto account = Account::with_container();
  constexpr std::size_t bytes_max = 2'097'152;
  const std::size_t bytes_around = Account::document("1", R"("text":"")").size();
  std::string text(bytes_max - bytes_around, 'x');
  EXPECT_EQ(account->create("1", R"("text":")" + text + "\"").status, 201);
  text += 'x';
  EXPECT_EQ(account->create("2", R"("text":")" + text + "\"").status, 413);
  EXPECT_EQ(account->put("1", R"("text":")" + text + "\"").status, 413);
  EXPECT_EQ(account->get("1").body.member("text").text().size(), text.size() - 1);
  for (const auto* bad : {"[1]", "\"x\"", "{", "", R"({"pk":"a"})", R"({"id":7,"pk":"a"})"}) {
    EXPECT_EQ(account->send("POST", documents, bad, {key_a}).status, 400) << bad;
  }
}

TEST(CosmosDocuments, AreNotShownInMinimalAnswers) {  // I14
  auto account = Account::with_container();
  const Answer made = account->create("1", "", {{"prefer", "return=minimal"}});
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.response.body, "");
}

TEST(CosmosDocuments, AreListedInPagesInTheOrderOfCreation) {  // I15, I16
  auto account = Account::with_container();
  for (const auto* id : {"5", "4", "3", "2", "1"}) account->create(id);
  std::string ids;
  std::string sizes;
  std::vector<net::Pair> headers{{"x-ms-max-item-count", "2"}};
  for (bool more = true; more;) {
    const Answer page = account->list(headers);
    for (const Value& document : page.body.member("Documents").array())
      ids += document.member("id").text();
    sizes += page.header("x-ms-item-count");
    more = !page.header("x-ms-continuation").empty();
    headers = {{"x-ms-max-item-count", "2"},
               {"x-ms-continuation", page.header("x-ms-continuation")}};
  }
  EXPECT_EQ(ids, "54321");
  EXPECT_EQ(sizes, "221");
  EXPECT_EQ(account->list({{"x-ms-continuation", "junk"}}).status, 400);
  EXPECT_EQ(account->list({{"x-ms-max-item-count", "none"}}).status, 400);
}

TEST(CosmosDocuments, KeepTheirNumbers) {  // I17
  auto account = Account::with_container();
  account->create("1", R"("a":1.0,"b":9007199254740993,"c":-0.0,"d":-0)");
  const Value read = account->get("1").body;
  EXPECT_EQ(read.member("b").integer(), 9007199254740993);
  EXPECT_EQ(read.member("a").number(), 1);
  EXPECT_EQ(read.member("c").number(), 0);
  EXPECT_EQ(read.member("d").number(), 0);
  EXPECT_EQ(account->create("2", R"("a":1e400)").status, 400);
}

TEST(CosmosDocuments, AreFoundByTheirRids) {
  auto account = Account::with_container();
  const Answer made = account->create("1");
  account->create("2");
  const std::string self = "/" + made.body.member("_self").text();
  EXPECT_EQ(account->send("GET", self, "", {key_a}).body.member("id").text(), "1");
  EXPECT_EQ(account->send("DELETE", self, "", {key_a}).status, 204);
  EXPECT_EQ(account->get("1").status, 404);
  EXPECT_EQ(account->send("PUT", self, Account::document("1"), {key_a}).status, 404);
}

Answer patch(Account& account, const std::string& body) {
  return account.send("PATCH", documents + "/1", body, {key_a});
}

TEST(CosmosPatches, FollowTheTableOfOperations) {  // P1 to P5
  auto account = Account::with_container();
  account->create("1", R"("n":1,"s":"x","o":{"a":1},"l":[1,2])");
  const auto one = [&](const std::string& operation) {
    return patch(*account, "[" + operation + "]");
  };
  EXPECT_EQ(one(R"({"op":"set","path":"/x/y","value":1})").status, 400);
  EXPECT_EQ(one(R"({"op":"set","path":"/o/y","value":1})").status, 200);
  EXPECT_EQ(one(R"({"op":"incr","path":"/new","value":5})").body.member("new").integer(), 5);
  EXPECT_EQ(one(R"({"op":"incr","path":"/s","value":5})").status, 400);
  EXPECT_EQ(render_json(one(R"({"op":"add","path":"/l/-","value":3})").body.member("l")),
            "[1,2,3]");
  EXPECT_EQ(render_json(one(R"({"op":"add","path":"/l/0","value":0})").body.member("l")),
            "[0,1,2,3]");
  EXPECT_EQ(one(R"({"op":"add","path":"/l/9","value":0})").status, 400);
  EXPECT_EQ(one(R"({"op":"replace","path":"/none","value":0})").status, 400);
  EXPECT_EQ(one(R"({"op":"remove","path":"/none"})").status, 400);
  const Answer moved = one(R"({"op":"move","from":"/o/a","path":"/b"})");
  EXPECT_EQ(moved.body.member("b").integer(), 1);
  EXPECT_TRUE(moved.body.member("o").member("a").is_missing());
}

TEST(CosmosPatches, AreBoundedConditionalAndLeaveTheSystemAlone) {  // P6, P7, P8, T22, T25, T28
  auto account = Account::with_container(R"("defaultTtl":5)");
  account->create("1", R"("n":5,"ttl":100)");
  std::string eleven;
  for (int i = 0; i < 11; ++i)
    eleven += (i ? "," : "") + std::string(R"({"op":"incr","path":"/n","value":1})");
  EXPECT_EQ(patch(*account, "[" + eleven + "]").status, 400);
  const auto under = [&](const std::string& condition) {
    return patch(*account, R"({"operations":[{"op":"set","path":"/x","value":1}],"condition":")" +
                               condition + "\"}");
  };
  EXPECT_EQ(under("from c where c.n > 5").status, 412);
  EXPECT_EQ(under("from c where c.n >= 5").status, 200);
  for (const auto* path : {"/id", "/pk", "/_ts"}) {
    EXPECT_EQ(
        patch(*account, R"([{"op":"set","path":")" + std::string(path) + R"(","value":1}])").status,
        400);
  }
  EXPECT_EQ(patch(*account, R"([{"op":"set","path":"/ttl","value":0}])").status, 400);
  EXPECT_EQ(patch(*account, R"([{"op":"remove","path":"/ttl"}])").status, 200);
  account->advance(5);
  EXPECT_EQ(patch(*account, R"([{"op":"set","path":"/x","value":1}])").status, 404);
}

std::string statuses(const Answer& answer) {
  std::string text;
  for (const Value& row : answer.body.array())
    text += std::to_string(row.member("statusCode").integer()) + " ";
  return text;
}
Answer batch(Account& account, const std::string& operations, bool is_atomic = true,
             bool goes_on = true) {
  return account.send("POST", documents, "[" + operations + "]",
                      {key_a,
                       {"x-ms-cosmos-is-batch-request", "True"},
                       {"x-ms-cosmos-batch-atomic", is_atomic ? "True" : "False"},
                       {"x-ms-cosmos-batch-continue-on-error", goes_on ? "True" : "False"}});
}
std::string create(const std::string& id, const std::string& more = "") {
  return R"({"operationType":"Create","partitionKey":"[\"a\"]","resourceBody":)" +
         Account::document(id, more) + "}";
}
std::string of(const std::string& operation, const std::string& id, const std::string& more = "") {
  return R"({"operationType":")" + operation + R"(","partitionKey":"[\"a\"]","id":")" + id + "\"" +
         more + "}";
}

TEST(CosmosBatches, DoAllInOrder) {  // B1, T54
  auto account = Account::with_container(R"("defaultTtl":-1)");
  const Answer done = batch(
      *account, create("x", R"("ttl":2)") + "," +
                    R"({"operationType":"Upsert","resourceBody":{"id":"2","pk":"a"}},)" +
                    of("Read", "x") + "," +
                    of("Replace", "2", R"(,"resourceBody":{"id":"2","pk":"a","n":1})") + "," +
                    of("Patch", "2", R"(,"resourceBody":[{"op":"incr","path":"/n","value":1}])") +
                    "," + create("3") + "," + of("Delete", "3"));
  EXPECT_EQ(done.status, 200) << done.response.body;
  EXPECT_EQ(statuses(done), "201 201 200 200 200 201 204 ");
  EXPECT_EQ(done.body.array()[4].member("resourceBody").member("n").integer(), 2);
  EXPECT_TRUE(done.body.array()[6].member("eTag").is_missing());
  EXPECT_EQ(done.body.array()[4].member("eTag").text(), account->get("2").header("etag"));
  account->advance(2);
  EXPECT_EQ(account->get("x").status, 404);
}

TEST(CosmosBatches, DoNothingWhereOneFails) {  // B2, B3, B4, B7, T22, T55
  auto account = Account::with_container(R"("defaultTtl":-1)");
  account->create("there");
  account->create("dead", R"("ttl":1)");
  account->advance(1);
  const Answer failed = batch(*account, create("1") + "," + create("there") + "," + create("2"));
  EXPECT_EQ(failed.status, 207);
  EXPECT_EQ(statuses(failed), "424 409 424 ");
  EXPECT_EQ(account->get("1").status, 404);
  const Answer dead = batch(*account, create("y") + "," + of("Read", "dead"));
  EXPECT_EQ(dead.status, 207);
  EXPECT_EQ(statuses(dead), "424 404 ");
  EXPECT_EQ(account->get("y").status, 404);
  EXPECT_EQ(statuses(batch(*account, create("y") + "," + create("z", R"("ttl":0)"))), "424 400 ");
  EXPECT_EQ(statuses(batch(*account, of("Delete", "there", R"(,"ifMatch":"\"x\"")"))), "412 ");
  const Answer other = batch(
      *account,
      R"({"operationType":"Create","partitionKey":"[\"b\"]","resourceBody":{"id":"1","pk":"b"}})");
  EXPECT_EQ(other.status, 400);
  EXPECT_NE(other.message().find("have a different partition key value than the request."),
            std::string::npos);
  std::string many = create("0");
  for (int i = 1; i <= 100; ++i) many += "," + create(std::to_string(i));
  EXPECT_EQ(batch(*account, many).status, 400);
}

TEST(CosmosBulk, DoesEachByItself) {  // B5, B6, T22, T56
  auto account = Account::with_container(R"("defaultTtl":-1)");
  const Answer all =
      batch(*account, create("1") + "," + create("1") + "," + of("Read", "none"), false);
  EXPECT_EQ(all.status, 207);
  EXPECT_EQ(statuses(all), "201 409 404 ");
  EXPECT_EQ(
      statuses(batch(*account, create("2") + "," + create("2") + "," + create("3"), false, false)),
      "201 409 424 ");
  EXPECT_EQ(statuses(batch(*account, create("4", R"("ttl":0)") + "," + create("5"), false)),
            "400 201 ");
  account->create("dead", R"("ttl":2)");
  account->advance(2);
  const Answer expired = batch(*account, of("Read", "dead") + "," + create("z"), false);
  EXPECT_EQ(expired.status, 207);
  EXPECT_EQ(statuses(expired), "404 201 ");
  EXPECT_EQ(account->get("z").status, 200);
  EXPECT_EQ(statuses(batch(*account, create("dead"), false)), "201 ");
}

Answer changes(Account& account, std::vector<net::Pair> headers,
               const std::string& mode = "Incremental Feed") {
  headers.emplace_back("a-im", mode);
  return account.send("GET", documents, "", std::move(headers));
}
std::string ids(const Answer& answer) {
  std::string text;
  if (!answer.body.is(Kind::object)) return text;
  for (const Value& document : answer.body.member("Documents").array())
    text += document.member("id").text();
  return text;
}

TEST(CosmosChangeFeed, ReportsEachDocumentOnceAsItIs) {  // F1, F2, F3, T57
  auto account = Account::with_container(R"("defaultTtl":-1)");
  account->create("1");
  account->create("2");
  account->create("3", R"("ttl":1)");
  account->put("1");
  account->create("4");
  account->advance(1);
  const Answer first = changes(*account, {{"x-ms-max-item-count", "2"}});
  EXPECT_EQ(ids(first), "21");
  EXPECT_EQ(first.body.member("Documents").array()[0].member("_lsn").kind(), Kind::integer);
  const Answer second = changes(*account, {{"if-none-match", first.header("etag")}});
  EXPECT_EQ(ids(second), "4");
  const Answer last = changes(*account, {{"if-none-match", second.header("etag")}});
  EXPECT_EQ(last.status, 304);
  EXPECT_EQ(last.header("etag"), second.header("etag"));
}

TEST(CosmosChangeFeed, OfOneKeyContinuesAfterOtherKeys) {
  auto account = Account::with_container();
  account->create("1");
  const Answer first = changes(*account, {key_a});
  for (const char* id : {"2", "3"}) {
    account->send("POST", documents, std::string(R"({"id":")") + id + R"(","pk":"b"})", {key_b});
  }
  const Answer none = changes(*account, {key_a, {"if-none-match", first.header("etag")}});
  EXPECT_EQ(none.status, 304);
  EXPECT_NE(none.header("etag"), first.header("etag"));
  EXPECT_EQ(ids(changes(*account, {{"if-none-match", none.header("etag")}})), "");
  account->create("4");
  EXPECT_EQ(ids(changes(*account, {key_a, {"if-none-match", none.header("etag")}})), "4");
}

// The changes from the beginning on, read by requests without any time.
std::string read_without_time(Account& account, std::vector<net::Pair> headers, int& pages) {
  account.answer_by = monotonic_now();
  std::string all;
  headers.emplace_back("if-none-match", "\"0\"");
  for (pages = 0; pages < 100; ++pages) {
    const Answer page = changes(account, headers);
    if (page.status == 304) break;
    EXPECT_EQ(page.status, 200) << page.response.body;
    EXPECT_NE(page.header("etag"), headers.back().second);
    all += ids(page);
    headers.back().second = page.header("etag");
  }
  account.answer_by = Instant::never();
  return all;
}

TEST(CosmosChangeFeed, ContinuesIfTheTimeEndsBeforeAPageIsFull) {
  auto account = Account::with_container();
  for (int i = 0; i < 1'200; ++i) account->create(fmt::format("{:04}", i));
  account->send("POST", documents, R"({"id":"last","pk":"b"})", {key_b});
  int pages = 0;
  EXPECT_EQ(read_without_time(*account, {key_b}, pages), "last");
  EXPECT_GT(pages, 1);
  const net::Pair most{"x-ms-max-item-count", "-1"};
  EXPECT_EQ(read_without_time(*account, {key_a, most}, pages).size(), 4 * 1'200U);
  EXPECT_GT(pages, 1);
  EXPECT_EQ(read_without_time(*account, {most}, pages).size(), 4 * 1'201U);
  EXPECT_GT(pages, 1);
}

TEST(CosmosChangeFeed, BeginsNowOrThenAndIsRestricted) {  // F1, F4, F5
  auto account = Account::with_container();
  account->create("1");
  const Answer now = changes(*account, {{"if-none-match", "*"}});
  EXPECT_EQ(now.status, 304);
  account->advance(10);
  account->create("2");
  account->send("POST", documents, R"({"id":"b","pk":"b"})");
  EXPECT_EQ(ids(changes(*account, {{"if-none-match", now.header("etag")}})), "2b");
  EXPECT_EQ(ids(changes(*account, {{"if-modified-since", "Fri, 15 Jan 2027 08:00:05 GMT"}})), "2b");
  const net::Pair its_second{"if-modified-since", "Fri, 15 Jan 2027 08:00:10 GMT"};
  const Answer later = changes(*account, {its_second});
  EXPECT_EQ(later.status, 304);
  account->create("3");
  EXPECT_EQ(changes(*account, {{"if-none-match", later.header("etag")}}).status, 304);
  account->advance(1);
  account->create("4");
  EXPECT_EQ(ids(changes(*account, {{"if-none-match", later.header("etag")}})), "4");
  EXPECT_EQ(ids(changes(*account, {its_second})), "4");
  EXPECT_EQ(ids(changes(*account, {key_b})), "b");
  const Answer junk = changes(*account, {{"if-none-match", "junk"}});
  EXPECT_EQ(junk.status, 400);
  EXPECT_NE(junk.message().find("Invalid Continuation Token"), std::string::npos);
}

TEST(CosmosChangeFeed, ReportsEveryVersionAndExpiryIfTheyAreKept) {  // F6, T58
  auto account =
      Account::with_container(R"("defaultTtl":-1,"changeFeedPolicy":{"retentionDuration":10})");
  const std::string all = "Full-Fidelity Feed";
  const Answer too_early = changes(*account, {}, all);
  EXPECT_EQ(too_early.status, 400);
  EXPECT_NE(
      too_early.message().find("You must read the change feed from within the retention period."),
      std::string::npos);
  const Answer now = changes(*account, {{"if-none-match", "*"}}, all);
  account->create("1", R"("ttl":5)");
  account->create("2");
  account->put("2", R"("n":1)");
  account->remove("2");
  account->advance(5);
  ASSERT_TRUE(account->database->sweeper().run_due(100).has_value());
  const Answer reported = changes(*account, {{"if-none-match", now.header("etag")}}, all);
  std::string story;
  for (const Value& item : reported.body.member("Documents").array()) {
    const Value metadata = item.member("metadata");
    story += metadata.member("operationType").text() + metadata.member("id").text() +
             (metadata.member("timeToLiveExpired").is_true() ? "! " : " ");
  }
  EXPECT_EQ(story, "create1 create2 replace2 delete2 delete1! ");
  EXPECT_EQ(render_json(reported.body.member("Documents")
                            .array()
                            .back()
                            .member("metadata")
                            .member("partitionKey")),
            R"({"pk":"a"})");
}

// The partition has more documents than one commit removes.
TEST(CosmosDocuments, OfAPartitionAreAllKeptIfOneIsUnderHold) {
  auto account = Account::with_container();
  constexpr std::size_t count = limits::transaction_operations_max + 1;
  constexpr std::size_t first = 10'000;
  for (std::size_t i = 0; i < count; ++i) account->create(std::to_string(first + i));
  const auto change_hold = [&](bool is_set) {
    const auto changed = account->database->transact([&](Transaction& transaction) -> Result<void> {
      for (const auto& [id, collection] : transaction.view().catalog().all_collections()) {
        if (collection->name != "c") continue;
        const auto key = DocumentKey::of(std::to_string(first + count - 1));
        return is_set ? transaction.hold(collection, key, {.by = "law", .reason = "case"})
                      : transaction.release(collection, key, "law");
      }
      return fail(Code::not_found, "there is no such container");
    });
    EXPECT_TRUE(changed.has_value());
  };
  change_hold(true);
  const auto remove = [&] {
    return account->send("POST", container + "/operations/partitionkeydelete", "", {key_a});
  };
  EXPECT_EQ(remove().status, 403);
  EXPECT_EQ(account->get(std::to_string(first)).status, 200);
  change_hold(false);
  EXPECT_EQ(remove().status, 200);
  EXPECT_EQ(account->get(std::to_string(first)).status, 404);
  EXPECT_EQ(account->get(std::to_string(first + count - 1)).status, 404);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
