// Requests that are refused before they cost much, and requests that are costly.
#include <gtest/gtest.h>

#include <set>

#include "base/threads/run_permit.h"
#include "dialect/common/limits.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/security/rights/admins.h"
#include "dialect/kuzzle/testing.h"
#include "net/handler.h"
#include "net/requests/testing.h"
#include "net/websocket/bounded_conversation.h"
#include "store/wrappers/counting.h"

namespace mayfly::kuzzle {
namespace {

using testing::by;
using testing::RecordingClient;
using testing::Server;
using testing::v7;

// The status of a refusal by the head alone; 0 if the body is accepted.
int refused_by_head(Server& s, const std::string& method, const std::string& path,
                    std::vector<net::Pair> headers) {
  net::Request request{.method = method, .target = path, .path = path};
  request.headers = std::move(headers);
  const auto refused = net::PendingRequest(*s.dialect, request)->refuse_head();
  return refused ? refused->status : 0;
}

std::vector<net::Pair> announced(std::size_t bytes, const std::string& token = "") {
  std::vector<net::Pair> headers{{"content-length", std::to_string(bytes)}};
  if (!token.empty()) headers.emplace_back("authorization", "Bearer " + token);
  return headers;
}

// A client that stays on its WebSocket.
class BoundedClient {
 public:
  explicit BoundedClient(Server& s)
      : conversation_(s.open_conversation(recorder_)),
        bounds_(dynamic_cast<net::BoundedConversation&>(*conversation_)) {}

  net::BoundedConversation& bounds() { return bounds_; }
  bool receive(const std::string& members) { return conversation_->receive("{" + members + "}"); }
  testing::Answer ask(const std::string& members) {
    receive(members);
    conversation_->answer(Instant::never());
    return Server::answer_in(recorder_->received.back());
  }
  testing::Answer refuse(const Error& error) {
    conversation_->refuse(error);
    return Server::answer_in(recorder_->received.back());
  }

 private:
  const std::shared_ptr<RecordingClient> recorder_ = std::make_shared<RecordingClient>();
  const std::unique_ptr<net::Conversation> conversation_;
  net::BoundedConversation& bounds_;
};

const std::string login =
    R"("controller":"auth","action":"login","strategy":"local","body":{"username":"boss","password":"pw"})";

// --- costly requests ---

TEST(KuzzleBoundsTest, RequestsThatHashPasswordsAreCostly) {
  const std::set<std::string> hashing{
      "auth:login",
      "auth:createMyCredentials",
      "auth:updateMyCredentials",
      "security:createCredentials",
      "security:updateCredentials",
      "security:createFirstAdmin",
      "security:createUser",
      "security:createRestrictedUser",
      "security:upsertUser",
      "admin:loadSecurities",
  };
  std::set<std::string> costly;
  for (const auto& [controller, actions] : whole_api()) {
    for (const auto& [action, reply] : actions.object()) {
      const Route* route = find_route(controller, action);
      ASSERT_NE(route, nullptr);
      if (route->pace == net::Pace::costly) costly.insert(controller + ":" + action);
    }
  }
  EXPECT_EQ(costly, hashing);
}

// Counts how often others may run.
class CountingPermit final : public RunPermit {
 public:
  Result<void> renew() override {
    ++renewed;
    return {};
  }
  bool is_cancelled() const override { return false; }
  void report_peak(std::size_t) override {}

