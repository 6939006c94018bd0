// Which clients may have tokens, and what tokens cover, beyond the cases of stored_test.cc.
#include "dialect/cosmos/stored/tokens.h"

#include <functional>

#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/requests/routes.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

const std::string token_users = "/dbs/d/users";
const std::string token_permissions = token_users + "/u/permissions";

std::string escaped(const std::string& plain) {
  std::string text;
  for (const char c : plain) {
    switch (c) {
      case '=': text += "%3D"; break;
      case '&': text += "%26"; break;
      case '+': text += "%2B"; break;
      case '/': text += "%2F"; break;
      default: text += c;
    }
  }
  return text;
}

std::vector<net::Pair> with_permission(const Answer& permission) {
  return {{"x-ms-date", date}, {"authorization", escaped(permission.body.member("_token").text())}};
}

class CosmosTokens : public ::testing::Test {
 protected:
  CosmosTokens() : account(Account::with_container()) {
    account->send("POST", token_users, R"({"id":"u"})");
  }

  // `more` as in `"resourcePartitionKey":["a"]`.
  Answer grant(const std::string& resource, const std::string& more = "",
               const std::string& mode = "All", const std::string& id = "p") {
    return account->send("POST", token_permissions,
                         R"({"id":")" + id + R"(","permissionMode":")" + mode +
                             R"(","resource":")" + resource + "\"" +
                             (more.empty() ? "" : "," + more) + "}",
                         {{"x-ms-documentdb-is-upsert", "true"}});
  }
  int status(const Answer& permission, const std::string& method, const std::string& path,
             const std::string& body = "", std::vector<net::Pair> more = {key_a}) {
    return send(permission, method, path, body, std::move(more)).status;
  }
  Answer send(const Answer& permission, const std::string& method, const std::string& path,
              const std::string& body, std::vector<net::Pair> more) {
    std::vector<net::Pair> headers = with_permission(permission);
    for (net::Pair& one : more) headers.push_back(std::move(one));
    return account->send_as_it_is(method, path, body, std::move(headers));
  }
  // A request whose token is checked before another change, and whose action runs after it. Returns
  // its status.
  struct DelayedRequest {
    Action action;
    std::string method;
    std::string path;
    std::string body = {};
  };
  std::string run_late(const Answer& permission, const DelayedRequest& late,
                       const std::function<void()>& meanwhile) {
    net::Request request{.method = late.method, .target = late.path, .path = late.path};
    request.headers = {key_a};
    request.body = late.body;
    request.answer_by = Instant::never();
    const Services services{.database = *account->database,
                            .manual_clock = &account->clock,
                            .random = account->random,
                            .credentials = account->credentials,
                            .page_tokens = account->page_tokens,
                            .scripts = &account->scripts};
    const AccountKeys keys(account->credentials, {});
    const std::string token = permission.body.member("_token").text();
    CosmosCall call{
        request,    services, keys, account_containers, account_numbers, *parse_address(late.path),
        Principal{}};
    call.principal.resource_token = token.substr(token.find("sig=") + 4);
    const auto grant = verify_token(*call.principal.resource_token, keys, account->database->now());
    EXPECT_TRUE(grant.has_value());
    bool is_known = false;
    const Route* const route = find_route(late.method, call.address, form_of(call), is_known);
    EXPECT_TRUE(route != nullptr && route->action == late.action);
    EXPECT_TRUE(grant && check_grant(*grant, call, *route));
    meanwhile();
    const auto answered = late.action(call);
    if (answered) return std::to_string(answered->status);
    const Error& error = answered.error();
    if (error.code == Code::forbidden) return "forbidden";
    return error.code == Code::not_found ? "not found" : error.message;
  }
  static net::Pair key(const std::string& values) { return {key_a.first, values}; }
  static std::string link_of(const Answer& answer) { return answer.body.member("_self").text(); }

  std::unique_ptr<Account> account;
  Containers account_containers;
  RidNumbers account_numbers;
};

