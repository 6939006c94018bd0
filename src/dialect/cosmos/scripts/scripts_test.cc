// Stored procedures, triggers and user defined functions, case by case (spec cosmos-cases.md,
// sections A and F).
#include <fmt/format.h>

#include "dialect/common/limits.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/testing.h"
#include "net/message.h"
#include "net/requests/testing.h"

namespace mayfly::cosmos::testing {
namespace {

const std::string procedures = container + "/sprocs";
const std::string triggers = container + "/triggers";
const std::string functions = container + "/udfs";
constexpr const char* named_before = "x-ms-documentdb-pre-trigger-include";
constexpr const char* named_after = "x-ms-documentdb-post-trigger-include";

class CosmosScriptRuns : public ::testing::Test {
 protected:
  CosmosScriptRuns() : account(Account::with_container(R"("defaultTtl":-1)")) {}

  void define(const std::string& feed, const std::string& id, const std::string& body,
              const std::string& more = "") {
    std::string script = R"({"id":")" + id + R"(","body":)";
    render_json_text(body, script);
    const Answer made =
        account->send("POST", feed, script + more + "}", {{"x-ms-documentdb-is-upsert", "true"}});
    EXPECT_LT(made.status, 300) << made.response.body;
  }
  void define_trigger(const std::string& id, const std::string& type, const std::string& operation,
                      const std::string& body) {
    define(triggers, id, body,
           R"(,"triggerType":")" + type + R"(","triggerOperation":")" + operation + "\"");
  }
  Answer execute(const std::string& body, const std::string& arguments = "[]",
                 std::vector<net::Pair> headers = {key_a}) {
    define(procedures, "p", body);
    return account->send("POST", procedures + "/p", arguments, std::move(headers));
  }
  // The answer of the procedure, or the message of its failure.
  std::string reported(const std::string& body, const std::string& arguments = "[]") {
    const Answer answer = execute(body, arguments);
    return answer.status == 200 ? answer.response.body : answer.message();
  }
  Answer query(const std::string& text, std::vector<net::Pair> headers = {}) {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    headers.emplace_back("x-ms-documentdb-isquery", "true");
    headers.push_back(first_range);
    return account->send("POST", documents, body + "}", std::move(headers));
  }
  std::string rows(const std::string& text) {
    const Answer answer = query(text);
    return answer.status == 200 ? render_json(answer.body.member("Documents")) : answer.message();
  }
  std::string ids() { return rows("SELECT VALUE c.id FROM c"); }

  std::unique_ptr<Account> account;
};

// --- procedures ---

TEST_F(CosmosScriptRuns, AnswerWithTheBodyThatTheySet) {  // S1
  EXPECT_EQ(reported("function () { getContext().getResponse().setBody('hi'); }"), R"("hi")");
  EXPECT_EQ(
      reported("function (a, b) { getContext().getResponse().setBody({ a, b }); }", R"([1,"x"])"),
      R"({"a":1,"b":"x"})");
  EXPECT_EQ(reported("function () { const r = __.response; r.setBody('a'); r.appendBody('b'); }"),
            R"("ab")");
  const Answer silent = execute("function () {}");
  EXPECT_EQ(silent.status, 200);
  EXPECT_EQ(silent.response.body, "");
  EXPECT_NE(silent.header("x-ms-session-token"), "");
  EXPECT_EQ(account->send("POST", procedures + "/nobody", "[]", {key_a}).status, 404);
  EXPECT_EQ(account->send("POST", procedures + "/p", "[]").status, 400);
}

TEST_F(CosmosScriptRuns, KeepNoWritesOfAScriptThatThrows) {  // S2
  const Answer thrown = execute(
      "function () { const c = getContext().getCollection();"
      "  c.createDocument(c.getSelfLink(), { id: '1', pk: 'a' }, (error) => {"
      "    if (error) throw error; throw new Error('after all'); }); }");
  EXPECT_EQ(thrown.status, 400);
  EXPECT_NE(thrown.message().find("Error: after all"), std::string::npos) << thrown.message();
  EXPECT_NE(thrown.message().find("Stack trace:"), std::string::npos);
  EXPECT_EQ(account->get("1").status, 404);
}

TEST_F(CosmosScriptRuns, CreateReadReplaceAndDeleteDocuments) {
  const Answer done = execute(R"js(function () {
    const c = getContext().getCollection(), seen = [];
    const check = (act) => (error, doc, options) => { if (error) throw error; act(doc, options); };
    c.createDocument(c.getAltLink(), { id: '1', pk: 'a', n: 1 }, check((made) => {
      seen.push(made.n);
      c.replaceDocument(made._self, { ...made, n: 2 }, { etag: made._etag }, check((replaced) => {
        seen.push(replaced.n);
        c.readDocument(c.getAltLink() + '/docs/1', {}, check((read) => {
          seen.push(read.n);
          c.upsertDocument(c.getSelfLink(), { pk: 'a', n: 4 }, check((added) => {
            seen.push(added.n, added.id.length);
            c.deleteDocument(added._self, check(() => {
              c.queryDocuments(c.getSelfLink(), 'SELECT VALUE c.n FROM c', check((all) => {
                getContext().getResponse().setBody({ seen, all, read });
              }));
            }));
          }));
        }));
      }));
    }));
  })js");
  ASSERT_EQ(done.status, 200) << done.response.body;
  EXPECT_EQ(render_json(done.body.member("seen")), "[1,2,2,4,36]");
  EXPECT_EQ(render_json(done.body.member("all")), "[2]");
  EXPECT_EQ(ids(), R"(["1"])");
  // It is reported as committed.
  EXPECT_EQ(render_json(done.body.member("read")), render_json(account->get("1").body));
}

