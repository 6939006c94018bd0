// Tests of clock_floor.h and of the clock rows that Database writes.
#include "db/clock/clock_floor.h"

#include <functional>

#include "db/clock/clock_limits.h"
#include "db/clock/database_clock.h"
#include "db/rows/format.h"
#include "db/rows/records.h"
#include "db/testing.h"
#include "store/wrappers/faulty.h"
#include "store/wrappers/forward.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;

std::unique_ptr<store::Store> store_with(Bytes clock_row, std::string_view format = format_name) {
  auto store = store::open_memory();
  store::CommitBatch batch{.version = records::to_version(second(500))};
  batch.puts.push_back({keys::format(), Bytes(format)});
  batch.puts.push_back({keys::clock_floor(), std::move(clock_row)});
  must(store->commit(batch));
  return store;
}

std::string admitted(const ClockRecord& note, ClockKind kind, Instant machine_now) {
  const auto done = admit_clock(note, kind, machine_now);
  return done ? "admitted" : done.error().message.substr(0, done.error().message.find(';'));
}

TEST(ClockNoteTest, ItIsReadAsItWasWritten) {
  const auto store = store_with(encode_clock_record(ClockKind::manual, second(700)));
  const ClockRecord note = must(read_clock_record(*store));
  EXPECT_EQ(note.kind, ClockKind::manual);
  EXPECT_FALSE(note.is_released);
  EXPECT_EQ(note.floor, second(700));
}

TEST(ClockNoteTest, OfAnEmptyRowTheVersionIsTheFloor) {
  const auto store = store_with({});
  const ClockRecord note = must(read_clock_record(*store));
  EXPECT_FALSE(note.kind.has_value());
  EXPECT_EQ(note.floor, second(500));
}

TEST(ClockNoteTest, ADamagedRowIsReported) {
  for (const Bytes& row : {Bytes("s"), Bytes("x12345678"), Bytes(1, '\0')}) {
    EXPECT_EQ(read_clock_record(*store_with(row)).error().code, Code::corrupt);
  }
}

TEST(ClockNoteTest, AStoreOfAnotherFormatOrWithoutRowsIsNotChangedByARelease) {
  const Bytes row = encode_clock_record(ClockKind::manual, second(700));
  const auto newer = store_with(row, "mayfly 9");
  const Error refused = release_clock(*newer).error();
  EXPECT_EQ(refused.code, Code::invalid);  // a server ends with 2
  EXPECT_EQ(refused.message,
            "the data directory holds the format 'mayfly 9', which this version does not read");
  EXPECT_EQ(newer->applied(), records::to_version(second(500)));
  EXPECT_EQ(must(read_clock_record(*newer)).kind, ClockKind::manual);
  const auto unused = store::open_memory();
  must(release_clock(*unused));
  EXPECT_EQ(unused->applied(), 0u);
}

TEST(ClockNoteTest, AReleasedStoreTakesAnyClock) {
  const auto store = store_with(encode_clock_record(ClockKind::manual, second(700)));
  must(release_clock(*store));
  const ClockRecord note = must(read_clock_record(*store));
  EXPECT_TRUE(note.is_released);
  EXPECT_EQ(note.floor, second(700));
  EXPECT_EQ(admitted(note, ClockKind::system, second(1)), "admitted");
  EXPECT_EQ(admitted(note, ClockKind::manual, second(1)), "admitted");
}

