// The validation of profiles, roles and users, and their references.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "db/rows/malformed.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::Server;
using testing::v7;

const std::string everything = R"({"controllers":{"*":{"actions":{"*":true}}}})";

class KuzzleDefinitionsTest : public ::testing::Test {
 protected:
  KuzzleDefinitionsTest() : s(Server::with_documents({{"d1", "{}"}})) {
    EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
    boss = by(s->log_in("boss", "pw"));
    EXPECT_EQ(write("createRole", "all", everything), 200);
  }
  Answer ask(const std::string& action, const std::string& id, const std::string& body,
             const std::string& more = "") {
    return s->of("security:" + action, id, body, boss + (more.empty() ? "" : "," + more));
  }
  int write(const std::string& action, const std::string& id, const std::string& body) {
    return ask(action, id, body).status;
  }
  Answer load(const std::string& body) {
    return s->call("admin:loadSecurities", R"("body":)" + body + "," + boss);
  }
  Answer remove(const std::string& what, const std::string& id, const std::string& more = "") {
    return ask("delete" + what, id, "", more);
  }
  Answer remove_many(const std::string& what, const std::string& ids) {
    return s->call("security:mDelete" + what, R"("body":{"ids":)" + ids + "}," + boss);
  }
  // A member of the stored object; empty if there is none.
  std::string kept(const std::string& what, const std::string& id, const std::string& member) {
    return ask("get" + what, id, "").text("result._source." + member);
  }
  // As an earlier version could have written it.
  void put(std::string_view collection, const std::string& id, const std::string& object) {
    const CollectionPtr of = *security_collection(*s->database, collection);
    const Bytes packed = *pack(*parse_json(object));
    EXPECT_TRUE(s->database->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(of, DocumentKey::of(id), packed, {}));
      return {};
    }));
  }
  // With user `ann` of profile `hers`, both of role `all`.
  void make_ann() {
    EXPECT_EQ(write("createProfile", "hers", R"({"policies":[{"roleId":"all"}]})"), 200);
    s->make_user("ann", "hers", "ann", boss);
  }

  const std::unique_ptr<Server> s;
  std::string boss;
};

TEST_F(KuzzleDefinitionsTest, AnInvalidProfileIsRefusedByEveryAction) {
  EXPECT_EQ(write("createProfile", "old", R"({"policies":[{"roleId":"all"}]})"), 200);
  for (const std::string policies :
       {R"([{"roleId":"all","restrictedTo":{"index":"a","collections":["c"]}}])",
        R"([{"roleId":"all","restrictedTo":"a"}])", R"([{"roleId":"all","restrictedTo":["a"]}])",
        R"([{"roleId":"all","restrictedTo":false}])", R"([{"roleId":"all","restrictedTo":[{}]}])",
        R"([{"roleId":"all","restrictedTo":[{"index":5}]}])",
        R"([{"roleId":"all","restrictedTo":[{"index":""}]}])",
        R"([{"roleId":"all","restrictedTo":[{"index":"a","collections":"c"}]}])",
        R"([{"roleId":"all","restrictedTo":[{"index":"a","collections":["c",5]}]}])",
        R"([{"roleId":"all","restrictedTo":[{"index":"a","collection":"c"}]}])",
        R"([{"roleId":"all","restrictTo":[{"index":"a"}]}])", R"([{}])", R"(["all"])", R"([null])",
        R"([{"roleId":5}])", R"([{"roleId":""}])", R"([])", R"({})", R"(null)"}) {
    SCOPED_TRACE(policies);
    const std::string body = R"({"policies":)" + policies + "}";
    EXPECT_EQ(write("createProfile", "new", body), 400);
    EXPECT_EQ(write("createOrReplaceProfile", "new", body), 400);
    EXPECT_EQ(write("updateProfile", "old", body), 400);
    EXPECT_EQ(load(R"({"profiles":{"new":)" + body + "}}").status, 400);
  }
  EXPECT_EQ(ask("getProfile", "new", "").status, 404);
  EXPECT_EQ(kept("Profile", "old", "policies"), R"([{"roleId":"all"}])");
  for (const std::string restriction : {R"([])", R"(null)", R"([{"index":"a"}])",
                                        R"([{"index":"a","collections":[]},{"index":"b"}])"}) {
    EXPECT_EQ(write("createOrReplaceProfile", "new",
                    R"({"policies":[{"roleId":"all","restrictedTo":)" + restriction + "}]}"),
              200)
        << restriction;
  }
}

