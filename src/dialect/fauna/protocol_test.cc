// Requests and responses. The numbers are those of the cases.
#include <map>
#include <set>

#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

using ProtocolTest = FaunaTest;

TEST_F(ProtocolTest, AnswersHaveAnEnvelope) {
  const Reply reply = query_body(R"({"query":{"fql":["\"taco\".length"]}})");  // P01
  EXPECT_EQ(reply.result(), "4");
  EXPECT_EQ(reply.at("summary").text(), "");
  EXPECT_TRUE(reply.at("txn_ts").is(Kind::integer));
  for (const char* stat : {"compute_ops", "read_ops", "write_ops", "query_time_ms",
                           "contention_retries", "storage_bytes_read", "storage_bytes_write"}) {
    EXPECT_TRUE(reply.at(std::string("stats.") + stat).is(Kind::integer)) << stat;
  }
  EXPECT_TRUE(reply.at("schema_version").is(Kind::integer)) << reply.response.body;
}

struct BodyCase {
  const char* label;
  const char* body;
  const char* expected;
};

class BodyTest : public ProtocolTest, public ::testing::WithParamInterface<BodyCase> {};

TEST_P(BodyTest, IsAnswered) {
  const BodyCase& row = GetParam();
  EXPECT_EQ(query_body(row.body, {{"x-format", "tagged"}}).result(), row.expected) << row.label;
}

const BodyCase bodies[] = {
    {"P02", R"({"query":{"fql":[{"value":"taco"},".length"]}})", R"({"@int":"4"})"},
    {"P11",
     R"({"query":{"fql":["foo"]},"arguments":{"foo":{"@object":{"double":{"@double":"4.14"},)"
     R"("int":{"@int":"32"},"string":"foo","null":null,"object":{"foo":"bar"},)"
     R"("array":[{"@int":"1"}],"@tagged":"tagged"}}}})",
     R"({"@object":{"double":{"@double":"4.14"},"int":{"@int":"32"},"string":"foo",)"
     R"("null":null,"object":{"foo":"bar"},"array":[{"@int":"1"}],"@tagged":"tagged"}})"},
    {"P20",
     R"({"query":{"fql":[{"value":{"@long":"1152921504606846976"}}," + ",)"
     R"({"value":{"@long":"1152921504606846976"}}]}})",
     R"({"@long":"2305843009213693952"})"},
    {"P20", R"({"query":{"fql":[{"value":{"@bytes":"YWJj"}}]}})", R"({"@bytes":"YWJj"})"},
    {"P20", R"({"query":{"fql":[{"value":{"@bytes":""}}]}})", R"({"@bytes":""})"},
    {"P20", R"({"query":{"fql":[{"value":{"@double":"1.5"}}]}})", R"({"@double":"1.5"})"},
    {"P21", R"({"query":{"array":[{"fql":["1"]},{"fql":["2"]}]}})",
     R"([{"@int":"1"},{"@int":"2"}])"},
    {"P21", R"({"query":{"object":{"a":{"fql":["1"]}}}})", R"({"a":{"@int":"1"}})"},
};
INSTANTIATE_TEST_SUITE_P(Cases, BodyTest, ::testing::ValuesIn(bodies));

TEST_F(ProtocolTest, QueriesFailWithTheirMessages) {
  run_steps({
      {"P03", "happy little fox", "invalid_query: The query failed 1 validation check"},
      {"", "happy little fox", "summary: error: …"},
      {"P04", R"(2 + "2")",
       "invalid_argument: expected value for `other` of type Number, received String"},
      {"", R"(2 + "2")", "summary: error: …"},
      {"P05", R"(Function.create({"name": "my_double", "body": "x => x * 2"}))"},
      {"", R"(Function.create({"name": "my_double", "body": "x => x * 2"}))",
       R"(constraint_failure: …[[["name"]] A Function already exists with the name `my_double`])"},
      {"P06", R"(abort("oops"))", "abort: Query aborted."},
      {"P22", "// a comment\n\n  Math.abs(-5.123e3) // another\n", "5123"},
      {"P22", "'Math.abs(-5.123e3)'", R"q("Math.abs(-5.123e3)")q"},
  });
  EXPECT_EQ(query(R"(abort("oops"))").text("error.abort"), "oops");
}

TEST_F(ProtocolTest, RequestsThatAreNoQueries) {
  for (const char* body : {"{}", "no JSON", "", "[]", R"({"query":5})"}) {  // P07
    const Reply reply = query_body(body);
    EXPECT_EQ(reply.status(), 400) << body;
    EXPECT_EQ(reply.code(), "invalid_request") << body;
    EXPECT_EQ(reply.body.object().size(), 1u) << reply.response.body;
  }
  const Reply bare = query_body(R"({"query":{"fql":["foo"]},"arguments":{"foo":5}})",  // P12
                                {{"x-format", "tagged"}});
  EXPECT_EQ(bare.status(), 400);
  EXPECT_EQ(bare.code(), "invalid_request");
  EXPECT_TRUE(bare.message().starts_with("Invalid argument 'foo': ")) << bare.message();
  EXPECT_EQ(query("1", {{"x-format", "foo"}}).result(),  // P13
            "invalid_request: Invalid header 'x-format': Invalid format foo");
  EXPECT_EQ(send("POST", "/nothing").status(), 404);  // P23
  EXPECT_EQ(send("POST", "/nothing").code(), "not_found");
}

