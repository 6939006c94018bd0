// Realtime through the dialect: subscribers get notifications on the same WebSocket.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "dialect/kuzzle/options.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;

// A connected client; its notifications come from another thread.
class ConnectedClient {
 public:
  explicit ConnectedClient(Server& server)
      : recorder_(std::make_shared<WaitingClient>()),
        conversation_(server.open_conversation(recorder_)) {}
  Answer call(const std::string& action, const std::string& more) {
    const bool names_controller = more.find(R"("controller")") != std::string::npos;
    conversation_->receive((names_controller ? "{" : R"({"controller":"realtime",)") +
                           (R"("action":")" + action) + R"(","index":"idx","collection":"col",)" +
                           more + "}");
    conversation_->answer(Instant::never());
    const Value body = recorder_->take(recorder_->answers);
    return {.status = static_cast<int>(body.member("status").integer()), .body = body};
  }
  Value notifications() { return recorder_->take(recorder_->notified); }
  bool has_notification() {
    const std::lock_guard lock(recorder_->mutex);
    return !recorder_->notified.empty();
  }

 private:
  struct WaitingClient final : net::WebSocketSender {
    std::mutex mutex;
    std::condition_variable came;
    std::vector<std::string> answers;
    std::vector<std::string> notified;

    bool put(std::vector<std::string>& into, std::string_view text) {
      const std::lock_guard lock(mutex);
      into.emplace_back(text);
      came.notify_all();
      return true;
    }
    bool answer(std::string_view text) override { return put(answers, text); }
    bool send(std::string_view text) override { return put(notified, text); }
    bool is_open() const override { return true; }
    Value take(std::vector<std::string>& from) {
      std::unique_lock lock(mutex);
      const bool has = came.wait_for(lock, std::chrono::seconds(20), [&] { return !from.empty(); });
      EXPECT_TRUE(has) << "nothing was received";
      if (!has) return {};
      auto parsed = parse_json(from.front());
      from.erase(from.begin());
      return *parsed;
    }
  };
  std::shared_ptr<WaitingClient> recorder_;
  std::unique_ptr<net::Conversation> conversation_;
};

std::string text_at(const Value& value, const std::string& path) {
  const Value found = testing::at(value, path);
  return found.is_missing() ? "" : render_json(found);
}

TEST(KuzzleRealtimeTest, SubscribersGetNotificationsOfCreationsAndDeletions) {
  const auto s = Server::with_collection();
  ConnectedClient listener(*s);
  const Answer room = listener.call("subscribe", R"("body":{"equals":{"a":1}})");
  ASSERT_EQ(room.status, 200) << room.error();
  EXPECT_TRUE(room["result.roomId"].is(Kind::text));

  s->of("document:create", "d1", R"({"a":1})", R"("requestId":"r1","volatile":{"x":1})");
  Value notification = listener.notifications();
  EXPECT_EQ(text_at(notification, "room"), room.text("result.channel"));
  EXPECT_EQ(text_at(notification, "requestId"), R"("r1")");
  EXPECT_EQ(text_at(notification, "volatile"), R"({"x":1})");
  EXPECT_EQ(text_at(notification, "type"), R"("document")");
  EXPECT_EQ(text_at(notification, "state"), R"("done")");
  EXPECT_EQ(text_at(notification, "action"), R"("create")");
  EXPECT_EQ(text_at(notification, "scope"), R"("in")");
  EXPECT_EQ(text_at(notification, "result._source"), R"({"a":1})");
  EXPECT_EQ(text_at(notification, "result._meta.active"), "true");

  s->of("document:update", "d1", R"({"a":2})");
  notification = listener.notifications();
  EXPECT_EQ(text_at(notification, "scope"), R"("out")");
  EXPECT_EQ(text_at(notification, "action"), R"("update")");
  EXPECT_EQ(text_at(notification, "result"), R"({"_id":"d1"})");

  s->of("document:update", "d1", R"({"a":1})");
  EXPECT_EQ(text_at(listener.notifications(), "scope"), R"("in")");
  s->of("document:delete", "d1");
  notification = listener.notifications();
  EXPECT_EQ(text_at(notification, "action"), R"("delete")");
  EXPECT_EQ(text_at(notification, "scope"), R"("out")");
  EXPECT_EQ(text_at(notification, "result._meta.active"), "false");
  EXPECT_EQ(text_at(notification, "result._source"), "");
}

TEST(KuzzleRealtimeTest, SeveralDeletionsArePublishedOneByOneAndTruncationsNotAtAll) {
  const auto s =
      Server::with_documents({{"a", R"({"a":1})"}, {"b", R"({"a":1})"}, {"c", R"({"a":1})"}});
  ConnectedClient listener(*s);
  ASSERT_EQ(listener.call("subscribe", R"("body":{"exists":"a"})").status, 200);
  s->call("document:deleteByQuery", R"("body":{"query":{"terms":{"_id":["a","b"]}}})");
  for (const char* id : {R"("a")", R"("b")"}) {
    const Value notification = listener.notifications();
    EXPECT_EQ(text_at(notification, "action"), R"("delete")");
    EXPECT_EQ(text_at(notification, "scope"), R"("out")");
    EXPECT_EQ(text_at(notification, "result._id"), id);
  }
  s->call("collection:truncate");
  s->call("bulk:import", R"("body":{"bulkData":[{"index":{"_id":"e"}},{"a":1}]})");
  // Notifications are in the order of writes, so none of the earlier ones is still to come.
  s->of("document:create", "f", R"({"a":1})");
  const Value notification = listener.notifications();
  EXPECT_EQ(text_at(notification, "action"), R"("create")");
  EXPECT_EQ(text_at(notification, "result._id"), R"("f")");
  EXPECT_FALSE(listener.has_notification());
}

TEST(KuzzleRealtimeTest, NotificationsNameWhetherAnActionCreatedOrChanged) {
  const auto s = Server::with_collection();
  ConnectedClient listener(*s);
  ASSERT_EQ(listener.call("subscribe", R"("body":{})").status, 200);
  const auto action_shown_for = [&](const std::string& action, const std::string& body) {
    EXPECT_EQ(s->of("document:" + action, "d1", body).status, 200);
    return text_at(listener.notifications(), "action");
  };
  EXPECT_EQ(action_shown_for("createOrReplace", R"({"a":1})"), R"("create")");
  EXPECT_EQ(action_shown_for("createOrReplace", R"({"a":2})"), R"("replace")");
  EXPECT_EQ(action_shown_for("upsert", R"({"changes":{"a":3}})"), R"("update")");
  EXPECT_EQ(action_shown_for("delete", ""), R"("delete")");
  EXPECT_EQ(action_shown_for("upsert", R"({"changes":{"a":3}})"), R"("update")")
      << "out of the trashcan";
  EXPECT_EQ(s->of("document:upsert", "d2", R"({"changes":{"a":3}})").status, 200);
  EXPECT_EQ(text_at(listener.notifications(), "action"), R"("create")");
}

TEST(KuzzleRealtimeTest, EveryUpdateNamesItsFields) {
  const auto s = Server::with_documents({{"d1", R"({"a":1})"}});
  s->client = testing::v6;
  ConnectedClient listener(*s);
  ASSERT_EQ(listener.call("subscribe", R"("body":{},"volatile":)" + testing::v6).status, 200);
  struct Case {
    const char* action;
    const char* body;
  };
  const Case rows[] = {
      {"update", R"({"a":2,"b":{"c":1},"_kuzzle_info":{}})"},
      {"mUpdate", R"({"documents":[{"_id":"d1","body":{"a":3,"b":{"c":2}}}]})"},
      {"upsert", R"({"changes":{"a":4,"b":1}})"},
      {"updateByQuery", R"({"query":{"match_all":{}},"changes":{"a":5,"b":2}})"},
  };
  for (const Case& row : rows) {
    EXPECT_EQ(s->of(std::string("document:") + row.action, "d1", row.body).status, 200);
    EXPECT_EQ(text_at(listener.notifications(), "result._updatedFields"), R"(["a","b"])")
        << row.action;
  }
  const std::string many(limits::updated_fields_bytes_max, 'n');
  EXPECT_EQ(s->of("document:update", "d1", R"({")" + many + R"(":1})").status, 200);
  EXPECT_EQ(text_at(listener.notifications(), "result._updatedFields"), "")
      << "more than is listed";
}

TEST(KuzzleRealtimeTest, PublicationsAreSentAndNotStored) {
  const auto s = Server::with_collection();
  ConnectedClient listener(*s);
  const Answer room = listener.call("subscribe", R"("body":{"exists":"a"})");
  ASSERT_EQ(room.status, 200);
  const Answer published = s->call("realtime:publish", R"("body":{"a":5})");
  EXPECT_EQ(published.status, 200);
  EXPECT_EQ(published.result(), R"({"published":true})");
  const Value notification = listener.notifications();
  EXPECT_EQ(text_at(notification, "action"), R"("publish")");
  EXPECT_EQ(text_at(notification, "room"), room.text("result.channel"));
  EXPECT_EQ(text_at(notification, "result"), R"({"_source":{"a":5},"_id":null})");
  EXPECT_EQ(s->call("document:count", R"("body":{})").text("result.count"), "0");
}

TEST(KuzzleRealtimeTest, TheGarbageCollectorSendsNoNotifications) {
  const auto s = Server::with_documents({{"d1", R"({"a":1})"}}, {.every = Span::seconds(10)});
  s->of("document:delete", "d1");
  ConnectedClient listener(*s);
  ASSERT_EQ(listener.call("subscribe", R"("body":{},"state":"all")").status, 200);
  s->advance(11'000);
  EXPECT_EQ(s->trashed("d1").status, 404);
  s->of("document:create", "d2", "{}");
  for (const char* state : {R"("pending")", R"("done")"}) {
    const Value notification = listener.notifications();
    EXPECT_EQ(text_at(notification, "state"), state);
    EXPECT_EQ(text_at(notification, "action"), R"("create")");
  }
  EXPECT_FALSE(listener.has_notification());
}

TEST(KuzzleRealtimeTest, RoomsAreSharedCountedAndLeft) {
  const auto s = Server::with_collection();
  auto first = std::make_unique<ConnectedClient>(*s);
  ConnectedClient second(*s);
  const std::string filter = R"("body":{"equals":{"a":1}})";
  const Answer one = first->call("subscribe", filter + R"(,"users":"all")");
  const Answer two = second.call("subscribe", filter + R"(,"scope":"in")");
  EXPECT_EQ(one.text("result.roomId"), two.text("result.roomId"));
  EXPECT_NE(one.text("result.channel"), two.text("result.channel"));
  const Answer all = second.call("subscribe", filter);
  const Answer again = second.call("subscribe", filter + R"(,"scope":"all")");
  EXPECT_EQ(all.text("result.channel"), again.text("result.channel"));
  EXPECT_EQ(all.text("result.roomId"), two.text("result.roomId"));
  EXPECT_NE(all.text("result.channel"), two.text("result.channel"));
  const std::string room = R"("body":{"roomId":)" + one.text("result.roomId") + "}";
  EXPECT_EQ(second.call("count", room).result(), R"({"count":2})");
  Value notification = first->notifications();
  EXPECT_EQ(text_at(notification, "type"), R"("user")");
  EXPECT_EQ(text_at(notification, "user"), R"("in")");
  EXPECT_EQ(text_at(notification, "result"), R"({"count":2})");
  EXPECT_EQ(second.call("unsubscribe", room).result(), one.text("result.roomId"));
  notification = first->notifications();
  EXPECT_EQ(text_at(notification, "user"), R"("out")");
  EXPECT_EQ(text_at(notification, "result"), R"({"count":1})");
  EXPECT_EQ(second.call("unsubscribe", room).status, 404);
  first.reset();
  EXPECT_EQ(second.call("count", room).status, 404);
}

TEST(KuzzleRealtimeTest, PendingWritesArePublishedToTheirSubscribers) {
  const auto s = Server::with_collection();
  ConnectedClient listener(*s);
  ASSERT_EQ(listener.call("subscribe", R"("body":{},"state":"all")").status, 200);
  s->of("document:create", "d1", R"({"a":1})");
  for (const char* state : {R"("pending")", R"("done")"}) {
    const Value notification = listener.notifications();
    EXPECT_EQ(text_at(notification, "state"), state);
    EXPECT_EQ(text_at(notification, "action"), R"("create")");
    EXPECT_EQ(text_at(notification, "result._id"), R"("d1")");
  }
}

TEST(KuzzleRealtimeTest, AnExpiredTokenEndsTheSubscriptionWithANotification) {
  const auto s = Server::with_collection();
  s->of("security:createFirstAdmin", "boss",
        R"({"content":{},)" + Server::credentials_of("boss", "pw") + "}");
  const std::string token = s->log_in("boss", "pw", R"(,"expiresIn":"10s")");
  ConnectedClient listener(*s);
  const Answer room = listener.call("subscribe", R"("body":{},)" + testing::by(token));
  ASSERT_EQ(room.status, 200) << room.error();
  s->advance(11'000);
  s->call("server:now");
  const Value notification = listener.notifications();
  EXPECT_EQ(text_at(notification, "type"), R"("TokenExpired")");
  EXPECT_EQ(text_at(notification, "room"), room.text("result.channel"));
  EXPECT_EQ(
      listener.call("count", R"("body":{"roomId":)" + room.text("result.roomId") + "}").status,
      404);
}

// A subscriber for each way in which a right can end.
class KuzzleLostRightTest : public ::testing::Test {
 protected:
  KuzzleLostRightTest() : s(Server::with_collection()), listener(*s) {
    EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
    admin = testing::by(s->log_in("boss", "pw"));
    EXPECT_EQ(s->of("security:createRole", "listens",
                    R"({"controllers":{"realtime":{"actions":{"*":true}},)"
                    R"("auth":{"actions":{"*":true}}}})",
                    admin)
                  .status,
              200);
    EXPECT_EQ(
        s->of("security:createProfile", "hers", R"({"policies":[{"roleId":"listens"}]})", admin)
            .status,
        200);
    s->make_user("ann", "hers", "ann", admin);
    token = s->log_in("ann", "pw");
    subscribe(listener, token);
  }
  static void subscribe(ConnectedClient& by, const std::string& token) {
    const Answer room = by.call("subscribe", R"("body":{},)" + testing::by(token));
    ASSERT_EQ(room.status, 200) << room.error();
  }
  // The first notification after this, once something was written.
  std::string first_notification(ConnectedClient& by) {
    EXPECT_EQ(s->of("document:create", "d" + std::to_string(++written), "{}", admin).status, 200);
    return text_at(by.notifications(), "type");
  }
  std::string log_in_on(ConnectedClient& by, const std::string& name,
                        const std::string& more = "") {
    const Answer in = by.call("login", R"("controller":"auth","strategy":"local","body":)"
                                       R"({"username":")" +
                                           name + R"(","password":"pw"})" + more);
    EXPECT_EQ(in.status, 200) << in.error();
    return in["result.jwt"].text();
  }

  std::unique_ptr<Server> s;
  ConnectedClient listener;
  std::string admin;
  std::string token;
  int written = 0;
};

TEST_F(KuzzleLostRightTest, ASubscriptionWithAValidRightContinues) {
  EXPECT_EQ(s->of("security:updateUser", "ann", R"({"name":"Ann"})", admin).status, 200);
  EXPECT_EQ(first_notification(listener), R"("document")");
}

TEST_F(KuzzleLostRightTest, ALogoutElsewhereEndsIt) {
  EXPECT_EQ(s->call("auth:logout", testing::by(token)).status, 200);
  EXPECT_EQ(first_notification(listener), R"("TokenExpired")");
  s->of("document:create", "more", "{}", admin);
  EXPECT_EQ(listener.call("subscribe", R"("body":{},)" + testing::by(token)).status, 401);
  EXPECT_FALSE(listener.has_notification());
}

TEST_F(KuzzleLostRightTest, ALogoutOnTheConnectionEndsItWithoutANotification) {
  ConnectedClient other(*s);
  subscribe(other, s->log_in("ann", "pw"));
  EXPECT_EQ(listener.call("logout", R"("controller":"auth",)" + testing::by(token)).status, 200);
  EXPECT_EQ(first_notification(other), R"("document")");
  EXPECT_FALSE(listener.has_notification());
}

TEST_F(KuzzleLostRightTest, ARestrictedProfileEndsIt) {
  EXPECT_EQ(
      s->of("security:updateProfile", "hers",
            R"({"policies":[{"roleId":"listens","restrictedTo":[{"index":"other"}]}]})", admin)
          .status,
      200);
  const std::string type = first_notification(listener);
  EXPECT_EQ(type, R"("SubscriptionEnded")");
}

TEST_F(KuzzleLostRightTest, ARestrictedRoleEndsIt) {
  EXPECT_EQ(s->of("security:updateRole", "listens",
                  R"({"controllers":{"realtime":{"actions":{"subscribe":false}}}})", admin)
                .status,
            200);
  EXPECT_EQ(first_notification(listener), R"("SubscriptionEnded")");
}

TEST_F(KuzzleLostRightTest, ADeletedUserGetsNoMoreNotifications) {
  EXPECT_EQ(s->of("security:deleteUser", "ann", "", admin).status, 200);
  EXPECT_EQ(first_notification(listener), R"("TokenExpired")");
}

TEST_F(KuzzleLostRightTest, ADeletedApiKeyEndsItsSubscriptions) {
  const Answer key =
      s->of("security:createApiKey", "key", R"({"description":"k"})", R"("userId":"ann",)" + admin);
  ASSERT_EQ(key.status, 200) << key.error();
  ConnectedClient machine(*s);
  subscribe(machine, key["result._source.token"].text());
  EXPECT_EQ(s->of("security:deleteApiKey", "key", "", R"("userId":"ann",)" + admin).status, 200);
  EXPECT_EQ(first_notification(machine), R"("TokenExpired")");
}

TEST_F(KuzzleLostRightTest, ASecondLoginMovesTheSubscriptionsToItsToken) {
  const std::string second = log_in_on(listener, "ann", R"(,"expiresIn":"10s")");
  EXPECT_EQ(s->call("auth:logout", testing::by(token)).status, 200);
  EXPECT_EQ(first_notification(listener), R"("document")");
  s->advance(11'000);
  s->call("server:now");
  EXPECT_EQ(text_at(listener.notifications(), "type"), R"("TokenExpired")");
}

TEST_F(KuzzleLostRightTest, ASubscriptionByALaterTokenDoesNotProlongTheOthers) {
  const std::string brief = s->log_in("ann", "pw", R"(,"expiresIn":"10s")");
  ConnectedClient two(*s);
  subscribe(two, brief);
  const Answer other = two.call("subscribe", R"("body":{"exists":"x"},)" + testing::by(token));
  ASSERT_EQ(other.status, 200);
  s->advance(11'000);
  s->call("server:now");
  EXPECT_EQ(text_at(two.notifications(), "type"), R"("TokenExpired")");
  s->of("document:create", "x1", R"({"x":1})", admin);
  EXPECT_EQ(text_at(two.notifications(), "room"), other.text("result.channel"));
}

TEST_F(KuzzleLostRightTest, ALoginOfAUserWithoutTheRightEndsThem) {
  s->make_user("bob", "default", "bob", admin);
  log_in_on(listener, "bob");
  EXPECT_EQ(first_notification(listener), R"("SubscriptionEnded")");
}

TEST_F(KuzzleLostRightTest, ARefreshedTokenTakesTheSubscriptionsWithIt) {
  EXPECT_EQ(s->call("auth:refreshToken", testing::by(token)).status, 200);
  EXPECT_EQ(first_notification(listener), R"("document")");
}

TEST_F(KuzzleLostRightTest, ARequestWithoutAChangeChecksNoSubscription) {
  // A right that is removed without the dialect is noticed at the next check.
  const auto index = s->database->catalog()->find_internal_database("#kuzzle");
  const CollectionPtr roles = s->database->catalog()->find_internal(index->id, "roles");
  const std::string other = testing::by(s->log_in("boss", "pw"));
  EXPECT_TRUE(s->database->transact([&](Transaction& transaction) {
    return transaction.remove(roles, DocumentKey::of("listens"), {});
  }));
  EXPECT_EQ(s->call("auth:logout").status, 403);
  EXPECT_EQ(s->call("auth:logout", testing::by("no.such.token")).status, 401);
  EXPECT_EQ(s->of("security:deleteUser", "none", "", admin).status, 404);
  EXPECT_EQ(s->of("security:createRole", "bad", R"({"controllers":5})", admin).status, 400);
  EXPECT_EQ(s->call("auth:logout", other).status, 200);  // about its own subscriptions alone
  EXPECT_EQ(first_notification(listener), R"("document")");
  EXPECT_EQ(s->of("security:updateUser", "boss", R"({"a":1})", admin).status, 200);
  EXPECT_EQ(text_at(listener.notifications(), "type"), R"("SubscriptionEnded")");
}

TEST(KuzzleRealtimeTest, OverHttpClientsCanPublishButNotSubscribe) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->http("POST", "/idx/col/_publish", R"({"a":1})").result(), R"({"published":true})");
  EXPECT_EQ(s->http("GET", "/_listSubscriptions").result(), "{}");
}

TEST(KuzzleRealtimeTest, CollectionsWithSubscribersAreListedWithStoredOnes) {
  const auto s = Server::with_collection();
  ConnectedClient listener(*s);
  EXPECT_EQ(listener.call("subscribe", R"("body":{})").status, 200);
  EXPECT_EQ(s->call("collection:list").text("result.collections"),
            R"([{"name":"col","type":"realtime"},{"name":"col","type":"stored"}])");
  EXPECT_EQ(s->call("collection:list", R"("type":"stored")").text("result.collections"),
            R"([{"name":"col","type":"stored"}])");
}

TEST(KuzzleRealtimeTest, AListOfNoSizeHasAllCollections) {
  const auto s = Server::with_collection();
  s->collection = "other";
  EXPECT_EQ(s->call("collection:create").status, 200);
  const std::string col = R"({"name":"col","type":"stored"})";
  const std::string other = R"({"name":"other","type":"stored"})";
  for (const std::string& client : {std::string(), testing::v7}) {
    s->client = client;
    const auto list = [&](const std::string& more) {
      return s->call("collection:list", R"("type":"stored",)" + more).result();
    };
    const std::string all = R"({"type":"stored","collections":[)" + col + "," + other + "]";
    EXPECT_EQ(list(R"("size":0)"), all + "}");
    EXPECT_EQ(list(R"("from":0,"size":0)"), all + "}");
    EXPECT_EQ(list(R"("from":1,"size":0)"),
              R"({"type":"stored","collections":[)" + other + R"(],"from":1})");
    EXPECT_EQ(list(R"("size":1)"), R"({"type":"stored","collections":[)" + col + R"(],"size":1})");
  }
}

TEST(KuzzleRealtimeTest, WritesDuringAPublicationArePublishedWithoutDelay) {
  const auto s = Server::with_collection();
  ConnectedClient listener(*s);
  EXPECT_EQ(listener.call("subscribe", R"("body":{})").status, 200);
  // The last of many may arrive while earlier ones are being sent.
  constexpr int rounds = 200, most = 60;
  for (int round = 0; round < rounds; ++round) {
    for (int i = round % most; i >= 0; --i) {
      s->of("document:create", fmt::format("d{}.{}", round, i), "{}");
    }
    for (int i = round % most; i >= 0; --i) {
      ASSERT_EQ(text_at(listener.notifications(), "result._id"),
                fmt::format("\"d{}.{}\"", round, i));
    }
  }
}

TEST(KuzzleRealtimeTest, OneClientLeavesRoomForTheFiltersOfOthers) {
  const auto s = Server::with_collection();
  ASSERT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  const std::string boss = "," + testing::by(s->log_in("boss", "pw"));
  s->make_user("ann", "admin", "ann", boss.substr(1));
  const std::string ann = "," + testing::by(s->log_in("ann", "pw"));
  const auto filter = [](int n) {
    std::string values = '"' + std::to_string(n) + '"';
    for (int i = 0; i < 1'000; ++i)
      values += ",\"" + std::string(50, 'x') + std::to_string(i) + '"';
    return R"("body":{"in":{"a":[)" + values + "]}}";
  };
  ConnectedClient listener(*s);
  int made = 0;
  Answer last;
  for (; made < 1'000; ++made) {
    last = listener.call("subscribe", filter(made) + boss);
    if (last.status != 200) break;
  }
  EXPECT_EQ(last.status, 413) << last.error();
  EXPECT_GT(made, 100);
  EXPECT_LT(made, 200);
  ConnectedClient other(*s);
  EXPECT_EQ(other.call("subscribe", filter(-1) + ann).status, 200);
}

TEST(KuzzleRealtimeTest, RoomsAndTheConditionsOfAFilterAreBounded) {
  const KuzzleOptions few{.conditions_max = 2, .rooms_max = 2};
  const auto s = Server::with_collection();
  s->restart_with(few);
  ConnectedClient listener(*s);
  const auto subscribe = [&](const std::string& filter) {
    return listener.call("subscribe", R"("volatile":)" + testing::v7 + R"(,"body":)" + filter);
  };
  const std::string two = R"({"or":[{"equals":{"a":1}},{"equals":{"b":1}}]})";
  EXPECT_EQ(subscribe(two).status, 200);
  const Answer many = subscribe(R"({"and":[{"exists":"c"},)" + two + "]}");
  EXPECT_EQ(many.status, 413);
  EXPECT_EQ(many.text("error.id"), R"("core.realtime.too_many_terms")");
  EXPECT_EQ(many.error(),
            R"("Unable to subscribe: maximum number of terms exceeded (max 2, received 3).")");
  EXPECT_EQ(subscribe(R"({"in":{"a":[1,2,3,4]}})").status, 200);
  const Answer third = subscribe("{}");
  EXPECT_EQ(third.status, 413);
  EXPECT_EQ(third.text("error.id"), R"("core.realtime.too_many_rooms")");
  EXPECT_EQ(third.text("error.code"), std::to_string(0x00010007));
  EXPECT_EQ(subscribe(two).status, 200);
}

}  // namespace
}  // namespace mayfly::kuzzle
