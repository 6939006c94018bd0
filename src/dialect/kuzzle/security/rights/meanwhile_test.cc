// A request whose user is removed, or replaced by another one with the same id, between the check
// of its rights and its action: for example while a long body is read, or a password is hashed.
#include <gtest/gtest.h>

#include <functional>

#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/documents/exports/exports.h"
#include "dialect/kuzzle/mappings/learnt_fields.h"
#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/requests/answer.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/rights/admins.h"
#include "dialect/kuzzle/security/rights/grants.h"
#include "dialect/kuzzle/security/users/users.h"
#include "dialect/kuzzle/server/load.h"
#include "dialect/kuzzle/server/statistics.h"
#include "dialect/kuzzle/testing.h"
#include "dialect/kuzzle/trash/collector.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::Server;

using Meanwhile = std::function<void()>;

// Runs requests on the server's database in two steps: first the check of rights, then the rest.
class InTwoSteps {
 public:
  explicit InTwoSteps(Server& server) : server_(server) {}

  Answer ask(const std::string& members, const Meanwhile& meanwhile) const {
    Message message;
    EXPECT_TRUE(parse_message(*parse_json("{" + members + "}"), message)) << members;
    KuzzleCall call{.message = message, .shared = shared};
    const Reply reply = answer_route(**route_of(message), call, [&]() -> Result<void> {
      meanwhile();
      return {};
    });
    return Server::answer_in(render_envelope(message, reply));
  }

 private:
  Server& server_;
  Load load_{server_.options, nullptr};
  Statistics statistics_{server_.options, server_.database->now()};
  Refreshes refreshes_{server_.options.found_after, server_.database->now()};
  search::Scrolls scrolls_{server_.page_tokens};
  realtime::Realtime realtime_{*server_.database};
  Grants grants_{realtime_};
  Admins admins_;
  Exports exports_;
  LearntFields learnt_{*server_.database};
  Collector collector_{*server_.services, server_.options.collector, [] { return false; }};

 public:
  const ServerContext shared{*server_.services, collector_,      scrolls_, realtime_,
                             grants_,           server_.options, load_,    statistics_,
                             refreshes_,        exports_,        admins_,  learnt_};
};

class KuzzleMeanwhileTest : public ::testing::Test {
 protected:
  KuzzleMeanwhileTest() : s(Server::with_collection()) {
    EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
    boss = by(s->log_in("boss", "pw"));
    s->make_user("bob", "admin", "bob", boss);
    bob = by(s->log_in("bob", "pw"));
  }
  void remove_bob() const { EXPECT_EQ(s->of("security:deleteUser", "bob", "", boss).status, 200); }
  // The next user with that id, whose login has another password.
  void replace_bob() const {
    const std::string body =
        R"({"users":{"bob":{"content":{"profileIds":["admin"],"is":"another"},)" +
        Server::credentials_of("bob", "his own") + "}}}";
    const Answer loaded = s->call(
        "admin:loadSecurities", R"("onExistingUsers":"overwrite",)" + boss + R"(,"body":)" + body);
    EXPECT_EQ(loaded.status, 200) << loaded.error();
  }
  Answer as_bob(const std::string& action, const std::string& more,
                const Meanwhile& meanwhile) const {
    return InTwoSteps(*s).ask(
        R"("controller":"auth","action":")" + action + R"(","strategy":"local",)" + more + bob,
        meanwhile);
  }
  std::string body_of_bob() const {
    return s->of("security:getUser", "bob", "", boss).text("result._source");
  }
  std::string name_of_bob() const {
    return s->of("security:getCredentials", "bob", "", R"("strategy":"local",)" + boss)
        .text("result.username");
  }

  const std::unique_ptr<Server> s;
  std::string boss;
  std::string bob;
};
const std::string of_another = R"({"profileIds":["admin"],"is":"another"})";
const std::string new_name = R"("body":{"username":"alice","password":"new"},)";

