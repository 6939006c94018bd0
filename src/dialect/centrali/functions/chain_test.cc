// Chains: the depth of a run is found by the instant of its commits, for a day.
#include "dialect/centrali/functions/chain.h"

#include <gtest/gtest.h>

#include "dialect/centrali/functions/functions_testing.h"
#include "dialect/centrali/requests/routes.h"

namespace mayfly::centrali {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

class ChainTest : public FunctionsTest {
 protected:
  std::int64_t depth_at(Instant t) {
    View view = database->view();
    const auto depth = chain_depth(view, view.catalog().find_database("acme")->id, t);
    EXPECT_TRUE(depth);
    return depth.value_or(-1);
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

// Threads that read sockets answer requests for one record themselves, and must not run a function.
TEST_F(ChainTest, ThePathOfAnHttpTriggerIsNotThatOfARecord) {
  EXPECT_TRUE(is_about_one_record("GET", D + "/records/r"));
  EXPECT_FALSE(is_about_one_record("GET", D + "/http-trigger/api/v1/records/r"));
  EXPECT_FALSE(is_about_one_record("POST", D + "/http-trigger/api/v1/records"));
}

}  // namespace
}  // namespace mayfly::centrali
