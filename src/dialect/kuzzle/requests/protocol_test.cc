// The two protocols, and the envelope of every answer.
#include <gtest/gtest.h>

#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::v7;

TEST(KuzzleProtocolTest, EveryAnswerHasItsRequestId) {
  const auto s = Server::with_collection();
  const Answer named = s->send(
      R"("requestId":"r1","controller":"server","action":"now","volatile":{"x":1},"meta":{})");
  EXPECT_EQ(render_json(named.body),
            R"({"requestId":"r1","status":200,"error":null,"controller":"server","action":"now",)"
            R"("collection":null,"index":null,"volatile":{"x":1},"result":{"now":1800000000000},)"
            R"("room":"r1"})");
  const Answer unnamed = s->send(R"("controller":"server","action":"now")");
  EXPECT_EQ(unnamed.text("room"), unnamed.text("requestId"));
  EXPECT_EQ(unnamed["room"].text().size(), 36U);
}

TEST(KuzzleProtocolTest, AnInvalidMessageGetsABareError) {
  Server s;
  const Answer broken = s.send_text("not json");
  EXPECT_EQ(broken.status, 400);
  EXPECT_TRUE(broken["room"].is_missing());
  EXPECT_TRUE(broken["message"].is(Kind::text));
  const Answer wrong = s.send_text(R"({"_id":5,"requestId":"r"})");
  EXPECT_EQ(wrong.text("room"), R"("r")");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(render_json(s.send_text(R"({"p":1})").body), R"({"p":2})");
}

TEST(KuzzleProtocolTest, AnOverloadedServerRefusesRequests) {
  Server s;
  const auto recorder = std::make_shared<testing::RecordingClient>();
  const auto conversation = s.open_conversation(recorder);
  conversation->receive(R"({"requestId":"r1","controller":"server","action":"now"})");
  conversation->refuse({Code::throttled, "too much"});
  const Value answer = *parse_json(recorder->received.at(0));
  EXPECT_EQ(answer.member("room").text(), "r1");
  EXPECT_EQ(answer.member("status").integer(), 503);
  EXPECT_EQ(answer.member("error").member("message").text(),
            "Request discarded: Kuzzle Server is temporarily overloaded");
  EXPECT_EQ(s.dialect->refuse({Code::throttled, "too much"}).status, 503);
}

TEST(KuzzleProtocolTest, AnAnswerWithoutMemoryForItIsReplacedByAnError) {
  struct SmallEar final : net::WebSocketSender {
    bool answer(std::string_view text) override {
      if (text.size() < 10'000) received.emplace_back(text);
      return text.size() < 10'000;
    }
    bool send(std::string_view text) override { return answer(text); }
    bool is_open() const override { return true; }
    std::vector<std::string> received;
  };
  Server s;
  const auto recorder = std::make_shared<SmallEar>();
  const auto conversation = s.open_conversation(recorder);
  conversation->receive(
      R"({"requestId":"r1","controller":"server","action":"now","volatile":{"v":")" +
      std::string(20'000, 'v') + R"("}})");
  conversation->answer(Instant::never());
  ASSERT_EQ(recorder->received.size(), 1U);
  const Value answer = *parse_json(recorder->received.at(0));
  EXPECT_EQ(answer.member("room").text(), "r1");
  EXPECT_EQ(answer.member("status").integer(), 503);
  EXPECT_EQ(answer.member("error").member("message").text(),
            "The answer is too large for the memory that is left: ask for less, or later");
}

TEST(KuzzleProtocolTest, UnknownActionsAreNamedAsInTheClientsVersion) {
  Server s;
  const Answer v1 = s.send(R"("controller":"foo","action":"bar")");
  EXPECT_EQ(v1.status, 400);
  EXPECT_EQ(v1.error(), R"("Unknown controller foo")");
  EXPECT_TRUE(v1["error.stack"].is(Kind::text));
  EXPECT_EQ(s.call("server:bar").error(), R"("No corresponding action bar in controller server")");
  s.client = v7;
  const Answer v2 = s.call("foo:bar");
  EXPECT_EQ(v2.status, 404);
  EXPECT_EQ(v2.text("error.id"), R"("api.process.controller_not_found")");
  EXPECT_EQ(v2.text("error.code"), std::to_string(0x02020004));
  EXPECT_EQ(v2.text("node"), R"("mayfly")");
}

TEST(KuzzleProtocolTest, HttpAnswersTheSame) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->http("POST", "/idx/col/_create?_id=d1&refresh=wait_for", R"({"a":1})").status, 200);
  const Answer got = s->http("GET", "/idx/col/d1/", "", {{"x-kuzzle-volatile", R"({"x":1})"}});
  EXPECT_EQ(got.text("volatile"), R"({"x":1})");
  EXPECT_EQ(got.text("controller"), R"("document")");
  EXPECT_TRUE(got["room"].is_missing());
  EXPECT_EQ(s->http("GET", "/idx/col/d1", "", {{"x-kuzzle-volatile", "{"}}).status, 400);
  const Answer late = s->http("GET", "/idx/col/d1", "", {{"x-kuzzle-volatile", v7}});
  EXPECT_TRUE(late["result._meta"].is_missing());
  const Answer nowhere = s->http("GET", "/nope/nope/nope/nope");
  EXPECT_EQ(nowhere.status, 404);
  EXPECT_EQ(nowhere.error(), R"("API URL not found: /nope/nope/nope/nope")");
  EXPECT_EQ(s->http("POST", "/idx/col/_create", "{").status, 400);
  EXPECT_EQ(s->http("POST", "/idx/col/_create", "{}", {{"content-type", "text/xml"}}).status, 400);
  s->http("GET", "/_now?pretty");
  EXPECT_NE(s->response.body.find("\n  \"status\": 200,\n"), std::string::npos);
}