TEST_F(CosmosScriptRuns, MayHandleFailures) {
  account->create("1");
  EXPECT_EQ(reported("function () { const c = getContext().getCollection();"
                     "  c.createDocument(c.getSelfLink(), { id: '1', pk: 'a' }, (error) => {"
                     "    getContext().getResponse().setBody(error.number); }); }"),
            "409");
  const std::string unnoticed = reported(
      "function () { const c = getContext().getCollection();"
      "  c.createDocument(c.getSelfLink(), { id: '1', pk: 'a' }); }");
  EXPECT_NE(unnoticed.find("already exists"), std::string::npos) << unnoticed;
  EXPECT_EQ(
      reported(
          "async function () { const c = getContext().getCollection();"
          "  const read = (id) => new Promise((done, failed) => c.readDocument("
          "    c.getAltLink() + '/docs/' + id, (error, doc) => error ? failed(error) : done(doc)));"
          "  const one = await read('1');"
          "  try { await read('2'); } catch (error) {"
          "    getContext().getResponse().setBody([one.id, error.number]); } }"),
      R"(["1",404])");
}

TEST_F(CosmosScriptRuns, StayWithinTheirPartitionAndContainer) {
  account->send("POST", documents, R"({"id":"b","pk":"b"})");
  account->create("a");
  EXPECT_EQ(reported("function () { const c = getContext().getCollection();"
                     "  c.queryDocuments(c.getSelfLink(), { query: 'SELECT VALUE c.id FROM c WHERE "
                     "c.id != @no',"
                     "    parameters: [{ name: '@no', value: 'x' }] }, (error, rows) => {"
                     "      getContext().getResponse().setBody(rows); }); }"),
            R"(["a"])");
  for (const char* attempt :
       {"c.createDocument(c.getSelfLink(), { id: '2', pk: 'b' })",
        "c.deleteDocument(c.getAltLink() + '/docs/b')", "c.createDocument('dbs/d/colls/other', {})",
        "c.readDocument('dbs/d/colls/other/docs/a')", "c.createDocument(7, {})"}) {
    const Answer refused = execute(
        fmt::format("function () {{ const c = getContext().getCollection(); {}; }}", attempt));
    EXPECT_EQ(refused.status, 400) << attempt;
  }
  const std::string by_rid =
      account->send("POST", documents, R"({"id":"c","pk":"b"})").body.member("_self").text();
  EXPECT_NE(reported("function (link) { __.deleteDocument(link); }", "[\"" + by_rid + "\"]")
                .find("partition keys other than"),
            std::string::npos);
}

