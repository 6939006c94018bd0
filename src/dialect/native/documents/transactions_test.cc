// Transactions of the native API: all operations or none, in order, each error with its operation.
#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/common/limits.h"
#include "dialect/native/testing.h"

namespace mayfly::native::testing {
namespace {

const std::string target = "/v1/databases/d/transactions";

std::string operations(const std::string& items) {
  return R"({"operations":[)" + items + "]}";
}

// An operation on collection c; `rest` is appended after the id.
std::string op(const std::string& verb, const std::string& id, const std::string& rest = "") {
  return fmt::format(R"({{"op":"{}","collection":"c","id":"{}"{}{}}})", verb, id,
                     rest.empty() ? "" : ",", rest);
}

net::Response run(Api& api, const std::string& items) {
  return api.send("POST", target, operations(items));
}
std::string error_of(Api& api, const std::string& items) {
  const net::Response answer = run(api, items);
  return std::to_string(answer.status) + (answer.status < 300 ? "" : " " + Api::error_of(answer));
}

TEST(NativeTransactionsTest, EveryOperationIsExecutedAndReported) {
  auto api = Api::with_collection(R"({"keep_trash_for":100})");
  api->send("PUT", "/v1/databases/d/collections/other");
  for (const char* id : {"old", "gone", "back"}) {
    api->send("PUT", place + "/documents/" + id, R"({"n":1})");
  }
  api->send("DELETE", place + "/documents/back");
  const net::Response answer =
      run(*api, op("create", "new", R"("data":{"n":2})") + "," +
                    op("patch", "old", R"("data":{"m":[]},"ttl":60)") + "," + op("remove", "gone") +
                    "," + op("restore", "back") + "," +
                    R"({"op":"put","collection":"other","id":"o","data":{"x":1.0},)"
                    R"("expires_at":"2030-01-01T00:00:00Z"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(api->get("new"), R"({"n":2})");
  EXPECT_EQ(api->get("old"), R"({"n":1,"m":[]})");
  EXPECT_EQ(api->get("gone"), "-");
  EXPECT_EQ(api->get("back"), R"({"n":1})");
  const Value other = api->json("GET", "/v1/databases/d/collections/other/documents/o");
  EXPECT_EQ(other.member("expires_at").text(), "2030-01-01T00:00:00Z");

  const Value told = *parse_json(answer.body);
  EXPECT_EQ(told.member("committed_at").text(), other.member("written_at").text());
  const Array& results = told.member("results").array();
  ASSERT_EQ(results.size(), 5u);
  const auto etag = render_json(other.member("etag"));
  std::string shown;
  for (const Value& result : results) {
    shown += result.member("op").text() + " " + result.member("id").text() +
             (result.member("created").is_true() ? " created " : " ") +
             (render_json(result.member("etag")) == etag ? "tag " : "null ") +
             render_json(result.member("expires_at")) + "\n";
  }
  EXPECT_EQ(shown,
            "create new created tag null\n"
            "patch old tag " +
                api->get("old", "expires_at") +
                "\n"
                "remove gone null null\n"
                "restore back tag null\n"
                "put o created tag \"2030-01-01T00:00:00Z\"\n");
}

TEST(NativeTransactionsTest, OneFailureUndoesAll) {
  auto api = Api::with_collection();
  api->send("PUT", place + "/documents/there", R"({"n":1})");
  const std::string feed = api->ask("GET", place + "/feed");
  EXPECT_EQ(error_of(*api, op("put", "a", R"("data":{})") + "," +
                               op("put", "there", R"("data":{"n":2})") + "," +
                               op("create", "there", R"("data":{})")),
            "409 exists operations[2].id");
  EXPECT_EQ(api->get("a"), "-");
  EXPECT_EQ(api->get("there"), R"({"n":1})");
  EXPECT_EQ(api->ask("GET", place + "/feed"), feed);
}

TEST(NativeTransactionsTest, EachOperationSeesThoseBeforeIt) {
  auto api = Api::with_collection(R"({"keep_trash_for":100})");
  EXPECT_EQ(error_of(*api, op("create", "a", R"("data":{"n":1})") + "," +
                               op("patch", "a", R"("data":{"m":2})") + "," +
                               op("create", "b", R"("data":{})") + "," + op("remove", "b") + "," +
                               op("create", "b", R"("data":{"again":true})")),
            "200");
  EXPECT_EQ(api->get("a"), R"({"n":1,"m":2})");
  EXPECT_EQ(api->get("b"), R"({"again":true})");
  EXPECT_EQ(error_of(*api, op("remove", "a") + "," + op("patch", "a", R"("data":{})")),
            "404 not_found operations[1].id");
}

TEST(NativeTransactionsTest, AConditionHoldsForTheVersionThatWasThereBefore) {
  auto api = Api::with_collection();
  api->send("PUT", place + "/documents/a?ttl=10", R"({"n":1})");
  const std::string etag = api->get("a", "etag");
  const std::string match = R"("if_match":)" + etag;
  const std::string put = op("put", "a", R"("data":{"n":2},)" + match);
  // The transaction's own write, too, makes the tag stale, even if the clock stands still.
  EXPECT_EQ(error_of(*api, put + "," + put), "412 stale operations[1].if_match");
  EXPECT_EQ(error_of(*api, put + "," + op("remove", "a", R"("if_match":"*")")), "200");
  EXPECT_EQ(error_of(*api, put), "404 not_found operations[0].id");
  api->send("PUT", place + "/documents/a?ttl=10", "{}");
  EXPECT_EQ(error_of(*api, put), "412 stale operations[0].if_match");
  const std::string now = R"("if_match":)" + api->get("a", "etag");
  api->advance(10);
  // An expired document does not exist, so it is never stale.
  EXPECT_EQ(error_of(*api, op("remove", "a", now)), "404 not_found operations[0].id");
  EXPECT_EQ(error_of(*api, op("patch", "a", R"("data":{},)" + now)),
            "404 not_found operations[0].id");
}

TEST(NativeTransactionsTest, LifetimesAreThoseOfSingleWrites) {
  auto api = Api::with_collection(R"({"default_ttl":60})");
  const auto death = [&](const std::string& lifetime) {
    EXPECT_EQ(error_of(*api, op("put", "a", R"("data":{})" + lifetime)), "200");
    return api->get("a", "expires_at");
  };
  const auto follows_default = [&] {
    return api->instant("a", "expires_at") == api->instant("a", "written_at") + Span::seconds(60);
  };
  death("");
  EXPECT_TRUE(follows_default());
  EXPECT_EQ(death(R"(,"expires_at":"2027-02-01T00:00:00.5Z")"), R"("2027-02-01T00:00:00.500Z")");
  EXPECT_EQ(death(""), R"("2027-02-01T00:00:00.500Z")");
  EXPECT_EQ(death(R"(,"never":true)"), "null");
  death(R"(,"inherit":true)");
  EXPECT_TRUE(follows_default());
  const Instant before = api->now();
  death(R"(,"ttl":3)");
  EXPECT_EQ(api->instant("a", "expires_at"), before + Span::seconds(3));
}

TEST(NativeTransactionsTest, TheAuthorIsTheOperationsOrElseTheHeaders) {
  auto api = Api::with_collection();
  api->send("POST", target,
            operations(op("put", "a", R"("data":{},"author":"ann")") + "," +
                       op("put", "b", R"("data":{})")),
            {{"mayfly-author", "bob"}});
  EXPECT_EQ(api->get("a", "author") + api->get("b", "author"), R"("ann""bob")");
}

TEST(NativeTransactionsTest, ACreateWithoutAnIdMakesOne) {
  auto api = Api::with_collection();
  const Value answer =
      *parse_json(run(*api, R"({"op":"create","collection":"c","data":{"n":1}})").body);
  const std::string id = answer.member("results").array().at(0).member("id").text();
  EXPECT_EQ(id.size(), 36u);
  EXPECT_EQ(api->get(id), R"({"n":1})");
}

TEST(NativeTransactionsTest, UniqueIndexesAndThePolicyOfTheCollectionApply) {
  auto api = Api::with_collection(
      R"({"writers_may_set_ttl":false,
          "indexes":[{"name":"mail","fields":[{"path":"mail"}],"unique":true}]})");
  EXPECT_EQ(error_of(*api, op("put", "a", R"("data":{"mail":"x"})") + "," +
                               op("put", "b", R"("data":{"mail":"x"})")),
            "409 exists operations[1].data.mail");
  EXPECT_EQ(error_of(*api, op("put", "a", R"("data":{},"ttl":5)")), "403 forbidden operations[0]");
  EXPECT_EQ(api->get("a"), "-");
}

TEST(NativeTransactionsTest, BadOperationsAreRefusedByNameAndNothingIsWritten) {
  const std::string deep =
      std::string(limits::document_depth_max, '[') + std::string(limits::document_depth_max, ']');
  const std::string long_text(limits::document_bytes_max, 'x');
  const std::vector<std::pair<std::string, std::string>> table = {
      {R"(5)", "400 invalid operations[1]"},
      {R"(null)", "400 invalid operations[1]"},
      {R"({})", "400 invalid operations[1].op"},
      {R"({"op":7})", "400 invalid operations[1].op"},
      {R"({"op":"forget","collection":"c","id":"x"})", "400 invalid operations[1].op"},
      {R"({"op":"put","id":"x","data":{}})", "400 invalid operations[1].collection"},
      {R"({"op":"put","collection":null,"id":"x","data":{}})",
       "400 invalid operations[1].collection"},
      {R"({"op":"put","collection":"none","id":"x","data":{}})",
       "404 not_found operations[1].collection"},
      {R"({"op":"put","collection":"c","data":{}})", "400 invalid operations[1].id"},
      {R"({"op":"remove","collection":"c"})", "400 invalid operations[1].id"},
      {R"({"op":"put","collection":"c","id":5,"data":{}})", "400 invalid operations[1].id"},
      {op("put", "", R"("data":{})"), "400 invalid operations[1].id"},
      {op("put", std::string(limits::document_id_bytes_max + 1, 'i'), R"("data":{})"),
       "400 invalid operations[1].id"},
      {op("put", "x"), "400 invalid operations[1].data"},
      {op("put", "x", R"("data":null)"), "400 invalid operations[1].data"},
      {op("patch", "there", R"("data":[])"), "400 invalid operations[1].data"},
      {op("patch", "nobody", R"("data":{})"), "404 not_found operations[1].id"},
      {op("put", "x", R"("data":{"a":)" + deep + "}"), "413 too_large operations[1].data"},
      {op("patch", "there", R"("data":{"a":)" + deep + "}"), "413 too_large operations[1].data"},
      {op("put", "x", R"("data":{"a":")" + long_text + R"("})"),
       "413 too_large operations[1].data"},
      {op("put", "x", R"("data":{},"ttl":0)"), "400 invalid operations[1].ttl"},
      {op("put", "x", R"("data":{},"ttl":-1)"), "400 invalid operations[1].ttl"},
      {op("put", "x", R"("data":{},"ttl":1.5)"), "400 invalid operations[1].ttl"},
      {op("put", "x", R"("data":{},"ttl":"5")"), "400 invalid operations[1].ttl"},
      {op("put", "x", R"("data":{},"ttl":null)"), "400 invalid operations[1].ttl"},
      {op("put", "x", R"("data":{},"ttl":2147483648)"), "400 invalid operations[1].ttl"},
      {op("put", "x", R"("data":{},"expires_at":5)"), "400 invalid operations[1].expires_at"},
      {op("put", "x", R"("data":{},"expires_at":"soon")"), "400 invalid operations[1].expires_at"},
      {op("put", "x", R"("data":{},"expires_at":"2020-01-01T00:00:00Z")"),
       "400 invalid operations[1].expires_at"},
      {op("put", "x", R"("data":{},"never":false)"), "400 invalid operations[1].never"},
      {op("put", "x", R"("data":{},"never":1)"), "400 invalid operations[1].never"},
      {op("put", "x", R"("data":{},"inherit":"yes")"), "400 invalid operations[1].inherit"},
      {op("put", "x", R"("data":{},"ttl":5,"never":true)"), "400 invalid operations[1].ttl"},
      {op("put", "x", R"("data":{},"inherit":true,"never":true)"),
       "400 invalid operations[1].never"},
      {op("put", "x", R"("data":{},"if_match":5)"), "400 invalid operations[1].if_match"},
      {op("put", "x", R"("data":{},"if_match":"a b")"), "400 invalid operations[1].if_match"},
      {op("put", "x", R"("data":{},"if_match":"*")"), "404 not_found operations[1].id"},
      {op("create", "x", R"("data":{},"if_match":"*")"), "400 invalid operations[1].if_match"},
      {op("put", "x", R"("data":{},"final":true)"), "400 invalid operations[1].final"},
      {op("remove", "there", R"("final":"yes")"), "400 invalid operations[1].final"},
      {op("remove", "there", R"("data":{})"), "400 invalid operations[1].data"},
      {op("remove", "there", R"("ttl":5)"), "400 invalid operations[1].ttl"},
      {op("remove", "nobody"), "404 not_found operations[1].id"},
      {op("restore", "nobody"), "404 not_found operations[1].id"},
      {op("restore", "there"), "409 exists operations[1].id"},
      {op("put", "x", R"("data":{},"author":5)"), "400 invalid operations[1].author"},
      {op("put", "x", R"("data":{},"author":")" + std::string(257, 'a') + "\""),
       "400 invalid operations[1].author"},
      {op("put", "x", R"("data":{},"tll":5)"), "400 invalid operations[1].tll"},
  };
  for (const auto& [item, error] : table) {
    auto api = Api::with_collection();
    api->send("PUT", place + "/documents/there", "{}");
    EXPECT_EQ(error_of(*api, op("put", "a", R"("data":{})") + "," + item), error)
        << item.substr(0, 100);
    EXPECT_EQ(api->ids(place + "/documents"), "there") << item.substr(0, 100);
  }
}

TEST(NativeTransactionsTest, ABodyThatIsNoTransactionIsRefused) {
  auto api = Api::with_collection();
  const auto error = [&](const std::string& body) {
    const net::Response answer = api->send("POST", target, body);
    return std::to_string(answer.status) + " " + Api::error_of(answer);
  };
  EXPECT_EQ(error(""), "400 invalid");
  EXPECT_EQ(error("[]"), "400 invalid");
  EXPECT_EQ(error("{}"), "400 invalid operations");
  EXPECT_EQ(error(R"({"operations":[]})"), "400 invalid operations");
  EXPECT_EQ(error(R"({"operations":{}})"), "400 invalid operations");
  EXPECT_EQ(error(R"({"operations":null})"), "400 invalid operations");
  EXPECT_EQ(error(R"({"operations":[],"atomic":false})"), "400 invalid atomic");
  EXPECT_EQ(Api::error_of(api->send("POST", "/v1/databases/none/transactions",
                                    operations(op("put", "a", R"("data":{})")))),
            "not_found database");
  EXPECT_EQ(Api::error_of(api->send("POST", target + "?atomic=false", "{}")), "invalid atomic");
}

TEST(NativeTransactionsTest, ATransactionIsBounded) {
  auto api = Api::with_collection();
  std::string items;
  for (std::size_t i = 0; i < limits::transaction_operations_max; ++i) {
    items += (i ? "," : "") + op("put", std::to_string(i), R"("data":{})");
  }
  EXPECT_EQ(error_of(*api, items + "," + op("put", "more", R"("data":{})")),
            "413 too_large operations");
  EXPECT_EQ(api->ids(place + "/documents"), "");
  EXPECT_EQ(error_of(*api, items), "200");
  EXPECT_EQ(api->ask("GET", place + "/count"), R"(200 {"count":1000})");
}

TEST(NativeTransactionsTest, RemovalsAreBoundedByTheBytesThatTheyWrite) {
  auto api = Api::with_collection(R"({"keep_trash_for":100,"keep_history_for":100})");
  const std::string text(limits::document_bytes_max - 10'000, 'x');
  std::string all;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "d" + std::to_string(100 + i);
    api->send("PUT", place + "/documents/" + id, R"({"text":")" + text + R"("})");
    all += (all.empty() ? "" : ",") + op("remove", id);
  }
  EXPECT_EQ(error_of(*api, all), "413 too_large operations[16]");
  EXPECT_EQ(api->ask("GET", place + "/count"), R"(200 {"count":40})");
  EXPECT_EQ(api->ids(place + "/trash"), "");
  EXPECT_EQ(error_of(*api, op("remove", "d100")), "200");
  EXPECT_EQ(api->ids(place + "/trash"), "d100");
}

}  // namespace
}  // namespace mayfly::native::testing
