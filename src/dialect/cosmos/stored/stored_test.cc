// Users, permissions, tokens and the definitions of scripts, case by case (spec cosmos-cases.md,
// section F).
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

const std::string users = "/dbs/d/users";
const std::string permissions = users + "/u/permissions";

std::vector<net::Pair> holding(const Answer& permission) {
  const std::string plain = permission.body.member("_token").text();
  std::string token;
  for (const char c : plain) {
    token += c == '=' ? "%3D" : c == '&' ? "%26" : std::string(1, c);
  }
  return {{"x-ms-date", date}, {"authorization", token}, key_a};
}

TEST(CosmosUsers, HoldPermissionsWhoseTokensAllowWhatTheySay) {  // U1, U2, U3
  auto account = Account::with_container();
  account->create("1");
  EXPECT_EQ(account->send("POST", users, R"({"id":"u"})").body.member("_permissions").text(),
            "permissions/");
  const Answer reads = account->send(
      "POST", permissions, R"({"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"})");
  EXPECT_EQ(reads.status, 201);
  EXPECT_TRUE(reads.body.member("_token").text().starts_with("type=resource"));
  const auto send = [&](const Answer& permission, const std::string& method,
                        const std::string& path, const std::string& body = "") {
    return account->send_as_it_is(method, path, body, holding(permission)).status;
  };
  EXPECT_EQ(send(reads, "GET", documents + "/1"), 200);
  EXPECT_EQ(send(reads, "POST", documents, Account::document("2")), 403);
  account->send("POST", containers, R"({"id":"other","partitionKey":{"paths":["/pk"]}})");
  EXPECT_EQ(send(reads, "GET", "/dbs/d/colls/other/docs/1"), 403);
  const Answer twice = account->send(
      "POST", permissions, R"({"id":"q","permissionMode":"All","resource":"dbs/d/colls/c"})");
  EXPECT_EQ(twice.status, 409);
  const Answer changed = account->send(
      "PUT", permissions + "/p", R"({"id":"p","permissionMode":"All","resource":"dbs/d/colls/c"})");
  EXPECT_EQ(send(changed, "POST", documents, Account::document("2")), 201);
}

TEST(CosmosUsers, HoldTokensThatEnd) {  // U4
  auto account = Account::with_container();
  account->send("POST", users, R"({"id":"u"})");
  const std::string permission = R"({"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"})";
  const auto asked = [&](const std::string& seconds) {
    return account->send("POST", permissions, permission,
                         {{"x-ms-documentdb-expiry-seconds", seconds}});
  };
  EXPECT_EQ(asked("9").status, 400);
  EXPECT_EQ(asked("18001").status, 400);
  const Answer given = asked("10");
  account->create("1");
  EXPECT_EQ(account->send_as_it_is("GET", documents + "/1", "", holding(given)).status, 200);
  account->advance(11);
  EXPECT_EQ(account->send_as_it_is("GET", documents + "/1", "", holding(given)).status, 403);
  EXPECT_EQ(
      account
          ->send_as_it_is("GET", documents + "/1", "",
                          {{"authorization", "type%3Dresource%26ver%3D1.0%26sig%3Dmade.up.token"}})
          .status,
      401);
}

TEST(CosmosUsers, AreNobodyWithoutASignature) {
  auto account = Account::with_container();
  for (const auto* token :
       {"type%3Dresource%26ver%3D1.0%26sig%3D", "type%3Dresource", "type%3Dmaster"}) {
    EXPECT_EQ(account->send_as_it_is("GET", documents, "", {{"authorization", token}}).status, 401);
    EXPECT_EQ(
        account->send_as_it_is("POST", "/dbs", R"({"id":"x"})", {{"authorization", token}}).status,
        401);
  }
}

TEST(CosmosUsers, TakeTheirPermissionsAlong) {
  auto account = Account::with_container();
  account->send("POST", users, R"({"id":"u"})");
  account->send("POST", permissions,
                R"({"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"})");
  EXPECT_EQ(account->send("DELETE", users + "/u").status, 204);
  EXPECT_EQ(account->send("GET", permissions).status, 404);
  account->send("POST", users, R"({"id":"u"})");
  EXPECT_EQ(account->send("GET", permissions).body.member("_count").integer(), 0);
}

TEST(CosmosScripts, AreDefinedListedReplacedAndRemoved) {
  auto account = Account::with_container();
  for (const auto& [path, more] :
       {std::pair{"/sprocs", ""},
        {"/udfs", ""},
        {"/triggers", R"(,"triggerType":"Pre","triggerOperation":"All")"}}) {
    const std::string scripts = container + path;
    const std::string script = R"({"id":"s","body":"function(){}")" + std::string(more) + "}";
    const Answer made = account->send("POST", scripts, script);
    EXPECT_EQ(made.status, 201) << made.response.body;
    EXPECT_EQ(account->send("POST", scripts, script).status, 409);
    EXPECT_EQ(account->send("PUT", scripts + "/s", script).status, 200);
    EXPECT_EQ(account->send("GET", "/" + made.body.member("_self").text()).body.member("id").text(),
              "s");
    EXPECT_EQ(account->send("GET", scripts).body.member("_count").integer(), 1);
    EXPECT_EQ(account
                  ->send("POST", scripts, R"({"query":"SELECT * FROM r WHERE r.id = 's'"})",
                         {{"x-ms-documentdb-isquery", "true"}})
                  .body.member("_count")
                  .integer(),
              1);
    EXPECT_EQ(account->send("DELETE", scripts + "/s").status, 204);
    EXPECT_EQ(account->send("GET", scripts + "/s").status, 404);
  }
  EXPECT_EQ(
      account->send("POST", container + "/triggers", R"({"id":"s","body":"function(){}"})").status,
      400);
  EXPECT_EQ(account->send("POST", container + "/udfs", R"({"id":"s"})").status, 400);
  EXPECT_EQ(account->send("GET", container + "/conflicts").body.member("_count").integer(), 0);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