TEST_F(KuzzleDefinitionsTest, AnInvalidRoleIsRefusedByEveryAction) {
  for (const std::string controllers :
       {R"(5)", R"(["document"])", R"({"document":5})", R"({"document":{}})",
        R"({"document":{"actions":5}})", R"({"document":{"actions":["get"]}})",
        R"({"document":{"actions":{"get":1}}})", R"({"document":{"actions":{"get":"true"}}})",
        R"({"document":null})", R"({})", R"({"document":{"actions":{}}})"}) {
    SCOPED_TRACE(controllers);
    const std::string body = R"({"controllers":)" + controllers + "}";
    EXPECT_EQ(write("createRole", "new", body), 400);
    EXPECT_EQ(write("createOrReplaceRole", "new", body), 400);
    EXPECT_EQ(write("updateRole", "all", body), 400);
    EXPECT_EQ(load(R"({"roles":{"new":)" + body + "}}").status, 400);
  }
  EXPECT_EQ(ask("getRole", "new", "").status, 404);
  EXPECT_EQ(kept("Role", "all", "controllers"), R"({"*":{"actions":{"*":true}}})");
}

TEST_F(KuzzleDefinitionsTest, AnInvalidRestrictionGivesNoRights) {
  make_ann();
  const std::string ann = by(s->log_in("ann", "pw"));
  EXPECT_EQ(s->of("document:get", "d1", "", ann).status, 200);
  for (const std::string restriction :
       {R"({"index":"idx"})", R"("idx")", R"(true)", R"([{"index":"idx","collections":"col"}])",
        R"([{"index":"idx","collection":"col"}])", R"([{"index":"idx"},5])", R"([{}])"}) {
    SCOPED_TRACE(restriction);
    put(profiles, "hers", R"({"policies":[{"roleId":"all","restrictedTo":)" + restriction + "}]}");
    EXPECT_EQ(s->of("document:get", "d1", "", ann).status, 403);
    EXPECT_EQ(s->send(R"("controller":"server","action":"now",)" + ann).status, 403);
    EXPECT_EQ(ask("getUserRights", "ann", "").text("result.total"), "0");
  }
  put(profiles, "hers", R"({"policies":[{"roleId":"all","restrictedTo":[{"index":"idx"}]}]})");
  EXPECT_EQ(s->of("document:get", "d1", "", ann).status, 200);
}

TEST_F(KuzzleDefinitionsTest, AProfileOfAnUnknownRoleIsRefused) {
  const std::string body = R"({"policies":[{"roleId":"all"},{"roleId":"none"}]})";
  make_ann();
  const Answer refused = ask("createProfile", "new", body);
  EXPECT_EQ(refused.status, 404);
  EXPECT_EQ(refused.error(), R"("Unable to hydrate the profile new: missing role(s) in the )"
                             R"(database")");
  EXPECT_EQ(write("createOrReplaceProfile", "new", body), 404);
  EXPECT_EQ(write("updateProfile", "hers", body), 404);
  EXPECT_EQ(load(R"({"profiles":{"new":)" + body + "}}").status, 404);
  EXPECT_EQ(ask("getProfile", "new", "").status, 404);
  EXPECT_EQ(kept("Profile", "hers", "policies"), R"([{"roleId":"all"}])");
  s->client = v7;
  EXPECT_EQ(ask("createProfile", "new", body).text("error.id"),
            R"("security.profile.cannot_hydrate")");
  // Roles in the same request count.
  EXPECT_EQ(
      load(R"({"roles":{"none":)" + everything + R"(},"profiles":{"new":)" + body + "}}").status,
      200);
}

TEST_F(KuzzleDefinitionsTest, AUserOfProfilesThatAreNoneIsRefused) {
  make_ann();
  const auto statuses = [&](const std::string& profile_ids) {
    const std::string content = R"({"profileIds":)" + profile_ids + "}";
    const std::string user = R"({"content":)" + content + "}";
    return std::to_string(write("createUser", "new", user)) + " " +
           std::to_string(write("updateUser", "ann", content)) + " " +
           std::to_string(write("replaceUser", "ann", content)) + " " +
           std::to_string(load(R"({"users":{"new":)" + user + "}}").status);
  };
  for (const char* bad : {"[1]", R"(["hers",null])", R"([""])", R"([["hers"]])", R"("hers")"}) {
    EXPECT_EQ(statuses(bad), "400 400 400 400") << bad;
  }
  EXPECT_EQ(statuses(R"(["hers","none"])"), "404 404 404 404");
  EXPECT_EQ(ask("getUser", "new", "").status, 404);
  EXPECT_EQ(kept("User", "ann", "profileIds"), R"(["hers"])");
  s->client = v7;
  const Answer refused = ask("createUser", "new", R"({"content":{"profileIds":["none"]}})");
  EXPECT_EQ(refused.text("error.id"), R"("security.user.cannot_hydrate")");
  EXPECT_EQ(refused.error(),
            R"("Unable to hydrate the user \"new\": missing profile(s) in the database")");
  // Profiles in the same request count.
  EXPECT_EQ(load(R"({"profiles":{"none":{"policies":[{"roleId":"all"}]}},)"
                 R"("users":{"new":{"content":{"profileIds":["none"]}}}})")
                .status,
            200);
}

