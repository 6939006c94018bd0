// Which subscriptions an event concerns, and how many filters are evaluated to find them.
#include "delivery/engine/subscription_matcher.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "delivery/testing.h"
#include "expr/evaluation/evaluate.h"

namespace mayfly::delivery {
namespace {

using expr::body;
using expr::literal;
using testing::must;
using testing::with_feed;
using testing::World;

Subscription with_filter(const std::string& id, const ExprPtr& filter) {
  Subscription one{.id = id};
  if (filter) one.filter = must(StoredExpression::of(filter));
  return one;
}

// The subscriptions that the last event of the collection concerns.
std::set<std::string> found_by(World& w, const CollectionPtr& c, SubscriptionMatcher& matcher,
                               const std::vector<Subscription>& all) {
  const FeedPage page = must(w.database->feed().read(*w.now(c), {}, 1'000));
  LazyView view(*w.database);
  EventImages images(view, *c, page.events.back());
  std::set<std::string> ids;
  const SubscriptionMatcher::Selection selection(all.size(), true);
  const auto found = matcher.find(*c, page.events.back(), images, selection);
  for (const std::size_t number : found.concerned) ids.insert(all[number].id);
  return ids;
}

std::vector<const Subscription*> pointers_to(const std::vector<Subscription>& all) {
  std::vector<const Subscription*> pointers;
  for (const Subscription& one : all) pointers.push_back(&one);
  return pointers;
}

Instant leaping_now() {
  static Instant now;
  now = now + Span::seconds(1);
  return now;
}

TEST(SubscriptionMatcher, AFilterThatTakesTooLongIsDisabled) {
  World w;
  const auto c = w.collection("c", with_feed);
  std::string list = "0";
  for (int i = 1; i < 50'000; ++i) list += ",0";
  const auto slow = expr::call("array_contains", {body("list"), literal(1)});
  const std::vector<Subscription> all{with_filter("slow", slow),
                                      with_filter("other", expr::equal(body("n"), literal(7)))};
  SubscriptionMatcher matcher(pointers_to(all), leaping_now);
  for (std::uint64_t event = 1; event < 6; ++event) {
    must(w.put(c, "a", R"({"n":7,"list":[)" + list + "]}"));
    matcher.begin_run();
    matcher.begin_turn();
    EXPECT_EQ(found_by(w, c, matcher, all), std::set<std::string>{"other"});
    const std::uint64_t slow_ones = std::min<std::uint64_t>(event, limits::filter_timeouts_max);
    EXPECT_EQ(matcher.evaluations(), event + slow_ones);
  }
}

TEST(SubscriptionMatcher, WhenTheTimeIsOverAFilterIsEvaluatedOnlyIfNothingElseGoesOn) {
  World w;
  const auto c = w.collection("c", with_feed);
  const auto above = [](int n) { return expr::call("less", {literal(n), body("n")}); };
  const std::vector<Subscription> all{with_filter("one", above(1)), with_filter("two", above(2)),
                                      with_filter("three", above(9)), with_filter("all", nullptr)};
  SubscriptionMatcher matcher(pointers_to(all));
  must(w.put(c, "a", R"({"n":5})"));
  const FeedPage page = must(w.database->feed().read(*c, {}, 1'000));
  LazyView view(*w.database);
  SubscriptionMatcher::Selection selection(4, true);
  const auto find = [&] {
    EventImages images(view, *c, page.events.back());
    return matcher.find(*c, page.events.back(), images, selection, Instant::beginning());
  };
  const auto first = find();
  EXPECT_EQ(first.concerned, (SubscriptionMatcher::Numbers{3}));
  EXPECT_EQ(first.unknown, (SubscriptionMatcher::Numbers{0, 1, 2}));
  EXPECT_EQ(matcher.evaluations(), 0U);
  selection = {true, true, true, false};
  const auto second = find();
  EXPECT_EQ(second.concerned, (SubscriptionMatcher::Numbers{0}));
  EXPECT_EQ(second.unknown, (SubscriptionMatcher::Numbers{1, 2}));
  selection = {false, false, true, false};
  EXPECT_TRUE(find().concerned.empty());
  EXPECT_EQ(matcher.evaluations(), 2U);
}

// Each reading of the clock is a second later, so a filter has used its time after one event.
TEST(SubscriptionMatcher, AFilterThatHasUsedItsTimeWaitsWhileOthersGoOn) {
  World w;
  const auto c = w.collection("c", with_feed);
  const std::vector<Subscription> all{with_filter("slow", expr::less(literal(1), body("n"))),
                                      with_filter("all", nullptr)};
  SubscriptionMatcher matcher(pointers_to(all), leaping_now);
  must(w.put(c, "a", R"({"n":5})"));
  EXPECT_EQ(found_by(w, c, matcher, all), (std::set<std::string>{"slow", "all"}));
  EXPECT_EQ(found_by(w, c, matcher, all), (std::set<std::string>{"all"}));
  EXPECT_EQ(matcher.evaluations(), 1U);
  matcher.begin_turn();
  EXPECT_EQ(found_by(w, c, matcher, all), (std::set<std::string>{"slow", "all"}));
}

TEST(SubscriptionMatcher, FiltersThatShareAFieldAreFoundByItsValue) {
  World w;
  const auto c = w.collection("c", with_feed);
  std::vector<Subscription> all;
  for (int i = 0; i < 1'000; ++i) {
    all.push_back(with_filter(std::to_string(i), expr::equal(body("n"), literal(i))));
  }
  all.push_back(with_filter("all", nullptr));
  SubscriptionMatcher matcher(pointers_to(all));
  must(w.put(c, "a", R"({"n":7})"));
  EXPECT_EQ(found_by(w, c, matcher, all), (std::set<std::string>{"7", "all"}));
  EXPECT_EQ(matcher.evaluations(), 1U);
  must(w.put(c, "b", R"({"n":7.0})"));
  EXPECT_EQ(found_by(w, c, matcher, all), (std::set<std::string>{"7", "all"}));
  must(w.put(c, "c", R"({"m":7})"));
  EXPECT_EQ(found_by(w, c, matcher, all), (std::set<std::string>{"all"}));
  EXPECT_EQ(matcher.evaluations(), 2U);
}

// The subscriptions found are those whose filter is true of the document, whether found by value or
// not.
RC_GTEST_PROP(SubscriptionMatcherProperty, FindsThoseWhoseFilterIsTrue, ()) {
  World w;
  const auto c = w.collection("c", with_feed);
  const Value values[] = {Value(1), Value(2), Value("1"), Value(nullptr), Value(true)};
  const auto value = [&] { return values[*rc::gen::inRange<std::size_t>(0, std::size(values))]; };
  const auto field = [] { return body(*rc::gen::element<std::string>("a", "b")); };
  std::vector<Subscription> all;
  const int count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) {
    const ExprPtr equal = expr::equal(field(), literal(value()));
    const ExprPtr less = expr::call("less", {field(), literal(value())});
    const ExprPtr filters[] = {nullptr, equal, less, expr::all_of({less, equal}),
                               expr::any_of({less, equal})};
    all.push_back(with_filter(std::to_string(i), filters[*rc::gen::inRange(0, 5)]));
  }
  Object document;
  for (const char* name : {"a", "b"}) {
    if (*rc::gen::arbitrary<bool>()) document.set(name, value());
  }
  must(w.put(c, "x", render_json(Value(document))));
  std::set<std::string> expected;
  for (const Subscription& one : all) {
    Meter meter;
    const Value row(document);
    const bool fits =
        !one.filter || truth(*one.filter.expression, ValueScope(row), meter).value() == Truth::yes;
    if (fits) expected.insert(one.id);
  }
  SubscriptionMatcher matcher(pointers_to(all));
  RC_ASSERT(found_by(w, c, matcher, all) == expected);
}

}  // namespace
}  // namespace mayfly::delivery
