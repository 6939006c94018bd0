// Which documents of events can still be read.
#include "db/feed/event_images.h"

#include <gtest/gtest.h>

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

class EventImagesTest : public ::testing::Test {
 protected:
  // The member `n` of the document that the last event ended; -1: it cannot be read.
  std::int64_t ended(const CollectionPtr& c) {
    w.database->feed().flush();
    const FeedPage page = must(w.database->feed().read(*w.now(c), {}, 1'000));
    LazyView view(*w.database);
    EventImages images(view, *w.now(c), page.events.back());
    const auto& before = images.before();
    return before ? before->body.member("n").integer() : -1;
  }
  CollectionPtr collection(CollectionChange policy) {
    policy.keep_feed_for = Span::seconds(1'000);
    return w.collection("c", policy);
  }
  void expire(const CollectionPtr& c) {
    must(w.put(c, "a", R"({"n":7})", At{w.database->now() + Span::seconds(1)}));
    w.clock.advance(Span::seconds(2));
    w.sweep();
  }

  World w;
};

TEST_F(EventImagesTest, AnExpiredDocumentIsReadFromTheTrash) {
  const auto c = collection({.keep_trash_for = Span::seconds(100), .expires_to_trash = true});
  expire(c);
  EXPECT_EQ(ended(c), 7);
  must(w.put(c, "a", R"({"n":8})"));
  must(w.remove(c, "a"));
  EXPECT_EQ(ended(c), 8);
}

TEST_F(EventImagesTest, AnExpiredDocumentIsReadFromTheHistory) {
  const auto c = collection({.keep_history_for = Span::seconds(100)});
  expire(c);
  EXPECT_EQ(ended(c), 7);
}

TEST_F(EventImagesTest, AVersionThatEndedBeforeItWasWrittenIsNotTheOneBeforeIt) {
  const auto c = collection({.keep_history_for = Span::seconds(100)});
  must(w.put(c, "a", R"({"n":1})"));
  w.clock.advance(Span::seconds(10));
  must(w.put(c, "a", R"({"n":2})", At{w.database->now() - Span::seconds(5)}));
  w.sweep();
  EXPECT_EQ(ended(c), -1);
}

TEST_F(EventImagesTest, AnExpiredDocumentThatIsNotKeptIsNotThere) {
  const auto c = collection({});
  expire(c);
  EXPECT_EQ(ended(c), -1);
}

}  // namespace
}  // namespace mayfly
