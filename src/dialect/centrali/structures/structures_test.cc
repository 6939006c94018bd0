// Case42 to Case46: access, structures, and the form of failures.
#include "base/crypto/crypto.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/testing.h"
#include "net/handler.h"
#include "net/requests/testing.h"

namespace mayfly::centrali::testing {
namespace {

using net::Pair;

class CentraliStructuresTest : public CentraliTest {
 protected:
  Reply token(const std::string& body, std::vector<Pair> headers = {},
              const std::string& path = "/oauth/token") {
    return send("POST", path, body, std::move(headers));
  }
  Reply as(std::vector<Pair> headers) {
    return send("GET", D + "/structures", "", std::move(headers));
  }
  Reply bearing(const std::string& token) { return as({{"authorization", "Bearer " + token}}); }
};

TEST_F(CentraliStructuresTest, Case42ARequestWithoutATokenIsRefused) {
  for (const auto& headers : std::vector<std::vector<Pair>>{
           {}, {{"authorization", ""}}, {{"authorization", "Bearer "}}, {{"authorization", "t"}}}) {
    const Reply reply = as(headers);
    EXPECT_EQ(reply.at({"error", "code", "details"}), "401 Unauthorized UNAUTHORIZED []");
    EXPECT_FALSE(reply.text("requestId").empty());
  }
}

TEST_F(CentraliStructuresTest, Case43AClientGetsATokenForItsSecret) {
  add_client("ci_1", "sk_1");
  const std::string form =
      "grant_type=client_credentials&client_id=ci_1&scope=openid&client_secret=";
  for (const char* path : {"/oauth/token", "/oidc/token"}) {
    const Reply given = token(form + "sk_1", {}, path);
    EXPECT_EQ(given.at({"token_type", "expires_in", "scope"}), "200 Bearer 3600 openid");
    EXPECT_EQ(bearing(given.text("access_token")).status(), 200);
    EXPECT_EQ(token(form + "wrong", {}, path).at({"error"}), "401 invalid_client");
  }
  EXPECT_EQ(token("grant_type=password&client_id=ci_1").at({"error"}),
            "400 unsupported_grant_type");
  EXPECT_EQ(
      token("grant_type=client_credentials", {{"authorization", "Basic Y2lfMTpza18x"}}).status(),
      200);
  EXPECT_EQ(bearing("t").status(), 401);
  const std::string issued = token(form + "sk_1").text("access_token");
  pass(3'599);
  EXPECT_EQ(bearing(issued).status(), 200);
  pass(1);
  EXPECT_EQ(bearing(issued).at({"message"}), "401 the token has expired");
}

TEST_F(CentraliStructuresTest, Case43WithNothingConfiguredEveryClientGetsAToken) {
  EXPECT_EQ(token("grant_type=client_credentials&client_id=a&client_secret=b").status(), 200);
  EXPECT_EQ(token("grant_type=client_credentials&client_id=a&client_secret=").status(), 401);
}

// It is read before its client is authenticated, so it must be cheap.
TEST_F(CentraliStructuresTest, ARequestForATokenIsSmall) {
  const std::string form = "grant_type=client_credentials&client_id=a&client_secret=b";
  std::string most = form + "&pad=";
  most += std::string(limits::token_request_bytes_max - most.size(), 's');
  EXPECT_EQ(token(most).status(), 200);
  EXPECT_EQ(token(most + "s").at({"error"}), "413 invalid_request");

  std::string many = form;
  for (std::size_t i = 3; i < limits::token_parameters_max; ++i) many += "&a=";
  EXPECT_EQ(token(many).status(), 200);
  EXPECT_EQ(token(many + "&a=").at({"error"}), "400 invalid_request");

  const auto refusal_of = [&](const std::string& path, std::size_t bytes) {
    const net::Request request{
        .method = "POST", .path = path, .headers = {{"content-length", std::to_string(bytes)}}};
    const auto refused = net::PendingRequest(*dialect, request)->refuse_head();
    return refused ? refused->status : 0;
  };
  for (const std::string path : {"/oauth/token", "/oidc/token"}) {
    EXPECT_EQ(refusal_of(path, limits::token_request_bytes_max), 0);
    EXPECT_EQ(refusal_of(path, limits::token_request_bytes_max + 1), 413);
  }
}

TEST_F(CentraliStructuresTest, Case44APublishableKeyComesInAHeaderOfItsOwn) {
  credentials.keys = {"pk_live_1"};
  EXPECT_EQ(as({{"x-api-key", "pk_live_1"}}).status(), 200);
  EXPECT_EQ(as({{"x-api-key", "pk_live_2"}}).status(), 401);
  EXPECT_EQ(bearing("pk_live_1").status(), 200);
}

TEST_F(CentraliStructuresTest, ATokenForOtherWorkspacesIsForbidden) {
  credentials.keys = {"k"};
  const auto signed_for = [&](const std::string& workspaces) {
    return sign_jwt(R"({"sub":"u","exp":1772190000,"workspaces":)" + workspaces + "}",
                    options.signing_key)
        .value();
  };
  EXPECT_EQ(bearing(signed_for(R"(["acme","b"])")).status(), 200);
  EXPECT_EQ(bearing(signed_for(R"(["b"])")).at({"error"}), "403 Forbidden");
  EXPECT_EQ(bearing(sign_jwt(R"({"exp":1772190000})", "another key").value()).status(), 401);
}

TEST_F(CentraliStructuresTest, RecordsNameTheirAuthor) {
  add_client("ci_1", "sk_1");
  const std::string bearer =
      "Bearer " +
      token("grant_type=client_credentials&client_id=ci_1&client_secret=sk_1").text("access_token");
  send("POST", D + "/structures", R"({"name":"s"})", {{"authorization", bearer}});
  EXPECT_EQ(send("POST", D + "/records/slug/s", R"({"data":{}})", {{"authorization", bearer}})
                .at({"createdBy", "updatedBy"}),
            "201 ci_1 ci_1");
}

TEST_F(CentraliStructuresTest, Case45AStructureGetsASlugAnIdAndNoDefault) {
  const Reply made = post(D + "/structures", R"({"name":"Blog Posts"})");
  EXPECT_EQ(made.at({"recordSlug", "name", "defaultTtlSeconds", "workspaceSlug", "status",
                     "properties", "description", "createdAt"}),
            "201 blog-posts Blog Posts null acme active [] null 2026-02-27T10:00:00Z");
  EXPECT_EQ(made.text("id").size(), 36U);
  EXPECT_EQ(post(D + "/structures", R"({"name":"Blog posts"})").at({"details[0].field"}),
            "409 recordSlug");
  EXPECT_EQ(post(D + "/structures", R"({"name":"x","id":")" + made.text("id") + R"("})")
                .at({"details[0].field"}),
            "409 id");
  EXPECT_EQ(post(D + "/structures", R"({"name":"x","recordSlug":"posts-2"})").at({"recordSlug"}),
            "201 posts-2");
}

TEST_F(CentraliStructuresTest, AStructureIsValidated) {
  const std::pair<const char*, const char*> table[] = {
      {R"({})", "400 name"},
      {R"({"name":""})", "400 name"},
      {R"({"name":5})", "400 name"},
      {R"({"name":"日本"})", "400 recordSlug"},
      {R"({"name":"x","recordSlug":"A b"})", "400 recordSlug"},
      {R"({"name":"x","schemaDiscoveryMode":"lax"})", "400 schemaDiscoveryMode"},
      {R"({"name":"x","properties":{}})", "400 properties"},
      {R"({"name":"x","properties":[{"name":"a","type":"blob"}]})", "400 properties.0.type"},
      {R"({"name":"x","properties":[{"type":"string"}]})", "400 properties.0.name"},
      {R"({"name":"x","properties":[{"name":"a","type":"string","pattern":"("}]})",
       "400 properties.0.pattern"},
      {R"({"name":"x","properties":[{"name":"a","type":"array","items":{"type":"no"}}]})",
       "400 properties.0.items.type"},
      {R"({"name":"x","status":"odd"})", "400 status"},
      {R"({"name":"x","properties":[{"name":"a","type":"string","enum":[]}]})",
       "400 properties.0.enum"},
      {R"({"name":"x","properties":[{"name":"a","type":"string","enum":["b"],"default":"c"}]})",
       "400 properties.0.default"},
      {R"({"name":"x","properties":[{"name":"a","type":"number","default":"c"}]})",
       "400 properties.0.default"},
      {R"({"name":"x","properties":[{"name":"a","type":"number","minimum":2,"maximum":1}]})",
       "400 properties.0.minimum"},
      {R"({"name":"x","properties":[{"name":"a","type":"array","minItems":2,"maxItems":1}]})",
       "400 properties.0.minItems"},
      {R"({"name":"x","properties":[{"name":"a","type":"string","pattern":5}]})",
       "400 properties.0.pattern"},
      {R"({"name":"x","properties":[{"name":"a","type":"string","format":"odd"}]})",
       "400 properties.0.format"},
      {R"({"name":"x","properties":[{"name":"a","type":"reference","target":5}]})",
       "400 properties.0.target"},
      {R"({"name":"x","properties":[{"name":"a","type":"reference","onDelete":"cascade"}]})",
       "400 properties.0.target"},
      {R"({"name":"x","properties":[{"name":"a","type":"reference","target":"b","onDelete":"no"}]})",
       "400 properties.0.onDelete"},
      {R"({"name":"x","properties":[{"name":"a","type":"string","required":"yes"}]})",
       "400 properties.0.required"},
  };
  for (const auto& [body, expected] : table) {
    EXPECT_EQ(post(D + "/structures", body).at({"details[0].field"}), expected) << body;
  }
  // A default of null needs no validation.
  EXPECT_EQ(post(D + "/structures", R"({"name":"x","properties":[
              {"name":"a","type":"string","required":true,"default":null}]})")
                .status(),
            201);
}

TEST_F(CentraliStructuresTest, Case46StructuresAreListedReadAndNotFound) {
  EXPECT_EQ(get(D + "/structures").at({"data", "meta.total"}), "200 [] 0");
  for (const char* name : {"b", "a", "c"}) {
    post(D + "/structures", R"({"name":")" + std::string(name) + R"("})");
  }
  const Reply list = get(D + "/structures?pageSize=2");
  EXPECT_EQ(column(list, "recordSlug"), "a b");
  EXPECT_EQ(list.at({"meta"}), R"(200 {"page":1,"pageSize":2,"total":3,"hasMore":true})");
  const std::string id = list.text("data[0].id");
  for (const std::string& path :
       {D + "/structures/" + id, A + "/structures/" + id, A + "/collections/" + id,
        D + "/structures/slug/a", D + "/collections/a"}) {
    EXPECT_EQ(get(path).at({"id"}), "200 " + id) << path;
  }
  EXPECT_NE(get(D + "/structures/none").at({"message"}).find("not found"), std::string::npos);
  EXPECT_EQ(send("DELETE", D + "/structures/" + id).status(), 204);
  EXPECT_EQ(get(D + "/structures/a").status(), 404);
}

TEST_F(CentraliStructuresTest, AnUpdateMergesAndCannotRename) {
  post(D + "/structures", R"({"name":"a","description":"d","properties":[]})");
  EXPECT_EQ(send("PATCH", D + "/structures/a", R"({"name":"Better","description":null})")
                .at({"name", "recordSlug", "description"}),
            "200 Better a null");
  EXPECT_EQ(get(D + "/structures/Better").status(), 200);
  EXPECT_EQ(send("PUT", D + "/structures/a", R"({"recordSlug":"b"})").at({"details[0].field"}),
            "400 recordSlug");
  EXPECT_EQ(send("PUT", D + "/structures/a", R"({"recordSlug":"a"})").status(), 200);
}

// An index left behind by no property would refuse records without a reason.
TEST_F(CentraliStructuresTest, ARefusedUpdateLeavesNoIndex) {
  const auto property = [](const std::string& name, const std::string& more) {
    return R"({"name":")" + name + R"(","type":"string")" + more + "}";
  };
  const std::string unique = R"(,"isUnique":true)";
  const auto properties = [&](const std::string& p, const std::string& q) {
    return R"({"name":"T","properties":[)" + property("p", p) + "," + property("q", q) + "]}";
  };
  ASSERT_EQ(post(D + "/structures", properties("", "")).status(), 201);
  make_record("", "t", R"({"p":"1","q":"same"})");
  make_record("", "t", R"({"p":"2","q":"same"})");
  EXPECT_EQ(send("PUT", D + "/structures/t", properties(unique, unique)).status(), 409);
  make_record("", "t", R"({"p":"1","q":"other"})");
  const auto collection =
      database->catalog()->find_collection(database->catalog()->find_database("acme")->id, "t");
  EXPECT_EQ(collection->indexes.size(), 0U);
  EXPECT_EQ(get(D + "/structures/t").at({"properties[0].isUnique"}), "200 -");
}

class CentraliPropertyIndexes : public CentraliTest {
 protected:
  CentraliPropertyIndexes() { EXPECT_EQ(post(D + "/structures", R"({"name":"S"})").status(), 201); }

