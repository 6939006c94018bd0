// Access to `/schema/1`: a table of secrets and endpoints.
#include "dialect/fauna/push/http/schema_call.h"
#include "dialect/fauna/push/http/testing.h"
#include "dialect/fauna/routes.h"

namespace mayfly::fauna {
namespace {

class SchemaRights : public testing::SchemaTest {
 protected:
  SchemaRights() {
    EXPECT_EQ(pushed("collection A {}\nfunction f() { 1 }\n"), "");
    role("reader", "Collection", "read: true", "Function", "read: true");
    role("half", "Collection", "read: true", "A", "read: true");
    role("writer", "Collection", "read: true, write: true, create: true, delete: true", "Function",
         "read: true");
    role("blind", "Collection", "write: true, create: true", "Function", "write: true");
    role("some", "Collection", "read: 'd => true'", "Function", "read: true");
    run_steps({{"roles",
                "Role.create({ name: 'all', privileges: ['Collection', 'Function', "
                "'Role', 'AccessProvider'].map(r => { resource: r, actions: { read: "
                "true, write: true, create: true, delete: true } }) }).name"},
               {"",
                "Role.create({ name: 'reads', privileges: ['Collection', 'Function', "
                "'Role', 'AccessProvider'].map(r => { resource: r, actions: { read: true } "
                "}) }).name"}});
  }
  void role(const std::string& name, const std::string& one, const std::string& of_one,
            const std::string& two, const std::string& of_two) {
    run_steps({{"role", "Role.create({ name: '" + name + "', privileges: [{ resource: '" + one +
                            "', actions: { " + of_one + " } }, { resource: '" + two +
                            "', actions: { " + of_two + " } }] }).name"}});
  }
  // The response of each endpoint, in order.
  std::string statuses(const std::string& principal) {
    secret = "secret";
    const testing::Files same{{"main.fsl", main_text()}};
    secret = "secret:" + principal;
    std::string all;
    const auto add = [&](const testing::Reply& reply) {
      all += (all.empty() ? "" : " ") + std::to_string(reply.status());
      if (reply.status() == 403) {
        EXPECT_EQ(reply.code(), "forbidden");
      }
    };
    add(get("files"));
    add(get("files/main.fsl"));
    add(get("status"));
    add(get("items/collections/A"));
    add(get("items/functions/f"));
    add(post("diff", same));
    add(post("validate", same));
    add(post("update", same));
    add(post("update?staged=true", same));
    add(send("POST", "/schema/1/staged/commit"));
    add(send("POST", "/schema/1/staged/abandon"));
    add(send("POST", "/schema/1/items/collections/A?validate=true", "collection A {}"));
    add(send("DELETE", "/schema/1/items/functions/f?validate=true"));
    return all;
  }
};

TEST_F(SchemaRights, BuiltInRoles) {
  EXPECT_EQ(statuses("admin"), "200 200 200 200 200 200 200 200 200 200 400 200 200") << "J1";
  const std::string reads = "200 200 200 200 200 403 403 403 403 403 403 403 403";
  EXPECT_EQ(statuses("server"), reads) << "J1";
  EXPECT_EQ(statuses("server-readonly"), reads) << "J1";
  const std::string nothing = "403 403 403 403 403 403 403 403 403 403 403 403 403";
  EXPECT_EQ(statuses("client"), nothing) << "J1";
  secret = "nobody";
  EXPECT_EQ(get("files").status(), 401);
  EXPECT_EQ(post("diff", {}).status(), 401);
}

// So the column `effect` of the routes is what decides.
TEST_F(SchemaRights, ARoleThatReadsTheSchemaUsesRoutesThatReadAndNoOther) {
  secret = "secret:server-readonly";
  for (const SchemaRoute& route : schema_routes()) {
    std::string path = "/schema/1/" + std::string(route.pattern);
    if (route.pattern == "files/") path += "main.fsl";
    if (route.pattern == "items/") path += "collections/A";
    const int status = send(std::string(route.method), path, "").status();
    EXPECT_EQ(status, route.effect == RouteEffect::read ? 200 : 403) << route.method << " " << path;
  }
}

TEST_F(SchemaRights, OnlyAdministratorsUseRoutesForThem) {
  for (const PathRoute& route : path_routes()) {
    const std::string method(route.method.empty() ? "GET" : route.method);
    secret = "secret:server";
    const int status = send(method, std::string(route.pattern), "{}").status();
    const bool is_refused = status == 403;
    EXPECT_EQ(is_refused, route.effect == RouteEffect::admin) << route.pattern << " " << status;
    secret = "secret";
    EXPECT_NE(send(method, std::string(route.pattern), "{}").status(), 403) << route.pattern;
    secret = "nobody";
    EXPECT_EQ(send(method, std::string(route.pattern), "{}").status(), 401) << route.pattern;
  }
}

TEST_F(SchemaRights, RolesHaveThoseOfTheirPrivileges) {
  EXPECT_EQ(statuses("@role/all"), "200 200 200 200 200 200 200 200 200 200 400 200 200");
  EXPECT_EQ(statuses("@role/reads"), "200 200 200 200 200 403 403 403 403 403 403 403 403");
  // They may not read the roles of the schema, so they cannot read whole files.
  EXPECT_EQ(statuses("@role/reader"), "403 403 403 200 200 403 403 403 403 403 403 403 403");
  EXPECT_EQ(statuses("@role/half"), "403 403 403 200 403 403 403 403 403 403 403 403 403");
  EXPECT_EQ(statuses("@role/writer"), "403 403 403 200 200 403 403 403 403 403 403 200 403");
  EXPECT_EQ(statuses("@role/blind"), "403 403 403 403 403 403 403 403 403 403 403 403 403");
  EXPECT_EQ(statuses("@role/some"), "403 403 403 403 200 403 403 403 403 403 403 403 403")
      << "a predicate is asked of documents, not of texts";
}

TEST_F(SchemaRights, AWriterMayChangeWhatItsPrivilegesAllow) {
  secret = "secret:@role/writer";
  const auto add = [&](const std::string& kind, const std::string& text) {
    return send("POST", "/schema/1/items/" + kind, text).status();
  };
  EXPECT_EQ(add("collections", "collection B {}"), 200);
  EXPECT_EQ(add("functions", "function g() { 1 }"), 403);
  EXPECT_EQ(add("collections", "function g() { 1 }"), 400) << "an item of another kind";
  EXPECT_EQ(add("collections", "collection D {}\nrole r {}"), 400);
  EXPECT_EQ(send("DELETE", "/schema/1/items/collections/B").status(), 200);
  secret = "secret";
  EXPECT_EQ(query("[Collection.all().count(), Function.all().count()]").data(), "[1,1]");
  run_steps({{"",
              "['half', 'writer', 'blind', 'some', 'reader', 'reads'].forEach(r => "
              "Role.byName(r)!.delete())"},
             {"",
              "Role.byName('all')!.update({ privileges: [{ resource: 'Collection', actions: { "
              "read: true, write: 'd => false', create: true } }, { resource: 'Function', "
              "actions: { read: true } }, { resource: 'Role', actions: { read: true } }] "
              "}).name"}});
  const std::string text = main_text();
  secret = "secret:@role/all";
  EXPECT_EQ(post("update", {{"main.fsl", text + "\ncollection E {}"}}).status(), 200);
  EXPECT_EQ(post("diff", {{"main.fsl", text}}).status(), 403) << "it may not delete";
  EXPECT_EQ(post("update", {{"main.fsl", "role all {}"}}).status(), 403);
  std::string changed = get("files/main.fsl").text("content");
  const std::size_t at = changed.find("collection A {}");
  ASSERT_NE(at, std::string::npos) << changed;
  changed.insert(at + 14, " ttl_days 1 ");
  EXPECT_EQ(post("update", {{"main.fsl", changed}}).status(), 403) << "nor write A";
  secret = "secret";
  EXPECT_EQ(query("Collection.all().map(.name).toArray()").data(), R"(["A","E"])");
}

TEST_F(SchemaRights, TokensHaveThoseOfTheirMemberships) {
  secret = "secret";
  run_steps({{"", "Database.create({ name: 'd' }).name"}});
  secret = "secret:d:admin";
  run_steps({{"", "Collection.create({ name: 'User' }).name"},
             {"",
              "Role.create({ name: 'r', membership: { resource: 'User' }, privileges: "
              "['Collection', 'Role'].map(k => { resource: k, actions: { read: true } }) "
              "}).name"},
             {"", "User.create({ id: 1 }).id"}});
  secret = "secret:d:@doc/User/1";
  EXPECT_EQ(get("files").status(), 200);
  EXPECT_EQ(post("diff", {{"main.fsl", ""}}).status(), 403);
}

}  // namespace
}  // namespace mayfly::fauna
