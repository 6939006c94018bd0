// Tests of what /ready answers.
#include "app/readiness.h"

#include <gtest/gtest.h>

#include "net/test_client.h"
#include "store/memory/memory_store.h"
#include "store/wrappers/accepts_writes.h"
#include "store/wrappers/forward.h"

namespace mayfly::app {
namespace {

class FillingStore final : public store::Forward, public store::AcceptsWrites {
 public:
  FillingStore() : Forward(store::open_memory()) {}
  Result<void> accepts_writes() override { return state; }
  Result<void> state;
};

std::string status_of(const Readiness& readiness) {
  const Result<void> ready = readiness.check();
  return ready ? "ready" : ready.error().message;
}

class ReadinessTest : public net::ServerTest {
 protected:
  FillingStore store;
  Readiness readiness{store, Span{0}};
};

TEST_F(ReadinessTest, ItIsReadyWhileItServes) {
  start();
  EXPECT_EQ(status_of(readiness), "the server is starting");
  readiness.serves(*server);
  EXPECT_EQ(status_of(readiness), "ready");
  readiness.stops();
  EXPECT_EQ(status_of(readiness), "the server is stopping");
}

TEST_F(ReadinessTest, AStoreThatRefusesWritesIsNotReady) {
  start();
  readiness.serves(*server);
  store.state = fail(Code::no_space, "the disk is nearly full");
  EXPECT_EQ(status_of(readiness), "the disk is nearly full");
  store.state = {};
  EXPECT_EQ(status_of(readiness), "ready");
}

TEST_F(ReadinessTest, WhileTheDiskDoesNotRespondItIsNotReady) {
  handler.durability = &durability;
  options.durability = &durability;
  start();
  readiness.serves(*server);
  net::Client writer(port);
  writer.send(net::get("/write"));
  ASSERT_TRUE(net::becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_EQ(status_of(readiness), "the disk does not confirm what has been written");
  durability.gate.open();
  EXPECT_EQ(writer.read(), net::ok("GET /write "));
  EXPECT_TRUE(net::becomes_true([this] { return status_of(readiness) == "ready"; }));
}

TEST_F(ReadinessTest, ATimeFarFromTheClockIsNotReady) {
  start();
  readiness.serves(*server);
  CommitClock::Distance distance{};
  readiness.set_clock_distance([&] { return distance; });
  distance.ahead = Span::seconds(5);
  EXPECT_EQ(status_of(readiness), "ready");
  distance.ahead = Span{5'000'001};
  EXPECT_EQ(status_of(readiness), "the data's time is ahead of the machine's clock");
  EXPECT_TRUE(readiness.is_in_time());
  distance = {.ahead = Span{0}, .behind = Span{5'000'001}};
  EXPECT_EQ(status_of(readiness), "a commit takes too long, and the time of readers stands still");
  EXPECT_EQ(readiness.is_in_time().error().code, Code::throttled);
  distance.behind = Span::seconds(5);
  EXPECT_TRUE(readiness.is_in_time());
}

}  // namespace
}  // namespace mayfly::app
