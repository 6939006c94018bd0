// Hard cases of the law of lifetime as tables, and a proof that a folded past gives the same
// answers as the whole one.
#include "lifetime/lifetime.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lifetime/lens.h"

namespace mayfly {
namespace {

constexpr Instant second(std::int64_t s) {
  return Instant::from_seconds(s);
}
constexpr After after(std::int64_t s) {
  return {Span::seconds(s)};
}
constexpr Instant just_before(Instant t) {
  return {t.micros - 1};
}

Policy with_timeline(std::vector<std::pair<Instant, Default>> changes) {
  Policy policy;
  for (auto& [at, to] : changes) policy.change_default(to, at);
  return policy;
}

bool is_alive(Instant now, const Version& version, const Policy& policy) {
  return sees(Lens::live(now), version, policy);
}

TEST(DeathTest, DefaultsCountFromTheSecondOrTheWriteAndOwnLifetimesFromTheSecond) {
  const Instant written{1'000'700'000};
  Policy policy = with_timeline({{second(1), after(1)}});
  EXPECT_EQ(death_of(written, Inherit{}, policy), second(1001));
  policy.default_counts_from = CountsFrom::write;
  EXPECT_EQ(death_of(written, Inherit{}, policy), Instant{1'001'700'000});
  EXPECT_EQ(death_of(written, after(5), policy), second(1005));
  // The same with a folded past, to the microsecond.
  policy.change_default(Unset{}, Instant{1'001'700'000});
  EXPECT_EQ(death_of(written, Inherit{}, policy), Instant::never());
  Policy expired = with_timeline({{second(1), after(1)}});
  expired.default_counts_from = CountsFrom::write;
  expired.change_default(Unset{}, Instant{1'001'700'001});
  expired.fold(second(2000));
  policy.fold(second(2000));
  EXPECT_EQ(death_of(written, Inherit{}, policy), Instant::never());
  EXPECT_NE(death_of(written, Inherit{}, expired), Instant::never());
  EXPECT_EQ(death_of(written + Span{1}, Inherit{}, expired), Instant::never());
}

TEST(DeathTest, EachLifetimeExpiresByItsOwnRule) {
  const Instant written{1'000'700'000};  // 1000.7 s
  const Policy unset;
  const Policy ten = with_timeline({{second(1), after(10)}});
  const Policy never = with_timeline({{second(1), Never{}}});
  struct Case {
    const char* name;
    Lifetime lifetime;
    const Policy& policy;
    Instant death;
  };
  const Case rows[] = {
      {"inherit, unset", Inherit{}, unset, Instant::never()},
      {"inherit, never", Inherit{}, never, Instant::never()},
      {"inherit, ten", Inherit{}, ten, second(1010)},
      {"never, ten", Never{}, ten, Instant::never()},
      {"after 5, unset", after(5), unset, Instant::never()},
      {"after 5, never", after(5), never, second(1005)},
      {"after 5, ten", after(5), ten, second(1005)},
      {"after 20, ten", after(20), ten, second(1020)},
      {"at, unset", At{Instant{7}}, unset, Instant{7}},
      {"at, ten", At{second(9999)}, ten, second(9999)},
  };
  for (const Case& row : rows) {
    EXPECT_EQ(death_of(written, row.lifetime, row.policy), row.death) << row.name;
  }
}

TEST(DeathTest, ADocumentLivesUntilTheExactMicrosecond) {
  const Version version{.written_at = Instant{5'400'000}, .lifetime = after(3)};
  const Policy policy = with_timeline({{second(1), Never{}}});
  EXPECT_TRUE(is_alive(just_before(second(8)), version, policy));
  EXPECT_FALSE(is_alive(second(8), version, policy));
}

TEST(DeathTest, AnExpiredVersionStaysExpiredWhenTheDefaultChanges) {
  // 10 s from the start, never from 100 s, 3600 s from 200 s.
  const Policy policy =
      with_timeline({{second(1), after(10)}, {second(100), Never{}}, {second(200), after(3600)}});
  struct Case {
    std::int64_t written, death;
  };
  // A version written at 89 expires at 99, under the first default. For one written at 90 the ten
  // seconds end with the default, so it lives on.
  for (const Case row :
       {Case{5, 15}, Case{89, 99}, Case{90, 3690}, Case{150, 3750}, Case{201, 3801}}) {
    EXPECT_EQ(death_of(second(row.written), Inherit{}, policy), second(row.death)) << row.written;
  }
}

TEST(DeathTest, UnsettingADefaultKeepsOnlyLivingVersions) {
  const Policy policy = with_timeline({{second(1), after(10)}, {second(50), Unset{}}});
  EXPECT_EQ(death_of(second(20), Inherit{}, policy), second(30));
  EXPECT_TRUE(death_of(second(45), Inherit{}, policy).is_never());
  EXPECT_EQ(death_of(second(20), after(5), policy), second(25));
  EXPECT_TRUE(death_of(second(45), after(60), policy).is_never());
}

TEST(DeathTest, AShortDefaultExpiresOldInheritVersionsWhenItIsSet) {
  const Policy policy = with_timeline({{second(1), Never{}}, {second(1000), after(60)}});
  EXPECT_EQ(death_of(second(10), Inherit{}, policy), second(1000));
  EXPECT_EQ(death_of(second(990), Inherit{}, policy), second(1050));
}

TEST(DeathTest, AfterTakesEffectWhenADefaultIsSet) {
  const Policy policy = with_timeline({{second(1000), Never{}}});
  EXPECT_EQ(death_of(second(10), after(5), policy), second(1000));
  EXPECT_EQ(death_of(second(999), after(5), policy), second(1004));
}

TEST(DeathTest, SpansBeyondTheLastInstantNeverEnd) {
  const Policy policy = with_timeline({{second(1), Never{}}});
  EXPECT_TRUE(death_of(second(2), After{Span::infinite()}, policy).is_never());
}

TEST(ForgettableTest, AVersionIsForgettableWhenNoLensCanSeeIt) {
  Policy policy;
  policy.history.span = Span::seconds(100);
  const Version replaced{.written_at = second(10), .superseded_at = second(20)};
  EXPECT_EQ(forgettable_at(replaced, policy), second(120));
  EXPECT_EQ(forgettable_at({.written_at = second(10), .lifetime = At{second(15)}}, policy),
            second(115));
  EXPECT_TRUE(forgettable_at({.written_at = second(10)}, policy).is_never());
}

TEST(ForgettableTest, ALongerHistoryDoesNotRestoreWhatAShorterOneReleased) {
  Policy policy;
  policy.history = policy.history.changed(Span::seconds(100), second(50));
  EXPECT_EQ(forgettable_at({.written_at = second(10), .superseded_at = second(50)}, policy),
            second(50));
  EXPECT_EQ(forgettable_at({.written_at = second(10), .superseded_at = second(51)}, policy),
            second(151));
}

TEST(TrashTest, TheTrashShowsARemovedVersionUntilItsRetentionOrLifetimeEnds) {
  Policy policy;
  policy.trash.span = Span::seconds(60);
  const Version removed{.written_at = second(5), .removed_at = second(10)};
  EXPECT_FALSE(sees(Lens::live(second(11)), removed, policy));
  EXPECT_TRUE(sees(Lens::trash(just_before(second(70))), removed, policy));
  EXPECT_FALSE(sees(Lens::trash(second(70)), removed, policy));
  const Version expiring{
      .written_at = second(5), .lifetime = At{second(30)}, .removed_at = second(10)};
  EXPECT_TRUE(sees(Lens::trash(just_before(second(30))), expiring, policy));
  EXPECT_FALSE(sees(Lens::trash(second(30)), expiring, policy));
}

TEST(TrashTest, ALongerRetentionDoesNotRestoreWhatAShorterOneReleased) {
  Policy policy;
  policy.trash.span = Span::seconds(10);
  policy.trash = policy.trash.changed(Span::seconds(1000), second(100));
  const Version released{.written_at = second(5), .removed_at = second(90)};
  const Version kept{.written_at = second(5), .removed_at = second(91)};
  EXPECT_FALSE(sees(Lens::trash(second(100)), released, policy));
  EXPECT_TRUE(sees(Lens::trash(second(100)), kept, policy));
}

TEST(LensTest, AsOfShowsWhatAReaderAtThatInstantSaw) {
  const Version version{
      .written_at = second(10), .lifetime = At{second(30)}, .superseded_at = second(20)};
  const Policy policy;
  EXPECT_FALSE(sees(Lens::as_of(just_before(second(10))), version, policy));
  EXPECT_TRUE(sees(Lens::as_of(second(10)), version, policy));
  EXPECT_TRUE(sees(Lens::as_of(just_before(second(20))), version, policy));
  EXPECT_FALSE(sees(Lens::as_of(second(20)), version, policy));
}

TEST(LensTest, APageOfAPinnedSnapshotHidesVersionsThatExpiredMeanwhile) {
  const Version expiring{.written_at = second(10), .lifetime = At{second(30)}};
  const Version later{.written_at = second(21)};
  const Policy policy;
  EXPECT_TRUE(sees(Lens::page(second(20), second(29)), expiring, policy));
  EXPECT_FALSE(sees(Lens::page(second(20), second(30)), expiring, policy));
  EXPECT_FALSE(sees(Lens::page(second(20), second(29)), later, policy));
}

// --- properties over random timelines, within a few seconds so that many instants coincide ---

rc::Gen<Default> arbitrary_default() {
  return rc::gen::map(rc::gen::inRange(-2, 8), [](int n) -> Default {
    if (n == -2) return Unset{};
    if (n <= 0) return Never{};
    return after(n);
  });
}

rc::Gen<Instant> arbitrary_instant() {
  return rc::gen::map(rc::gen::inRange<std::int64_t>(1, 40),
                      [](std::int64_t half_seconds) { return Instant{half_seconds * 500'000}; });
}

Policy arbitrary_policy() {
  auto changes = *rc::gen::container<std::vector<std::pair<Instant, Default>>>(
      rc::gen::pair(arbitrary_instant(), arbitrary_default()));
  std::sort(changes.begin(), changes.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Policy policy;
  if (*rc::gen::arbitrary<bool>()) policy.default_counts_from = CountsFrom::write;
  for (const auto& [at, to] : changes) {
    if (at > policy.timeline.back().from) policy.change_default(to, at);
  }
  return policy;
}

Lifetime arbitrary_lifetime() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return Inherit{};
    case 1: return Never{};
    case 2: return after(*rc::gen::inRange(1, 8));
    default: return At{*arbitrary_instant()};
  }
}

// The law by its definition: step through time and check at each instant whether the rule holds.
Instant death_by_definition(Instant written_at, const Lifetime& lifetime, const Policy& policy) {
  if (const At* at = std::get_if<At>(&lifetime)) return at->instant;
  for (std::int64_t t = written_at.micros; t < 60'000'000; t += 500'000) {
    const Default* in_force = &policy.timeline.front().in_force;
    for (const Stretch& stretch : policy.timeline) {
      if (stretch.from.micros <= t) in_force = &stretch.in_force;
    }
    const After* own = std::get_if<After>(&lifetime);
    const After* inherited = std::get_if<After>(in_force);
    const bool inherits = std::holds_alternative<Inherit>(lifetime);
    if (own && !std::holds_alternative<Unset>(*in_force) &&
        Instant{t} >= written_at.floor_second() + own->span) {
      return {t};
    }
    const bool counts_from_second = policy.default_counts_from == CountsFrom::second;
    const Instant counted = counts_from_second ? written_at.floor_second() : written_at;
    if (inherits && inherited && Instant{t} >= counted + inherited->span) {
      return {t};
    }
  }
  return Instant::never();
}

RC_GTEST_PROP(DeathProperty, IsTheFirstInstantAtWhichTheRuleHolds, ()) {
  const Policy policy = arbitrary_policy();
  const Instant written = *arbitrary_instant();
  const Lifetime lifetime = arbitrary_lifetime();
  RC_ASSERT(death_of(written, lifetime, policy) == death_by_definition(written, lifetime, policy));
}

RC_GTEST_PROP(DeathProperty, LaterChangesNeverReviveExpiredVersions, ()) {
  Policy policy = arbitrary_policy();
  const Version version{.written_at = *arbitrary_instant(), .lifetime = arbitrary_lifetime()};
  const Instant now = policy.timeline.back().from + Span::millis(*rc::gen::inRange(0, 20'000));
  RC_PRE(now >= version.written_at);
  const bool was_alive = is_alive(now, version, policy);
  policy.change_default(*arbitrary_default(), now + Span{1});
  RC_ASSERT(is_alive(now, version, policy) == was_alive);
  if (!was_alive) {
    RC_ASSERT(!is_alive(now + Span::seconds(*rc::gen::inRange(0, 100)), version, policy));
  }
}

RC_GTEST_PROP(FoldProperty, AFoldedPastGivesTheSameAnswersAsTheWhole, ()) {
  const Policy whole = arbitrary_policy();
  Policy folded = whole;
  const Instant horizon = *arbitrary_instant();
  folded.fold(horizon);
  const Version version{.written_at = *arbitrary_instant(), .lifetime = arbitrary_lifetime()};
  const Instant now = horizon + Span::millis(*rc::gen::inRange(0, 30'000));
  RC_ASSERT(is_alive(now, version, folded) == is_alive(now, version, whole));
}

RC_GTEST_PROP(DeathProperty, VersionsExpireInTheOrderOfTheQueues, ()) {
  const Policy policy = arbitrary_policy();
  const Instant a = *arbitrary_instant();
  const Instant b = a + Span::millis(*rc::gen::inRange(0, 5'000));
  RC_ASSERT(death_of(a, Inherit{}, policy) <= death_of(b, Inherit{}, policy));
  const Span shorter = Span::seconds(*rc::gen::inRange(1, 5));
  RC_ASSERT(death_of(a, After{shorter}, policy) <=
            death_of(a, After{{shorter.micros + 1'000'000}}, policy));
}

RC_GTEST_PROP(DeathProperty, ExpiredVersionsAreTheFrontOfEachQueue, ()) {
  Policy policy = arbitrary_policy();
  if (*rc::gen::arbitrary<bool>()) policy.fold(*arbitrary_instant());
  const Instant t = *arbitrary_instant() + Span{*rc::gen::inRange<std::int64_t>(-1, 2)};
  const Instant written = *arbitrary_instant() + Span{*rc::gen::inRange<std::int64_t>(-1, 2)};
  RC_ASSERT((written < inherit_live_from(policy, t)) ==
            (death_of(written, Inherit{}, policy) <= t));
  const After own = after(*rc::gen::inRange(1, 8));
  RC_ASSERT((written.floor_second() + own.span < after_live_from(policy, t)) ==
            (death_of(written, own, policy) <= t));
}

}  // namespace
}  // namespace mayfly