  int ask_for(const std::string& members) {
    return patch(D + "/structures/s",
                 R"({"properties":[{"name":"t","type":"string")" + members + "}]}")
        .status();
  }
  CollectionPtr collection(const std::string& name = "s") const {
    const CatalogPtr catalog = database->catalog();
    return catalog->find_collection(catalog->find_database("acme")->id, name);
  }
  int make(const std::string& t) {
    return post(D + "/records/slug/s", R"({"data":{"t":")" + t + "\"}}").status();
  }

  const std::string unique = R"(,"isUnique":true)";
};

TEST_F(CentraliPropertyIndexes, AreDroppedOnlyWithTheProperty) {
  ASSERT_EQ(ask_for(unique), 200);
  const auto refused = database->drop_index(collection()->id, "unique_t");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::forbidden);
  EXPECT_EQ(make("a"), 201);
  EXPECT_EQ(make("a"), 409);
  EXPECT_EQ(ask_for(""), 200);
  EXPECT_EQ(collection()->indexes.size(), 0U);
  EXPECT_EQ(make("a"), 201);
  post(D + "/structures",
       R"({"name":"U","properties":[{"name":"t","type":"string","isUnique":true}]})");
  EXPECT_FALSE(database->drop_index(collection("u")->id, "unique_t"));
}

