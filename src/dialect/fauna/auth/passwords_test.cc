// Queries that hash passwords, and their effect on concurrent queries.
#include <latch>
#include <thread>

#include "base/threads/run_permit.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

// The permit of a thread for costly work, or of a long request.
class CostlyPermit final : public RunPermit {
 public:
  Result<void> renew() override { return {}; }
  bool may_take_long() const override { return true; }
  bool is_cancelled() const override { return false; }
  void report_peak(std::size_t) override {}
};

TEST_F(FaunaTest, ALongRequestMayHashPasswordsConcurrently) {
  run_steps({{"", "Collection.create({ name: 'User' })"},
             {"", "User.create({ id: 1 })"},
             {"", "Credential.create({ document: User.byId('1'), password: 'a' })"}});
  constexpr int threads = 3;
  std::latch begun(threads);
  std::vector<std::thread> clients;
  for (int i = 0; i < threads; ++i) {
    clients.emplace_back([&] {
      CostlyPermit permit;
      const RunPermitScope scope(permit);
      begun.arrive_and_wait();
      for (int k = 0; k < 3; ++k) {
        const auto reply = query("Credential.byDocument(User.byId('1')).verify('a')");
        EXPECT_EQ(reply.result(), "true");
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

}  // namespace
}  // namespace mayfly::fauna::testing
