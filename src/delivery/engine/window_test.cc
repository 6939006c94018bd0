// Which messages of a window may be sent, in which order, and what the window's position is.
#include "delivery/engine/window.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace mayfly::delivery {
namespace {

FeedPosition at(std::int64_t micros, std::uint32_t number = 0) {
  return {Instant{micros}, number};
}

MessagePtr message(std::int64_t micros, const std::string& document) {
  return std::make_shared<Message>(Message{
      .id = std::to_string(micros), .position = at(micros), .document = document, .payload = "{}"});
}

TEST(Window, SendsOneMessageOfADocumentAtATime) {
  Window window(at(0));
  window.add(message(1, "a"));
  window.add(message(2, "a"));
  window.add(message(3, "b"));
  window.set_read(at(9));
  const Instant now{10};
  const auto first = window.next(now);
  ASSERT_TRUE(first);
  EXPECT_EQ(window.item(*first).message->id, "1");
  window.begin(*first, 0);
  const auto other = window.next(now);
  ASSERT_TRUE(other);
  EXPECT_EQ(window.item(*other).message->id, "3");
  window.begin(*other, 0);
  EXPECT_FALSE(window.next(now));
  EXPECT_EQ(window.under_way(), 2U);
  window.finish(*first);
  EXPECT_EQ(window.item(*window.next(now)).message->id, "2");
}

TEST(Window, ThePositionIsBeforeTheFirstMessageThatIsNotDone) {
  Window window(at(0));
  window.add(message(5, "a"));
  window.add(message(7, "b"));
  window.set_read(at(9));
  EXPECT_EQ(window.done(), at(4, UINT32_MAX));
  const auto first = *window.next(Instant{10});
  window.begin(first, 0);
  const auto second = *window.next(Instant{10});
  window.begin(second, 0);
  window.finish(second);
  EXPECT_EQ(window.done(), at(4, UINT32_MAX));
  window.finish(first);
  EXPECT_EQ(window.done(), at(9));
  EXPECT_EQ(window.size(), 0U);
}

TEST(Window, APostponedMessageIsDueLater) {
  Window window(at(0));
  window.add(message(1, "a"));
  const auto number = *window.next(Instant{10});
  window.begin(number, 0);
  EXPECT_EQ(window.postpone(number, Instant{20}, true, 0), 1);
  EXPECT_FALSE(window.next(Instant{19}));
  EXPECT_EQ(window.next_due(), Instant{20});
  EXPECT_EQ(window.next(Instant{20}), number);
}

TEST(Window, ADeadLetterThatIsSentAgainDoesNotHoldBackThePosition) {
  Window window(at(5));
  window.add_dead_letter(message(1, "a"));
  EXPECT_TRUE(window.has_dead_letter("1"));
  EXPECT_EQ(window.done(), at(5));
  const auto number = *window.next(Instant{10});
  window.begin(number, 0);
  EXPECT_TRUE(window.finish(number).is_dead_letter);
  EXPECT_FALSE(window.has_dead_letter("1"));
}

// Whatever happens to attempts, the messages of each document are done in order, and the position
// never skips a message that is not done.
RC_GTEST_PROP(WindowProperty, KeepsTheOrderOfEachDocument, ()) {
  Window window(at(0));
  const auto documents = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3));
  std::int64_t micros = 0;
  for (const int document : documents) {
    window.add(message(++micros, std::string(1, static_cast<char>('a' + document))));
  }
  window.set_read(at(micros));
  std::map<std::string, std::int64_t> last;
  std::set<std::int64_t> done;
  std::vector<Window::Number> under_way;
  while (window.size() > 0) {
    const auto next = window.next(Instant{1'000'000});
    const bool begins = next && (under_way.empty() || *rc::gen::arbitrary<bool>());
    if (begins) {
      window.begin(*next, 0);
      under_way.push_back(*next);
      continue;
    }
    RC_ASSERT(!under_way.empty());
    const auto which = *rc::gen::inRange<std::size_t>(0, under_way.size());
    const auto number = under_way[which];
    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
    if (*rc::gen::inRange(0, 4) == 3) {  // the smallest sizes give 0 only
      window.postpone(number, Instant{0}, true, 0);
      continue;
    }
    const MessagePtr ended = window.finish(number).message;
    const std::int64_t own = ended->position.committed_at.micros;
    RC_ASSERT(last[ended->document] < own);
    last[ended->document] = own;
    done.insert(own);
    for (std::int64_t before = 1; before <= window.done().committed_at.micros; ++before) {
      RC_ASSERT(done.contains(before));
    }
  }
  RC_ASSERT(window.done() == at(micros));
}

}  // namespace
}  // namespace mayfly::delivery
