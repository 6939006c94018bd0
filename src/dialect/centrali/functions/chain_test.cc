// Chains: the depth of a run and the run that began its chain are found by the instant of its
// commits, for a day.
#include "dialect/centrali/functions/chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "dialect/centrali/functions/functions_testing.h"
#include "dialect/centrali/requests/routes.h"
#include "dialect/centrali/triggers/target.h"

namespace mayfly::centrali {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

using FunctionRun = Run;  // a test has a member of this name

class ChainTest : public FunctionsTest {
 protected:
  ChainLink link_at(Instant t) {
    View view = database->view();
    const auto link = find_chain_link(view, view.catalog().find_database("acme")->id, t);
    EXPECT_TRUE(link);
    return link.value_or(ChainLink{-1});
  }
  std::int64_t depth_at(Instant t) { return link_at(t).depth; }
  // The run of the trigger for an event of the commit at that instant.
  FunctionRun run_for(delivery::Target& target, const std::string& trigger, Instant committed_at) {
    pass(1);
    const std::string payload = R"({"cause":)" + std::to_string(committed_at.micros) + "}";
    const delivery::Message message{.database = "acme", .payload = payload};
    const Object settings;
    std::promise<delivery::AttemptOutcome> outcome;
    target.send({.subscription = trigger, .settings = settings, .message = message},
                [&](delivery::AttemptOutcome end) { outcome.set_value(std::move(end)); });
    const delivery::AttemptOutcome end = outcome.get_future().get();
    EXPECT_EQ(end.kind, delivery::AttemptOutcome::Kind::taken) << end.error;
    View view = database->view();
    const auto workspace = view.catalog().find_database("acme");
    const auto all = PrivateTable<FunctionRun>::find(view.catalog(), workspace->id).list(view);
    EXPECT_TRUE(all && !all->empty());
    if (!all || all->empty()) return {};
    return *std::ranges::max_element(*all, {}, &FunctionRun::created_at);
  }
  Instant written_at(const std::string& record) {
    View view = database->view();
    const auto workspace = view.catalog().find_database("acme");
    const auto collection = view.catalog().find_collection(workspace->id, "s");
    const auto document = view.get(*collection, DocumentKey::of(record), view.live());
    EXPECT_TRUE(document && *document);
    return (*document)->version.written_at;
  }
};

TEST_F(ChainTest, AWriteOfAFunctionStoresTheLengthOfTheChain) {
  make_structures();
  const std::string by_client = make_record();
  EXPECT_EQ(depth_at(written_at(by_client)), 0);
  const Value run = run_code("return (await api.createRecord('S', { userId: 'u' })).id;");
  const Instant at = written_at(run.member("result").text());
  EXPECT_EQ(depth_at(at), 1);
  EXPECT_EQ(depth_at(at + Span{1}), 0);
  pass(limits::function_chain_kept_for.whole_seconds() - 1);
  EXPECT_EQ(depth_at(at), 1);
  pass(2);
  EXPECT_EQ(depth_at(at), 0);
}

TEST_F(ChainTest, AChainIsThatOfTheRunThatBeganIt) {
  make_structures();
  const Value root = run_code("return (await api.createRecord('S', { userId: 'u' })).id;");
  const Instant began_at = written_at(root.member("result").text());
  EXPECT_EQ(link_at(began_at).root, root.member("id").text());
  const std::string function = make_function(
      "async function run() { return (await api.createRecord('S', { userId: 'u' })).id; }");
  const std::string trigger =
      make_trigger(function, "event-driven", R"({"event":"record_created"})");
  dialect.reset();
  const Services services{.database = *database,
                          .random = random,
                          .credentials = credentials,
                          .page_tokens = page_tokens,
                          .scripts = scripts,
                          .runner = runner};
  Directory directory;
  Functions functions({services, options, directory, {}});
  const auto target = function_target(functions, *database);
  Instant at = began_at;
  for (std::int64_t depth = 2; depth <= limits::function_chain_max; ++depth) {
    const FunctionRun run = run_for(*target, trigger, at);
    ASSERT_EQ(run.status(), FunctionRun::Status::completed) << run.text("error");
    const std::string record = run.text("result");
    at = written_at(record.substr(1, record.size() - 2));
    EXPECT_EQ(link_at(at).depth, depth);
    EXPECT_EQ(link_at(at).root, root.member("id").text());
  }
  const FunctionRun cut = run_for(*target, trigger, at);
  EXPECT_EQ(cut.status(), FunctionRun::Status::failed);
  EXPECT_EQ(cut.text("error").substr(0, 17), "a circle was cut:");
}

// Threads that read sockets answer requests for one record themselves, and must not run a function.
TEST_F(ChainTest, ThePathOfAnHttpTriggerIsNotThatOfARecord) {
  const Routes routes;
  const auto pace_of = [&](std::string_view method, const std::string& path) {
    return routes.match(method, path).route->pace;
  };
  EXPECT_EQ(pace_of("GET", D + "/records/r"), net::Pace::quick);
  EXPECT_EQ(pace_of("GET", D + "/http-trigger/api/v1/records/r"), net::Pace::worker);
  EXPECT_EQ(pace_of("POST", D + "/http-trigger/api/v1/records"), net::Pace::worker);
}

}  // namespace
}  // namespace mayfly::centrali