TEST_F(ProtocolTest, Deadlines) {
  for (const char* millis : {"1", "2"}) {  // P08
    const Reply reply = query("Collection.create({name:'Wah'})", {{"x-query-timeout-ms", millis}});
    EXPECT_EQ(reply.status(), 440);
    EXPECT_EQ(reply.code(), "time_out");
    EXPECT_NE(reply.message().find("aggressive deadline"), std::string::npos) << reply.message();
  }
  run_steps({{"P08", "Collection.byName('Wah').exists()", "false"}});
}

TEST_F(ProtocolTest, SecretsAndHeaders) {
  secret = "wrong";  // P09
  const Reply refused = query("1");
  EXPECT_EQ(refused.status(), 401);
  EXPECT_EQ(refused.code(), "unauthorized");
  EXPECT_TRUE(refused.at("summary").is_missing());
  bool names_bearer_scheme = false;
  for (const auto& [name, value] : refused.response.headers) {
    names_bearer_scheme = names_bearer_scheme || (name == "www-authenticate" && value == "Bearer");
  }
  EXPECT_TRUE(names_bearer_scheme);
  secret = "secret";
  const char* const tags = "project=teapot,hello=world,testing=foobar";  // P10
  EXPECT_EQ(query("1", {{"x-query-tags", tags}}).text("query_tags"), tags);
  EXPECT_EQ(query("nope", {{"x-query-tags", tags}}).text("query_tags"), tags);
  const std::string seen = query("1").text("txn_ts");  // P14
  EXPECT_EQ(query("1", {{"x-last-txn-ts", seen}}).result(), "1");
  const Instant later = clock.now() + mayfly::Span::seconds(2);
  EXPECT_EQ(query("1", {{"x-last-txn-ts", std::to_string(later.micros)}}).result(), "1");
  EXPECT_EQ(send("GET", "/ping").response.body, R"({"resource":"Scope write is OK"})");  // P19
  EXPECT_EQ(send("HEAD", "/ping").status(), 200);
}

TEST_F(ProtocolTest, BrowsersMaySendPreflightRequests) {
  const Reply reply =
      send("OPTIONS", "/query/1", "", {{"origin", "http://localhost:3000"}});  // P18
  EXPECT_EQ(reply.status(), 200);
  std::map<std::string, std::string> headers(reply.response.headers.begin(),
                                             reply.response.headers.end());
  EXPECT_EQ(headers["Access-Control-Allow-Methods"], "GET, POST, PUT, PATCH, DELETE");
  EXPECT_EQ(headers["Access-Control-Allow-Credentials"], "true");
  EXPECT_EQ(headers["Access-Control-Max-Age"], "86400");
  for (const char* name :
       {"authorization", "content-type", "traceparent", "x-driver-env", "x-format", "x-typecheck",
        "x-linearized", "x-performance-hints", "x-last-txn-ts", "x-max-contention-retries",
        "x-query-tags", "x-query-timeout-ms"}) {
    EXPECT_NE(headers["Access-Control-Allow-Headers"].find(name), std::string::npos) << name;
  }
  secret = "";
  EXPECT_EQ(send("OPTIONS", "/query/1").status(), 405) << "no page asks";
}

// A read does not advance the clock: a document that expires in a microsecond is visible to both of
// two reads.
TEST_F(ProtocolTest, InstantsOfQueriesNeverGoBack) {
  std::string last;
  for (const char* text : {"1", "1", "happy little fox", "abort(1)", "Collection.all()",
                           "Collection.create({name: 'C'})", "C.create({id: 1})", "1",
                           "if (false) { C.create({}) }", "1"}) {
    const std::string at = query(text).text("txn_ts");
    EXPECT_GE(at, last) << text;  // all have the same number of digits
    last = at;
  }
  EXPECT_EQ(query("C.byId(1)!.ts <= Time.now()").result(), "true");
  run_steps({{"", "C.create({id: 2, ttl: Time.now().add(2, 'microseconds')}).id", "\"2\""},
             {"", "1"},
             {"", "1"},
             {"", "C.byId(2).exists()", "true"}});
}

TEST_F(ProtocolTest, TheSchemaHasAVersion) {
  const Reply made = query(R"(Collection.create({name: "X"}))");  // P17
  EXPECT_EQ(made.status(), 200);
  EXPECT_EQ(query("1").text("schema_version"), made.text("txn_ts"));
}

TEST_F(ProtocolTest, PagesOfSets) {
  run_steps({
      {"P15", R"(Collection.create({name: "C"}))"},
      {"", "Set.sequence(0, 20).forEach(i => C.create({i: i}))"},
  });
  const Reply first = query("C.all()", {{"x-format", "tagged"}});
  EXPECT_EQ(first.at("data.@set.data").array().size(), 16u) << first.response.body;
  const std::string after = first.text("data.@set.after");
  ASSERT_FALSE(after.empty());
  const Reply last =
      query_body(R"({"query":{"fql":["Set.paginate(",{"value":")" + after + R"q("},")"]}})q",
                 {{"x-format", "tagged"}});
  EXPECT_EQ(last.at("data.data").array().size(), 4u) << last.response.body;
  EXPECT_TRUE(last.at("data.after").is_missing()) << last.response.body;
  run_steps({
      {"P16", R"(Set.paginate("bad"))", "invalid_cursor: Cursor cursor is invalid or expired."},
      {"", "Set.paginate(5)",
       "invalid_argument: expected value for `cursor` of type String, received Int"},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