// An old user whose profile is missing can still be changed in everything but its profiles.
TEST_F(KuzzleDefinitionsTest, AChangeWithoutProfilesNeedsNone) {
  make_ann();
  put(users, "ann", R"({"profileIds":["none"]})");
  EXPECT_EQ(write("updateUser", "ann", R"({"a":1})"), 200);
}

TEST_F(KuzzleDefinitionsTest, AnObjectInUseIsNotDeleted) {
  make_ann();
  EXPECT_EQ(write("createProfile", "free", R"({"policies":[{"roleId":"default"}]})"), 200);
  EXPECT_EQ(write("createRole", "free", everything), 200);
  Answer refused = remove("Profile", "hers");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.error(),
            R"("The profile \"hers\" cannot be deleted since it is used by some users.")");
  refused = remove("Role", "all");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.error(),
            R"("The role \"all\" cannot be deleted since it is used by some profile.")");
  EXPECT_EQ(remove_many("Profiles", R"(["free","hers"])").status, 403);
  EXPECT_EQ(remove_many("Roles", R"(["free","all"])").status, 403);
  s->client = v7;
  refused = remove("Profile", "hers");
  EXPECT_EQ(refused.status, 412);
  EXPECT_EQ(refused.text("error.id"), R"("security.profile.in_use")");
  refused = remove("Role", "all");
  EXPECT_EQ(refused.status, 412);
  EXPECT_EQ(refused.text("error.id"), R"("security.role.in_use")");
  for (const char* id : {"free", "hers"}) EXPECT_NE(kept("Profile", id, "policies"), "");
  for (const char* id : {"free", "all"}) EXPECT_NE(kept("Role", id, "controllers"), "");
  EXPECT_EQ(remove("Profile", "hers", R"("onAssignedUsers":"laugh")").status, 400);
  EXPECT_EQ(remove("User", "ann").status, 200);
  EXPECT_EQ(remove_many("Profiles", R"(["free","hers"])").result(), R"(["free","hers"])");
  EXPECT_EQ(remove_many("Roles", R"(["free","all"])").result(), R"(["free","all"])");
}

TEST_F(KuzzleDefinitionsTest, AProfileRemovedFromItsUsersGivesThemNoRightsLater) {
  make_ann();
  const std::string ann = by(s->log_in("ann", "pw"));
  EXPECT_EQ(write("createUser", "bob", R"({"content":{"profileIds":["default","hers"],"a":1}})"),
            200);
  const std::string removing = R"("onAssignedUsers":"remove")";
  EXPECT_EQ(remove("Profile", "hers", removing).result(), R"({"_id":"hers"})");
  EXPECT_EQ(kept("User", "ann", "profileIds"), R"(["anonymous"])");
  EXPECT_EQ(kept("User", "bob", "profileIds"), R"(["default"])");
  EXPECT_EQ(kept("User", "bob", "a"), "1");
  EXPECT_EQ(write("createProfile", "hers", R"({"policies":[{"roleId":"all"}]})"), 200);
  EXPECT_EQ(s->of("document:get", "d1", "", ann).status, 403);
  // A role is not removed from its profiles.
  EXPECT_EQ(remove("Role", "all", removing).status, 403);
}

