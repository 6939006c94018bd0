// Compute functions over the API: definitions, runs, and their bounds.
#include <gtest/gtest.h>

#include "dialect/centrali/functions/functions_testing.h"

namespace mayfly::centrali {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

TEST_F(FunctionsTest, AFunctionIsMadeChangedAndRemoved) {
  const std::string id = make_function("async function run() { return 1; }");
  const std::string path = functions + "/" + id;
  EXPECT_EQ(get(path).at({"name", "timeoutMs", "workspaceSlug", "description"}),
            "200 f 5000 acme null");
  EXPECT_EQ(patch(path, R"({"description":"d","timeoutMs":100})").at({"description", "timeoutMs"}),
            "200 d 100");
  EXPECT_EQ(send("PUT", path, R"({"name":"g"})").at({"name", "code", "createdAt"}),
            "200 g async function run() { return 1; } 2026-02-27T10:00:00Z");
  EXPECT_EQ(column(get(functions), "name"), "g");
  EXPECT_EQ(get(functions).at({"meta.total"}), "200 1");
  EXPECT_EQ(send("DELETE", path).status(), 204);
  EXPECT_EQ(get(path).status(), 404);
  EXPECT_EQ(get(A + "/compute-functions").at({"meta.total"}), "200 0");
}

TEST_F(FunctionsTest, WhatIsWrongIsNamed) {
  const std::pair<std::string, const char*> rows[] = {
      {R"({"code":"async function run() {}"})", "400 name"},
      {R"({"name":"f"})", "400 code"},
      {R"({"name":"f","code":"function run( {"})", "400 code"},
      {R"({"name":"f","code":"} function run() {"})", "400 code"},
      {R"({"name":"f","code":"const a = 1;"})", "400 code"},
      {R"({"name":"f","code":"const run = 1;"})", "400 code"},
      {R"({"name":"f","code":"throw new Error('no'); function run() {}"})", "400 code"},
      {R"({"name":"f","code":"async function run() {}","timeoutMs":0})", "400 timeoutMs"},
      {R"({"name":"f","code":"async function run() {}","timeoutMs":5001})", "400 timeoutMs"},
  };
  for (const auto& [body, error] : rows) {
    EXPECT_EQ(post(functions, body).at({"details[0].field"}), error) << body;
  }
  const std::string id = make_function("async function run() {}");
  EXPECT_EQ(patch(functions + "/" + id, R"({"code":"nothing"})").at({"details[0].field"}),
            "400 code");
  EXPECT_EQ(patch(functions + "/none", "{}").status(), 404);
}

TEST_F(FunctionsTest, DefinitionsHaveBounds) {
  const std::string spaces(limits::function_code_bytes_max, ' ');
  const auto body = [](const std::string& code, const std::string& more = "") {
    return R"({"name":"f","code":")" + code + "\"" + more + "}";
  };
  EXPECT_EQ(post(functions, body("function run() {}" + spaces)).at({"details[0].field"}),
            "400 code");
  const std::string longest(limits::function_other_bytes_max, 'x');
  EXPECT_EQ(
      post(functions, body("function run() {}", R"(,"description":")" + longest + "\"")).status(),
      413);
  for (std::size_t i = 0; i < limits::functions_max; ++i) make_function("function run() {}");
  EXPECT_EQ(post(functions, body("function run() {}")).status(), 413);
}

TEST_F(FunctionsTest, AFunctionWithATriggerIsNotRemoved) {
  const std::string id = make_function("async function run() {}");
  const std::string trigger = make_trigger(id, "on-demand", "{}");
  EXPECT_EQ(send("DELETE", functions + "/" + id).status(), 409);
  EXPECT_EQ(send("DELETE", triggers + "/" + trigger).status(), 204);
  EXPECT_EQ(send("DELETE", functions + "/" + id).status(), 204);
}

TEST_F(FunctionsTest, ARunWritesAndReadsRecords) {
  make_structures();
  const Value run = run_code(R"js(
    const made = await api.createRecord('S', { userId: 'u' }, { ttlSeconds: 60 });
    const until = made.expiresAt;
    const changed = await api.updateRecord(made.id, { token: 't' });
    const by_slug = await api.updateRecord('S', made.id, { token: 'tt' }, { clearTtl: true });
    const read = await api.fetchRecord(made.id);
    const same = await api.getRecord('S', made.id);
    const found = await api.queryRecords('S', { where: { 'data.userId': { eq: 'u' } },
                                                includeTotal: true });
    const upserted = await api.upsertRecord('S', { userId: 'v' }, { token: 'n' });
    await api.deleteRecord(made.id);
    const restored = await api.restoreRecord(made.id);
    await api.deleteRecord(made.id, true);
    const gone = await api.fetchRecord(made.id).catch((error) => [error.status, error.code]);
    return [until, changed.data.token, by_slug.expiresAt, read.data, same.version,
            found.items.length, found.total, upserted.operation, restored.id === made.id, gone,
            made.createdBy.startsWith('function:')];
  )js");
  EXPECT_EQ(render_json(run.member("result")),
            R"(["2026-02-27T10:01:00Z","t",null,{"userId":"u","token":"tt"},3,1,1,"created",true,)"
            R"([404,"NOT_FOUND"],true])")
      << render_json(run);
}

TEST_F(FunctionsTest, ARefusedOperationRejectsItsPromise) {
  make_structures();
  EXPECT_EQ(outcome("return await api.createRecord('S', {}).catch((e) => e.details[0].field);"),
            R"(completed "userId")");
  EXPECT_EQ(outcome("await api.createRecord('none', {});").substr(0, 12), "failed Error");
  EXPECT_EQ(outcome("await api.createRecord('S', { userId: 'u' }, { ttl: 1 });")
                .find("there is no option 'ttl'"),
            14U);
  EXPECT_EQ(outcome("await api.deleteRecord();").find("id is required"), 14U);
  EXPECT_EQ(outcome("throw { a: 1 };").substr(0, 14), R"(failed {"a":1})");
  EXPECT_EQ(outcome("await new Promise(() => {});").substr(0, 19), "failed Error: run()");
  // A condition on undefined matches nothing, not everything.
  make_record();
  EXPECT_EQ(outcome("return (await api.queryRecords('S', { where: { 'data.userId': "
                    "{ eq: executionParams.none } } })).items.length;"),
            "completed 0");
}

TEST_F(FunctionsTest, ARunIsStoredWithItsLog) {
  const Value run = run_code("console.log('a', { b: 1 }); console.error(new Error('c'));");
  EXPECT_EQ(run.member("log").text(), "a {\"b\":1}\nERROR Error: c");
  EXPECT_EQ(run.member("startedAt").text(), start_time_text);
  EXPECT_EQ(run.member("executionSource").text(), "on-demand");
  const std::string path = runs + "/" + run.member("id").text();
  EXPECT_EQ(get(path).at({"status", "result"}), "200 completed null");
  run_code("throw 1;");
  EXPECT_EQ(column(get(runs + "?status=failed"), "status"), "failed");
  EXPECT_EQ(column(get(runs + "?status=completed"), "status"), "completed");
  EXPECT_EQ(get(runs + "?status=done").status(), 400);
  EXPECT_EQ(column(get(runs + "?functionId=none"), "status"), "");
  EXPECT_EQ(get(runs + "/none").status(), 404);
  pass(limits::function_runs_kept_for.whole_seconds() - 1);
  EXPECT_EQ(get(path).status(), 200);
  pass(2);
  EXPECT_EQ(get(path).status(), 404);
  EXPECT_EQ(column(get(runs), "status"), "");
}

TEST_F(FunctionsTest, ARunHasBounds) {
  make_structures();
  const auto times = [](std::size_t count, const std::string& code) {
    return "for (let i = 0; i < " + std::to_string(count) + "; ++i) { " + code + " }";
  };
  EXPECT_EQ(outcome(times(limits::function_calls_max + 1, "await api.queryRecords('S');"))
                .find("a run calls functions of api at most"),
            14U);
  EXPECT_EQ(outcome(times(limits::function_writes_max + 1,
                          "await api.deleteRecord('x').catch(e "
                          "=> { if (e.status !== 404) throw e; "
                          "});"))
                .find("a run writes at most"),
            14U);
  EXPECT_EQ(outcome("return 'x'.repeat(" + std::to_string(limits::function_result_bytes_max) + ");")
                .substr(0, 17),
            "failed run() gave");
  const Value run =
      run_code(times(3, "console.log('é'.repeat(40000));") + "throw 'x'.repeat(9999)");
  EXPECT_LE(run.member("log").text().size(), limits::function_log_bytes_max);
  EXPECT_GT(run.member("log").text().size(), limits::function_log_bytes_max - 4);
  EXPECT_EQ(run.member("error").text().size(), limits::function_error_bytes_max);
}

TEST_F(FunctionsTest, ARunThatTakesTooLongIsStopped) {
  const std::string id = make_function("function run() { for (;;) {} }", R"(,"timeoutMs":50)");
  EXPECT_EQ(invoke(make_trigger(id, "on-demand", "{}")).at({"status"}), "200 timeout");
}

TEST_F(FunctionsTest, RequestsOverHttpNeedASetting) {
  const std::string code =
      "return await api.httpPost('https://a.example/x', { b: 1 }, { headers: "
      "{ 'X-Own': 'y' } }).then((a) => [a.status, a.data]);";
  EXPECT_NE(outcome(code).find("functions.allow_outbound"), std::string::npos);
  EXPECT_TRUE(calls.empty());
  options.functions_reach_out = true;
  restart();
  answer_of_call = net::Response{.status = 201, .body = R"({"c":2})"};
  EXPECT_EQ(outcome(code), R"(completed [201,{"c":2}])");
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].method + " " + calls[0].url + " " + calls[0].body,
            R"(POST https://a.example/x {"b":1})");
  EXPECT_EQ(calls[0].address_policy, net::AddressPolicy::public_only);
  EXPECT_EQ(calls[0].answer_bytes_max, limits::function_answer_bytes_max);
  EXPECT_NE(outcome("await api.httpGet('http://127.0.0.1/');").find("private"), std::string::npos);
  EXPECT_NE(outcome("await api.httpRequest({ url: 'https://a.example/', headers: { host: 'b' } });")
                .find("headers"),
            std::string::npos);
  const std::string many = std::to_string(limits::function_requests_max + 1);
  EXPECT_NE(
      outcome("for (let i = 0; i < " + many + "; ++i) await api.httpGet('https://a.example/');")
          .find("a run makes at most"),
      std::string::npos);
}

