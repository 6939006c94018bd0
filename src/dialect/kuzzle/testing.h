// The dialect on a database in memory with a manual clock, without a socket.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/jobs/jobs.h"
#include "dialect/common/page_token.h"
#include "dialect/common/requests/testing.h"
#include "dialect/kuzzle/kuzzle.h"
#include "dialect/kuzzle/options.h"
#include "net/requests/testing.h"
#include "store/memory/memory_store.h"
#include "store/wrappers/checked.h"
#include "value/json/json.h"

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
  // As JSON; empty if it is missing.
  std::string text(const std::string& path) const {
    const Value value = at(body, path);
    return value.is_missing() ? std::string() : render_json(value);
  }
  std::string result() const { return text("result"); }
  std::string error() const { return text("error.message"); }
};

// The ids of the hits in order, or the error.
inline std::string ids_of(const Answer& answer) {
  const Value hits = answer["result.hits"];
  if (!hits.is(Kind::array)) return "error: " + answer.error();
  std::string ids;
  for (const Value& hit : hits.array()) ids += (ids.empty() ? "" : " ") + hit.member("_id").text();
  return ids;
}

// The instant so many seconds after the start, as in metadata.
inline std::string at_second(int seconds) {
  return std::to_string(start_millis + 1'000LL * seconds);
}
// Metadata in the form of version 1; names and later instants are JSON.
inline std::string meta(const std::string& author, int created_at_second,
                        const std::string& updated_at, const std::string& updater,
                        const std::string& rest = R"(,"active":true,"deletedAt":null})") {
  return R"({"author":)" + author + R"(,"createdAt":)" + at_second(created_at_second) +
         R"(,"updatedAt":)" + updated_at + R"(,"updater":)" + updater + rest;
}
// The end of the metadata of a document in the trashcan.
inline std::string trashed_at_second(int seconds) {
  return R"(,"active":false,"deletedAt":)" + at_second(seconds) + "}";
}
inline const std::string anonymous = R"("-1")";

// The member of a request with its token.
inline std::string by(const std::string& token) {
  return R"("jwt":")" + token + '"';
}

// Documents `{"n":0}`, `{"n":1}` and so on without ids, as the body of a request for several.
inline std::string numbered_documents(int count) {
  std::string documents;
  for (int i = 0; i < count; ++i) {
    documents += (i > 0 ? "," : "") + std::string(R"({"body":{"n":)") + std::to_string(i) + "}}";
  }
  return R"("body":{"documents":[)" + documents + "]}";
}

class RecordingClient final : public net::WebSocketSender {
 public:
  bool answer(std::string_view text) override {
    received.emplace_back(text);
    return true;
  }
  bool send(std::string_view text) override { return answer(text); }
  bool is_open() const override { return true; }
  std::vector<std::string> received;
};

class Server {
 public:
  explicit Server(TrashCollectorOptions collector = {}) : clock(start) {
    database = std::move(
        *Database::open(std::make_unique<store::CheckedStore>(store::open_memory()), clock));
    services = std::make_unique<Services>(Services{.database = *database,
                                                   .manual_clock = &clock,
                                                   .random = random,
                                                   .credentials = credentials,
                                                   .page_tokens = page_tokens});
    options.collector = collector;
    database->jobs().start(JobLane::events);
    restart();
  }
  // With the index idx and the collection col.
  static std::unique_ptr<Server> with_collection(TrashCollectorOptions collector = {}) {
    auto server = std::make_unique<Server>(collector);
    EXPECT_EQ(server->send(R"("controller":"index","action":"create","index":"idx")").status, 200);
    EXPECT_EQ(server->call("collection:create").status, 200);
    return server;
  }
  // With these documents in the collection, by id.
  static std::unique_ptr<Server> with_documents(const std::vector<net::Pair>& documents,
                                                TrashCollectorOptions collector = {}) {
    auto server = with_collection(collector);
    for (const auto& [id, body] : documents) {
      EXPECT_EQ(server->of("document:create", id, body).status, 200);
    }
    return server;
  }
  void restart() { dialect = make_kuzzle(*services, options); }
  void restart_with(const KuzzleOptions& new_options) {
    options = new_options;
    restart();
  }

