// Users, permissions, tokens and the definitions of scripts, case by case (spec cosmos-cases.md,
// section F).
#include "dialect/cosmos/stored/stored.h"
#include "dialect/cosmos/testing.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos::testing {
namespace {

const std::string all_users = "/dbs/d/users";
const std::string permissions = all_users + "/u/permissions";

std::vector<net::Pair> with_token_header(const Answer& permission) {
  const std::string plain = permission.body.member("_token").text();
  std::string token;
  for (const char c : plain) {
    token += c == '=' ? "%3D" : c == '&' ? "%26" : std::string(1, c);
  }
  return {{"x-ms-date", date}, {"authorization", token}, key_a};
}

TEST(CosmosUsers, HavePermissionsWhoseTokensGrantTheirRights) {  // U1, U2, U3
  auto account = Account::with_container();
  account->create("1");
  EXPECT_EQ(account->send("POST", all_users, R"({"id":"u"})").body.member("_permissions").text(),
            "permissions/");
  const Answer reads = account->send(
      "POST", permissions, R"({"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"})");
  EXPECT_EQ(reads.status, 201);
  EXPECT_TRUE(reads.body.member("_token").text().starts_with("type=resource"));
  const auto send = [&](const Answer& permission, const std::string& method,
                        const std::string& path, const std::string& body = "") {
    return account->send_as_it_is(method, path, body, with_token_header(permission)).status;
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
  account->send("POST", all_users, R"({"id":"u"})");
  const std::string permission = R"({"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"})";
  const auto asked = [&](const std::string& seconds) {
    return account->send("POST", permissions, permission,
                         {{"x-ms-documentdb-expiry-seconds", seconds}});
  };
  EXPECT_EQ(asked("9").status, 400);
  EXPECT_EQ(asked("18001").status, 400);
  const Answer given = asked("10");
  account->create("1");
  const auto status = [&] {
    return account->send_as_it_is("GET", documents + "/1", "", with_token_header(given)).status;
  };
  EXPECT_EQ(status(), 200);
  account->advance(9);
  EXPECT_EQ(status(), 200);
  account->advance(1);  // it was issued some microseconds after the second
  account->clock.advance(Span{100});
  EXPECT_EQ(status(), 403);
  EXPECT_EQ(
      account
          ->send_as_it_is("GET", documents + "/1", "",
                          {{"authorization", "type%3Dresource%26ver%3D1.0%26sig%3Dmade.up.token"}})
          .status,
      401);
}

TEST(CosmosUsers, OfAFeedReachWhatLiesInItAndNotItsOwner) {
  auto account = Account::with_container();
  account->create("1");
  account->create("2");
  account->send("POST", all_users, R"({"id":"u"})");
  account->send("POST", container + "/sprocs", R"({"id":"s","body":"function(){}"})");
  const std::string of_1 = documents + "/1/attachments";
  const std::string link = R"({"id":"x","contentType":"text/plain","media":"http://store/1"})";
  EXPECT_EQ(account->send("POST", of_1, link, {key_a}).status, 201);
  struct Case {
    std::string granted;
    std::vector<std::string> reached;
    std::vector<std::string> not_reached;
  };
  // A token for a resource in a container covers the container's definition and ranges.
  const std::string ranges = container + "/pkranges";
  const std::vector<Case> cases{
      {of_1,
       {of_1, of_1 + "/x", container, ranges},
       {documents + "/1", documents + "/2/attachments", documents, containers}},
      {all_users,
       {},
       {all_users, all_users + "/u", permissions, "/dbs/d", containers, container, ranges,
        documents + "/1"}},
      {containers,
       {containers, container, documents + "/1", of_1},
       {"/dbs/d", all_users, permissions}},
      {container + "/sprocs",
       {container + "/sprocs", container + "/sprocs/s", container, ranges},
       {containers, documents, documents + "/1", container + "/udfs"}},
      {documents,
       {documents, documents + "/1", of_1, container, ranges},
       {containers, container + "/sprocs"}},
      {documents + "/1",
       {documents + "/1", of_1, of_1 + "/x", container, ranges},
       {documents, documents + "/2", containers}}};
  for (const Case& one : cases) {
    const Answer given = account->send(
        "POST", permissions,
        R"({"id":"p","permissionMode":"All","resource":")" + one.granted.substr(1) + R"("})");
    const auto status = [&](const std::string& path) {
      return account->send_as_it_is("GET", path, "", with_token_header(given)).status;
    };
    for (const auto& path : one.reached) EXPECT_EQ(status(path), 200) << one.granted << ' ' << path;
    for (const auto& path : one.not_reached) {
      EXPECT_EQ(status(path), 403) << one.granted << ' ' << path;
    }
    if (one.granted != containers) {  // to read the owner is all
      const Answer changed =
          account->send_as_it_is("PUT", container, Account::definition(), with_token_header(given));
      EXPECT_EQ(changed.status, 403) << one.granted;
    }
    EXPECT_EQ(account->send("DELETE", permissions + "/p").status, 204);
  }
}

TEST(CosmosUsers, AreGrantedResourcesOnly) {
  auto account = Account::with_container();
  account->send("POST", all_users, R"({"id":"u"})");
  for (const std::string resource :
       {"", "/", "x", "dbs/d/x/y", "dbs/d/colls/c/operations/partitionkeydelete"}) {
    const Answer given =
        account->send("POST", permissions,
                      R"({"id":"p","permissionMode":"All","resource":")" + resource + R"("})");
    EXPECT_EQ(given.status, 400) << resource << given.response.body;
  }
}

// A token for partition "a" and documents in "b", with "a" in the header as in the token.
class OnePartition {
 public:
  OnePartition() {
    account->create("of-a");
    account->send("POST", all_users, R"({"id":"u"})");
    of_b = account->send("POST", documents, R"({"id":"of-b","pk":"b"})", {key_b});
    token = account->send("POST", permissions,
                          R"({"id":"p","permissionMode":"All","resource":"dbs/d/colls/c",)"
                          R"("resourcePartitionKey":["a"]})");
    EXPECT_EQ(token.status, 201) << token.response.body;
  }
  Answer send(const std::string& method, const std::string& path, const std::string& body = "",
              std::vector<net::Pair> more = {}) {
    std::vector<net::Pair> headers = with_token_header(token);
    for (net::Pair& one : more) {
      if (one.first == key_a.first) headers.pop_back();
      headers.push_back(std::move(one));
    }
    return account->send_as_it_is(method, path, body, std::move(headers));
  }
  int status_of_b() { return account->send("GET", documents + "/of-b", "", {key_b}).status; }

  const net::Pair key_b{key_a.first, R"(["b"])"};
  std::unique_ptr<Account> account = Account::with_container();
  Answer of_b;
  Answer token;
};

TEST(CosmosUsers, OfOnePartitionReachNoOtherByRid) {
  OnePartition one;
  const std::string documents_by_rid =
      "/" + one.account->send("GET", container).body.member("_self").text() + "docs/";
  const std::string path = documents_by_rid + one.of_b.body.member("_rid").text();
  const std::string patch = R"({"operations":[{"op":"set","path":"/x","value":1}]})";
  EXPECT_EQ(one.account->send("GET", path, "", {one.key_b}).status, 200);
  for (const auto& [method, body] : {std::pair<std::string, std::string>{"GET", ""},
                                     {"PATCH", patch},
                                     {"PUT", R"({"id":"of-b","pk":"a"})"},
                                     {"DELETE", ""}}) {
    EXPECT_EQ(one.send(method, path, body).status, 403) << method;
  }
  const std::string attachments = path + "/attachments";
  EXPECT_EQ(one.send("GET", attachments).status, 403);
  EXPECT_EQ(one.send("POST", attachments,
                     R"({"id":"x","contentType":"text/plain","media":"http://store/1"})")
                .status,
            403);
  EXPECT_EQ(one.status_of_b(), 200);
  const std::string own = one.account->get("of-a").body.member("_rid").text();
  EXPECT_EQ(one.send("GET", documents_by_rid + own).status, 200);
  EXPECT_EQ(one.send("DELETE", documents_by_rid + own).status, 204);
}

TEST(CosmosUsers, OfOnePartitionDoNotChangeTheContainer) {
  OnePartition one;
  const std::string sproc = R"({"id":"s","body":"function(){}"})";
  EXPECT_EQ(one.send("PUT", container, Account::definition()).status, 403);
  EXPECT_EQ(one.send("POST", container + "/sprocs", sproc).status, 403);
  EXPECT_EQ(one.send("DELETE", container).status, 403);
  EXPECT_EQ(one.send("GET", container).status, 200);
  EXPECT_EQ(one.status_of_b(), 200);
}

TEST(CosmosUsers, OfOnePartitionReachNoOtherInBulk) {
  OnePartition one;
  const Answer bulk = one.send(
      "POST", documents,
      R"([{"operationType":"Read","id":"of-b","partitionKey":"[\"b\"]"},)"
      R"({"operationType":"Delete","id":"of-b","partitionKey":"[\"b\"]"},)"
      R"({"operationType":"Create","resourceBody":{"id":"new","pk":"b"}},)"
      R"({"operationType":"Read","id":"of-a","partitionKey":"[\"a\"]"}])",
      {{"x-ms-cosmos-is-batch-request", "True"}, {"x-ms-cosmos-batch-continue-on-error", "True"}});
  ASSERT_EQ(bulk.body.array().size(), 4U) << bulk.response.body;
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_EQ(bulk.body.array()[i].member("statusCode").integer(), 403) << bulk.response.body;
  }
  EXPECT_EQ(bulk.body.array()[3].member("statusCode").integer(), 200);
  EXPECT_EQ(one.status_of_b(), 200);
}