// As on a damaged disk, besides those that can be read.
TEST_F(KuzzleDefinitionsTest, AnInvalidObjectDoesNotHideTheOthers) {
  make_ann();
  const std::uint64_t before = malformed_rows();
  put(users, "broken", R"({"profileIds":"admin"})");
  put(profiles, "broken", R"({"policies":5})");
  put(roles, "broken", R"({"controllers":[]})");
  put(api_keys, "broken", R"({"userId":7,"fingerprint":"x"})");
  put(passwords, "broken", R"({"kuid":7})");
  for (int i = 0; i < 2; ++i) {
    for (const char* what : {"User", "Profile", "Role"}) {
      EXPECT_EQ(ask(std::string("get") + what, "broken", "").status, 404) << what;
    }
    EXPECT_EQ(malformed_rows(), before + 3);
  }
  s->restart();
  EXPECT_EQ(kept("User", "ann", "profileIds"), R"(["hers"])");
  EXPECT_EQ(kept("Profile", "hers", "policies"), R"([{"roleId":"all"}])");
  EXPECT_EQ(s->of("document:get", "d1", "", by(s->log_in("ann", "pw"))).status, 200);
  for (const char* what : {"Users", "Profiles", "Roles"}) {
    const Answer found = s->call(std::string("security:search") + what, R"("body":{},)" + boss);
    EXPECT_EQ(found.status, 200) << what;
    EXPECT_NE(found.result().find(R"("total":)"), std::string::npos) << found.result();
  }
  EXPECT_EQ(write("createUser", "bob", R"({"content":{"profileIds":["broken"]}})"), 404);
  EXPECT_EQ(write("createApiKey", "k", R"({"description":"d"})"), 400);  // it names no user
  EXPECT_EQ(remove("User", "ann").status, 200);
  EXPECT_EQ(remove("Profile", "hers").status, 200);
  EXPECT_EQ(remove("Role", "all").status, 200);
  // A readable one replaces it.
  EXPECT_EQ(write("createUser", "broken", R"({"content":{"profileIds":["default"]}})"), 200);
  EXPECT_EQ(kept("User", "broken", "profileIds"), R"(["default"])");
  EXPECT_EQ(write("createOrReplaceRole", "broken", everything), 200);
  EXPECT_EQ(kept("Role", "broken", "controllers"), R"({"*":{"actions":{"*":true}}})");
}

// Its restrictions are not known.
TEST_F(KuzzleDefinitionsTest, ABuiltInRoleThatCannotBeReadGivesNoRights) {
  const std::string open = R"({"controllers":{"document":{"actions":{"get":true}}}})";
  const auto status = [&] { return s->of("document:get", "d1").status; };
  put(roles, "anonymous", open);
  EXPECT_EQ(status(), 200);
  put(roles, "anonymous", R"({"controllers":5})");
  EXPECT_EQ(status(), 403);
  EXPECT_EQ(ask("getRole", "anonymous", "").status, 404);
  put(roles, "anonymous", open);
  EXPECT_EQ(status(), 200);
  put(profiles, "anonymous", R"({"policies":5})");
  EXPECT_EQ(status(), 403);
}

TEST_F(KuzzleDefinitionsTest, ARoleOfVersionTwoNamesActionsThatExist) {
  const auto role = [](const std::string& controllers) {
    return R"({"controllers":)" + controllers + "}";
  };
  const std::string unknown_controller = role(R"({"nowhere":{"actions":{"get":true}}})");
  const std::string unknown_action = role(R"({"document":{"actions":{"jump":true}}})");
  const std::string debug = role(R"({"debug":{"actions":{"enable":true}}})");
  const std::string unknown_debug = role(R"({"debug":{"actions":{"jump":true}}})");
  const std::string unknown_command = role(R"({"ms":{"actions":{"gett":true}}})");
  EXPECT_EQ(write("createRole", "old", unknown_controller), 200) << "version 1 does not ask";
  s->client = v7;
  const auto refusal = [&](const Answer& answer) {
    return std::to_string(answer.status) + " " + answer.text("error.id");
  };
  for (const char* action : {"createRole", "createOrReplaceRole", "updateRole"}) {
    const std::string id = std::string(action) == "createRole" ? "new" : "old";
    EXPECT_EQ(refusal(ask(action, id, unknown_controller)),
              R"(400 "security.role.unknown_controller")");
    EXPECT_EQ(refusal(ask(action, id, unknown_action)), R"(400 "security.role.unknown_action")");
    EXPECT_EQ(refusal(ask(action, id, unknown_debug)), R"(400 "security.role.unknown_action")");
    EXPECT_EQ(refusal(ask(action, id, unknown_command)), R"(400 "security.role.unknown_action")");
    EXPECT_EQ(ask(action, id, unknown_controller, R"("force":true)").status, 200);
    EXPECT_EQ(ask("createOrReplaceRole", "debugger", debug).status, 200);
  }
  EXPECT_EQ(refusal(load(R"({"roles":{"more":)" + unknown_action + "}}")),
            R"(400 "security.role.unknown_action")");
  EXPECT_EQ(ask("createRole", "next", unknown_action).error(),
            R"("Trying to set role next with a non-existing action 'jump' in controller )"
            R"('document'.")");
  for (const char* controllers :
       {R"({"*":{"actions":{"get":true}}})", R"({"document":{"actions":{"*":true,"get":false}}})",
        R"({"ms":{"actions":{"append":true}},"debug":{"actions":{"enable":true}}})",
        R"({"auth":{"actions":{"createToken":true}}})"}) {
    EXPECT_EQ(write("createOrReplaceRole", "next", role(controllers)), 200) << controllers;
  }
}