TEST_F(CosmosScriptRuns, SeeNothingExpired) {  // T65
  account->create("lives");
  account->create("dies", R"("ttl":5)");
  const auto seen = [&] {
    return reported(
        "function () { const c = getContext().getCollection();"
        "  c.queryDocuments(c.getSelfLink(), 'SELECT VALUE c.id FROM c', (e, rows) => {"
        "    c.readDocument(c.getAltLink() + '/docs/dies', (error) => {"
        "      getContext().getResponse().setBody([rows, error ? error.number : 'there']);"
        "    }); }); }");
  };
  account->clock.advance(Span{4'999'000});  // storing the script takes an instant, too
  EXPECT_EQ(seen(), R"([["lives","dies"],"there"])");
  account->clock.advance(Span{1'000});
  EXPECT_EQ(seen(), R"([["lives"],404])");
  define(functions, "shout", "function (x) { return x.toUpperCase(); }");
  EXPECT_EQ(rows("SELECT VALUE udf.shout(c.id) FROM c"), R"(["LIVES"])");
}

TEST_F(CosmosScriptRuns, ReadInPages) {
  for (const char* id : {"1", "2", "3"}) account->create(id);
  EXPECT_EQ(reported(R"js(function () {
    const c = getContext().getCollection(), pages = [];
    const read = (continuation) => c.queryDocuments(c.getSelfLink(), 'SELECT VALUE c.id FROM c',
      { pageSize: 2, continuation }, (error, rows, options) => {
        if (error) throw error;
        pages.push(rows);
        if (options.continuation) read(options.continuation);
        else getContext().getResponse().setBody(pages);
      });
    read();
  })js"),
            R"([["1","2"],["3"]])");
  const std::string forged = encode_base64url(Bytes(64, '\1'));
  EXPECT_NE(reported("function () { const c = getContext().getCollection();"
                     "  c.queryDocuments(c.getSelfLink(), 'SELECT VALUE c.id FROM c',"
                     "    { pageSize: 2, continuation: '" +
                     forged +
                     "' }, (error) =>"
                     "    getContext().getResponse().setBody(error.body)); }")
                .find("Invalid Continuation Token"),
            std::string::npos);
}

TEST_F(CosmosScriptRuns, QueryByFunctions) {
  account->create("1", R"("n":3,"tags":["x","y"],"s":"q")");
  account->create("2", R"("n":1,"tags":["x"])");
  account->create("3", R"("n":2)");
  EXPECT_EQ(reported("function () { __.filter((doc) => doc.n > 2); }").substr(0, 9),
            R"([{"id":"1)");
  EXPECT_EQ(reported("function () { __.map((doc) => doc.n); }"), "[3,1,2]");
  EXPECT_EQ(reported("function () { __.pluck('s'); }"), R"(["q"])");
  EXPECT_EQ(reported("function () { __.chain().pluck('tags').flatten().value(); }"),
            R"(["x","y","x"])");
  EXPECT_EQ(reported("function () { __.chain().sortBy((doc) => doc.n).pluck('id').value(); }"),
            R"(["2","3","1"])");
  EXPECT_EQ(
      reported("function () { __.chain().sortByDescending((doc) => doc.n).map((doc) => doc.id)"
               "  .value((error, ids) => __.response.setBody({ ids })); }"),
      R"({"ids":["1","3","2"]})");
  EXPECT_EQ(reported("function () { __.unwind((doc) => doc.tags, (doc, tag) => doc.id + tag); }"),
            R"(["1x","1y","2x"])");
  EXPECT_EQ(reported("function () { const taken = __.chain().filter((doc) => doc.n < 3).value("
                     "  { pageSize: 2 }, (error, rows, options) => __.response.setBody("
                     "    [taken.isAccepted, rows.length, !!options.continuation])); }"),
            "[true,1,true]");
  EXPECT_NE(
      reported("function () { __.filter(() => { throw new Error('no'); }); }").find("Error: no"),
      std::string::npos);
}

TEST_F(CosmosScriptRuns, LogIfRequested) {
  const char* body = "function (x) { console.log('é is', { x }); console.log(1); }";
  EXPECT_EQ(execute(body, "[2]").header("x-ms-documentdb-script-log-results"), "");
  const std::vector<net::Pair> asked{key_a, {"x-ms-documentdb-script-enable-logging", "true"}};
  EXPECT_EQ(execute(body, "[2]", asked).header("x-ms-documentdb-script-log-results"),
            "%C3%A9%20is%20%7B%22x%22%3A2%7D%0A1");
  const Answer long_log = execute("function () { console.log('é'.repeat(1e6)); }", "[]", asked);
  EXPECT_LE(long_log.header("x-ms-documentdb-script-log-results").size(),
            3 * limits::script_log_bytes_max);
}

TEST_F(CosmosScriptRuns, AreStoppedAtTheirBounds) {
  account->answer_by = monotonic_now() + Span::millis(300);
  const Answer endless = execute("function () { for (;;) {} }");
  EXPECT_EQ(endless.status, 408);
  EXPECT_NE(endless.message().find("script_time_max"), std::string::npos);
  account->answer_by = Instant::never();
  const Answer greedy = execute("function () { const all = []; for (;;) all.push({}); }");
  EXPECT_EQ(greedy.status, 413);
  EXPECT_NE(greedy.message().find("script_heap_bytes_max"), std::string::npos);
  EXPECT_EQ(reported("function () { __.response.setBody(1); }"), "1");
}

TEST_F(CosmosScriptRuns, AreAskedToEndBeforeTheyHaveWrittenTooMuch) {
  const Answer done = execute(R"js(function () {
    let count = 0;
    const again = () => {
      const accepted = __.createDocument(__.getSelfLink(), { pk: 'a' }, (error) => {
        if (error) throw error;
        ++count;
        again();
      });
      if (!accepted) __.response.setBody(count);
    };
    again();
  })js");
  ASSERT_EQ(done.status, 200) << done.response.body;
  EXPECT_LE(done.body.integer(), static_cast<std::int64_t>(limits::transaction_operations_max));
  EXPECT_EQ(rows("SELECT VALUE COUNT(1) FROM c"), "[" + done.response.body + "]");
}