TEST(CosmosUsers, OfOnePartitionRemoveNoOther) {
  OnePartition one;
  const std::string removal = container + "/operations/partitionkeydelete";
  EXPECT_EQ(one.send("POST", removal, "", {one.key_b}).status, 403);
  EXPECT_EQ(one.status_of_b(), 200);
  EXPECT_LT(one.send("POST", removal).status, 300);
  EXPECT_EQ(one.account->get("of-a").status, 404);
}

TEST(CosmosUsers, AreRefusedWithoutASignature) {
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
  account->send("POST", all_users, R"({"id":"u"})");
  account->send("POST", permissions,
                R"({"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"})");
  EXPECT_EQ(account->send("DELETE", all_users + "/u").status, 204);
  EXPECT_EQ(account->send("GET", permissions).status, 404);
  account->send("POST", all_users, R"({"id":"u"})");
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

// Rows as on a damaged disk, beside readable ones.
TEST(CosmosStored, ThatAreUnreadableHideNoOthers) {
  auto account = Account::with_container();
  const std::string functions = "/dbs/d/colls/c/udfs";
  account->send("POST", all_users, R"({"id":"u"})");
  account->send("POST", permissions,
                R"({"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"})");
  account->send("POST", functions, R"({"id":"f","body":"function () {}"})");
  Database& database = *account->database;
  const CatalogPtr catalog = database.catalog();
  const auto resources = Resources::find(*catalog, catalog->find_database("d")->id);
  std::vector<DocumentKey> keys;
  View view = database.view();
  const auto all = resources.list(view);
  for (const StoredResource& one : *all) {
    keys.push_back({one.key.routing, "damaged"});
  }
  ASSERT_EQ(keys.size(), 3U);
  const std::uint64_t before = malformed_rows();
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    const Bytes packed = TRY(pack(Object{{"id", 7}}));
    for (const DocumentKey& key : keys) {
      TRY(transaction.put(resources.collection(), key, packed, {}));
    }
    return {};
  }));
  for (const std::string& feed : {all_users, permissions, functions}) {
    for (int i = 0; i < 2; ++i) {
      const Answer all = account->send("GET", feed);
      EXPECT_EQ(all.status, 200) << all.response.body;
      EXPECT_EQ(all.body.member("_count").integer(), 1) << all.response.body;
    }
    EXPECT_EQ(account->send("GET", feed + "/damaged").status, 404) << feed;
  }
  EXPECT_EQ(malformed_rows(), before + 3);
  EXPECT_EQ(account->send("GET", all_users + "/u").status, 200);
  EXPECT_EQ(account->send("GET", permissions + "/p").status, 200);
  EXPECT_EQ(account->send("GET", functions + "/f").status, 200);
  // It is removed with its container.
  EXPECT_EQ(account->send("DELETE", "/dbs/d/colls/c").status, 204);
  EXPECT_EQ(account->send("DELETE", all_users + "/u").status, 204);
  View after = database.view();
  std::vector<std::string> left;
  ASSERT_TRUE(after.each(*resources.collection(), [&](const Document& document) -> Result<bool> {
    left.emplace_back(document.id);
    return true;
  }));
  EXPECT_EQ(left, std::vector<std::string>{"damaged"});
}

}  // namespace
}  // namespace mayfly::cosmos::testing
