// The fixture of tests of functions and triggers: a server that runs scripts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "delivery/deliveries.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/testing.h"
#include "script/pool.h"
#include "script/runner.h"

namespace mayfly::centrali::testing {

class FunctionsTest : public CentraliTest {
 protected:
  FunctionsTest() : CentraliTest(Events::by_hand) {
    own_deliveries = std::make_unique<delivery::Deliveries>(
        *database, database->jobs(), random, std::vector<std::unique_ptr<delivery::Target>>());
    scripts = &pool;
    runner = &own_runner;
    deliveries = own_deliveries.get();
    restart();
  }
  ~FunctionsTest() override { dialect.reset(); }

  void send_to_webhook(net::OutgoingCall call, net::Caller::Done done) override {
    calls.push_back(std::move(call));
    done(answer_of_call);
  }

  std::string make_function(const std::string& code, const std::string& more = "") {
    std::string text;
    render_json_text(code, text);
    const Reply made = post(functions, R"({"name":"f","code":)" + text + more + "}");
    EXPECT_EQ(made.status(), 201) << made.response.body;
    return made.text("id");
  }
  Reply ask_for_trigger(const std::string& function, const std::string& type,
                        const std::string& metadata) {
    return post(triggers, R"({"name":"t","functionId":")" + function + R"(","executionType":")" +
                              type + R"(","triggerMetadata":)" + metadata + "}");
  }
  std::string make_trigger(const std::string& function, const std::string& type,
                           const std::string& metadata) {
    const Reply made = ask_for_trigger(function, type, metadata);
    EXPECT_EQ(made.status(), 201) << made.response.body;
    return made.text("id");
  }
  Reply invoke(const std::string& trigger, const std::string& body = "") {
    return post(triggers + "/" + trigger + "/invoke", body);
  }
  // The run of a function with this body.
  Value run_code(const std::string& body) {
    const std::string id = make_function("async function run() {" + body + "}");
    return invoke(make_trigger(id, "on-demand", "{}")).body;
  }
  // "completed RESULT" or "failed ERROR".
  std::string outcome(const std::string& body) {
    const Value run = run_code(body);
    const Value error = run.member("error");
    return run.member("status").text() + " " +
           (error.is(Kind::text) ? error.text() : render_json(run.member("result")));
  }

  const std::string functions = D + "/compute-functions";
  const std::string triggers = D + "/function-triggers";
  const std::string runs = D + "/function-runs";
  const std::string start_time_text{start_time};
  std::vector<net::OutgoingCall> calls;
  Result<net::Response> answer_of_call = net::Response{.status = 200};
  script::Pool pool;
  script::Runner own_runner;
  std::unique_ptr<delivery::Deliveries> own_deliveries;
};

}  // namespace mayfly::centrali::testing