TEST_F(CosmosScriptRuns, NeedATokenForTheirPartition) {
  account->send("POST", "/dbs/d/users", R"({"id":"u"})");
  const Answer given = account->send(
      "POST", "/dbs/d/users/u/permissions",
      R"({"id":"p","permissionMode":"All","resource":"dbs/d/colls/c","resourcePartitionKey":["a"]})");
  std::string token;
  const Value unescaped = given.body.member("_token");
  for (const char c : unescaped.text()) {
    token += c == '=' ? "%3D" : c == '&' ? "%26" : std::string(1, c);
  }
  define(procedures, "p", "function () { __.response.setBody(1); }");
  const auto status = [&](const char* key) {
    return account
        ->send_as_it_is("POST", procedures + "/p", "[]",
                        {{"x-ms-date", date}, {"authorization", token}, {key_a.first, key}})
        .status;
  };
  EXPECT_EQ(status(R"(["a"])"), 200);
  EXPECT_EQ(status(R"(["b"])"), 403);
}

// --- triggers ---

TEST_F(CosmosScriptRuns, ChangeABodyBeforeItIsWritten) {  // S3
  define_trigger("upper", "Pre", "All",
                 "function () { const r = getContext().getRequest(), body = r.getBody();"
                 "  body.id = body.id.toUpperCase(); body.by = r.getOperationType();"
                 "  r.setBody(body); }");
  const Answer made = account->create("x", "", {{named_before, "upper"}});
  EXPECT_EQ(made.body.member("id").text(), "X");
  EXPECT_EQ(made.body.member("by").text(), "Create");
  EXPECT_EQ(account->create("y").body.member("id").text(), "y");
  EXPECT_EQ(account->upsert("z", "", {{named_before, "upper"}}).body.member("by").text(), "Upsert");
  EXPECT_EQ(account->put("X", "", {{named_before, " upper "}}).body.member("by").text(), "Replace");
  EXPECT_EQ(
      account
          ->create("w", "",
                   {{named_before, "upper"}, {"x-ms-documentdb-pre-trigger-exclude", "upper"}})
          .body.member("id")
          .text(),
      "w");
}

