// Forecasts and previews, compared with a count of the documents themselves.
#include "db/ledger/forecast.h"

#include "base/random.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::must;
using testing::second;
using testing::World;

std::string forecast_text(const Forecast& forecast) {
  std::string text;
  for (const Forecast::Slot& slot : forecast.slots) {
    text += (text.empty() ? "" : " ") + std::to_string(slot.deaths.documents) +
            (slot.deaths.is_exact ? "" : "~");
  }
  return text;
}

TEST(Forecast, CountsTheDeathsOfEachSlotByEveryLifetime) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(after(5'000))});
  must(w.put(c, "inherits", "{}"));                       // expires at 6,000
  must(w.put(c, "after", "{}", Lifetime(after(1'800))));  // 2,800
  must(w.put(c, "at", "{}", Lifetime(At{second(2'900)})));
  must(w.put(c, "never", "{}", Lifetime(Never{})));
  must(w.put(c, "later", "{}", Lifetime(At{second(90'000)})));
  must(w.put(c, "rewritten", "{}", Lifetime(At{second(2'900)})));
  must(w.put(c, "rewritten", "{}", Lifetime(At{second(5'000)})));
  EXPECT_EQ(forecast_text(must(forecast(*w.database, c->id, Span::seconds(3'600), 3, Meter()))),
            "2 2 0");
}

TEST(Forecast, LeavesOutExpiredDocumentsThatAreNotSweptYet) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(after(10))});
  must(w.put(c, "a", "{}"));
  must(w.put(c, "b", "{}", Lifetime(At{second(1'005)})));
  EXPECT_EQ(forecast_text(must(forecast(*w.database, c->id, Span::seconds(20'000), 1, Meter()))),
            "2");
  w.clock.set(second(1'100));
  w.change(c, {.default_lifetime = Default(after(10'000))});
  must(w.put(c, "d", "{}"));
  EXPECT_EQ(forecast_text(must(forecast(*w.database, c->id, Span::seconds(20'000), 1, Meter()))),
            "1");
}

TEST(Forecast, EstimatesWhatIsTooMuchToCountWhileThereIsNoLedger) {
  World w;
  const auto c = w.collection("c");
  const std::size_t documents = limits::forecast_sample_rows + 12'000;
  for (std::size_t n = 0; n < documents;) {
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      for (const std::size_t end = std::min(n + 5'000, documents); n < end; ++n) {
        TRY(t.put(w.now(c), DocumentKey::of(std::to_string(n)), TRY(pack_json("{}")),
                  {.lifetime = Lifetime(At{second(2'000)})}));
      }
      return {};
    }));
  }
  const auto by = [&](std::size_t rows_max) {
    return forecast_text(
        must(forecast(*w.database, c->id, Span::seconds(3'600), 1, Meter(), rows_max)));
  };
  EXPECT_EQ(by(0), std::to_string(documents));
  w.lose_ledger(c);
  EXPECT_EQ(by(limits::forecast_rows_max), std::to_string(documents));
  EXPECT_EQ(by(limits::forecast_sample_rows), std::to_string(documents) + "~");
  EXPECT_EQ(by(0), std::to_string(documents) + "~");
}

// A preview predicts what happens when the change is made.
TEST(Preview, PredictsTheEffectOfTheChange) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto any_default = [&]() -> Default {
      switch (random.below(4)) {
        case 0: return Unset{};
        case 1: return Never{};
        default: return after(1 + static_cast<std::int64_t>(random.below(200'000)));
      }
    };
    World w(second(1'000'000));
    const auto c = w.collection("c", {.default_lifetime = any_default()});
    for (int i = 0; i < 40; ++i) {
      const auto lived = 1 + static_cast<std::int64_t>(random.below(800'000));
      const Lifetime lifetimes[] = {Inherit{}, Never{}, after(lived),
                                    At{w.clock.now() + Span::seconds(lived)}};
      must(w.put(c, std::to_string(random.below(30)), "{}", lifetimes[random.below(4)]));
      w.clock.set(w.clock.now() + Span::seconds(static_cast<std::int64_t>(random.below(20'000))));
      if (random.below(8) == 0) w.change(c, {.default_lifetime = any_default()});
      if (random.below(8) == 0) w.sweep();
    }
    const Default changed_default = any_default();
    const auto alive = [&] {
      const std::string ids = w.list(c);
      return ids.empty() ? 0 : 1 + std::count(ids.begin(), ids.end(), ' ');
    };
    const auto before = alive();
    const Preview predicted = must(preview(*w.database, c->id, changed_default, Meter()));
    w.change(c, {.default_lifetime = changed_default});
    const Instant changed = w.database->now();
    EXPECT_EQ(before - alive(), static_cast<std::ptrdiff_t>(predicted.at_once.documents)) << seed;
    w.clock.set(changed + Span::seconds(86'400));
    EXPECT_EQ(before - alive(), static_cast<std::ptrdiff_t>(predicted.within_a_day.documents))
        << seed;
    w.clock.set(changed + Span::seconds(7 * 86'400));
    EXPECT_EQ(before - alive(), static_cast<std::ptrdiff_t>(predicted.within_a_week.documents))
        << seed;
  }
}

TEST(Forecast, EndsWithTheTimeOfTheRequest) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(After{Span::seconds(60)})});
  const Meter late(monotonic_now, Instant::beginning());
  const auto slots = forecast(*w.database, c->id, Span::seconds(3'600), 400, late);
  ASSERT_FALSE(slots.has_value());
  EXPECT_EQ(slots.error().code, Code::timed_out);
}

}  // namespace
}  // namespace mayfly