  int renewed = 0;
};

TEST(KuzzleBoundsTest, OthersMayRunBetweenLoadedPasswords) {
  Server s;
  CountingPermit permit;
  const RunPermitScope scope(permit);
  const auto user = [](const std::string& id) {
    return '"' + id + R"(":{"content":{"profileIds":["admin"]},"credentials":{"local":)" +
           R"({"username":")" + id + R"(","password":"pw"}}})";
  };
  const testing::Answer loaded = s.call(
      "admin:loadSecurities", R"("body":{"users":{)" + user("ann") + "," + user("bob") + "}}");
  EXPECT_EQ(loaded.status, 200) << loaded.error();
  EXPECT_EQ(permit.renewed, 2);
}

TEST(KuzzleBoundsTest, CostlyRequestsAreReportedToTheServer) {
  const auto s = Server::with_collection();
  const auto is_costly = [&](const char* method, const char* path) {
    const net::Request request{.method = method, .target = path, .path = path};
    return net::PendingRequest(*s->dialect, request)->pace() == net::Pace::costly;
  };
  EXPECT_TRUE(is_costly("POST", "/_login/local"));
  EXPECT_TRUE(is_costly("GET", "/_login/local"));
  EXPECT_TRUE(is_costly("POST", "/users/u/_create"));
  EXPECT_TRUE(is_costly("PUT", "/_me/credentials/local/_update"));
  EXPECT_FALSE(is_costly("POST", "/_logout"));
  EXPECT_FALSE(is_costly("GET", "/idx/col/d1"));
  EXPECT_FALSE(is_costly("GET", "/nope/nope/nope/nope"));
  BoundedClient client(*s);
  EXPECT_FALSE(client.receive(login));
  EXPECT_TRUE(client.bounds().is_costly());
  EXPECT_EQ(client.ask(login).status, 401);
  EXPECT_FALSE(client.bounds().is_costly());
  EXPECT_TRUE(client.receive(R"("controller":"server","action":"now")"));
  EXPECT_FALSE(client.bounds().is_costly());
}

TEST(KuzzleBoundsTest, PingMessagesAreAnsweredImmediately) {
  const auto s = Server::with_collection();
  BoundedClient client(*s);
  client.receive(login);
  EXPECT_EQ(client.bounds().answer_ping(R"({"p":1})"), R"({"p":2})");
  for (const char* other : {R"({"p":"1"})", R"({"q":"p"})", R"({"p":1)", "there?", ""}) {
    EXPECT_EQ(client.bounds().answer_ping(other), std::nullopt) << other;
  }
}

TEST(KuzzleBoundsTest, TooManyLoginsAreRefusedWithKuzzlesMessage) {
  const auto s = Server::with_collection();
  const net::Request request{.method = "POST", .path = "/_login/local"};
  const Error error = net::PendingRequest(*s->dialect, request)->too_many_costly();
  const net::Response refused = s->dialect->refuse(error);
  EXPECT_EQ(refused.status, 429);
  EXPECT_NE(refused.body.find("Rejected: Too many login attempts per second"), std::string::npos);
  BoundedClient client(*s);
  client.receive(login + R"(,"requestId":"r1","volatile":)" + v7);
  const auto reply = client.refuse(error);
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(reply.text("requestId"), R"("r1")");
  EXPECT_EQ(reply.text("error.id"), R"("api.process.too_many_logins_requests")");
  // Every other overload is the server's.
  EXPECT_EQ(s->dialect->refuse({Code::throttled, "too many"}).status, 503);
}

// --- rights before bodies ---

TEST(KuzzleBoundsTest, RightsAreCheckedBeforeALargeBodyIsRead) {
  const auto s = Server::with_collection();
  const std::size_t large = limits::body_unauthenticated_bytes_max + 1;
  const char* create = "/idx/col/_create";
  EXPECT_EQ(refused_by_head(*s, "POST", create, announced(large)), 0);
  EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  const std::string token = s->log_in("boss", "pw");
  EXPECT_EQ(refused_by_head(*s, "POST", create, announced(large)), 403);
  EXPECT_EQ(refused_by_head(*s, "POST", create, {{"transfer-encoding", "chunked"}}), 403);
  EXPECT_EQ(refused_by_head(*s, "POST", create, announced(large, "made.up.token")), 401);
  EXPECT_EQ(refused_by_head(*s, "POST", create, announced(large, token)), 0);
  EXPECT_EQ(refused_by_head(*s, "POST", "/nope/nope/nope/nope", announced(large, token)), 404);
  // A small body is read first, and rights are checked once.
  EXPECT_EQ(refused_by_head(*s, "POST", create, announced(large - 1)), 0);
  EXPECT_EQ(s->http("POST", create, "{}").status, 403);
}

TEST(KuzzleBoundsTest, TheBodyOfALoginIsSmall) {
  const auto s = Server::with_collection();
  const std::size_t most = limits::message_before_login_bytes_max;
  EXPECT_EQ(refused_by_head(*s, "POST", "/_login/local", announced(most)), 0);
  EXPECT_EQ(refused_by_head(*s, "POST", "/_login/local", announced(most + 1)), 413);
  EXPECT_EQ(s->http("POST", "/_login/local", std::string(most + 1, ' ')).status, 413);
  const std::string credentials = R"({"username":"eve","password":"pw"})";
  EXPECT_EQ(
      s->http("POST", "/_login/local", credentials + std::string(most - credentials.size(), ' '))
          .status,
      401);
}

// --- WebSockets ---

TEST(KuzzleBoundsTest, BeforeALoginMessagesAreSmallWhereThereIsAnAdministrator) {
  const auto s = Server::with_collection();
  const std::size_t small = limits::message_before_login_bytes_max;
  BoundedClient client(*s);
  const auto bytes_max = [&] { return client.bounds().message_bytes_max(); };
  EXPECT_EQ(bytes_max(), limits::bulk_body_bytes_max);
  EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  EXPECT_EQ(bytes_max(), small);
  EXPECT_EQ(client.ask(R"("controller":"server","action":"info")").status, 200);
  EXPECT_EQ(bytes_max(), small);
  const auto logged_in = client.ask(login);
  EXPECT_EQ(bytes_max(), limits::bulk_body_bytes_max);
  const std::string token = by(logged_in["result.jwt"].text());
  EXPECT_EQ(client.ask(R"("controller":"server","action":"info")").status, 200);
  EXPECT_EQ(bytes_max(), limits::bulk_body_bytes_max);
  EXPECT_EQ(client.ask(R"("controller":"auth","action":"logout",)" + token).status, 200);
  EXPECT_EQ(bytes_max(), small);
  // A token issued elsewhere is valid until it expires.
  const std::string other = by(s->log_in("boss", "pw"));
  EXPECT_EQ(client.ask(R"("controller":"server","action":"now",)" + other).status, 200);
  EXPECT_EQ(bytes_max(), limits::bulk_body_bytes_max);
  s->advance(3'602'000);
  EXPECT_EQ(bytes_max(), small);
}

TEST(KuzzleBoundsTest, AParsedMessageIsCountedUntilItsAnswer) {
  const auto s = Server::with_collection();
  BoundedClient client(*s);
  std::string brackets;
  for (int i = 0; i < 1'000; ++i) brackets += "[],";
  const std::string message =
      R"("controller":"server","action":"now","body":{"a":[)" + brackets + "0]}";
  client.receive(message);
  EXPECT_GT(client.bounds().held_bytes(), 20 * message.size());
  EXPECT_EQ(client.ask(message).status, 200);
  EXPECT_EQ(client.bounds().held_bytes(), 0U);
  client.receive(message);
  client.refuse({Code::throttled, "too much"});
  EXPECT_EQ(client.bounds().held_bytes(), 0U);
}

TEST(KuzzleBoundsTest, RepeatedDataOfNotificationsIsBounded) {
  const auto s = Server::with_collection();
  const auto ask = [&](const std::string& more) {
    return s->send(R"("controller":"server","action":"now",)" + more).status;
  };
  const auto with_volatile = [&](std::size_t bytes) {
    return ask(R"("volatile":{"x":")" + std::string(bytes, 'x') + "\"}");
  };
  EXPECT_EQ(with_volatile(limits::message_volatile_bytes_max - 1'000), 200);
  EXPECT_EQ(with_volatile(limits::message_volatile_bytes_max), 413);
  const auto with_id = [&](std::size_t bytes) {
    return ask(R"("requestId":")" + std::string(bytes, 'x') + '"');
  };
  EXPECT_EQ(with_id(limits::request_id_bytes_max), 200);
  EXPECT_EQ(with_id(limits::request_id_bytes_max + 1), 413);
}

TEST(KuzzleBoundsTest, DocumentsOfOneAnswerTakeABoundedMemory) {
  const auto s = Server::with_collection();
  const std::size_t bytes = 1 << 20;
  s->of("document:create", "large", R"({"t":")" + std::string(bytes, 'x') + "\"}");
  const auto ask = [&](std::size_t times) {
    std::string ids;
    for (std::size_t i = 0; i < times; ++i) ids += i > 0 ? R"(,"large")" : R"("large")";
    return s->ask("POST", "/idx/col/_mGet", R"({"ids":[)" + ids + "]}").status;
  };
  EXPECT_EQ(ask(limits::answer_sources_bytes_max / bytes - 1), 200);
  EXPECT_EQ(ask(limits::answer_sources_bytes_max / bytes + 1), 413);
}

// --- whether the server is open ---

TEST(KuzzleBoundsTest, APortThatOtherMachinesReachIsNeverOpen) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  KuzzleOptions options;
  options.is_reached_by_others = true;
  s->restart_with(options);
  EXPECT_FALSE(s->dialect->is_open());
  const std::string boss = by(s->log_in("boss", "pw"));
  const auto write_role = [&](const std::string& controllers) {
    return s->of("security:createOrReplaceRole", "anonymous",
                 R"({"controllers":)" + controllers + "}", boss);
  };
  EXPECT_EQ(write_role(R"({"auth":{"actions":{"login":true}},)"
                       R"("document":{"actions":{"get":true}}})")
                .status,
            200);
  EXPECT_EQ(s->of("document:get", "d1").status, 200);
  EXPECT_EQ(write_role(R"({"*":{"actions":{"*":true}}})").status, 200);
  EXPECT_EQ(s->of("document:get", "d1").status, 403);
  EXPECT_EQ(s->of("document:get", "d1", "", boss).status, 200);
  // Once there is an administrator, the restriction ends.
  EXPECT_EQ(s->call("admin:resetSecurity", boss).status, 200);
  for (const char* closed : {"document:get", "document:delete", "index:list", "realtime:publish",
                             "security:createFirstAdmin", "admin:resetDatabase"}) {
    EXPECT_EQ(s->of(closed, "d1", "{}").status, 403) << closed;
  }
  EXPECT_EQ(s->call("server:now").status, 200);
  // The next start on such an address is refused; a start on a local address is open.
  EXPECT_TRUE(s->dialect->is_open());
  s->restart_with({});
  EXPECT_TRUE(s->dialect->is_open());
  EXPECT_EQ(s->of("document:get", "d1").status, 200);
}

TEST(KuzzleBoundsTest, ThePortIsOpenWhileClientsWithoutALoginHaveRights) {
  const auto s = Server::with_collection();
  EXPECT_TRUE(s->dialect->is_open());
  // An administrator alone restricts nothing.
  const std::string body = R"({"content":{},)" + Server::credentials_of("boss", "pw") + "}";
  EXPECT_EQ(s->of("security:createFirstAdmin", "boss", body).status, 200);
  EXPECT_TRUE(s->dialect->is_open());
  EXPECT_EQ(s->of("document:create", "d1", "{}").status, 200);
  const std::string boss = by(s->log_in("boss", "pw"));
  const auto write = [&](const std::string& what, const std::string& object) {
    return s->of("security:createOrReplace" + what, "anonymous", object, boss).status;
  };
  const auto set_actions = [&](const std::string& controllers) {
    return write("Role", R"({"controllers":)" + controllers + "}");
  };
  const std::string login = R"({"auth":{"actions":{"login":true,"getMyRights":true}},)"
                            R"("server":{"actions":{"now":true,"info":true}}})";
  const auto with_login = [](const std::string& more) {
    const bool names_auth = more.starts_with(R"("auth")");
    return (names_auth ? "{" : R"({"auth":{"actions":{"login":true}},)") + more + "}";
  };
  EXPECT_EQ(set_actions(login), 200);
  EXPECT_FALSE(s->dialect->is_open());
  for (const char* open :
       {R"("*":{"actions":{"*":true}})", R"("*":{"actions":{"get":true}})",
        R"("document":{"actions":{"*":true}})", R"("document":{"actions":{"search":true}})",
        R"("auth":{"actions":{"*":true}})", R"("security":{"actions":{"createUser":true}})"}) {
    EXPECT_EQ(set_actions(with_login(open)), 200);
    EXPECT_TRUE(s->dialect->is_open()) << open;
    EXPECT_EQ(set_actions(with_login(R"("document":{"actions":{"search":false}})")), 200);
    EXPECT_FALSE(s->dialect->is_open());
  }
  EXPECT_EQ(write("Profile", R"({"policies":[{"roleId":"admin"}]})"), 200);
  EXPECT_TRUE(s->dialect->is_open());
  s->restart();
  EXPECT_TRUE(s->dialect->is_open());
  EXPECT_EQ(write("Profile", R"({"policies":[{"roleId":"anonymous"}]})"), 200);
  EXPECT_FALSE(s->dialect->is_open());
}

class KuzzleAdminsTest : public ::testing::Test {
 protected:
  KuzzleAdminsTest() {
    auto store = std::make_unique<store::CountingStore>(store::open_memory());
    counted_ = store.get();
    database_ = std::move(*Database::open(std::move(store), clock_));
  }
  void put(const std::string& id, const std::string& profile) {
    put_object(users, id, Object{{"profileIds", Array{profile}}});
  }
  void put_object(std::string_view name, const std::string& id, const Object& object) {
    const auto collection = security_collection(*database_, name);
    ASSERT_TRUE(collection.has_value());
    const auto packed = pack(object);
    ASSERT_TRUE(packed.has_value());
    const auto done = database_->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(*collection, DocumentKey::of(id), *packed, {}));
      return {};
    });
    ASSERT_TRUE(done.has_value());
    admins_.changed();
  }
  // The reads that it takes.
  std::uint64_t reads_to_say(bool exist) {
    RightsView seen = admins_.view(*database_);
    counted_->reset();
    const auto said = admins_.exist(seen);
    EXPECT_TRUE(said && *said == exist);
    const store::Counts counts = counted_->counts();
    return counts.rows + counts.gets;
  }