TEST_F(CosmosTokens, AreNotReadByATokenWhateverItIsFor) {
  for (const std::string granted : {"dbs/d", "dbs/d/users", "dbs/d/users/u"}) {
    const Answer given = grant(granted, "", "All");
    ASSERT_LT(given.status, 300) << given.response.body;
    for (const std::string& path :
         {token_users, token_users + "/u", token_permissions, token_permissions + "/p"}) {
      EXPECT_EQ(status(given, "GET", path), 403) << granted << ' ' << path;
    }
    EXPECT_EQ(status(given, "POST", token_users, R"({"id":"v"})"), 403);
    EXPECT_EQ(status(given, "POST", token_permissions, R"({"query":"SELECT * FROM c"})",
                     {{"x-ms-documentdb-isquery", "true"}}),
              403);
    EXPECT_EQ(status(given, "GET", "/"), 200);
  }
}

// The requests of azure-cosmos 4.12 for one item, in this order, all with the token of the
// permission.
TEST_F(CosmosTokens, OfADocumentServeTheRequestsOfPythonsClient) {
  account->create("1");
  account->create("2");
  const Answer given = grant("dbs/d/colls/c/docs/1", R"("resourcePartitionKey":["a"])", "Read");
  ASSERT_LT(given.status, 300) << given.response.body;
  EXPECT_EQ(status(given, "GET", "/", "", {}), 200);
  const net::Pair quota{"x-ms-documentdb-populatequotainfo", "true"};
  const Answer read = send(given, "GET", "/dbs/d/colls/c/", "", {quota});
  EXPECT_EQ(read.status, 200) << read.response.body;
  EXPECT_EQ(read.body.member("partitionKey").member("paths").array().size(), 1U);
  EXPECT_EQ(read.header("x-ms-resource-usage"), "");
  EXPECT_EQ(status(given, "GET", "/dbs/d/colls/c/pkranges/", "", {}), 200);
  EXPECT_EQ(status(given, "GET", "/dbs/d/colls/c/docs/1/"), 200);
  // Nothing else.
  EXPECT_EQ(status(given, "GET", "/dbs/d/colls/c/docs/2/"), 403);
  EXPECT_EQ(status(given, "GET", documents), 403);
  EXPECT_EQ(status(given, "GET", containers, "", {}), 403);
  EXPECT_EQ(status(given, "GET", "/dbs/d", "", {}), 403);
  EXPECT_EQ(status(given, "PUT", container, Account::definition(), {}), 403);
  EXPECT_EQ(status(given, "DELETE", container, "", {}), 403);
  EXPECT_EQ(status(given, "GET", container + "/sprocs", "", {}), 403);
}

TEST_F(CosmosTokens, AreNotReadWithAReadOnlyKey) {
  const Bytes read_key = "a key for reading";
  Account reader({}, {.read_key = encode_base64(read_key)});
  const auto status = [&](const std::string& method, const std::string& path) {
    const Address address = *parse_address(path);
    const std::string text =
        text_to_sign(method, row_of(address.kind).segment, address.link(), date, "");
    const std::string token =
        "type=master&ver=1.0&sig=" + encode_base64(hmac_sha256(read_key, text));
    return reader
        .send_as_it_is(method, path, R"({"query":"SELECT * FROM c"})",
                       {{"x-ms-date", date},
                        {"authorization", escaped(token)},
                        {"x-ms-documentdb-isquery", "true"}})
        .status;
  };
  reader.send("POST", "/dbs", R"({"id":"d"})");
  reader.send("POST", token_users, R"({"id":"u"})");
  const std::string permission = R"({"id":"p","permissionMode":"All","resource":"dbs/d"})";
  EXPECT_EQ(reader.send("POST", token_permissions, permission).status, 201);
  EXPECT_EQ(status("GET", token_permissions), 403);
  EXPECT_EQ(status("GET", token_permissions + "/p"), 403);
  EXPECT_EQ(status("POST", token_permissions), 403);
  EXPECT_EQ(status("GET", token_users), 200);
  EXPECT_EQ(status("POST", token_users), 200);
}