TEST_F(CentraliPropertyIndexes, AnotherIndexOfTheNameOfOneRefusesTheProperty) {
  const IndexSpec others[] = {{"unique_t", {{Field::body("t")}}},
                              {"unique_t", {{Field::body("q")}}, Uniqueness::of_complete}};
  for (const IndexSpec& other : others) {
    ASSERT_TRUE(database->create_index(collection()->id, other));
    EXPECT_EQ(ask_for(unique), 409);
    EXPECT_EQ(get(D + "/structures/s").at({"properties[0].isUnique"}), "200 -");
    ASSERT_TRUE(database->drop_index(collection()->id, "unique_t"));
  }
  EXPECT_EQ(ask_for(unique), 200);
  EXPECT_EQ(make("a"), 201);
  EXPECT_EQ(make("a"), 409);
}

TEST_F(CentraliPropertyIndexes, TakeOverWhatIsAsTheyAreAndLeaveOthers) {
  const IndexSpec same{"unique_t", {{Field::body("t")}}, Uniqueness::of_complete};
  ASSERT_TRUE(database->create_index(collection()->id, same));
  ASSERT_TRUE(database->create_index(collection()->id, {"unique_q", {{Field::body("q")}}}));
  EXPECT_EQ(ask_for(unique), 200);
  EXPECT_FALSE(database->drop_index(collection()->id, "unique_t"));
  EXPECT_EQ(ask_for(""), 200);
  ASSERT_EQ(collection()->indexes.size(), 1U);
  EXPECT_EQ(collection()->indexes.front().name, "unique_q");
}