  std::uint64_t reads_to_say(AnonymousRights expected) {
    RightsView seen = admins_.view(*database_);
    counted_->reset();
    const auto said = admins_.anonymous(seen);
    EXPECT_TRUE(said && *said == expected);
    const store::Counts counts = counted_->counts();
    return counts.rows + counts.gets;
  }

  ManualClock clock_{testing::start};
  store::CountingStore* counted_ = nullptr;
  std::unique_ptr<Database> database_;
  Admins admins_;
};

TEST_F(KuzzleAdminsTest, AreNotReadAgainWhileUsersDoNotChange) {
  for (int i = 0; i < 100; ++i) put("u" + std::to_string(i), "default");
  EXPECT_GE(reads_to_say(false), 100U);
  EXPECT_EQ(reads_to_say(false), 0U);
  put("z", "admin");
  EXPECT_GE(reads_to_say(true), 100U);
  EXPECT_EQ(reads_to_say(true), 0U);
  // The known administrator is checked first.
  put("v", "default");
  EXPECT_LE(reads_to_say(true), 2U);
  put("a", "admin");
  put("z", "default");
  reads_to_say(true);
  put("a", "default");
  EXPECT_GE(reads_to_say(false), 100U);
}

TEST_F(KuzzleAdminsTest, RightsWithoutALoginAreReadAgainOnlyAfterAChange) {
  EXPECT_EQ(reads_to_say(AnonymousRights::all), 0U);
  put_object(roles, "anonymous", Object{{"controllers", Object()}});
  EXPECT_GT(reads_to_say(AnonymousRights::restricted), 0U);
  EXPECT_EQ(reads_to_say(AnonymousRights::restricted), 0U);
  put("ann", "default");
  EXPECT_LE(reads_to_say(AnonymousRights::restricted), 2U);
}

}  // namespace
}  // namespace mayfly::kuzzle