TEST_F(CosmosScriptRuns, UndoTheWriteThatTheyFollow) {
  define_trigger("refuse", "Post", "Create",
                 "function () { throw new Error('no ' + "
                 "getContext().getResponse().getBody().id); }");
  const Answer refused = account->create("1", "", {{named_after, "refuse"}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.message().find("Error: no 1"), std::string::npos);
  EXPECT_EQ(account->get("1").status, 404);
}

TEST_F(CosmosScriptRuns, WriteInTheTransactionOfWhatTheyFollow) {
  define_trigger("count", "Post", "All",
                 "function () { const c = getContext().getCollection();"
                 "  c.upsertDocument(c.getSelfLink(), { id: 'last', pk: 'a',"
                 "    did: getContext().getRequest().getOperationType() }); }");
  account->create("1", "", {{named_after, "count"}});
  EXPECT_EQ(account->get("last").body.member("did").text(), "Create");
  EXPECT_EQ(account->remove("1", {{named_after, "count"}}).status, 204);
  EXPECT_EQ(account->get("last").body.member("did").text(), "Delete");
}

TEST_F(CosmosScriptRuns, ChangeTheAnswerToWhatTheyFollow) {
  define_trigger("tell", "Post", "All",
                 "function () { const r = getContext().getResponse(), doc = r.getBody();"
                 "  r.setBody({ ...doc, reported: doc.id + '!' }); }");
  define_trigger("look", "Post", "All", "function () { getContext().getResponse().getBody(); }");
  const Answer made = account->create("1", R"("big":9007199254740993)", {{named_after, "tell"}});
  EXPECT_EQ(made.body.member("reported").text(), "1!");
  EXPECT_EQ(made.body.member("_etag").text(), made.header("etag"));
  EXPECT_TRUE(account->get("1").body.member("reported").is_missing());
  const Answer left = account->create("2", R"("big":9007199254740993)", {{named_after, "look"}});
  EXPECT_EQ(render_json(left.body), render_json(account->get("2").body));
}

TEST_F(CosmosScriptRuns, RunOnlyForWhatTheyAreDefinedFor) {
  define_trigger("deletes", "Pre", "Delete", "function () {}");
  EXPECT_EQ(account->create("1", "", {{named_before, "deletes"}}).status, 400);
  EXPECT_EQ(account->create("1", "", {{named_after, "deletes"}}).status, 400);
  EXPECT_EQ(account->create("1", "", {{named_before, "nobody"}}).status, 400);
  std::string many = "deletes";
  for (std::size_t i = 0; i < limits::script_triggers_max; ++i) many += ",deletes";
  const Answer too_many = account->create("1", "", {{named_before, many}});
  EXPECT_NE(too_many.message().find("script_triggers_max"), std::string::npos);
  account->create("1");
  EXPECT_EQ(account->remove("1", {{named_before, "deletes"}}).status, 204);
  net::Request request{.method = "POST", .target = documents, .path = documents};
  EXPECT_EQ(net::PendingRequest(*account->dialect, request)->pace(), net::Pace::quick);
  request.headers.emplace_back(named_before, "deletes");
  EXPECT_EQ(net::PendingRequest(*account->dialect, request)->pace(), net::Pace::worker);
}

// --- user defined functions ---

TEST_F(CosmosScriptRuns, AreCalledByQueries) {  // S4
  for (int n : {1, 2, 3}) account->create(std::to_string(n), fmt::format(R"("n":{})", n));
  define(functions, "twice", "function twice(x) { return x === undefined ? 'none' : x * 2; }");
  define(functions, "fails", "function () { throw new Error('never'); }");
  const std::pair<const char*, const char*> table[] = {
      {"SELECT VALUE udf.twice(c.n) FROM c", "[2,4,6]"},
      {"SELECT VALUE c.id FROM c WHERE udf.twice(c.n) > 3", R"(["2","3"])"},
      {"SELECT VALUE udf.twice(c.none) FROM c WHERE c.n = 1", R"(["none"])"},
      {"SELECT VALUE udf.twice(udf.twice(SUM(c.n))) FROM c", "[24]"},
      {"SELECT udf.twice(1) AS two", R"([{"two":2}])"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(rows(text), expected) << text;
  const std::pair<const char*, const char*> refused[] = {
      {"SELECT udf.nobody(1)", "'nobody' is not a recognized user defined function"},
      {"SELECT udf.fails()", "Error: never"},
      {"SELECT * FROM c ORDER BY udf.twice(c.n)", "could not be mapped to a document path"},
  };
  for (const auto& [text, word] : refused) {
    const Answer answer = query(text);
    EXPECT_EQ(answer.status, 400) << text;
    EXPECT_NE(answer.message().find(word), std::string::npos) << text << ": " << answer.message();
  }
  const auto calls = [](std::size_t count) {
    std::string text = "SELECT VALUE 0";
    for (std::size_t i = 0; i < count; ++i) text += " + udf.twice(1)";
    return text;
  };
  EXPECT_EQ(rows(calls(limits::sql_user_functions_max)), "[20]");
  EXPECT_NE(rows(calls(limits::sql_user_functions_max + 1)).find("references"), std::string::npos);
}

TEST_F(CosmosScriptRuns, AreCalledByTheQueriesOfOtherScripts) {
  account->create("1", R"("n":1)");
  define(functions, "twice", "function (x) { return x * 2; }");
  EXPECT_EQ(
      reported("function () { __.queryDocuments(__.getSelfLink(), 'SELECT VALUE udf.twice(c.n) "
               "FROM c', (error, rows) => { __.response.setBody(rows); }); }"),
      "[2]");
}

TEST_F(CosmosScriptRuns, AreStoppedInQueriesToo) {
  account->create("1");
  define(functions, "endless", "function () { for (;;) {} }");
  account->answer_by = monotonic_now() + Span::millis(300);
  EXPECT_EQ(query("SELECT VALUE udf.endless() FROM c").status, 408);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