TEST_F(KuzzleMeanwhileTest, AKeyBelongsToTheUserThatCreatedItAndToNoLaterOne) {
  const Answer made =
      as_bob("createApiKey", R"("body":{"description":"x"},)", [this] { replace_bob(); });
  EXPECT_EQ(made.status, 404);
  EXPECT_EQ(made.error(), R"("User with id \"bob\" not found")");
  EXPECT_EQ(
      s->call("security:searchApiKeys", R"("userId":"bob","body":{},)" + boss).text("result.total"),
      "0");
  bob = by(s->log_in("bob", "his own"));
  EXPECT_EQ(as_bob("createApiKey", R"("body":{"description":"x"},)", [] {}).status, 200);
}

TEST_F(KuzzleMeanwhileTest, AKeyOfTheNextUserIsNotDeleted) {
  const std::string make = R"("userId":"bob","_id":"k1","body":{"description":"x"},)" + boss;
  EXPECT_EQ(s->call("security:createApiKey", make).status, 200);
  const Answer gone = as_bob("deleteApiKey", R"("_id":"k1",)", [&] {
    replace_bob();
    EXPECT_EQ(s->call("security:createApiKey", make).status, 200);
  });
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(s->call("security:deleteApiKey", R"("userId":"bob","_id":"k1",)" + boss).status, 200);
}

TEST_F(KuzzleMeanwhileTest, TheNextUserIsNotChanged) {
  EXPECT_EQ(as_bob("updateSelf", R"("body":{"a":1},)", [this] { replace_bob(); }).status, 404);
  EXPECT_EQ(body_of_bob(), of_another);
  bob = by(s->log_in("bob", "his own"));
  EXPECT_EQ(as_bob("updateSelf", R"("body":{"a":1},)", [] {}).status, 200);
}

TEST_F(KuzzleMeanwhileTest, TheNextUserKeepsItsPassword) {
  const Answer changed = as_bob("updateMyCredentials", new_name, [this] { replace_bob(); });
  EXPECT_EQ(changed.status, 404);
  EXPECT_EQ(name_of_bob(), R"("bob")");
  bob = by(s->log_in("bob", "his own"));
  EXPECT_EQ(as_bob("deleteMyCredentials", "", [this] { replace_bob(); }).status, 404);
  EXPECT_EQ(name_of_bob(), R"("bob")");
  bob = by(s->log_in("bob", "his own"));
  EXPECT_EQ(as_bob("updateMyCredentials", new_name, [] {}).status, 200);
  EXPECT_EQ(name_of_bob(), R"("alice")");
}

// If the body names further collections, the rights on them are checked after it is read.
TEST_F(KuzzleMeanwhileTest, ALateCheckOfRightsIsNotForTheNextUser) {
  EXPECT_EQ(s->of("security:createRole", "imports",
                  R"({"controllers":{"bulk":{"actions":{"import":true}}}})", boss)
                .status,
            200);
  EXPECT_EQ(s->of("security:createProfile", "imports",
                  R"({"policies":[{"roleId":"imports","restrictedTo":[{"index":"idx"}]}]})", boss)
                .status,
            200);
  for (const char* what : {"index:create", "collection:create"}) {
    const std::string name(what);
    const auto colon = name.find(':');
    EXPECT_EQ(s->send(R"("controller":")" + name.substr(0, colon) + R"(","action":")" +
                      name.substr(colon + 1) + R"(","index":"other","collection":"col",)" + boss)
                  .status,
              200);
  }
  remove_bob();
  s->make_user("bob", "imports", "bob", boss);
  bob = by(s->log_in("bob", "pw"));
  const Answer imported = InTwoSteps(*s).ask(
      R"("controller":"bulk","action":"import","index":"idx","collection":"col",)"
      R"("body":{"bulkData":[{"index":{"_index":"other","_type":"col","_id":"x"}},{"a":1}]},)" +
          bob,
      [this] { replace_bob(); });
  EXPECT_EQ(imported.status, 403) << imported.result();
  EXPECT_EQ(s->send(R"("controller":"document","action":"get","index":"other","collection":"col",)"
                    R"("_id":"x",)" +
                    boss)
                .status,
            404);
}

