// The URLs that clients of version 1 use, and those that clients can list.
#include "dialect/kuzzle/requests/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "dialect/kuzzle/testing.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

using ::testing::ElementsAre;

struct Known {
  const char* controller;
  const char* action;
  const char* verb;
  const char* path;
};
const Known version_1[] = {
    {"document", "get", "GET", "/:index/:collection/:_id"},
    {"document", "exists", "GET", "/:index/:collection/:_id/_exists"},
    {"document", "scroll", "GET", "/_scroll/:scrollId"},
    {"document", "count", "POST", "/:index/:collection/_count"},
    {"document", "create", "POST", "/:index/:collection/_create"},
    {"document", "create", "POST", "/:index/:collection/:_id/_create"},
    {"document", "search", "POST", "/:index/:collection/_search"},
    {"document", "search", "GET", "/:index/:collection"},
    {"document", "mGet", "POST", "/:index/:collection/_mGet"},
    {"document", "mCreate", "POST", "/:index/:collection/_mCreate"},
    {"document", "validate", "POST", "/:index/:collection/_validate"},
    {"document", "delete", "DELETE", "/:index/:collection/:_id"},
    {"document", "deleteByQuery", "DELETE", "/:index/:collection/_query"},
    {"document", "mDelete", "DELETE", "/:index/:collection/_mDelete"},
    {"document", "createOrReplace", "PUT", "/:index/:collection/:_id"},
    {"document", "mCreateOrReplace", "PUT", "/:index/:collection/_mCreateOrReplace"},
    {"document", "replace", "PUT", "/:index/:collection/:_id/_replace"},
    {"document", "mReplace", "PUT", "/:index/:collection/_mReplace"},
    {"document", "mUpdate", "PUT", "/:index/:collection/_mUpdate"},
    {"document", "update", "PUT", "/:index/:collection/:_id/_update"},
    {"collection", "exists", "GET", "/:index/:collection/_exists"},
    {"collection", "getMapping", "GET", "/:index/:collection/_mapping"},
    {"collection", "updateMapping", "PUT", "/:index/:collection/_mapping"},
    {"collection", "getSpecifications", "GET", "/:index/:collection/_specifications"},
    {"collection", "list", "GET", "/:index/_list"},
    {"collection", "list", "GET", "/:index/_list/:type"},
    {"collection", "create", "PUT", "/:index/:collection"},
    {"collection", "truncate", "DELETE", "/:index/:collection/_truncate"},
    {"collection", "deleteSpecifications", "DELETE", "/:index/:collection/_specifications"},
    {"collection", "updateSpecifications", "PUT", "/_specifications"},
    {"collection", "validateSpecifications", "POST", "/_validateSpecifications"},
    {"collection", "searchSpecifications", "POST", "/validations/_search"},
    {"collection", "scrollSpecifications", "GET", "/validations/_scroll/:scrollId"},
    {"index", "list", "GET", "/_list"},
    {"index", "exists", "GET", "/:index/_exists"},
    {"index", "create", "POST", "/:index/_create"},
    {"index", "delete", "DELETE", "/:index"},
    {"index", "mDelete", "DELETE", "/_mdelete"},
    {"index", "refresh", "POST", "/:index/_refresh"},
    {"index", "refreshInternal", "POST", "/_refreshInternal"},
    {"index", "getAutoRefresh", "GET", "/:index/_autoRefresh"},
    {"index", "setAutoRefresh", "POST", "/:index/_autoRefresh"},
    {"auth", "login", "POST", "/_login/:strategy"},
    {"auth", "login", "GET", "/_login/:strategy"},
    {"auth", "logout", "POST", "/_logout"},
    {"auth", "checkToken", "POST", "/_checkToken"},
    {"auth", "getCurrentUser", "GET", "/users/_me"},
    {"auth", "getMyRights", "GET", "/users/_me/_rights"},
    {"auth", "updateSelf", "PUT", "/_updateSelf"},
    {"auth", "getStrategies", "GET", "/strategies"},
    {"auth", "getMyCredentials", "GET", "/credentials/:strategy/_me"},
    {"auth", "createMyCredentials", "POST", "/credentials/:strategy/_me/_create"},
    {"auth", "updateMyCredentials", "PUT", "/credentials/:strategy/_me/_update"},
    {"auth", "validateMyCredentials", "POST", "/credentials/:strategy/_me/_validate"},
    {"auth", "credentialsExist", "GET", "/credentials/:strategy/_me/_exists"},
    {"auth", "deleteMyCredentials", "DELETE", "/credentials/:strategy/_me"},
    {"auth", "refreshToken", "POST", "/_refreshToken"},
    {"realtime", "list", "GET", "/_listSubscriptions"},
    {"realtime", "publish", "POST", "/:index/:collection/_publish"},
    {"bulk", "import", "POST", "/_bulk"},
    {"bulk", "import", "POST", "/:index/_bulk"},
    {"bulk", "import", "POST", "/:index/:collection/_bulk"},
    {"bulk", "write", "POST", "/:index/:collection/_write"},
    {"bulk", "write", "POST", "/:index/:collection/:_id/_write"},
    {"bulk", "mWrite", "POST", "/:index/:collection/_mWrite"},
    {"server", "info", "GET", "/"},
    {"server", "info", "GET", "/_serverInfo"},
    {"server", "now", "GET", "/_now"},
    {"server", "healthCheck", "GET", "/_healthCheck"},
    {"server", "adminExists", "GET", "/_adminExists"},
    {"server", "getConfig", "GET", "/_getConfig"},
    {"server", "getStats", "GET", "/_getStats"},
    {"server", "getStats", "POST", "/_getStats"},
    {"server", "getLastStats", "GET", "/_getLastStats"},
    {"server", "getAllStats", "GET", "/_getAllStats"},
    {"server", "publicApi", "GET", "/_publicApi"},
    {"security", "createFirstAdmin", "POST", "/_createFirstAdmin"},
    {"security", "createFirstAdmin", "POST", "/:_id/_createFirstAdmin"},
    {"security", "createFirstAdmin", "POST", "/_createFirstAdmin/:_id"},
    {"security", "revokeTokens", "DELETE", "/users/:_id/tokens"},
    {"security", "createUser", "POST", "/users/_create"},
    {"security", "createUser", "POST", "/users/:_id/_create"},
    {"security", "createRestrictedUser", "POST", "/users/_createRestricted"},
    {"security", "createRestrictedUser", "POST", "/users/:_id/_createRestricted"},
    {"security", "replaceUser", "PUT", "/users/:_id/_replace"},
    {"security", "getUserRights", "GET", "/users/:_id/_rights"},
    {"security", "getProfileRights", "GET", "/profiles/:_id/_rights"},
    {"security", "scrollUsers", "GET", "/users/_scroll/:scrollId"},
    {"security", "scrollProfiles", "GET", "/profiles/_scroll/:scrollId"},
    {"security", "createProfile", "POST", "/profiles/:_id/_create"},
    {"security", "createRole", "POST", "/roles/:_id/_create"},
    {"security", "createOrReplaceProfile", "PUT", "/profiles/:_id"},
    {"security", "createOrReplaceRole", "PUT", "/roles/:_id"},
    {"security", "getUser", "GET", "/users/:_id"},
    {"security", "updateUser", "PUT", "/users/:_id/_update"},
    {"security", "deleteUser", "DELETE", "/users/:_id"},
    {"security", "mDeleteUsers", "POST", "/users/_mDelete"},
    {"security", "mGetUsers", "POST", "/users/_mGet"},
    {"security", "searchUsers", "POST", "/users/_search"},
    {"security", "getUserMapping", "GET", "/users/_mapping"},
    {"security", "updateUserMapping", "PUT", "/users/_mapping"},
    {"security", "getProfile", "GET", "/profiles/:_id"},
    {"security", "updateProfile", "PUT", "/profiles/:_id/_update"},
    {"security", "deleteProfile", "DELETE", "/profiles/:_id"},
    {"security", "mDeleteProfiles", "POST", "/profiles/_mDelete"},
    {"security", "mGetProfiles", "POST", "/profiles/_mGet"},
    {"security", "searchProfiles", "POST", "/profiles/_search"},
    {"security", "getProfileMapping", "GET", "/profiles/_mapping"},
    {"security", "updateProfileMapping", "PUT", "/profiles/_mapping"},
    {"security", "getRole", "GET", "/roles/:_id"},
    {"security", "updateRole", "PUT", "/roles/:_id/_update"},
    {"security", "deleteRole", "DELETE", "/roles/:_id"},
    {"security", "mDeleteRoles", "POST", "/roles/_mDelete"},
    {"security", "mGetRoles", "POST", "/roles/_mGet"},
    {"security", "searchRoles", "POST", "/roles/_search"},
    {"security", "getRoleMapping", "GET", "/roles/_mapping"},
    {"security", "updateRoleMapping", "PUT", "/roles/_mapping"},
    {"security", "getCredentials", "GET", "/credentials/:strategy/:_id"},
    {"security", "hasCredentials", "GET", "/credentials/:strategy/:_id/_exists"},
    {"security", "createCredentials", "POST", "/credentials/:strategy/:_id/_create"},
    {"security", "updateCredentials", "PUT", "/credentials/:strategy/:_id/_update"},
    {"security", "validateCredentials", "POST", "/credentials/:strategy/:_id/_validate"},
    {"security", "deleteCredentials", "DELETE", "/credentials/:strategy/:_id"},
    {"security", "getCredentialsById", "GET", "/credentials/:strategy/:_id/_byId"},
    {"security", "getCredentialFields", "GET", "/credentials/:strategy/_fields"},
    {"security", "getAllCredentialFields", "GET", "/credentials/_fields"},
    {"admin", "resetCache", "POST", "/admin/_resetCache"},
    {"admin", "resetSecurity", "POST", "/admin/_resetSecurity"},
    {"admin", "resetDatabase", "POST", "/admin/_resetDatabase"},
    {"admin", "resetKuzzleData", "POST", "/admin/_resetKuzzleData"},
    {"admin", "dump", "POST", "/admin/_dump"},
    {"admin", "shutdown", "POST", "/admin/_shutdown"},
    {"admin", "loadFixtures", "POST", "/admin/_loadFixtures"},
    {"admin", "loadMappings", "POST", "/admin/_loadMappings"},
    {"admin", "loadSecurities", "POST", "/admin/_loadSecurities"},
};