TEST_F(CosmosTokens, OutliveARestartAndEndWithTheKey) {
  const Answer given = grant("dbs/d/colls/c");
  account->create("1");
  account->restart({});
  EXPECT_EQ(status(given, "GET", documents + "/1"), 200);
  account->restart({.key = encode_base64("another key")});
  EXPECT_EQ(status(given, "GET", documents + "/1"), 401);
}

TEST_F(CosmosTokens, OfAPermissionAreForValuesOfItsContainersKey) {
  for (const std::string values : {R"("a")", "null", "{}", "[]", R"([["a"]])", R"(["a","b"])"}) {
    const Answer refused = grant("dbs/d/colls/c", R"("resourcePartitionKey":)" + values);
    EXPECT_EQ(refused.status, 400) << values << refused.response.body;
  }
  for (const std::string values : {R"(["a"])", "[null]", "[{}]", "[1.5]"}) {
    EXPECT_LT(grant("dbs/d/colls/c", R"("resourcePartitionKey":)" + values).status, 300) << values;
  }
  EXPECT_EQ(grant("offers/abcd").status, 400);
  EXPECT_EQ(grant("media/abcd").status, 400);
}

TEST_F(CosmosTokens, OfTheFirstValuesOfAKeyReachAllThatBeginsWithThem) {
  account->send(
      "POST", containers,
      R"({"id":"h","partitionKey":{"paths":["/t","/u"],"kind":"MultiHash","version":2}})");
  const std::string items = "/dbs/d/colls/h/docs";
  const Answer own = account->send("POST", items, R"({"id":"1","t":"t","u":"u"})");
  const Answer other = account->send("POST", items, R"({"id":"1","t":"x","u":"u"})");
  const Answer longer = account->send("POST", items, R"({"id":"1","t":"tt","u":"u"})");
  EXPECT_EQ(longer.status, 201);
  const Answer given = grant("dbs/d/colls/h", R"("resourcePartitionKey":["t"])");
  EXPECT_EQ(status(given, "GET", items + "/1", "", {key(R"(["t","u"])")}), 200);
  EXPECT_EQ(status(given, "GET", items, "", {key(R"(["t"])")}), 200);
  EXPECT_EQ(status(given, "GET", items + "/1", "", {key(R"(["x","u"])")}), 403);
  EXPECT_EQ(status(given, "GET", items, "", {key("[]")}), 403);
  EXPECT_EQ(status(given, "GET", items, "", {}), 403);
  EXPECT_EQ(status(given, "GET", "/" + link_of(own), "", {key(R"(["t","u"])")}), 200);
  for (const Answer& one : {other, longer}) {
    EXPECT_EQ(status(given, "GET", "/" + link_of(one), "", {key(R"(["t","u"])")}), 403);
  }
}

TEST_F(CosmosTokens, OfAPartitionPlanQueriesAndWriteInBulk) {
  const Answer given = grant("dbs/d/colls/c", R"("resourcePartitionKey":["a"])");
  EXPECT_EQ(status(given, "POST", documents, R"({"query":"SELECT * FROM c"})",
                   {{"x-ms-cosmos-is-query-plan-request", "True"}}),
            200);
  const std::string operations =
      R"([{"operationType":"Create","partitionKey":"[\"a\"]","resourceBody":{"id":"1","pk":"a"}},)"
      R"({"operationType":"Create","partitionKey":"[\"b\"]","resourceBody":{"id":"2","pk":"b"}}])";
  const net::Pair batch{"x-ms-cosmos-is-batch-request", "True"};
  const Answer bulk = send(given, "POST", documents, operations,
                           {batch, {"x-ms-cosmos-batch-continue-on-error", "True"}});
  ASSERT_EQ(bulk.body.array().size(), 2U) << bulk.response.body;
  EXPECT_EQ(bulk.body.array()[0].member("statusCode").integer(), 201);
  EXPECT_EQ(bulk.body.array()[1].member("statusCode").integer(), 403);
  EXPECT_EQ(status(given, "POST", documents, operations,
                   {batch, {"x-ms-cosmos-batch-atomic", "True"}, key(R"(["b"])")}),
            403);
  EXPECT_EQ(status(given, "POST", documents, R"({"query":"SELECT * FROM c"})",
                   {{"x-ms-documentdb-isquery", "True"}}),
            403);
}

