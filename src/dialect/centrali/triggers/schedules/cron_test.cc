// Cron: which texts are valid, and when they fire, also at clock changes.
#include "dialect/centrali/triggers/schedules/cron.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "dialect/centrali/functions/limits.h"
#include "value/rfc3339.h"

namespace mayfly::centrali {
namespace {

ZonePtr zone_of(std::string_view name) {
  auto zone = find_zone(name);
  EXPECT_TRUE(zone) << name;
  return *zone;
}

std::string next_of(std::string_view text, std::string_view from, std::string_view zone = "UTC") {
  const auto cron = Cron::parse(text);
  if (!cron) return cron.error().field + ": " + cron.error().message;
  const Instant next = cron->next(*parse_rfc3339(from), *zone_of(zone));
  return next.is_never() ? "never" : render_rfc3339(next, Fraction::none);
}

TEST(CronTest, FiresAtTheFirstTimeThatMatches) {
  constexpr std::string_view friday = "2026-02-27T10:00:30Z";
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"* * * * *", "2026-02-27T10:01:00Z"},
      {"*/15 * * * *", "2026-02-27T10:15:00Z"},
      {"5/20 * * * *", "2026-02-27T10:05:00Z"},
      {"0 9-17/4 * * *", "2026-02-27T13:00:00Z"},
      {"30 9,21 * * *", "2026-02-27T21:30:00Z"},
      {"0 9 * * mon-fri", "2026-03-02T09:00:00Z"},
      {"0 9 * * 7", "2026-03-01T09:00:00Z"},
      {"0 9 * * 0", "2026-03-01T09:00:00Z"},
      {"0 9 * * SAT-SUN", "2026-02-28T09:00:00Z"},
      {"0 0 1 jan,JUL *", "2026-07-01T00:00:00Z"},
      {"0 0 29 2 *", "2028-02-29T00:00:00Z"},
      {"0 0 31 * *", "2026-03-31T00:00:00Z"},
      // Either day, if both are restricted; both, if one begins with a star.
      {"0 0 13 * fri", "2026-03-06T00:00:00Z"},
      {"0 0 */2 * mon", "2026-03-09T00:00:00Z"},
      {"@hourly", "2026-02-27T11:00:00Z"},
      {"@daily", "2026-02-28T00:00:00Z"},
      {"@midnight", "2026-02-28T00:00:00Z"},
      {"@weekly", "2026-03-01T00:00:00Z"},
      {"@monthly", "2026-03-01T00:00:00Z"},
      {"@yearly", "2027-01-01T00:00:00Z"},
      {"@annually", "2027-01-01T00:00:00Z"},
      {"  0   0\t* * * ", "2026-02-28T00:00:00Z"},
  };
  for (const auto& [text, next] : rows) EXPECT_EQ(next_of(text, friday), next) << text;
}

TEST(CronTest, AnInvalidCronIsRefused) {
  for (const std::string_view text :
       {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *",
        "* * * 13 *", "* * * * 8", "*/0 * * * *", "a * * * *", "1- * * * *", "5-1 * * * *",
        "1,,2 * * * *", "* * * feb-jan *", "@reboot", "-1 * * * *", "1/ * * * *", "* * * * ,"}) {
    EXPECT_EQ(next_of(text, "2026-02-27T10:00:00Z").substr(0, 15), "cronExpression:") << text;
  }
  std::string longest = "0";
  while (longest.size() + 10 <= limits::cron_bytes_max) longest += ",0";
  EXPECT_TRUE(Cron::parse(longest + " * * * *"));
  EXPECT_FALSE(Cron::parse(longest + ",0,0,0 * * * *"));
}

TEST(CronTest, ACronThatNeverFiresIsRefused) {
  for (const std::string_view text : {"0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 31 feb *"}) {
    EXPECT_FALSE(Cron::parse(text)) << text;
  }
  EXPECT_TRUE(Cron::parse("0 0 30 2 mon"));
  EXPECT_EQ(next_of("0 0 29 2 */7", "2026-01-01T00:00:00Z"), "2032-02-29T00:00:00Z");
}

