// Time zones by ICU, which contains the IANA data.
#include <unicode/basictz.h>
#include <unicode/timezone.h>
#include <unicode/tztrans.h>

#include <chrono>
#include <memory>
#include <string>

#include "dialect/centrali/triggers/schedules/cron.h"

namespace mayfly::centrali {
namespace {

constexpr std::int64_t millis_of_minute = 60'000;
constexpr std::size_t name_bytes_max = 64;  // the longest of the IANA's has 32

std::int64_t floor_minutes(std::int64_t millis) {
  return millis / millis_of_minute - (millis % millis_of_minute < 0 ? 1 : 0);
}

CivilMinute civil_of(std::int64_t minutes) {
  const std::chrono::sys_time<std::chrono::minutes> at{std::chrono::minutes(minutes)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const auto within = (at - day).count();
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())), static_cast<int>(within / 60),
          static_cast<int>(within % 60)};
}

std::int64_t minutes_of(const CivilMinute& civil) {
  const std::chrono::year_month_day date(std::chrono::year(civil.year),
                                         std::chrono::month(static_cast<unsigned>(civil.month)),
                                         std::chrono::day(static_cast<unsigned>(civil.day)));
  const auto day = std::chrono::sys_days(date).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::minutes>(day).count() + civil.hour * 60 +
         civil.minute;
}

class IcuZone final : public Zone {
 public:
  explicit IcuZone(std::unique_ptr<icu::BasicTimeZone> zone) : zone_(std::move(zone)) {}

  CivilMinute civil(Instant t) const override {
    const std::int64_t millis = floor_millis(t);
    std::int32_t raw = 0;
    std::int32_t saved = 0;
    UErrorCode status = U_ZERO_ERROR;
    zone_->getOffset(static_cast<UDate>(millis), false, raw, saved, status);
    return civil_of(floor_minutes(millis + raw + saved));
  }

  // The offset before a clock change gives the first of two instants, or an instant after the
  // change if there is none.
  Instant instant(const CivilMinute& civil) const override {
    const std::int64_t local = minutes_of(civil) * millis_of_minute;
    std::int32_t raw = 0;
    std::int32_t saved = 0;
    UErrorCode status = U_ZERO_ERROR;
    zone_->getOffsetFromLocal(static_cast<UDate>(local), UCAL_TZ_LOCAL_FORMER, UCAL_TZ_LOCAL_FORMER,
                              raw, saved, status);
    const Instant found{(local - raw - saved) * 1'000};
    if (this->civil(found) == civil) return found;
    icu::TimeZoneTransition change;
    const auto at = static_cast<UDate>(floor_millis(found));
    if (zone_->getPreviousTransition(at, true, change) == 0) return found;
    return Instant{static_cast<std::int64_t>(change.getTime()) * 1'000};
  }

 private:
  static std::int64_t floor_millis(Instant t) {
    return t.micros / 1'000 - (t.micros % 1'000 < 0 ? 1 : 0);
  }

  const std::unique_ptr<icu::BasicTimeZone> zone_;
};

}  // namespace

Result<ZonePtr> find_zone(std::string_view name) {
  const auto unknown = [&] {
    return fail(Code::invalid,
                "there is no time zone '" + std::string(name.substr(0, name_bytes_max)) +
                    "'; write it as the IANA does, as Europe/Berlin",
                "timezone");
  };
  if (name.empty() || name.size() > name_bytes_max) return unknown();
  std::unique_ptr<icu::TimeZone> zone(
      icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(std::string(name))));
  auto* const basic = dynamic_cast<icu::BasicTimeZone*>(zone.get());
  // The library knows its placeholder for unknown zones, Etc/Unknown, by name as well.
  icu::UnicodeString id;
  const bool is_unknown =
      basic == nullptr || zone->getID(id) == icu::UnicodeString(UCAL_UNKNOWN_ZONE_ID);
  if (is_unknown) return unknown();
  zone.release();
  return std::make_shared<const IcuZone>(std::unique_ptr<icu::BasicTimeZone>(basic));
}

}  // namespace mayfly::centrali
