// The dialect on a database in memory under a clock that the test moves, without a socket.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "dialect/kuzzle/kuzzle.h"
#include "net/router.h"
#include "store/checked.h"
#include "store/memory/memory_store.h"
#include "value/json.h"

namespace mayfly::kuzzle::testing {

constexpr Instant start = Instant::from_seconds(1'800'000'000);
constexpr std::int64_t start_millis = 1'800'000'000'000;
inline const std::string v6 = R"({"sdkVersion":"6.2.8"})";
inline const std::string v7 = R"({"sdkName":"js@7.17.1"})";

inline Value at(const Value& value, const std::string& path) {
  return mayfly::at(value, *Path::parse(path));
}

struct Answer {
  int status = 0;
  Value body;

  Value operator[](const std::string& path) const { return at(body, path); }
  // As JSON; empty where it is not there.
  std::string text(const std::string& path) const {
    const Value value = at(body, path);
    return value.is_missing() ? std::string() : render_json(value);
  }
  std::string result() const { return text("result"); }
  std::string error() const { return text("error.message"); }
};

class Ear final : public net::Speaker {
 public:
  bool answer(std::string_view text) override {
    heard.emplace_back(text);
    return true;
  }
  bool tell(std::string_view text) override { return answer(text); }
  bool is_open() const override { return true; }
  std::vector<std::string> heard;
};

class Server {
 public:
  explicit Server(TrashCollector collector = {}) : clock(start) {
    database = std::move(
        *Database::open(std::make_unique<store::CheckedStore>(store::open_memory()), clock));
    services = std::make_unique<Services>(Services{.database = *database,
                                                   .manual_clock = &clock,
                                                   .random = random,
                                                   .credentials = credentials,
                                                   .trash_collector = collector});
    restart();
  }
  // With index idx and in it collection col.
  static std::unique_ptr<Server> with_collection(TrashCollector collector = {}) {
    auto server = std::make_unique<Server>(collector);
    EXPECT_EQ(server->say(R"("controller":"index","action":"create","index":"idx")").status, 200);
    EXPECT_EQ(server->call("collection:create").status, 200);
    return server;
  }
  void restart() { dialect = make_kuzzle_without_collector(*services); }

  // A message over a WebSocket, by its members.
  Answer say(const std::string& members) { return hear("{" + members + "}"); }
  Answer hear(const std::string& text) {
    const auto ear = std::make_shared<Ear>();
    net::Request request{.method = "GET", .target = "/", .path = "/"};
    request.headers = {{"upgrade", "websocket"}};
    const auto talk = dialect->answer(request).conversation(ear);
    talk->receive(text);
    talk->answer(Instant::never());
    EXPECT_EQ(ear->heard.size(), 1U);
    auto parsed = parse_json(ear->heard.at(0));
    EXPECT_TRUE(parsed.has_value()) << ear->heard.at(0);
    Answer answer{.body = parsed ? *parsed : Value()};
    const Value status = answer.body.member("status");
    answer.status = status.is(Kind::integer) ? static_cast<int>(status.integer()) : 0;
    return answer;
  }
  // "document:get" of idx and col; `more` are further members, without a comma before them.
  Answer call(const std::string& what, const std::string& more = "") {
    const auto colon = what.find(':');
    std::string members = R"("controller":")" + what.substr(0, colon) + R"(","action":")" +
                          what.substr(colon + 1) + R"(","index":"idx","collection":"col")";
    if (!client.empty()) members += R"(,"volatile":)" + client;
    return say(members + (more.empty() ? "" : "," + more));
  }
  Answer of(const std::string& what, const std::string& id, const std::string& body = "",
            const std::string& more = "") {
    return call(what, R"("_id":")" + id + '"' + (body.empty() ? "" : R"(,"body":)" + body) +
                          (more.empty() ? "" : "," + more));
  }
  Answer trashed(const std::string& id) {
    return of("document:get", id, "", R"("includeTrash":true)");
  }

  Answer http(const std::string& method, const std::string& target, const std::string& body = "",
              std::vector<net::Pair> headers = {}) {
    response = ask(method, target, body, std::move(headers));
    auto parsed = parse_json(response.body);
    EXPECT_TRUE(parsed.has_value()) << response.body;
    return {.status = response.status, .body = parsed ? *parsed : Value()};
  }
  net::Response ask(const std::string& method, const std::string& target, const std::string& body,
                    std::vector<net::Pair> headers = {}) {
    net::Request request{.method = method, .target = target};
    const auto question = target.find('?');
    request.path = target.substr(0, question);
    if (question != std::string::npos) {
      request.parameters = *net::decode_form(target.substr(question + 1));
    }
    request.headers = std::move(headers);
    request.body = body;
    return dialect->answer(request);
  }

  void advance(std::int64_t millis) { clock.advance(Span::millis(millis)); }

  ManualClock clock;
  Random random{1};
  Credentials credentials;
  std::string client;  // `volatile` of the calls to come
  std::unique_ptr<Database> database;
  std::unique_ptr<Services> services;
  std::unique_ptr<Dialect> dialect;
  net::Response response;  // the last over HTTP
};

}  // namespace mayfly::kuzzle::testing