TEST_F(CosmosTokens, ReachADocumentWhicheverWayItIsNamed) {
  const Answer one = account->create("1");
  const Answer two = account->create("2");
  const Answer same_name = account->send("POST", documents, R"({"id":"1","pk":"b"})");
  const Answer by_name = grant("dbs/d/colls/c/docs/1", R"("resourcePartitionKey":["a"])");
  EXPECT_EQ(status(by_name, "GET", documents + "/1"), 200);
  EXPECT_EQ(status(by_name, "GET", "/" + link_of(one)), 200);
  EXPECT_EQ(status(by_name, "GET", "/" + link_of(two)), 403);
  EXPECT_EQ(status(by_name, "GET", "/" + link_of(same_name)), 403);
  const Answer by_rid = grant(link_of(one));
  EXPECT_EQ(status(by_rid, "GET", "/" + link_of(one)), 200);
  EXPECT_EQ(status(by_rid, "GET", documents + "/1"), 200);
  EXPECT_EQ(status(by_rid, "GET", documents + "/1", "", {key(R"(["b"])")}), 403);
  EXPECT_EQ(status(by_rid, "GET", documents + "/1", "", {}), 403);
  EXPECT_EQ(status(by_rid, "GET", documents + "/2"), 403);
  account->remove("1");
  account->create("1");
  EXPECT_EQ(status(by_rid, "GET", documents + "/1"), 403);
}

TEST_F(CosmosTokens, ReachAScriptWhicheverWayItIsNamed) {
  const std::string procedures = container + "/sprocs";
  const Answer made = account->send("POST", procedures, R"({"id":"s","body":"function () {}"})");
  account->send("POST", procedures, R"({"id":"t","body":"function () {}"})");
  const Answer by_rid = grant(link_of(made));
  EXPECT_EQ(status(by_rid, "POST", procedures + "/s", "[]"), 200);
  EXPECT_EQ(status(by_rid, "POST", procedures + "/t", "[]"), 403);
  const Answer by_name = grant("dbs/d/colls/c/sprocs/s");
  EXPECT_EQ(status(by_name, "POST", "/" + link_of(made), "[]"), 200);
}

TEST_F(CosmosTokens, AreForTheContainerThatWasThereThen) {
  const Answer given = grant("dbs/d/colls/c");
  account->create("1");
  EXPECT_EQ(status(given, "GET", documents + "/1"), 200);
  account->send("DELETE", container);
  EXPECT_EQ(account->send("POST", containers, Account::definition()).status, 201);
  account->create("1");
  EXPECT_EQ(status(given, "GET", documents + "/1"), 403);
  EXPECT_EQ(status(account->send("GET", token_permissions + "/p"), "GET", documents + "/1"), 200);
}

TEST_F(CosmosTokens, OfADocumentAreForTheOneThatWasThereThen) {
  account->send("PUT", container, Account::definition(R"("defaultTtl":-1)"));
  for (const std::string key : {"", R"("resourcePartitionKey":["a"])"}) {
    const Answer made = account->upsert("1", R"("ttl":10)");
    const Answer given = grant("dbs/d/colls/c/docs/1", key);
    account->put("1", R"("ttl":10)");
    EXPECT_EQ(status(given, "GET", documents + "/1"), 200) << key;
    account->advance(10);
    EXPECT_EQ(status(given, "GET", documents + "/1"), 404);
    const std::string link = "/" + link_of(account->create("1"));
    EXPECT_EQ(status(given, "GET", documents + "/1"), 403);
    EXPECT_EQ(status(given, "GET", link), 403);
    EXPECT_EQ(status(given, "DELETE", documents + "/1"), 403);
    EXPECT_EQ(status(given, "GET", documents + "/1/attachments"), 403);
    const Answer again = account->send("GET", token_permissions + "/p");
    EXPECT_EQ(status(again, "GET", documents + "/1"), 200);
    account->remove("1");
    account->create("1");
    EXPECT_EQ(status(again, "GET", documents + "/1"), 403);
  }
}

