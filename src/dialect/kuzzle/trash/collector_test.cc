// The garbage collector on an event loop, which must not block, when a pass is due.
#include "dialect/kuzzle/trash/collector.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/threads/no_wait.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Server;

std::unique_ptr<Server> with_trashed_document(TrashCollectorOptions options) {
  auto s = Server::with_documents({{"d1", "{}"}}, options);
  EXPECT_EQ(s->of("document:delete", "d1").status, 200);
  return s;
}

TEST(KuzzleCollectorLoopTest, APassThatALoopMayNotRunIsLeftToAThreadThatMayBlock) {
  const auto s = with_trashed_document({.every = Span::seconds(60)});
  Collector collector(*s->services, s->options.collector, [] { return false; });
  s->advance(60'001);
  {
    const NoWait no_wait;
    const auto done = collector.run_due();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Code::contended);
    EXPECT_TRUE(no_wait.has_refused());
  }
  EXPECT_EQ(collector.run_due(), 1U);
  const NoWait no_wait;
  EXPECT_EQ(collector.run_due(), 0U) << "the next pass is not due";
  EXPECT_FALSE(no_wait.has_refused());
}

TEST(KuzzleCollectorLoopTest, ARequestThatALoopComesToFirstStillFindsTheTrashEmptied) {
  const auto s = with_trashed_document({.every = Span::seconds(60)});
  s->advance(60'001);
  const auto look = [&] { return s->http("GET", "/idx/col/d1?includeTrash").status; };
  {
    const NoWait no_wait;
    look();
    EXPECT_TRUE(no_wait.has_refused());
  }
  EXPECT_EQ(look(), 404);
}

TEST(KuzzleCollectorLoopTest, ALoopPutsThePassOffWhileTheServerIsOverloaded) {
  const auto s = with_trashed_document({.every = Span::seconds(60)});
  bool is_busy = true;
  Collector collector(*s->services, s->options.collector, [&] { return is_busy; });
  s->advance(60'001);
  {
    const NoWait no_wait;
    EXPECT_EQ(collector.run_due(), 0U);
    EXPECT_FALSE(no_wait.has_refused());
  }
  is_busy = false;
  EXPECT_EQ(collector.run_due(), 0U);
  s->advance(TrashCollectorOptions{}.retry_after.micros / 1'000);
  EXPECT_EQ(collector.run_due(), 1U);
}

TEST(KuzzleCollectorLoopTest, ALoopDoesNotWaitForAPassThatIsUnderWay) {
  const auto s = with_trashed_document({.every = Span::seconds(60)});
  int asked = 0;
  bool has_refused = false;
  Collector* passing = nullptr;
  Collector collector(*s->services, s->options.collector, [&] {
    if (++asked == 2) {  // the pass has reached the collection
      std::thread([&] {
        const NoWait no_wait;
        EXPECT_FALSE(passing->run_due());
        has_refused = no_wait.has_refused();
      }).join();
    }
    return false;
  });
  passing = &collector;
  s->advance(60'001);
  EXPECT_EQ(collector.run_due(), 1U);
  EXPECT_TRUE(has_refused);
}

}  // namespace
}  // namespace mayfly::kuzzle