TEST(KuzzleProtocolTest, EveryUrlAnswersPreflightRequests) {
  const auto s = Server::with_collection();
  for (const char* target : {"/x", "/", "/idx/col/d1?pretty"}) {
    const Answer reply = s->http("OPTIONS", target);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.text("status"), "200");
    EXPECT_EQ(reply.error(), "");
    EXPECT_EQ(reply.result(), "{}");
    EXPECT_TRUE(reply["requestId"].is(Kind::text));
    const std::vector<net::Pair> expected{
        {"Access-Control-Allow-Credentials", "true"},
        {"Access-Control-Allow-Methods", "GET,POST,PUT,PATCH,DELETE,OPTIONS,HEAD"},
        {"Access-Control-Allow-Headers",
         "Content-Type, Access-Control-Allow-Headers, Authorization, X-Requested-With, "
         "Content-Encoding, Content-Length, X-Kuzzle-Volatile"}};
    EXPECT_EQ(s->response.headers, expected);
  }
}

TEST(KuzzleProtocolTest, MissingAndWrongArgumentsAreNamed) {
  const auto s = Server::with_collection();
  const auto error_of = [&](const std::string& members) { return s->send(members).error(); };
  const std::string create = R"("controller":"document","action":"create")";
  EXPECT_EQ(error_of(create), R"("The request must specify an index.")");
  EXPECT_EQ(error_of(create + R"(,"index":"idx")"), R"("The request must specify a collection.")");
  EXPECT_EQ(s->call("document:create").error(), R"("The request must specify a body.")");
  EXPECT_EQ(s->call("document:get").error(), R"("The request must specify an _id.")");
  EXPECT_EQ(s->of("document:create", "_x", "{}").status, 400);
  EXPECT_EQ(s->call("document:mGet", R"("body":{})").error(),
            R"("The request must specify a body attribute \"ids\".")");
  EXPECT_EQ(s->call("document:mGet", R"("body":{"ids":1})").error(),
            R"("The request must specify the body attribute \"ids\" of type \"array\".")");
  const Answer refreshed = s->of("document:create", "x", "{}", R"("refresh":"yes")");
  EXPECT_EQ(refreshed.status, 400);
  EXPECT_EQ(refreshed.error(),
            R"("Refresh parameter only supports the value \"wait_for\" or false")");
  EXPECT_EQ(s->of("document:get", "x").status, 404);
  EXPECT_EQ(s->of("document:create", "x", R"({"_routing":"r"})").error(),
            R"("Kuzzle does not support \"_routing\" in create action.")");
  const Answer nowhere = s->send(create + R"(,"index":"idx","collection":"x","body":{})");
  EXPECT_EQ(nowhere.status, 412);
  EXPECT_EQ(nowhere.error(), R"("Index 'idx' and/or collection 'x' don't exist")");
  const Answer reserved = s->send(R"("controller":"index","action":"exists","index":"%kuzzle")");
  EXPECT_EQ(reserved.status, 400);
  EXPECT_EQ(reserved.error(), R"("Indexes starting with a \"%\" are reserved for internal use. )"
                              R"(Cannot process index %kuzzle.")");
}

TEST(KuzzleProtocolTest, NoRequestExceedsTheServersBoundOfDocuments) {
  const auto s = Server::with_collection();
  const auto get = [&](int count) {
    std::string ids;
    for (int i = 0; i < count; ++i) ids += (i > 0 ? ",\"" : "\"") + std::to_string(i) + '"';
    return s->call("document:mGet", R"("body":{"ids":[)" + ids + "]}").status;
  };
  EXPECT_EQ(get(1'000), 200);
  EXPECT_EQ(get(1'001), 413);
  EXPECT_EQ(s->call("document:mCreate", testing::numbered_documents(200)).status, 200);
  const Answer many = s->call("document:mCreate", testing::numbered_documents(201));
  EXPECT_EQ(many.status, 413);
  EXPECT_EQ(many.error(), "\"Number of documents exceeds the server configured value (200)\"");
}

TEST(KuzzleProtocolTest, TheServerDescribesItsApiAndItsConfiguration) {
  Server s({.every = Span::seconds(86'400)});
  EXPECT_EQ(s.http("GET", "/_publicApi").result(), render_json(Value(public_api())));
  for (const char* target : {"/", "/_serverInfo"}) {
    EXPECT_EQ(s.http("GET", target).text("result.serverInfo.kuzzle.api.routes"),
              render_json(Value(whole_api())));
  }
  const Answer config = s.http("GET", "/_getConfig");
  EXPECT_EQ(config.text("result.services.garbageCollector"),
            R"({"cleanInterval":86400000,"maxDelete":1000})");
  EXPECT_TRUE(config["result.limits"].is(Kind::object));
  EXPECT_TRUE(config["result.security"].is_missing());
  EXPECT_EQ(s.http("GET", "/_healthCheck").text("result.status"), R"("green")");
  EXPECT_EQ(s.http("GET", "/users/_me").text("result._id"), R"("-1")");
  EXPECT_EQ(s.http("GET", "/_me").text("result._source.profileIds"), R"(["anonymous"])");
}

TEST(KuzzleProtocolTest, AClientThatNamesNoLibraryIsAnsweredAsTheRequestOrTheSettingSays) {
  Server s;
  const auto version = [&](const std::string& target, std::vector<net::Pair> headers = {}) {
    const Answer answer = s.http("GET", target, "", std::move(headers));
    return answer.status == 200 ? answer["result.version"].text() : answer.error();
  };
  EXPECT_EQ(version("/_getConfig"), "1.2.13");
  EXPECT_EQ(version("/_getConfig?kuzzleVersion=2"), "2.56.0");
  EXPECT_EQ(version("/_getConfig", {{"x-kuzzle-version", "1.12"}}), "1.12.0");
  EXPECT_EQ(version("/_getConfig?kuzzleVersion=1", {{"x-kuzzle-volatile", v7}}), "2.56.0");
  EXPECT_EQ(version("/_getConfig?kuzzleVersion=3"),
            R"("The version of Kuzzle is 1, 1.12 or 2, not \"3\".")");
  const auto settings = Settings::resolve(kuzzle_settings(), {.flags = {{"kuzzle.version", "2"}}});
  s.restart_with(kuzzle_options(*settings));
  EXPECT_EQ(version("/_getConfig"), "2.56.0");
  EXPECT_EQ(version("/_getConfig?kuzzleVersion=1"), "1.2.13");
  EXPECT_EQ(version("/_getConfig", {{"x-kuzzle-volatile", R"({"sdkVersion":"5.0.15"})"}}),
            "1.2.13");
  EXPECT_EQ(s.http("GET", "/nope/nope/nope/nope").text("error.id"),
            R"("network.http.url_not_found")");
  EXPECT_NE(s.dialect->refuse({Code::throttled, "too much"}).body.find("api.process.overloaded"),
            std::string::npos);
  EXPECT_EQ(s.send(R"("controller":"server","action":"getConfig")")["result.version"].text(),
            "2.56.0");
  EXPECT_EQ(s.send_text("not json").text("id"), R"("api.assert.invalid_argument")");
}

TEST(KuzzleProtocolTest, AWebSocketMayNameItsVersionWhenItBegins) {
  Server s;
  const auto begin = [&](const std::string& version) {
    net::Request request{.method = "GET", .path = "/", .parameters = {{"kuzzleVersion", version}}};
    request.headers = {{"upgrade", "websocket"}};
    return net::PendingRequest(*s.dialect, request)->answer();
  };
  const auto recorder = std::make_shared<testing::RecordingClient>();
  const auto conversation = begin("2").conversation(recorder);
  for (const char* more : {"", R"(,"volatile":{"sdkVersion":"6.2.8"})"}) {
    conversation->receive(R"({"controller":"server","action":"getConfig")" + std::string(more) +
                          "}");
    conversation->answer(Instant::never());
  }
  EXPECT_EQ(Server::answer_in(recorder->received.at(0))["result.version"].text(), "2.56.0");
  EXPECT_EQ(Server::answer_in(recorder->received.at(1))["result.version"].text(), "1.12.0");
  EXPECT_EQ(begin("3").status, 400);
}

TEST(KuzzleProtocolTest, TheFirstSlashOfAnAddressMayBeDoubled) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->http("PUT", "//idx/col/d1", R"({"a":1})").status, 200);
  EXPECT_EQ(s->http("GET", "///idx/col/d1").text("result._id"), R"("d1")");
  EXPECT_EQ(s->http("GET", "//_now").status, 200);
  EXPECT_EQ(s->http("GET", "/idx//d1").status, 404);
}

TEST(KuzzleProtocolTest, VersionTwoMakesTheIndexOfANewCollection) {
  Server s;
  EXPECT_EQ(s.call("collection:create").status, 412);
  s.client = v7;
  EXPECT_EQ(s.call("collection:create", R"("body":{"mappings":{"properties":3}})").status, 400);
  EXPECT_EQ(s.call("index:exists").result(), "false") << "what is refused makes no index";
  EXPECT_EQ(s.call("collection:create").result(), R"({"acknowledged":true})");
  EXPECT_EQ(s.call("index:list").result(), R"({"indexes":["idx"]})");
  EXPECT_EQ(s.http("PUT", "/A/col?kuzzleVersion=2").text("error.id"),
            R"("services.storage.invalid_index_name")");
}

TEST(KuzzleProtocolTest, TheNameOfACollectionIsCheckedBeforeItsIndex) {
  Server s;
  const auto create = [&](const std::string& name) {
    s.collection = name;
    return s.call("collection:create").text("error.id");
  };
  s.client = v7;
  for (const char* name : {"%users", "&users", "us.ers", "us/ers"}) {
    EXPECT_EQ(create(name), R"("services.storage.invalid_collection_name")") << name;
  }
  EXPECT_EQ(create("_kuzzle_keep"), R"("services.storage.collection_reserved")");
  EXPECT_EQ(s.call("index:exists").result(), "false");
  s.client.clear();
  s.collection = "%users";
  EXPECT_EQ(s.call("collection:create").status, 400);
}

TEST(KuzzleProtocolTest, IndexesAndCollectionsAreMadeListedAndDropped) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->call("index:create").status, 400);
  EXPECT_EQ(s->call("index:exists").result(), "true");
  EXPECT_EQ(s->call("index:list").result(), R"({"indexes":["idx"]})");
  EXPECT_EQ(s->call("collection:exists").result(), "true");
  EXPECT_EQ(
      s->call("collection:create", R"("body":{"properties":{"a":{"type":"keyword"}}})").result(),
      R"({"acknowledged":true})");
  EXPECT_EQ(s->http("PUT", "/idx/another").status, 200);
  EXPECT_EQ(s->http("GET", "/idx/_list").result(),
            R"({"type":"all","collections":[{"name":"another","type":"stored"},)"
            R"({"name":"col","type":"stored"}]})");
  EXPECT_EQ(
      s->http("GET", "/idx/_list/stored?from=1&size=1").result(),
      R"({"type":"stored","collections":[{"name":"col","type":"stored"}],"from":1,"size":1})");
  EXPECT_EQ(s->http("GET", "/idx/_list/other").status, 400);
  EXPECT_EQ(s->http("PUT", "/none/col").status, 412);
  EXPECT_EQ(s->http("GET", "/none/col/d1").error(),
            R"("Index \"none\" does not exist, please create it first")");
  EXPECT_EQ(s->http("DELETE", "/idx/another").status, 200);
  EXPECT_EQ(s->http("DELETE", "/_mdelete", R"({"indexes":["idx","none"]})").result(),
            R"({"deleted":["idx"]})");
  s->client = v7;
  EXPECT_EQ(s->call("index:create").status, 200);
  EXPECT_EQ(s->call("index:create").text("error.id"), R"("services.storage.index_already_exists")");
  EXPECT_EQ(s->call("index:create").status, 412);
}

}  // namespace
}  // namespace mayfly::kuzzle