// Actions that are only available over a WebSocket.
const std::set<std::string> without_address{
    "realtime:subscribe", "realtime:join",     "realtime:unsubscribe", "realtime:count",
    "realtime:validate",  "debug:addListener", "debug:removeListener"};

// The action at that URL, with each parameter's name as its value.
std::string action_at(const std::string& verb, std::string path) {
  static const HttpRoutes routes;
  std::erase(path, ':');
  net::Request request{.method = verb, .target = path, .path = path};
  const auto [route, match] = routes.match(request);
  if (route == nullptr) return "none";
  for (const auto& [name, text] : match.captured) EXPECT_EQ(name, text) << path;
  return std::string(route->controller) + ":" + std::string(route->action);
}

// Each as "controller:action verb path".
std::set<std::string> addresses_of(const Object& api) {
  std::set<std::string> addresses;
  for (const auto& [controller, actions] : api) {
    for (const auto& [action, told] : actions.object()) {
      EXPECT_EQ(told.member("controller").text(), controller);
      EXPECT_EQ(told.member("action").text(), action);
      const std::string name = std::string(controller) + ":" + std::string(action);
      EXPECT_EQ(told.member("http").array().empty(), without_address.contains(name)) << name;
      for (const Value& address : told.member("http").array()) {
        const std::string verb = address.member("verb").text();
        const std::string path = address.member("url").text();
        EXPECT_EQ(action_at(verb, path), name) << verb << " " << path;
        addresses.insert(name + " " + verb + " " + path);
      }
    }
  }
  return addresses;
}