TEST_F(CentraliStructuresTest, ACollectionOfAnotherDialectIsAStructureAndKeepsItsIdWhenChanged) {
  const auto info = database->create_database("acme").value();
  ASSERT_TRUE(database->create_collection(info->id, {.name = "sessions"}));
  EXPECT_EQ(send("PUT", A + "/structures/str_sessions", R"({"defaultTtlSeconds":86400})")
                .at({"id", "name", "defaultTtlSeconds"}),
            "200 str_sessions sessions 86400");
  const auto changed = database->catalog()->find_collection(info->id, "sessions");
  EXPECT_EQ(changed->policy.stamp->span, Span::seconds(86'400));
  EXPECT_EQ(get(D + "/structures/sessions").at({"id"}), "200 str_sessions");
}

TEST_F(CentraliStructuresTest, FailuresHaveOneForm) {
  post(D + "/structures", R"({"name":"a"})");
  const struct {
    const char* method;
    std::string path;
    const char* expected;
  } table[] = {
      {"GET", D + "/records/none", "404 Not Found NOT_FOUND"},
      {"GET", D + "/nothing/here", "404 Not Found NOT_FOUND"},
      {"GET", "/realtime/workspace/acme/other", "404 Not Found NOT_FOUND"},
      {"POST", "/realtime/workspace/acme/events", "405 Method Not Allowed METHOD_NOT_ALLOWED"},
      {"DELETE", D + "/records", "405 Method Not Allowed METHOD_NOT_ALLOWED"},
      {"POST", D + "/structures", "400 Validation Failed VALIDATION_FAILED"},
      {"GET", D + "/records/x?includeArchived=2", "400 Validation Failed VALIDATION_FAILED"},
  };
  for (const auto& row : table) {
    const Reply reply = send(row.method, row.path);
    EXPECT_EQ(reply.at({"error", "code"}), row.expected) << row.path;
    EXPECT_FALSE(reply.text("message").empty());
    EXPECT_TRUE(reply.body.member("details").is(Kind::array));
    EXPECT_EQ(reply.text("requestId"), *reply.header("x-request-id"));
    if (row.expected[0] == '4' && row.expected[2] == '4') {
      EXPECT_NE(reply.text("message").find("not found"), std::string::npos);
    }
  }
  const Reply named = send("GET", D + "/records/none", "",
                           {{"authorization", "Bearer t"}, {"x-request-id", "mine"}});
  EXPECT_EQ(named.text("requestId"), "mine");
  const net::Response refused =
      dialect->refuse({Code::too_large, "the body has more than 4194304 bytes"});
  EXPECT_EQ(refused.status, 413);
}

TEST_F(CentraliStructuresTest, PatternsAreMatchedWithinTheTimeOfTheRequest) {
  ASSERT_EQ(post(D + "/structures", R"({"id":"P","name":"P","properties":[)"
                                    R"({"name":"a","type":"string","pattern":"^(a|b)*$"}]})")
                .status(),
            201);
  const auto create = [&](Instant answer_by) {
    const std::string data = R"({"a":")" + std::string(5'000, 'a') + R"("})";
    return net::answer_of(*dialect, {.method = "POST",
                                     .target = D + "/records",
                                     .path = D + "/records",
                                     .headers = {{"authorization", "Bearer t"},
                                                 {"content-type", "application/json"}},
                                     .body = R"({"structureId":"P","data":)" + data + "}",
                                     .answer_by = answer_by})
        .status;
  };
  EXPECT_EQ(create(monotonic_now() + Span::seconds(60)), 201);
  EXPECT_EQ(create(monotonic_now()), 504);
}

TEST_F(CentraliStructuresTest, ItClaimsItsPathsAndKnowsWhatIsQuick) {
  for (const char* own : {"/workspace/a", "/data/workspace/a/api/v1/records", "/oauth/token",
                          "/oidc/token", "/realtime/workspace/a/events"}) {
    EXPECT_TRUE(dialect->claims(own)) << own;
  }
  for (const char* other : {"/", "/v1/x", "/data", "/dbs/a", "/oauth"}) {
    EXPECT_FALSE(dialect->claims(other)) << other;
  }
  const auto is_quick = [&](const char* method, const std::string& path) {
    const net::Request request{.method = method, .path = path};
    return net::PendingRequest(*dialect, request)->pace() == net::Pace::quick;
  };
  EXPECT_TRUE(is_quick("GET", D + "/records/x"));
  EXPECT_TRUE(is_quick("PATCH", D + "/records/x"));
  EXPECT_TRUE(is_quick("POST", D + "/records"));
  // The patterns of a structure are matched against all texts of a record.
  const std::string large(limits::quick_record_bytes_max + 1, ' ');
  const net::Request is_large{.method = "POST", .path = D + "/records", .body = large};
  EXPECT_EQ(net::PendingRequest(*dialect, is_large)->pace(), net::Pace::worker);
  EXPECT_FALSE(is_quick("GET", D + "/records"));
  EXPECT_FALSE(is_quick("POST", D + "/records/query"));
  EXPECT_FALSE(is_quick("GET", D + "/records/slug/s"));
  EXPECT_FALSE(is_quick("POST", D + "/records/bulk"));
  EXPECT_FALSE(is_quick("POST", D + "/records/upsert"));
  EXPECT_FALSE(is_quick("DELETE", D + "/records/x"));
}

}  // namespace
}  // namespace mayfly::centrali::testing