// Only if the permission has the partition. Otherwise it is for the existing documents of that
// name.
TEST_F(CosmosTokens, OfADocumentThatIsStillToComeServeIt) {
  const Answer given = grant("dbs/d/colls/c/docs/1", R"("resourcePartitionKey":["a"])");
  const Answer without_key = grant("dbs/d/colls/c/docs/2", "", "All", "q");
  EXPECT_EQ(status(given, "GET", documents + "/1"), 404);
  account->create("1");
  account->create("2");
  EXPECT_EQ(status(given, "GET", documents + "/1"), 200);
  EXPECT_EQ(status(without_key, "GET", documents + "/2"), 403);
}

TEST_F(CosmosTokens, OfAScriptAreForTheOneThatWasThereThen) {
  const std::string procedures = container + "/sprocs";
  const std::string procedure = R"({"id":"s","body":"function () {}"})";
  const Answer to_come = grant("dbs/d/colls/c/sprocs/s");
  account->send("POST", procedures, procedure);
  const Answer given = grant("dbs/d/colls/c/sprocs/s");
  account->send("PUT", procedures + "/s", procedure);
  EXPECT_EQ(status(given, "POST", procedures + "/s", "[]"), 200);
  EXPECT_EQ(status(to_come, "POST", procedures + "/s", "[]"), 200);
  account->send("DELETE", procedures + "/s");
  const Answer made = account->send("POST", procedures, procedure);
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(status(given, "POST", procedures + "/s", "[]"), 403);
  EXPECT_EQ(status(given, "POST", "/" + link_of(made), "[]"), 403);
}

// Another may have taken the name between the check and the action.
TEST_F(CosmosTokens, OfADocumentAreForTheOneThatTheActionFinds) {
  const std::string one = documents + "/1";
  const std::string attachment =
      R"({"id":"a","contentType":"text/plain","media":"https://example.org/a"})";
  const DelayedRequest reads[] = {{read_document, "GET", one},
                                  {list_attachments, "GET", one + "/attachments"}};
  const DelayedRequest writes[] = {
      {replace_document, "PUT", one, Account::document("1", R"("by":"token")")},
      {patch_document, "PATCH", one, R"({"operations":[{"op":"add","path":"/by","value":1}]})"},
      {create_attachment, "POST", one + "/attachments", attachment},
      {remove_document, "DELETE", one}};
  const auto check_of = [&](const DelayedRequest& late) {
    SCOPED_TRACE(late.method + " " + late.path);
    account->upsert("1");
    const Answer given = grant("dbs/d/colls/c/docs/1", R"("resourcePartitionKey":["a"])");
    const auto replace = [&] {
      account->remove("1");
      account->create("1", R"("by":"owner")");
    };
    EXPECT_EQ(run_late(given, late, replace), "forbidden");
    EXPECT_EQ(account->get("1").body.member("by").text(), "owner");
    const Answer left = account->send("GET", one + "/attachments", "", {key_a});
    EXPECT_EQ(left.body.member("_count").integer(), 0);
    // A later version is the same document.
    const Answer again = account->send("GET", token_permissions + "/p");
    const std::string ended = run_late(again, late, [&] { account->put("1"); });
    EXPECT_TRUE(ended.starts_with('2')) << ended;
  };
  for (const DelayedRequest& late : reads) check_of(late);
  for (const DelayedRequest& late : writes) {
    account->remove("1");
    check_of(late);
  }
}