// The names of all actions.
std::set<std::string> actions_of(const Object& api) {
  std::set<std::string> names;
  for (const auto& [controller, actions] : api) {
    for (const auto& [action, told] : actions.object()) {
      names.insert(std::string(controller) + ":" + std::string(action));
    }
  }
  return names;
}

TEST(KuzzleRoutesTest, EveryUrlOfVersion1IsAnsweredAndListed) {
  const std::set<std::string> told = addresses_of(whole_api());
  for (const Known& known : version_1) {
    const std::string name = std::string(known.controller) + ":" + known.action;
    EXPECT_EQ(action_at(known.verb, known.path), name) << known.verb << " " << known.path;
    EXPECT_TRUE(told.contains(name + " " + known.verb + " " + known.path)) << known.path;
  }
}

TEST(KuzzleRoutesTest, EveryActionIsListedAndFound) {
  const std::set<std::string> names = actions_of(whole_api());
  EXPECT_EQ(actions_of(public_api()), names);
  EXPECT_GT(names.size(), 140U);
  for (const std::string& name : without_address) EXPECT_TRUE(names.contains(name)) << name;
  for (const std::string& name : names) {
    const std::size_t colon = name.find(':');
    const Route* route = find_route(name.substr(0, colon), name.substr(colon + 1));
    ASSERT_NE(route, nullptr) << name;
    EXPECT_EQ(route->action, name.substr(colon + 1));
  }
}

// All subscriptions under the rights are checked then, which an event loop must not do.
TEST(KuzzleRoutesTest, NoActionThatChangesRightsIsAnsweredByAnEventLoop) {
  int changing = 0;
  for (const std::string& name : actions_of(whole_api())) {
    const std::size_t colon = name.find(':');
    const Route* route = find_route(name.substr(0, colon), name.substr(colon + 1));
    ASSERT_NE(route, nullptr) << name;
    if (route->traits.change == RightsChange::none) continue;
    ++changing;
    EXPECT_NE(route->pace, net::Pace::quick) << name;
  }
  EXPECT_GT(changing, 25);
}

