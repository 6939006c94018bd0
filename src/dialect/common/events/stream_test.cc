// Following feeds: what subscribers are sent, in which order, and at which cost.
#include "dialect/common/events/stream.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "db/testing.h"
#include "dialect/common/events/fake_stream.h"
#include "store/wrappers/counting.h"

namespace mayfly::testing {
namespace {

const CollectionChange feed_kept{.keep_feed_for = Span::seconds(100'000)};

std::string describe(const Collection& collection, const Event& event) {
  return collection.name + "." + std::string(name_of(event.kind)) + ":" + event.key.id + " ";
}

class EventStreamTest : public ::testing::Test {
 protected:
  EventStreamTest() {
    world.database->jobs().start(JobLane::events);
    restart({});
  }
  void restart(EventHubOptions options) {
    hub.reset();
    hub = std::make_unique<EventHub>(*world.database, options);
  }
  using Render = std::shared_ptr<const RenderEvent>;
  std::shared_ptr<FakeStream> follow(const std::vector<CollectionPtr>& collections,
                                     Subscription subscription = {}, Render render = nullptr) {
    auto stream = std::make_shared<FakeStream>();
    std::set<CollectionId> ids;
    for (const CollectionPtr& collection : collections) ids.insert(collection->id);
    subscription.source = feed_source(*world.database, ids, render ? render : everything);
    subscription.stream = stream;
    hub->subscribe(std::move(subscription));
    return stream;
  }
  std::shared_ptr<FakeStream> follow(const CollectionPtr& c, Subscription subscription = {},
                                     Render render = nullptr) {
    return follow(std::vector{c}, std::move(subscription), std::move(render));
  }
  void put(const CollectionPtr& c, const std::string& id, const std::string& json = "{}") {
    must(world.put(c, id, json));
  }

  const std::shared_ptr<const RenderEvent> everything = std::make_shared<const RenderEvent>(
      [](const Collection& collection, const Event& event, EventImages&) {
        return std::optional(describe(collection, event));
      });
  World world;
  std::unique_ptr<EventHub> hub;
};

TEST_F(EventStreamTest, EachNewEventIsSentOnceInTheOrderOfTheCommits) {
  const auto a = world.collection("a", feed_kept);
  const auto b = world.collection("b", feed_kept);
  const auto c = world.collection("c", feed_kept);
  put(a, "before");
  const auto both = follow({a, b});
  const auto one = follow(b);
  for (int i = 0; i < 100; ++i) {
    put(i % 3 == 0 ? a : i % 3 == 1 ? b : c, std::to_string(i));
  }
  must(world.remove(b, "1"));
  std::string of_both;
  std::string of_one;
  for (int i = 0; i < 100; ++i) {
    if (i % 3 == 0) of_both += fmt::format("a.created:{} ", i);
    if (i % 3 == 1) of_both += fmt::format("b.created:{} ", i);
    if (i % 3 == 1) of_one += fmt::format("b.created:{} ", i);
  }
  EXPECT_TRUE(both->has("removed"));
  EXPECT_TRUE(one->has("removed"));
  EXPECT_EQ(both->text(), of_both + "b.removed:1 ");
  EXPECT_EQ(one->text(), of_one + "b.removed:1 ");
}

TEST_F(EventStreamTest, AnEarlierPositionIsCaughtUpWithFirst) {
  const auto a = world.collection("a", feed_kept);
  const auto b = world.collection("b", feed_kept);
  for (int i = 0; i < 700; ++i) put(i % 7 == 0 ? b : a, std::to_string(i));
  const auto all = follow({a, b}, {.after = EventPosition()});
  EXPECT_TRUE(all->has("a.created:699 "));
  put(a, "live");
  EXPECT_TRUE(all->has("live "));
  std::string expected;
  for (int i = 0; i < 700; ++i) expected += fmt::format("{}.created:{} ", i % 7 ? "a" : "b", i);
  EXPECT_EQ(all->text(), expected + "a.created:live ");
  const auto events = must(world.database->feed().read(*a, {}, 1'000)).events;
  const Event& last = events[events.size() - 2];
  const auto rest = follow(a, {.after = EventPosition{last.committed_at, last.number}});
  EXPECT_TRUE(rest->has("live "));
  EXPECT_EQ(rest->text(), "a.created:live ");
}

TEST_F(EventStreamTest, APositionWithinACommitGoesOnWithinIt) {
  const auto c = world.collection("c", feed_kept);
  must(world.database->transact([&](Transaction& t) -> Result<void> {
    for (const char* id : {"x", "y", "z"}) {
      TRY(t.put(c, DocumentKey::of(id), TRY(pack_json("{}")), {}));
    }
    return {};
  }));
  const auto first = must(world.database->feed().read(*c, {}, 1)).last;
  const auto rest = follow(c, {.after = event_position(first)});
  EXPECT_TRUE(rest->has(":z "));
  EXPECT_EQ(rest->text(), "c.created:y c.created:z ");
}

TEST_F(EventStreamTest, ExpirationsAreSentWhenTheyAreRecorded) {
  const auto c = world.collection("c", feed_kept);
  must(world.put(c, "x", "{}", At{second(1'005)}));
  const auto stream = follow(c);
  world.clock.set(second(1'010));
  EXPECT_EQ(world.sweep(), 1U);
  EXPECT_TRUE(stream->has("expired:x"));
}

TEST_F(EventStreamTest, UnmatchedEventsAreNotSent) {
  const auto c = world.collection("c", feed_kept);
  const auto stream =
      follow(c, {},
             std::make_shared<const RenderEvent>([](const Collection& in, const Event& event,
                                                    EventImages&) -> std::optional<std::string> {
               if (event.key.id != "wanted") return std::nullopt;
               return describe(in, event);
             }));
  put(c, "other");
  put(c, "wanted");
  EXPECT_TRUE(stream->has("wanted"));
  EXPECT_EQ(stream->text(), "c.created:wanted ");
}

TEST_F(EventStreamTest, AThousandSubscribersCostOneReadAndOneRendering) {
  ManualClock clock(second(1'000));
  auto counting = std::make_unique<store::CountingStore>(store::open_memory());
  store::CountingStore& store = *counting;
  const auto database = must(Database::open(std::move(counting), clock));
  const auto place = must(database->create_database("test"))->id;
  const auto c = must(database->create_collection(place, {"c", feed_kept, {}}));
  std::atomic<int> renderings = 0;
  const auto render = std::make_shared<const RenderEvent>(
      [&renderings](const Collection& in, const Event& event, EventImages&) {
        ++renderings;
        return std::optional(describe(in, event));
      });
  database->jobs().start(JobLane::events);
  EventHub own(*database);
  std::vector<std::shared_ptr<FakeStream>> streams;
  const auto put_one = [&](const std::string& id) {
    must(database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(c, DocumentKey::of(id), TRY(pack_json("{}")), {}));
      return {};
    }));
  };
  const auto all_have = [&](const std::string& part) {
    return std::all_of(streams.begin(), streams.end(),
                       [&](const auto& stream) { return stream->has(part); });
  };
  for (int i = 0; i < 1'000; ++i) {
    streams.push_back(std::make_shared<FakeStream>());
    own.subscribe({.source = feed_source(*database, {c->id}, render), .stream = streams.back()});
  }
  put_one("first");
  ASSERT_TRUE(all_have("first"));
  renderings = 0;
  store.reset();
  put_one("second");
  ASSERT_TRUE(all_have("second"));
  EXPECT_EQ(renderings, 1);
  EXPECT_LT(store.counts().reads, 10U);
  EXPECT_EQ(own.followers(), 1'000U);
}

std::string n_of(const std::optional<Document>& document) {
  return document ? std::string(document->body.json()).substr(5, 1) : "-";
}

const auto with_images = std::make_shared<const RenderEvent>(
    [](const Collection&, const Event& event, EventImages& images) {
      return std::optional(fmt::format("{} {} {}\n", name_of(event.kind), n_of(images.before()),
                                       n_of(images.after())));
    });

TEST_F(EventStreamTest, ImagesShowTheDocumentBeforeAndAfterWhereHistoryIsKept) {
  CollectionChange promises = feed_kept;
  promises.keep_history_for = promises.keep_trash_for = Span::seconds(1'000);
  const auto c = world.collection("c", promises);
  put(c, "x", R"({"n":1})");
  must(world.put(c, "x", R"({"n":2})", At{second(1'005)}));
  put(c, "y", R"({"n":3})");
  must(world.remove(c, "y"));
  must(world.restore(c, "y"));
  world.clock.set(second(1'010));
  put(c, "x", R"({"n":4})");
  world.sweep();
  const auto stream = follow(c, {.after = EventPosition()}, with_images);
  EXPECT_TRUE(stream->has("expired"));
  EXPECT_EQ(stream->text(),
            "created - 1\nreplaced 1 2\ncreated - 3\nremoved 3 -\nrestored - 3\n"
            "created - 4\nexpired 2 -\n");
}

TEST_F(EventStreamTest, WithoutHistoryTheLivingAndTheRemovedStillShow) {
  CollectionChange promises = feed_kept;
  promises.keep_trash_for = Span::seconds(1'000);
  const auto c = world.collection("c", promises);
  put(c, "x", R"({"n":1})");
  put(c, "x", R"({"n":2})");
  put(c, "y", R"({"n":3})");
  must(world.remove(c, "y"));
  const auto stream = follow(c, {.after = EventPosition()}, with_images);
  EXPECT_TRUE(stream->has("removed"));
  EXPECT_EQ(stream->text(), "created - -\nreplaced - 2\ncreated - -\nremoved 3 -\n");
}

TEST_F(EventStreamTest, ASlowReaderFallsBehindAndContinuesAtItsPosition) {
  const auto c = world.collection("c", feed_kept);
  const auto render = std::make_shared<const RenderEvent>(
      [](const Collection& in, const Event& event, EventImages&) {
        return std::optional(describe(in, event) + std::string(5'000, '.'));
      });
  const auto slow = follow(c, {}, render);
  const auto quick = follow(c, {}, render);
  slow->stop_reading();
  for (int i = 0; i < 300; ++i) put(c, std::to_string(i));
  EXPECT_TRUE(quick->has(":299 "));
  EXPECT_TRUE(slow->is_awaited());
  EXPECT_EQ(slow->text().find(":299 "), std::string::npos);
  EXPECT_LE(slow->most_unsent(), limits::stream_unsent_bytes_max / 2);
  slow->read_all();
  EXPECT_TRUE(slow->has(":299 "));
  EXPECT_TRUE(slow->has_bytes(quick->text().size()));
  EXPECT_EQ(slow->text(), quick->text());
}

TEST_F(EventStreamTest, ClientsThatHaveLeftAreRemoved) {
  restart({.keep_alive_every = Span::millis(40), .look_every = Span::millis(10)});
  const auto c = world.collection("c", feed_kept);
  const auto stream = follow(c);
  const auto stays = follow(c, {.keep_alive = "ping "});
  stream->leave();
  EXPECT_TRUE(stays->has("ping ping ping ping ping "));
  EXPECT_EQ(hub->followers(), 1U);
  EXPECT_EQ(stream->text(), "");
}

TEST_F(EventStreamTest, AStreamEndsWhenItIsOldEnough) {
  restart({.keep_alive_every = Span::millis(40), .look_every = Span::millis(10)});
  const auto c = world.collection("c", feed_kept);
  EXPECT_TRUE(follow(c, {.age_max = Span::millis(1)})->is_ended());
}

TEST_F(EventStreamTest, DroppingACollectionOrItsFeedEndsItsStreams) {
  const auto c = world.collection("c", feed_kept);
  const auto d = world.collection("d", feed_kept);
  const auto both = follow({c, d});
  const auto one = follow(d);
  put(c, "x");
  EXPECT_TRUE(both->has("x"));
  must(world.database->drop_collection(c->id));
  EXPECT_TRUE(both->is_ended());
  put(d, "y");
  EXPECT_TRUE(one->has("y"));
  world.change(d, {.keep_feed_for = Span{0}});
  EXPECT_TRUE(one->is_ended());
  EXPECT_TRUE(follow(c)->is_ended());
  EXPECT_TRUE(follow(d, {.after = EventPosition()})->is_ended());
}

TEST_F(EventStreamTest, AGapIsReported) {
  const auto c = world.collection("c", feed_kept);
  const Instant then = must(world.put(c, "x", "{}"));
  world.clock.advance(Span::seconds(200'000));
  put(c, "y");
  const auto stream = follow(c, {.after = EventPosition{then, 0}, .gap_notice = "gap "});
  EXPECT_TRUE(stream->has("y"));
  EXPECT_EQ(stream->text(), "gap c.created:y ");
}

TEST_F(EventStreamTest, TheEndOfTheHubEndsAllStreams) {
  const auto c = world.collection("c", feed_kept);
  const auto stream = follow(c);
  const auto waiting = std::make_shared<FakeStream>();
  hub->wait({c->id, Span::seconds(100), waiting, [](bool) { return std::nullopt; }});
  hub.reset();
  EXPECT_TRUE(stream->is_ended());
  EXPECT_TRUE(waiting->is_ended());
}

TEST_F(EventStreamTest, AnAnswerWaitsForEventsOrTheTimeOut) {
  restart({.keep_alive_every = Span::millis(40), .look_every = Span::millis(10)});
  const auto c = world.collection("c", feed_kept);
  const auto answer = [this, &c](bool is_late) -> std::optional<std::string> {
    const FeedPage page = must(world.database->feed().read(*c, {}, 10));
    if (page.events.empty() && !is_late) return std::nullopt;
    return fmt::format("{} events", page.events.size());
  };
  const auto late = std::make_shared<FakeStream>();
  hub->wait({c->id, Span::millis(1), late, answer});
  EXPECT_TRUE(late->is_ended());
  EXPECT_EQ(late->text(), "0 events");
  const auto told = std::make_shared<FakeStream>();
  hub->wait({c->id, Span::seconds(100), told, answer});
  put(c, "x");
  EXPECT_TRUE(told->is_ended());
  EXPECT_EQ(told->text(), "1 events");
  // An event from before the hub knew of the waiter.
  const auto missed = std::make_shared<FakeStream>();
  hub->wait({c->id, Span::seconds(100), missed, answer});
  EXPECT_TRUE(missed->is_ended());
}

// Subscribes again and again, each time from the last position, until it has seen enough.
std::string follow_in_pieces(Database& database, EventHub& hub, CollectionId collection,
                             int events) {
  const auto render =
      std::make_shared<const RenderEvent>([](const Collection&, const Event& event, EventImages&) {
        return std::optional(
            fmt::format("{}.{} {};", event.committed_at.micros, event.number, event.key.id));
      });
  std::string seen;
  FeedPosition at;
  for (int count = 0; count < events;) {
    const auto stream = std::make_shared<FakeStream>();
    hub.subscribe({.source = feed_source(database, {collection}, render),
                   .after = event_position(at),
                   .stream = stream});
    if (!stream->has(";")) return seen + "nothing came";
    stream->leave();
    std::string text = stream->text();
    for (std::size_t end = 0; (end = text.find(';')) != std::string::npos; ++count) {
      at.committed_at.micros = std::stoll(text);
      at.number = static_cast<std::uint32_t>(std::stoul(text.substr(text.find('.') + 1)));
      seen += text.substr(text.find(' ') + 1, end - text.find(' '));
      text.erase(0, end + 1);
    }
  }
  return seen;
}

TEST_F(EventStreamTest, AClientThatReconnectsWithItsPositionGetsEachEventOnce) {
  const auto c = world.collection("c", feed_kept);
  constexpr int events = 500;
  std::vector<std::thread> threads;
  std::vector<std::string> seen(4);
  for (std::string& one : seen) {
    threads.emplace_back([&] { one = follow_in_pieces(*world.database, *hub, c->id, events); });
  }
  std::string expected;
  for (int i = 0; i < events; ++i) {
    put(c, std::to_string(i));
    expected += std::to_string(i) + ";";
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& one : seen) EXPECT_EQ(one, expected);
}

}  // namespace
}  // namespace mayfly::testing