TEST_F(KuzzleMeanwhileTest, ARemovedUserLeavesNoPassword) {
  EXPECT_EQ(as_bob("createMyCredentials", new_name, [this] { remove_bob(); }).status, 404);
  s->make_user("alice", "default", "alice", boss);
  EXPECT_NE(s->log_in("alice", "pw"), "");
}

TEST_F(KuzzleMeanwhileTest, APasswordIsStoredForTheUserThatWasFoundAndForNoLaterOne) {
  const UserRef found = *find_user(*s->database, "bob");
  replace_bob();
  const InTwoSteps steps(*s);
  const Message message;
  const KuzzleCall call{.message = message, .shared = steps.shared};
  const Object credentials{{"username", "alice"}, {"password", "new"}};
  const auto kept = store_password(call, found, &credentials, PasswordWrite::changed);
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, Code::not_found);
  EXPECT_EQ(name_of_bob(), R"("bob")");
  EXPECT_TRUE(
      store_password(call, *find_user(*s->database, "bob"), &credentials, PasswordWrite::changed));
  EXPECT_EQ(name_of_bob(), R"("alice")");
}

// Values cached before a reset and values read after it are never combined: the former say that
// there is an administrator, the latter that every client may do everything.
TEST_F(KuzzleMeanwhileTest, DuringAResetOfUsersAndRightsNothingIsOpen) {
  EXPECT_EQ(s->of("security:createOrReplaceRole", "anonymous",
                  R"({"controllers":{"auth":{"actions":{"login":true}},)"
                  R"("server":{"actions":{"now":true}}}})",
                  boss)
                .status,
            200);
  s->credentials.keys = {"a-server-key"};
  const InTwoSteps steps(*s);
  const auto status_of = [&](const std::string& controller, const std::string& action) {
    const std::string asked = R"("controller":")" + controller + R"(","action":")" + action;
    return steps.ask(asked + R"(","_id":"x","body":{"content":{"profileIds":["admin"]}})", [] {})
        .status;
  };
  EXPECT_EQ(status_of("security", "createUser"), 403);
  EXPECT_EQ(status_of("server", "now"), 200);
  const Admins::RightsUpdate under_way(steps.shared.admins);
  const auto kept = s->database->catalog()->find_internal_database(security_index);
  ASSERT_TRUE(s->database->drop_database(kept->id));
  EXPECT_EQ(status_of("security", "createUser"), 403);
  EXPECT_EQ(status_of("security", "createFirstAdmin"), 403);
  EXPECT_EQ(status_of("index", "list"), 403);
  EXPECT_FALSE(has_security(*s->database));
}

// A value cached before a change is not used after it.
TEST_F(KuzzleMeanwhileTest, ValuesReadDuringAChangeAreNotCached) {
  const InTwoSteps steps(*s);
  Admins& admins = steps.shared.admins;
  RightsView before = admins.view(*s->database);
  {
    const Admins::RightsUpdate under_way(admins);
    RightsView early = admins.view(*s->database);
    const auto kept = s->database->catalog()->find_internal_database(security_index);
    ASSERT_TRUE(s->database->drop_database(kept->id));
    EXPECT_TRUE(*admins.exist(early));
    RightsView late = admins.view(*s->database);
    EXPECT_FALSE(*admins.exist(late));
    EXPECT_TRUE(*admins.exist(before));
  }
  RightsView after = admins.view(*s->database);
  EXPECT_FALSE(*admins.exist(after));
  EXPECT_TRUE(*admins.exist(before));
  EXPECT_FALSE(*admins.exist(after));
}

}  // namespace
}  // namespace mayfly::kuzzle
