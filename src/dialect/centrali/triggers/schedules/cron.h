// Cron: a schedule of five fields (minute, hour, day of month, month, day of week). It computes
// when it fires next.
//
//   field = item {"," item};  item = ("*" | value ["-" value]) ["/" step]
//
// Months and days of the week may be names (jan, sun); Sunday is 0 and 7. If both the day of month
// and the day of week are restricted (begin with no star), a day matches if either does. @yearly,
// @annually, @monthly, @weekly, @daily, @midnight and @hourly stand for a whole text.
//
// Times of the day are those of a time zone. A time that a clock change skips fires at the first
// instant after the gap. A time that it repeats fires only the first time, unless the schedule
// fires every hour: then it fires each time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly::centrali {

// A civil time, without a zone.
struct CivilMinute {
  int year = 1970;
  int month = 1;  // 1 to 12
  int day = 1;    // 1 to 31
  int hour = 0;
  int minute = 0;
  auto operator<=>(const CivilMinute&) const = default;
};

// A time zone. Threads: any.
class Zone {
 public:
  virtual ~Zone() = default;
  virtual CivilMinute civil(Instant t) const = 0;
  // The first instant that the zone's clocks show as this minute, or the first after the gap if
  // they skip it.
  virtual Instant instant(const CivilMinute& civil) const = 0;
};
using ZonePtr = std::shared_ptr<const Zone>;
// By its IANA name. Fails with invalid, naming the field timezone.
Result<ZonePtr> find_zone(std::string_view name);

class Cron {
 public:
  // Fails with invalid, naming the field cronExpression, also if no day of any year matches.
  static Result<Cron> parse(std::string_view text);

  // The first time after `t`, on a whole minute; never() if the calendar ends before.
  Instant next(Instant t, const Zone& zone) const;
  bool matches(const CivilMinute& civil) const;

 private:
  // A bit for each value.
  std::uint64_t minutes_ = 0;
  std::uint32_t hours_ = 0;
  std::uint32_t days_ = 0;
  std::uint32_t months_ = 0;
  std::uint32_t weekdays_ = 0;
  bool has_free_days_ = false;  // the day of month begins with a star
  bool has_free_weekdays_ = false;

  bool fits_day(const CivilMinute& civil) const;
  bool ever_fires() const;
  bool fires_every_hour() const;
  Instant next_of_some_hours(CivilMinute day, Instant t, const Zone& zone) const;
  Instant next_of_every_hour(const CivilMinute& day, Instant t, const Zone& zone) const;
};

}  // namespace mayfly::centrali
