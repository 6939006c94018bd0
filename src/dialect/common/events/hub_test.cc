// The hub of event streams, run by run: no lane runs, and the test starts each run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/threads/thread_time.h"
#include "db/testing.h"
#include "dialect/common/events/fake_stream.h"
#include "dialect/common/events/stream.h"

namespace mayfly::testing {
namespace {

const CollectionChange with_feed{.keep_feed_for = Span::seconds(100'000)};
constexpr Span look_every = Span::seconds(1'000);  // only the test's clock reaches it

const auto render =
    std::make_shared<const RenderEvent>([](const Collection& in, const Event& event, EventImages&) {
      return std::optional(fmt::format("{}.{}:{} ", in.name, name_of(event.kind), event.key.id));
    });

Instant hub_now;  // the hub's clock

class EventHubTest : public ::testing::Test {
 protected:
  EventHubTest() { hub_now = Instant::from_seconds(1'000); }
  std::shared_ptr<FakeStream> follow(const CollectionPtr& c, Subscription subscription = {}) {
    auto stream = std::make_shared<FakeStream>();
    if (!subscription.source) subscription.source = source(c);
    subscription.stream = stream;
    hub.subscribe(std::move(subscription));
    return stream;
  }
  std::shared_ptr<EventSource> source(const CollectionPtr& c) {
    return feed_source(*world.database, {c->id}, render);
  }
  void put(const CollectionPtr& c, const std::string& id) { must(world.put(c, id, "{}")); }
  bool run() { return world.database->jobs().run_due(JobLane::events) > 0; }
  void run_all() {
    while (run()) {
    }
  }
  void look_after(Span span) {
    hub_now = hub_now + span;
    hub.wake();
    run_all();
  }

  World world;
  EventHub hub{*world.database, {.look_every = look_every, .monotonic = [] { return hub_now; }}};
};

std::size_t lines(const FakeStream& stream) {
  const std::string text = stream.text();
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

std::string final_text(std::string_view reason) {
  return fmt::format("bye({})", reason);
}

bool is_over(const FakeStream& stream) {
  return !stream.is_open();
}

TEST_F(EventHubTest, ARunSendsOnePageOfABacklog) {
  const auto c = world.collection("c", with_feed);
  const auto first = follow(c);
  run_all();
  constexpr std::size_t events = 2 * limits::feed_page_events_max + 10;
  std::string expected;
  for (std::size_t i = 0; i < events; ++i) {
    must(world.put(c, std::to_string(i), "{}"));
    expected += fmt::format("c.created:{} ", i);
  }
  while (lines(*first) == 0) ASSERT_TRUE(run());
  EXPECT_EQ(lines(*first), limits::feed_page_events_max);
  const auto second = follow(c);  // from now on, without the backlog
  for (std::size_t before = lines(*first); run(); before = lines(*first)) {
    EXPECT_LE(lines(*first) - before, limits::feed_page_events_max);
  }
  EXPECT_EQ(first->text(), expected);
  must(world.put(c, "live", "{}"));
  run_all();
  EXPECT_EQ(first->text(), expected + "c.created:live ");
  EXPECT_EQ(second->text(), "c.created:live ");
}

TEST_F(EventHubTest, ASubscriberIsSentMatchingEventsUntilItsFilterFails) {
  const auto c = world.collection("c", with_feed);
  const auto some = follow(c, {.wants = [](const EventPiece& piece) -> Result<bool> {
                                 if (piece.text.ends_with(":end ")) {
                                   return fail(Code::throttled, "too much");
                                 }
                                 return piece.text.ends_with(":yes ");
                               },
                               .final_text = &final_text});
  const auto all = follow(c);
  for (const char* id : {"no", "yes", "end", "more"}) put(c, id);
  run_all();
  EXPECT_EQ(some->text(), "c.created:yes bye(too much)");
  EXPECT_TRUE(is_over(*some));
  EXPECT_EQ(all->text(), "c.created:no c.created:yes c.created:end c.created:more ");
  EXPECT_FALSE(is_over(*all));
}

TEST_F(EventHubTest, AStreamWhoseTimeIsOverEndsWithItsFinalText) {
  const auto c = world.collection("c", with_feed);
  const auto stream = follow(c, {.final_text = &final_text, .age_max = look_every});
  run_all();
  look_after(Span{look_every.micros - 1});
  EXPECT_FALSE(is_over(*stream));
  look_after(Span{1});
  EXPECT_TRUE(is_over(*stream));
  EXPECT_EQ(stream->text(), "bye()");
}

TEST_F(EventHubTest, AStreamEndsAtAnInstantOfTheDatabase) {
  const auto c = world.collection("c", with_feed);
  const Instant until = world.database->now() + Span::seconds(60);
  const auto stream =
      follow(c, {.final_text = &final_text, .age_max = Span::seconds(1'000'000), .until = until});
  run_all();
  world.clock.advance(Span::seconds(59));
  look_after(look_every);
  EXPECT_FALSE(is_over(*stream));
  world.clock.advance(Span::seconds(2));
  look_after(look_every);
  EXPECT_TRUE(is_over(*stream));
  EXPECT_EQ(stream->text(), "bye()");
}

TEST_F(EventHubTest, AnIdleStreamSendsItsPositionUntilThatFails) {
  const auto c = world.collection("c", with_feed);
  const Span two_looks{2 * look_every.micros};
  std::vector<EventPosition> said;
  const auto status = [&said](const EventPosition& at) -> Result<std::string> {
    if (said.size() == 2) return fail(Code::invalid, "enough");
    said.push_back(at);
    return std::string("here ");
  };
  const auto stream = follow(c, {.status = status,
                                 .status_every = two_looks,
                                 .final_text = &final_text,
                                 .age_max = Span::seconds(1'000'000)});
  run_all();
  put(c, "x");
  look_after(look_every);
  look_after(look_every);
  EXPECT_EQ(stream->text(), "c.created:x ");
  world.clock.advance(Span::seconds(60));
  const Instant before = world.database->now();
  look_after(look_every);
  EXPECT_EQ(stream->text(), "c.created:x here ");
  EXPECT_GE(said.at(0), EventPosition::behind(before));
  put(c, "y");
  look_after(look_every);
  look_after(two_looks);
  EXPECT_EQ(stream->text(), "c.created:x here c.created:y here ");
  look_after(two_looks);
  EXPECT_EQ(stream->text(), "c.created:x here c.created:y here bye(enough)");
  EXPECT_TRUE(is_over(*stream));
}

TEST_F(EventHubTest, TheSubscribersOfASourceAreCounted) {
  const auto c = world.collection("c", with_feed);
  const auto d = world.collection("d", with_feed);
  const std::string name = source(c)->name();
  EXPECT_EQ(hub.subscribers_of(name), 0U);
  const auto first = follow(c);
  const auto second = follow(c);
  const auto other = follow(d);
  EXPECT_EQ(hub.subscribers_of(name), 2U);  // counted from the request on
  run_all();
  EXPECT_EQ(hub.subscribers_of(name), 2U);
  EXPECT_EQ(hub.subscribers_of(source(d)->name()), 1U);
  EXPECT_EQ(hub.followers(), 3U);
  first->leave();
  look_after(look_every);
  EXPECT_EQ(hub.subscribers_of(name), 1U);
  second->leave();
  put(c, "x");
  run_all();
  EXPECT_EQ(hub.subscribers_of(name), 0U);
  EXPECT_EQ(hub.followers(), 1U);
}

// A filter that matches after as much of the thread's time as two events may take.
Result<bool> want_after_long(const EventPiece&) {
  const Instant begun = thread_time();
  while ((thread_time() - begun).micros < limits::stream_turn_max.micros / 2) {
  }
  return true;
}

TEST_F(EventHubTest, SlowFiltersDoNotStarveOtherSources) {
  const auto c = world.collection("c", with_feed);
  const auto d = world.collection("d", with_feed);
  const auto slow = follow(c, {.wants = &want_after_long, .has_filters = true});
  const auto beside = follow(c);
  const auto elsewhere =
      follow(d, {.wants = [](const EventPiece&) { return true; }, .has_filters = true});
  run_all();
  for (int i = 0; i < 5; ++i) {
    put(c, std::to_string(i));
    put(d, std::to_string(i));
  }
  while (lines(*slow) == 0) ASSERT_TRUE(run());
  EXPECT_EQ(lines(*slow), 2U);
  EXPECT_EQ(lines(*beside), 5U);
  EXPECT_EQ(lines(*elsewhere), 5U);
  ASSERT_TRUE(run());
  EXPECT_EQ(lines(*slow), 4U);
  run_all();
  EXPECT_EQ(slow->text(), beside->text());
}

// A source whose pages each take as much of the thread's time as two pages may take.
class LongSource final : public EventSource {
 public:
  explicit LongSource(std::shared_ptr<EventSource> events) : events_(std::move(events)) {}
  const std::string& name() const override { return name_; }
  std::set<CollectionId> collections(const CatalogPtr& catalog) override {
    return events_->collections(catalog);
  }
  Result<EventPage> read(const EventPosition& after, Instant through,
                         const std::set<CollectionId>* only) override {
    (void)want_after_long({});
    ++reads;
    return events_->read(after, through, only);
  }
  int reads = 0;

 private:
  const std::shared_ptr<EventSource> events_;
  const std::string name_ = "long";
};

TEST_F(EventHubTest, ReadingForThoseFarApartLeavesTheOthersTheirTurn) {
  const auto c = world.collection("c", with_feed);
  const auto d = world.collection("d", with_feed);
  const auto slow = std::make_shared<LongSource>(source(c));
  std::vector<std::shared_ptr<FakeStream>> far;
  for (int i = 0; i < 4; ++i) {
    world.clock.advance(Span::seconds(1));
    far.push_back(follow(c, {.source = slow, .after = EventPosition::behind(world.clock.now())}));
    world.clock.advance(Span::seconds(1));
    put(c, std::to_string(i));
  }
  const auto beside = follow(d);
  put(d, "x");
  ASSERT_TRUE(run());
  EXPECT_EQ(slow->reads, 2);
  run();
  EXPECT_EQ(slow->reads, 4);  // the other two were served first
  EXPECT_EQ(lines(*beside), 1U);
  run_all();
  for (std::size_t i = 0; i < far.size(); ++i) EXPECT_EQ(lines(*far[i]), far.size() - i);
}

// A source that calls functions of a client, which take all of the payer's time in a round; or
// none.
class PayingSource final : public EventSource {
 public:
  struct Options {
    std::string payer;
    bool takes_long = true;
    Span takes = Span{0};  // if it does not take long
    bool calls_functions = true;
  };
  PayingSource(std::shared_ptr<EventSource> events, std::string name, Options options)
      : events_(std::move(events)), name_(std::move(name)), options_(std::move(options)) {}
  const std::string& name() const override { return name_; }
  std::string_view payer() const override { return options_.payer; }
  bool calls_functions() const override { return options_.calls_functions; }
  std::set<CollectionId> collections(const CatalogPtr& catalog) override {
    return events_->collections(catalog);
  }
  Result<EventPage> read(const EventPosition& after, Instant through,
                         const std::set<CollectionId>* only) override {
    const Instant begun = thread_time();
    const Span takes = options_.takes_long ? limits::stream_payer_turn_max : options_.takes;
    while (thread_time() - begun < takes) {
    }
    ++reads;
    return events_->read(after, through, only);
  }
  int reads = 0;

 private:
  const std::shared_ptr<EventSource> events_;
  const std::string name_;
  const Options options_;
};

class PayingSourcesTest : public EventHubTest {
 protected:
  struct Followed {
    std::shared_ptr<PayingSource> source;
    std::shared_ptr<FakeStream> stream;
  };
  Followed follow_paying(const std::string& name, PayingSource::Options options) {
    Followed made{std::make_shared<PayingSource>(source(c), name, std::move(options)), {}};
    made.stream = follow(c, {.source = made.source});
    return made;
  }
  // All are at the head, and none has been read since.
  void begin(const std::vector<Followed>& all) {
    run_both();
    for (const Followed& one : all) one.source->reads = 0;
  }
  bool evaluate() { return world.database->jobs().run_due(JobLane::evaluation) > 0; }
  void run_both() {
    while (run() || evaluate()) {
    }
  }

  const CollectionPtr c = world.collection("c", with_feed);
};

TEST_F(PayingSourcesTest, HaveALaneOfTheirOwn) {
  const auto paying = follow_paying("paying", {.payer = "a"});
  const auto beside = follow(c);
  EXPECT_EQ(hub.followers(), 2U);
  EXPECT_EQ(hub.subscribers_of("paying"), 1U);
  begin({paying});
  put(c, "x");
  run_all();
  EXPECT_EQ(lines(*beside), 1U);
  EXPECT_EQ(paying.source->reads, 0);
  run_both();
  EXPECT_EQ(paying.stream->text(), beside->text());
}

TEST_F(PayingSourcesTest, OfOnePayerHaveOneTurnInARound) {
  std::vector<Followed> many;
  for (const char* name : {"a1", "a2", "a3"}) many.push_back(follow_paying(name, {.payer = "a"}));
  const auto other = follow_paying("b", {.payer = "b"});
  const auto reads = [&] {
    return many[0].source->reads + many[1].source->reads + many[2].source->reads;
  };
  begin(many);
  for (const char* id : {"x", "y"}) put(c, id);
  run_all();
  for (int round = 1; round <= 3; ++round) {
    ASSERT_TRUE(evaluate());
    EXPECT_EQ(reads(), round);
    EXPECT_EQ(lines(*other.stream), 2U);
  }
  for (const Followed& one : many) EXPECT_EQ(one.source->reads, 1) << one.source->name();
  put(c, "z");
  run_both();
  for (const Followed& one : many) {
    EXPECT_EQ(one.stream->text(), "c.created:x c.created:y c.created:z ");
  }
}

TEST_F(PayingSourcesTest, ThatAreQuickAreServedBeforeTheOthers) {
  const auto calling = follow_paying("1", {.payer = "a"});
  const auto is_slow = follow_paying("2", {.payer = "a", .calls_functions = false});
  const auto quick = follow_paying("3", {.payer = "a", .takes_long = false});
  run_both();
  put(c, "x");
  run_both();  // measures how long they take
  put(c, "y");
  run_all();
  ASSERT_TRUE(evaluate());
  EXPECT_EQ(lines(*quick.stream), 2U);
  EXPECT_EQ(lines(*calling.stream) + lines(*is_slow.stream), 3U);
  run_both();
  EXPECT_EQ(lines(*calling.stream) + lines(*is_slow.stream), 4U);
}

TEST_F(PayingSourcesTest, ThatAreSlowHaveTheirTurnThoughQuickOnesTakeAllOfEachRound) {
  std::vector<Followed> all{follow_paying("slow", {.payer = "a"})};
  for (int i = 0; i < 40; ++i) {
    all.push_back(follow_paying("quick" + std::to_string(i),
                                {.payer = "a", .takes_long = false, .takes = Span::millis(2)}));
  }
  begin(all);
  put(c, "x");
  run_both();  // measures how long they take
  for (const Followed& one : all) one.source->reads = 0;
  for (std::uint64_t round = 0; round <= limits::stream_rounds_waited_max + 1; ++round) {
    put(c, std::to_string(round));
    run_all();
    evaluate();
  }
  EXPECT_GE(all.front().source->reads, 1);
}

TEST_F(PayingSourcesTest, ThatCallFunctionsComeBehindOthers) {
  const auto calling = follow_paying("1", {.payer = "a"});
  const auto others =
      follow_paying("2", {.payer = "a", .takes_long = false, .calls_functions = false});
  const auto also_calling = follow_paying("3", {.payer = "a"});
  begin({calling, others, also_calling});
  put(c, "x");
  run_all();
  ASSERT_TRUE(evaluate());
  EXPECT_EQ(lines(*others.stream), 1U);
  EXPECT_EQ(calling.source->reads + also_calling.source->reads, 1);
}

// A source of all existing collections of the database.
class WholeSource final : public EventSource {
 public:
  explicit WholeSource(const World& world) : database_(*world.database), place_(world.place) {}
  const std::string& name() const override { return name_; }
  std::set<CollectionId> collections(const CatalogPtr& catalog) override {
    ids_.clear();
    for (const CollectionPtr& one : catalog->collections(place_)) ids_.insert(one->id);
    return ids_;
  }
  Result<EventPage> read(const EventPosition& after, Instant through,
                         const std::set<CollectionId>* only) override {
    return feed_source(database_, ids_, render)->read(after, through, only);
  }

 private:
  Database& database_;
  const DatabaseId place_;
  const std::string name_ = "whole";
  std::set<CollectionId> ids_;
};

TEST_F(EventHubTest, ACollectionThatIsMadeLaterIsFollowedAtTheLatestOnceTheHubIsWoken) {
  const auto a = world.collection("a", with_feed);
  const auto stream = follow(a, {.source = std::make_shared<WholeSource>(world)});
  run_all();
  const auto b = world.collection("b", with_feed);
  put(b, "x");
  run_all();
  EXPECT_EQ(stream->text(), "");  // the hub does not know of it yet
  hub.wake();
  run_all();
  EXPECT_EQ(stream->text(), "b.created:x ");
  put(b, "y");
  run_all();
  EXPECT_EQ(stream->text(), "b.created:x b.created:y ");
}

TEST_F(EventHubTest, ACollectionThatIsDroppedIsFollowedNoMore) {
  const auto a = world.collection("a", with_feed);
  const auto b = world.collection("b", with_feed);
  const auto stream = follow(a, {.source = std::make_shared<WholeSource>(world)});
  run_all();
  put(b, "x");
  run_all();
  must(world.database->drop_collection(b->id));
  hub.wake();
  run_all();
  put(a, "y");
  run_all();
  EXPECT_EQ(stream->text(), "b.created:x a.created:y ");
  EXPECT_FALSE(is_over(*stream));
}

}  // namespace
}  // namespace mayfly::testing