TEST_F(KuzzleDefinitionsTest, TheRoleAnonymousAlwaysAllowsALogin) {
  const std::string body = R"({"controllers":{"auth":{"actions":{"login":false}}}})";
  const std::string other = R"({"controllers":{"server":{"actions":{"*":true}}}})";
  const Answer refused = ask("updateRole", "anonymous", body);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.error(), R"("Cannot remove login permission from anonymous role")");
  for (const std::string& role : {body, other}) {
    EXPECT_EQ(write("createOrReplaceRole", "anonymous", role), 400);
    EXPECT_EQ(load(R"({"roles":{"anonymous":)" + role + "}}").status, 400);
    EXPECT_EQ(write("createOrReplaceRole", "other", role), 200);
  }
  EXPECT_EQ(kept("Role", "anonymous", "controllers.auth.actions.login"), "true");
  EXPECT_EQ(write("updateRole", "anonymous", other), 200) << "the rest of it stays";
  EXPECT_NE(s->log_in("boss", "pw"), "");
  for (const char* role : {R"({"controllers":{"*":{"actions":{"login":true}}}})",
                           R"({"controllers":{"auth":{"actions":{"*":true}}}})"}) {
    EXPECT_EQ(write("createOrReplaceRole", "anonymous", role), 200) << role;
    EXPECT_NE(s->log_in("boss", "pw"), "") << role;
  }
  s->client = v7;
  EXPECT_EQ(ask("createOrReplaceRole", "anonymous", other).text("error.id"),
            R"("security.role.login_required")");
}

TEST_F(KuzzleDefinitionsTest, AStrictProfileOfVersionTwoNamesPlacesThatExist) {
  const auto profile = [](const std::string& place) {
    return R"({"policies":[{"roleId":"all","restrictedTo":[)" + place + "]}]}";
  };
  const std::string strict = R"("strict":true)";
  const std::string no_index = profile(R"({"index":"none"})");
  const std::string no_collection = profile(R"({"index":"idx","collections":["col","none"]})");
  EXPECT_EQ(ask("createProfile", "old", no_index, strict).status, 200) << "version 1 does not ask";
  s->client = v7;
  for (const char* action : {"createProfile", "createOrReplaceProfile", "updateProfile"}) {
    const std::string id = std::string(action) == "createProfile" ? "new" : "old";
    EXPECT_EQ(ask(action, id, no_index, strict).text("error.id"),
              R"("services.storage.unknown_index")");
    EXPECT_EQ(ask(action, id, no_collection, strict).text("error.id"),
              R"("services.storage.unknown_collection")");
    EXPECT_EQ(ask(action, id, no_collection).status, 200);
  }
  EXPECT_EQ(ask("updateProfile", "old", profile(R"({"index":"idx","collections":["col"]})"), strict)
                .status,
            200);
}

TEST_F(KuzzleDefinitionsTest, TheRightsOfAnUnknownProfileAreNotFound) {
  EXPECT_EQ(ask("getProfileRights", "none", "").status, 404);
  EXPECT_EQ(ask("getUserRights", "none", "").status, 404);
  EXPECT_EQ(ask("getProfileRights", "admin", "").text("result.total"), "1");
}

// Whichever is first: no user ever refers to a removed profile.
TEST_F(KuzzleDefinitionsTest, AConcurrentDeletionAndUseDoNotBothSucceed) {
  for (int round = 0; round < 20; ++round) {
    const std::string id = std::to_string(round);
    EXPECT_EQ(write("createProfile", "p" + id, R"({"policies":[{"roleId":"all"}]})"), 200);
    const auto send = [&](const std::string& action, const std::string& of,
                          const std::string& more) {
      return s->send_text(R"({"controller":"security","action":")" + action + R"(","_id":")" + of +
                          R"(",)" + more + boss + "}");
    };
    std::atomic<int> used = 0;
    std::thread user([&] {
      used =
          send("createUser", "u" + id, R"("body":{"content":{"profileIds":["p)" + id + R"("]}},)")
              .status;
    });
    const int removed = send("deleteProfile", "p" + id, "").status;
    user.join();
    EXPECT_TRUE((used == 200) != (removed == 200)) << used << " " << removed;
  }
}

}  // namespace
}  // namespace mayfly::kuzzle