TEST_F(FunctionsTest, AnAnswerOverHttpIsReadAsByFetch) {
  options.functions_reach_out = true;
  restart();
  const std::string code =
      "const a = await api.httpGet('https://a.example/'); return [a.headers, a.body, a.data];";
  answer_of_call =
      net::Response{.headers = {{"Set-Cookie", "a=1"}, {"x-odd", "\xFF"}, {"set-cookie", "b=2"}},
                    .body = "\xEF\xBB\xBF[\"\xFF\xE2\x82\"]"};
  EXPECT_EQ(outcome(code), R"(completed [{"Set-Cookie":"a=1, b=2","x-odd":"�"},"[\"��\"]",)"
                           R"(["��"]])");
  answer_of_call = net::Response{.body = std::string(limits::function_answer_bytes_max, '\xFF')};
  EXPECT_EQ(outcome("return (await api.httpGet('https://a.example/')).body.length;"),
            "completed " + std::to_string(limits::function_answer_bytes_max));
  answer_of_call = fail(Code::too_large, "https://a.example/: the answer is too large");
  EXPECT_EQ(outcome("return await api.httpGet('https://a.example/')"
                    ".catch((error) => [error.status, error.message]);"),
            R"(completed [413,"https://a.example/: the answer is too large"])");
}

}  // namespace
}  // namespace mayfly::centrali