TEST(ClockNoteTest, AStoreWithoutARecordedClockAcceptsTheMachinesClockUnlessItIsFarBehind) {
  const ClockRecord old{.floor = second(1'000)};
  EXPECT_EQ(admitted(old, ClockKind::manual, second(1)), "admitted");
  EXPECT_EQ(admitted(old, ClockKind::system, second(2'000)), "admitted");
  EXPECT_EQ(admitted(old, ClockKind::system, second(940)), "admitted");
  EXPECT_NE(admitted(old, ClockKind::system, second(939)), "admitted");
}

// The machine's clock, as a test moves it.
class MachineClock final : public Clock {
 public:
  explicit MachineClock(Instant start) : manual_(start) {}
  Instant now() const override { return manual_.now(); }
  bool is_virtual() const override { return false; }
  void advance(Span by) { manual_.advance(by); }

 private:
  ManualClock manual_;
};

TEST(ClockFloorTest, UnderTheMachinesClockAnswersWaitOnlyWhereTheFloorIsBehind) {
  MachineClock clock(second(1'000));
  const auto database = must(Database::open(store::open_memory(), clock));
  must(persist_clock_ahead(*database));
  EXPECT_EQ(must(read_clock_record(database->store())).floor,
            database->now() + limits::clock_floor_ahead);
  clock.advance(Span{limits::clock_floor_ahead.micros - 1'000});
  database->now();
  EXPECT_LE(database->shown(), durable_version(*database));
  clock.advance(Span::millis(200));
  const Instant answered = database->now();
  EXPECT_GT(database->shown(), durable_version(*database));
  make_durable(*database, database->shown());
  EXPECT_LE(database->shown(), durable_version(*database));
  EXPECT_GE(must(read_clock_record(database->store())).floor, answered);
  EXPECT_EQ(must(read_clock_record(database->store())).kind, ClockKind::system);
}

TEST(ClockFloorTest, UnderAVirtualClockEveryAnswerWaitsForTheCommitThatMovedIt) {
  auto faulty = std::make_unique<store::FaultyStore>(store::open_memory());
  store::FaultyStore& faults = *faulty;
  testing::World w(std::move(faulty));
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}"));
  EXPECT_EQ(records::to_version(w.database->now()), w.database->store().applied());
  EXPECT_LE(w.database->shown(), durable_version(*w.database));
  // A commit that fails takes an instant, too, and leaves no trace of it on disk.
  faults.fail_all(store::StoreOperation::commit, Code::contended);
  ASSERT_FALSE(w.put(c, "a", "{}").has_value());
  faults.clear();
  const Instant answered = w.database->now();
  EXPECT_GT(records::to_version(answered), w.database->store().applied());
  EXPECT_GT(w.database->shown(), durable_version(*w.database));
  make_durable(*w.database, w.database->shown());
  EXPECT_LE(records::to_version(answered), w.database->store().durable());
}

TEST(ClockFloorTest, WhereTheStoreTakesNoWritesAnswersLeaveAllTheSame) {
  auto faulty = std::make_unique<store::FaultyStore>(store::open_memory());
  store::FaultyStore& faults = *faulty;
  testing::World w(std::move(faulty));
  faults.fail_all(store::StoreOperation::commit, Code::internal);
  w.clock.advance(Span::seconds(5));
  // Each answer waits for its own version: the floor that could not be written has taken an
  // instant.
  for (std::uint64_t answers = 1; answers <= 3; ++answers) {
    w.database->now();
    const store::Version version = w.database->shown();
    EXPECT_GT(version, durable_version(*w.database));
    make_durable(*w.database, version);
    EXPECT_EQ(faults.failures(), answers);
    EXPECT_LE(version, durable_version(*w.database));
  }
}

// A store that makes a version durable only when it is asked to.
class LateStore final : public store::Forward {
 public:
  using Forward::Forward;
  store::Version durable() const override { return durable_; }
  void sync(store::Version version) override {
    if (before_flush) before_flush();
    durable_ = std::max(durable_, version);
  }

  std::function<void()> before_flush;

 private:
  store::Version durable_ = 0;
};

TEST(ClockFloorTest, WhereTheStoreTakesNoWritesWhatItHoldsIsMadeDurableFirst) {
  auto late = std::make_unique<LateStore>(store::open_memory());
  LateStore& disk = *late;
  auto faulty = std::make_unique<store::FaultyStore>(std::move(late));
  store::FaultyStore& faults = *faulty;
  testing::World w(std::move(faulty));
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}"));
  const store::Version written = w.database->shown();
  faults.fail_all(store::StoreOperation::commit, Code::internal);
  w.clock.advance(Span::seconds(5));
  w.database->now();
  const store::Version version = w.database->shown();
  EXPECT_GT(version, written);
  bool is_flushed = false;
  disk.before_flush = [&] {
    is_flushed = true;
    EXPECT_LT(durable_version(*w.database), written);
  };
  make_durable(*w.database, version);
  EXPECT_TRUE(is_flushed);
  EXPECT_GE(disk.durable(), written);
  EXPECT_LE(version, durable_version(*w.database));
}

TEST(ClockFloorTest, AnswersThatShowAMoveWaitUntilItIsDurable) {
  testing::World w(std::make_unique<LateStore>(store::open_memory()));
  make_durable(*w.database, w.database->shown());
  EXPECT_LE(w.database->shown(), durable_version(*w.database));
  must(move_clock(*w.database, w.clock, second(5'000)));
  EXPECT_EQ(w.database->now(), second(5'000));
  EXPECT_EQ(w.database->shown(), records::to_version(second(5'000)));
  EXPECT_GT(w.database->shown(), durable_version(*w.database));
  make_durable(*w.database, w.database->shown());
  EXPECT_EQ(w.database->store().durable(), records::to_version(second(5'000)));
  EXPECT_LE(w.database->shown(), durable_version(*w.database));
}

TEST(ClockFloorTest, AMoveIsOnDiskWithItsInstant) {
  testing::World w;
  must(move_clock(*w.database, w.clock, second(5'000)));
  EXPECT_EQ(w.database->now(), second(5'000));
  // The store in memory flushes immediately, and there is nothing to wait for except the floor.
  EXPECT_EQ(w.database->store().durable(), records::to_version(second(5'000)));
  EXPECT_LE(w.database->shown(), durable_version(*w.database));
  EXPECT_EQ(must(read_clock_record(w.database->store())).floor, second(5'000));
  EXPECT_EQ(must(read_clock_record(w.database->store())).kind, ClockKind::manual);
}

}  // namespace
}  // namespace mayfly