  // Opens a conversation over a WebSocket.
  std::unique_ptr<net::Conversation> open_conversation(
      std::shared_ptr<net::WebSocketSender> client_side) const {
    net::Request request{.method = "GET", .target = "/", .path = "/"};
    request.headers = {{"upgrade", "websocket"}};
    return net::PendingRequest(*dialect, request)->answer().conversation(std::move(client_side));
  }
  // Parses a message that was received in a conversation.
  static Answer answer_in(const std::string& text) {
    auto parsed = parse_json(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    Answer answer{.body = parsed ? *parsed : Value()};
    const Value status = answer.body.member("status");
    answer.status = status.is(Kind::integer) ? static_cast<int>(status.integer()) : 0;
    return answer;
  }

  // Sends a message over a WebSocket, given its members.
  Answer send(const std::string& members) { return send_text("{" + members + "}"); }
  Answer send_text(const std::string& text) {
    const auto recorder = std::make_shared<RecordingClient>();
    const auto conversation = open_conversation(recorder);
    conversation->receive(text);
    conversation->answer(Instant::never());
    EXPECT_EQ(recorder->received.size(), 1U);
    return answer_in(recorder->received.at(0));
  }
  // `what`: such as "document:get", on idx and the collection. `more`: further members, without a
  // leading comma.
  Answer call(const std::string& what, const std::string& more = "") {
    const auto colon = what.find(':');
    std::string members = R"("controller":")" + what.substr(0, colon) + R"(","action":")" +
                          what.substr(colon + 1) + R"(","index":"idx","collection":")" +
                          collection + '"';
    if (!client.empty()) members += R"(,"volatile":)" + client;
    return send(members + (more.empty() ? "" : "," + more));
  }
  Answer of(const std::string& what, const std::string& id, const std::string& body = "",
            const std::string& more = "") {
    return call(what, R"("_id":")" + id + '"' + (body.empty() ? "" : R"(,"body":)" + body) +
                          (more.empty() ? "" : "," + more));
  }
  Answer trashed(const std::string& id) {
    return of("document:get", id, "", R"("includeTrash":true)");
  }

  // Creates the first administrator and removes all rights of clients without a login.
  Answer make_admin(const std::string& id, const std::string& name, const std::string& password) {
    return of("security:createFirstAdmin", id,
              R"({"content":{"name":"b"},)" + credentials_of(name, password) + "}",
              R"("reset":true)");
  }
  void make_user(const std::string& id, const std::string& profile, const std::string& name,
                 const std::string& admin) {
    const Answer made = of(
        "security:createUser", id,
        R"({"content":{"profileIds":[")" + profile + R"("]},)" + credentials_of(name, "pw") + "}",
        admin);
    EXPECT_EQ(made.status, 200) << made.error();
  }
  // Returns the token; empty if the login is refused.
  std::string log_in(const std::string& name, const std::string& password,
                     const std::string& more = "") {
    const Answer answer = call("auth:login", R"("strategy":"local","body":{"username":")" + name +
                                                 R"(","password":")" + password + R"("})" + more);
    EXPECT_EQ(answer.status, 200) << answer.error();
    const Value token = answer["result.jwt"];
    return token.is(Kind::text) ? token.text() : "";
  }
  static std::string credentials_of(const std::string& name, const std::string& password) {
    return R"("credentials":{"local":{"username":")" + name + R"(","password":")" + password +
           R"("}})";
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
    const auto request = mayfly::testing::read_request(method, target, std::move(headers), body);
    return net::PendingRequest(*dialect, request)->answer();
  }

  void advance(std::int64_t millis) { clock.advance(Span::millis(millis)); }

  ManualClock clock;
  Random random{1};
  Credentials credentials;
  const PageTokens page_tokens{"secret"};
  KuzzleOptions options;           // take effect at a restart
  std::string client;              // `volatile` of later calls
  std::string collection = "col";  // of later calls
  std::unique_ptr<Database> database;
  std::unique_ptr<Services> services;
  std::unique_ptr<Dialect> dialect;
  net::Response response;  // the last HTTP response
};

}  // namespace mayfly::kuzzle::testing
