// The bound on login attempts.
#include "dialect/kuzzle/security/auth/logins.h"

#include "dialect/kuzzle/options.h"
#include "dialect/kuzzle/testing.h"
#include "net/requests/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::RecordingClient;
using testing::Server;
using testing::v7;

// A connected client.
class Client {
 public:
  explicit Client(Server& server) : recorder_(std::make_shared<RecordingClient>()) {
    net::Request request{.method = "GET", .target = "/", .path = "/"};
    request.headers = {{"upgrade", "websocket"}};
    conversation_ = net::PendingRequest(*server.dialect, request)->answer().conversation(recorder_);
  }
  testing::Answer log_in() {
    conversation_->receive(
        R"({"controller":"auth","action":"login","strategy":"local","volatile":)" + v7 +
        R"(,"body":{"username":"eve","password":"pw"}})");
    conversation_->answer(Instant::never());
    auto body = parse_json(recorder_->received.back());
    EXPECT_TRUE(body.has_value());
    return {.status = static_cast<int>(body->member("status").integer()), .body = *body};
  }

 private:
  std::shared_ptr<RecordingClient> recorder_;
  std::unique_ptr<net::Conversation> conversation_;
};

TEST(KuzzleLoginsTest, SoManyTriesEachSecond) {
  Logins logins;
  const Instant now = testing::start;
  EXPECT_TRUE(logins.may_try(now, 2));
  EXPECT_TRUE(logins.may_try(now + Span::millis(999), 2));
  EXPECT_FALSE(logins.may_try(now + Span::millis(999), 2));
  EXPECT_TRUE(logins.may_try(now + Span::millis(1'000), 2));
}

TEST(KuzzleLoginsTest, AClientIsRefusedUntilItsSecondIsOver) {
  const KuzzleOptions two_tries{.logins_max = 2};
  const auto s = Server::with_collection();
  s->restart_with(two_tries);
  Client client(*s);
  EXPECT_EQ(client.log_in().status, 401);
  EXPECT_EQ(client.log_in().status, 401);
  const auto refused = client.log_in();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.text("error.id"), R"("api.process.too_many_logins_requests")");
  EXPECT_EQ(refused.text("error.code"), std::to_string(0x0202000d));
  EXPECT_EQ(refused.error(), R"("Rejected: Too many login attempts per second")");
  EXPECT_EQ(Client(*s).log_in().status, 401);
  s->advance(1'001);
  EXPECT_EQ(client.log_in().status, 401);
  // Over HTTP every request counts as a client of its own.
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(s->http("POST", "/_login/local", R"({"username":"eve","password":"pw"})").status,
              401);
  }
}

}  // namespace
}  // namespace mayfly::kuzzle