TEST(CronTest, ClocksThatAreChangedNeitherLoseNorRepeatATime) {
  constexpr std::string_view berlin = "Europe/Berlin";
  // On 29 March 2026 no clock shows 02:00 to 02:59: it fires once, after the gap.
  EXPECT_EQ(next_of("30 2 * * *", "2026-03-28T12:00:00Z", berlin), "2026-03-29T01:00:00Z");
  EXPECT_EQ(next_of("30 2 * * *", "2026-03-29T01:00:00Z", berlin), "2026-03-30T00:30:00Z");
  EXPECT_EQ(next_of("0,30 2,3 * * *", "2026-03-29T01:00:00Z", berlin), "2026-03-29T01:30:00Z");
  // On 25 October 2026 clocks show 02:00 to 02:59 twice: the first time counts.
  EXPECT_EQ(next_of("30 2 * * *", "2026-10-24T12:00:00Z", berlin), "2026-10-25T00:30:00Z");
  EXPECT_EQ(next_of("30 2 * * *", "2026-10-25T00:30:00Z", berlin), "2026-10-26T01:30:00Z");
  // A schedule that fires every hour fires in each of the two.
  EXPECT_EQ(next_of("30 * * * *", "2026-10-25T00:30:00Z", berlin), "2026-10-25T01:30:00Z");
  EXPECT_EQ(next_of("30 * * * *", "2026-03-29T00:30:00Z", berlin), "2026-03-29T01:30:00Z");
  EXPECT_EQ(next_of("0 9 * * *", "2026-03-28T12:00:00Z", berlin), "2026-03-29T07:00:00Z");
  // Half an hour of summer time, and a day that was left out.
  EXPECT_EQ(next_of("15 2 * * *", "2026-10-03T12:00:00Z", "Australia/Lord_Howe"),
            "2026-10-03T15:30:00Z");
  EXPECT_EQ(next_of("0 12 30 12 *", "2011-12-29T00:00:00Z", "Pacific/Apia"),
            "2011-12-30T10:00:00Z");
}

TEST(CronTest, ThereAreTheZonesOfTheIana) {
  for (const char* name : {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"}) {
    EXPECT_TRUE(find_zone(name)) << name;
  }
  for (const std::string& name :
       {std::string(), std::string("Mars/Olympus"), std::string("Etc/Unknown"), std::string("\xFF"),
        std::string(100, 'x')}) {
    const auto zone = find_zone(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().field, "timezone");
  }
}

std::string any_field(int least, int most) {
  if (*rc::gen::inRange(0, 3) == 0) return "*";
  const int from = *rc::gen::inRange(least, most + 1);
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return std::to_string(from);
    case 1: return std::to_string(from) + "-" + std::to_string(*rc::gen::inRange(from, most + 1));
    default: return "*/" + std::to_string(*rc::gen::inRange(1, most + 1));
  }
}

RC_GTEST_PROP(CronTest, TheNextTimeIsLaterAndMatchesAndNoneIsBetween, ()) {
  const std::string text = any_field(0, 59) + " " + any_field(0, 23) + " " + any_field(1, 31) +
                           " " + any_field(1, 12) + " " + any_field(0, 6);
  const auto cron = Cron::parse(text);
  RC_PRE(cron.has_value());
  const Instant t = Instant::from_seconds(*rc::gen::inRange(0, 2'000'000'000));
  const ZonePtr utc = zone_of("UTC");
  const Instant next = cron->next(t, *utc);
  RC_ASSERT(next > t);
  RC_ASSERT(cron->matches(utc->civil(next)));
  // Checks only the last day before it, to bound the work.
  constexpr Span minute = Span::seconds(60);
  Instant between = std::max(Instant::from_seconds((t.whole_seconds() / 60 + 1) * 60),
                             next - Span::seconds(86'400));
  for (; between < next; between = between + minute) {
    RC_ASSERT(!cron->matches(utc->civil(between)));
  }
  // At clock changes it still advances, and matches or is right after a gap.
  const ZonePtr berlin = zone_of("Europe/Berlin");
  const Instant there = cron->next(t, *berlin);
  RC_ASSERT(there > t);
  const bool is_behind_gap =
      berlin->civil(there).hour != (berlin->civil(there - minute).hour + 1) % 24;
  RC_ASSERT(cron->matches(berlin->civil(there)) || is_behind_gap);
}

}  // namespace
}  // namespace mayfly::centrali
