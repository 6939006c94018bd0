// Requests that run scripts need a permit, because each may hold a lot of memory.
#include "base/threads/run_permit.h"
#include "dialect/cosmos/testing.h"
#include "script/limits.h"
#include "script/sandbox.h"

namespace mayfly::cosmos::testing {
namespace {

// Counts the requests that call become_long(); refuses them if the server is full.
class Permit : public RunPermit {
 public:
  Result<void> renew() override { return {}; }
  Result<void> become_long() override {
    ++asked;
    const Instant entered = monotonic_now();
    do {
      left = monotonic_now();
    } while (left <= entered);
    if (is_full) return fail(Code::throttled, "full");
    return {};
  }
  bool is_cancelled() const override { return false; }
  void report_peak(std::size_t) override {}

  int asked = 0;
  bool is_full = false;
  Instant left;  // become_long() returned
};

struct Case {
  const char* name;
  std::string target;
  std::string body;
  std::vector<net::Pair> headers;
};

const std::string trigger =
    R"({"id":"t","body":"function(){}","triggerType":"Pre","triggerOperation":"All"})";
const Case cases[] = {
    {"a procedure", container + "/sprocs/p", "[]", {key_a}},
    {"a trigger",
     documents,
     R"({"id":"d","pk":"a"})",
     {key_a, {"x-ms-documentdb-pre-trigger-include", "t"}, {"x-ms-documentdb-is-upsert", "true"}}},
    {"a function",
     documents,
     R"({"query":"SELECT VALUE udf.f(1) FROM c"})",
     {first_range, {"x-ms-documentdb-isquery", "true"}}},
};

TEST(CosmosScriptTurns, AreTakenBeforeAScriptRuns) {
  const auto account = Account::with_container();
  const auto make = [&](const char* feed, const std::string& body) {
    EXPECT_EQ(account->send("POST", container + feed, body).status, 201) << body;
  };
  make("/sprocs", R"({"id":"p","body":"function(){}"})");
  make("/triggers", trigger);
  make("/udfs", R"({"id":"f","body":"function(x){return x}"})");
  for (const Case& row : cases) {
    Permit permit;
    const RunPermitScope scope(permit);
    EXPECT_LT(account->send("POST", row.target, row.body, row.headers).status, 300) << row.name;
    EXPECT_GE(permit.asked, 1) << row.name;
    permit.is_full = true;
    EXPECT_EQ(account->send("POST", row.target, row.body, row.headers).status, 429) << row.name;
  }
}

TEST(CosmosScriptTurns, DoNotCountAsTimeOfTheScripts) {
  Permit permit;
  const RunPermitScope scope(permit);
  const auto stop_at = script::begin_scripts(Instant::never());
  ASSERT_TRUE(stop_at);
  EXPECT_GE(*stop_at, permit.left + limits::script_time_max);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