TEST(KuzzleRoutesTest, EveryFurtherUrlOfVersion2IsAnsweredAndListed) {
  const Known version_2[] = {
      {"security", "mGetUsers", "GET", "/users/_mGet"},
      {"security", "refresh", "POST", "/_security/:collection/_refresh"},
      {"security", "restrictDefaultRights", "POST", "/_restrictDefaultRights"},
      {"security", "upsertUser", "POST", "/users/:_id/_upsert"},
      {"security", "searchUsersByCredentials", "POST", "/credentials/:strategy/users/_search"},
      {"index", "mDelete", "DELETE", "/_mDelete"},
      {"server", "healthCheck", "GET", "/_healthcheck"},
      {"server", "openapi", "GET", "/_openapi"},
      {"auth", "createToken", "POST", "/_createToken"},
      {"cluster", "status", "GET", "/cluster/_status"},
      {"debug", "nodeVersion", "GET", "/debug/_nodeVersion"},
      {"debug", "enable", "POST", "/debug/_enable"},
      {"document", "search", "POST", "/_search"},
  };
  const std::set<std::string> told = addresses_of(whole_api());
  for (const Known& known : version_2) {
    const std::string name = std::string(known.controller) + ":" + known.action;
    EXPECT_EQ(action_at(known.verb, known.path), name) << known.path;
    EXPECT_TRUE(told.contains(name + " " + known.verb + " " + known.path)) << known.path;
  }
}

// So the columns `effect` and `stays_after_reset` are what decides.
TEST(KuzzleRoutesTest, WithoutALoginAClientRunsOnlyWhatIsOpen) {
  testing::Server server;
  server.credentials.keys = {"a key"};
  server.restart();
  const auto may_run = [&](const Route& route) {
    const std::string name = std::string(route.controller) + ":" + std::string(route.action);
    const testing::Answer answer = server.call(name, R"("_id":"x","body":{})");
    return answer.error().find("Unauthorized") == std::string::npos;
  };
  for (const Route& route : routes()) {
    EXPECT_EQ(may_run(route), route.effect == RouteEffect::open) << route.action;
  }
  EXPECT_EQ(server.make_admin("boss", "boss", "pw").status, 403);
  server.credentials.keys.clear();
  server.restart();
  EXPECT_EQ(server.make_admin("boss", "boss", "pw").status, 200);
  for (const Route& route : routes()) {
    const bool stays = route.effect == RouteEffect::open || route.traits.stays_after_reset;
    EXPECT_LE(may_run(route), stays) << route.controller << ":" << route.action;
  }
}

TEST(KuzzleRoutesTest, ActionsThatReadChangeNothing) {
  const auto server = testing::Server::with_documents({{"x", R"({"n":1})"}});
  server->of("security:createFirstAdmin", "boss",
             R"({"content":{},)" + testing::Server::credentials_of("boss", "pw") + "}");
  const std::string token = server->log_in("boss", "pw");
  const auto run = [&](const Route& route) {
    const std::string name = std::string(route.controller) + ":" + std::string(route.action);
    server->of(name, "x", "{}", testing::by(token));
  };
  for (const Route& route : routes()) {
    if (route.effect != RouteEffect::read) continue;
    EXPECT_EQ(route.traits.change, RightsChange::none) << route.action;
    run(route);  // the first use makes the tables that it reads
    const store::Version before = server->database->store().applied();
    run(route);
    EXPECT_EQ(server->database->store().applied(), before) << route.action;
  }
}

// They choose the shortest, or among equal ones the one with POST.
TEST(KuzzleRoutesTest, ClientsGetNoUrlsThatTheyWouldChooseWrongly) {
  const std::set<std::string> all = addresses_of(whole_api());
  const std::set<std::string> told = addresses_of(public_api());
  std::vector<std::string> spared;
  std::set_difference(all.begin(), all.end(), told.begin(), told.end(), std::back_inserter(spared));
  EXPECT_THAT(spared, ElementsAre("bulk:import POST /:index/_bulk", "bulk:import POST /_bulk",
                                  "collection:updateSpecifications PUT /_specifications",
                                  "collection:validateSpecifications POST /_validateSpecifications",
                                  "document:mUpdate PATCH /:index/:collection/_mUpdate",
                                  "document:search GET /:index/:collection",
                                  "document:search POST /_search",
                                  "document:update PATCH /:index/:collection/:_id/_update"));
  EXPECT_TRUE(std::includes(all.begin(), all.end(), told.begin(), told.end()));
}

}  // namespace
}  // namespace mayfly::kuzzle
