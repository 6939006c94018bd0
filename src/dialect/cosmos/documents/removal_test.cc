// The removal of a partition with more documents than one commit removes.
#include <functional>
#include <utility>

#include "base/limits.h"
#include "dialect/cosmos/testing.h"
#include "store/wrappers/forward.h"

namespace mayfly::cosmos::testing {
namespace {

// A store that calls a function once, at the first scan after a commit.
class BetweenCommits final : public store::Forward {
 public:
  using Forward::Forward;

  Result<store::ReadReply> read(const store::ReadBatch& batch,
                                const store::Snapshot* snapshot) override {
    auto reply = Forward::read(batch, snapshot);
    if (!batch.scans.empty() && has_committed && then) std::exchange(then, nullptr)();
    return reply;
  }
  Result<void> commit(const store::CommitBatch& batch) override {
    TRY(Forward::commit(batch));
    has_committed = true;
    return {};
  }

  bool has_committed = false;
  std::function<void()> then;
};

const std::string removal = container + "/operations/partitionkeydelete";

void create_many(Account& account) {
  constexpr std::size_t count = 3 * limits::transaction_operations_max;
  constexpr std::size_t first = 10'000;  // ids of equal length are in the order of their numbers
  for (std::size_t i = 0; i < count; ++i) account.create(std::to_string(first + i));
}

std::size_t count_left(Account& account) {
  return account.list({key_a}).body.member("Documents").array().size();
}

TEST(CosmosRemoval, OfAPartitionIncludesConcurrentWrites) {
  auto store = std::make_unique<BetweenCommits>(store::open_memory());
  BetweenCommits& hooked = *store;
  Account account({}, {}, std::move(store));
  EXPECT_EQ(account.send("POST", "/dbs", R"({"id":"d"})").status, 201);
  EXPECT_EQ(account.send("POST", containers, Account::definition()).status, 201);
  create_many(account);
  int created = 0;
  hooked.has_committed = false;
  hooked.then = [&] { created = account.create("0").status; };
  EXPECT_EQ(account.send("POST", removal, "", {key_a}).status, 200);
  EXPECT_EQ(created, 201);
  EXPECT_EQ(account.get("0").status, 404);
  EXPECT_EQ(count_left(account), 0U);
}

TEST(CosmosRemoval, TakesNoLongerThanItsRequestMayNorDoesASearchForARid) {
  auto account = Account::with_container();
  create_many(*account);
  const Value first = account->get("10000").body;
  EXPECT_EQ(account->remove("10000").status, 204);
  const std::string self = account->send("GET", container).body.member("_self").text();
  const std::string by_rid = "/" + self + "docs/" + first.member("_rid").text();
  account->answer_by = monotonic_now();
  EXPECT_EQ(account->send("GET", by_rid, "", {key_a}).status, 408);
  EXPECT_EQ(account->send("POST", removal, "", {key_a}).status, 408);
  account->answer_by = Instant::never();
  EXPECT_EQ(account->send("GET", by_rid, "", {key_a}).status, 404);
  EXPECT_EQ(account->send("POST", removal, "", {key_a}).status, 200);
  EXPECT_EQ(count_left(*account), 0U);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