TEST_F(CosmosTokens, OfAScriptAreForTheOneThatTheActionFinds) {
  const std::string procedures = container + "/sprocs";
  const std::string procedure = R"({"id":"s","body":"function () {}"})";
  const std::string one = procedures + "/s";
  const DelayedRequest actions[] = {{read_stored, "GET", one},
                                    {execute_procedure, "POST", one, "[]"},
                                    {replace_stored, "PUT", one, procedure},
                                    {remove_stored, "DELETE", one}};
  account->send("POST", procedures, procedure);
  for (const DelayedRequest& late : actions) {
    SCOPED_TRACE(late.method);
    const Answer given = grant("dbs/d/colls/c/sprocs/s");
    const auto replace = [&] {
      account->send("DELETE", one);
      EXPECT_EQ(account->send("POST", procedures, procedure).status, 201);
    };
    EXPECT_EQ(run_late(given, late, replace), "forbidden");
    const Answer again = account->send("GET", token_permissions + "/p");
    const std::string ended = run_late(again, late, [] {});
    EXPECT_TRUE(ended.starts_with('2')) << ended;
  }
}

TEST_F(CosmosTokens, OfAContainerAreForTheOneThatTheActionFinds) {
  const DelayedRequest create{create_document, "POST", documents, Account::document("1")};
  for (const std::string granted : {"dbs/d", "dbs/d/colls/c"}) {
    const Answer given = grant(granted);
    const auto replace = [&] {
      if (granted == "dbs/d") {
        account->send("DELETE", "/dbs/d");
        account->send("POST", "/dbs", R"({"id":"d"})");
        account->send("POST", token_users, R"({"id":"u"})");
      } else {
        account->send("DELETE", container);
      }
      EXPECT_EQ(account->send("POST", containers, Account::definition()).status, 201);
    };
    EXPECT_EQ(run_late(given, create, replace), "not found") << granted;
    EXPECT_EQ(account->list().body.member("_count").integer(), 0) << granted;
    EXPECT_EQ(run_late(grant(granted), create, [] {}), "201") << granted;
  }
}

TEST_F(CosmosTokens, ForReadingRequestNoIndexes) {
  for (std::size_t i = 0; i < limits::index_requested_documents_min; ++i) {
    const std::string n = std::to_string(i);
    ASSERT_EQ(account->create(n, R"("n":)" + n).status, 201);
  }
  const auto gets_index = [&](const std::string& mode) {
    const Answer answer = send(grant("dbs/d/colls/c", "", mode), "POST", documents,
                               R"({"query":"SELECT VALUE c.n FROM c ORDER BY c.n"})",
                               {first_range, {"x-ms-documentdb-isquery", "true"}});
    EXPECT_EQ(answer.status, 200) << answer.response.body;
    while (account->database->jobs().run_due(JobLane::lengthy) > 0) {
    }
    const CatalogPtr catalog = account->database->catalog();
    const auto collection = catalog->find_collection(catalog->find_database("d")->id, "c");
    return collection->find_index("policy .n") != nullptr;
  };
  EXPECT_FALSE(gets_index("Read"));
  EXPECT_TRUE(gets_index("All"));
}

TEST_F(CosmosTokens, AreGivenByListsForSecondsWithinBounds) {
  EXPECT_EQ(grant("dbs/d").status, 201);
  for (const auto& [seconds, expected] : {std::pair{"9", 400}, {"18001", 400}, {"10", 200}}) {
    const net::Pair header{"x-ms-documentdb-expiry-seconds", seconds};
    EXPECT_EQ(account->send("GET", token_permissions, "", {header}).status, expected) << seconds;
    EXPECT_EQ(account
                  ->send("POST", token_permissions, R"({"query":"SELECT * FROM c"})",
                         {header, {"x-ms-documentdb-isquery", "true"}})
                  .status,
              expected)
        << seconds;
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
