#include "dialect/centrali/triggers/schedules/schedule.h"

#include <fmt/format.h>

#include "dialect/centrali/functions/compute_function.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/triggers/schedules/cron.h"
#include "value/rfc3339.h"

namespace mayfly::centrali {
namespace {

struct Timetable {
  Cron cron;
  ZonePtr zone;
};

// Fields are named as in the metadata.
Result<Timetable> timetable_of(const Object& metadata) {
  const std::string zone = text_in(metadata, "timezone");
  Cron cron = TRY(Cron::parse(text_in(metadata, "cronExpression")));
  ZonePtr found = TRY(find_zone(zone.empty() ? "UTC" : zone));
  return Timetable{std::move(cron), std::move(found)};
}

Result<Span> interval_of(const Object& metadata) {
  const std::int64_t seconds = integer_in(metadata, "interval");
  const std::int64_t most = limits::schedule_interval_max.whole_seconds();
  if (seconds >= 1 && seconds <= most) return Span::seconds(seconds);
  return fail(Code::invalid, fmt::format("interval is a number of seconds from 1 to {}", most),
              "interval");
}

Result<Instant> instant_of(const Object& metadata) {
  const auto at = parse_rfc3339(text_in(metadata, "scheduledAt"));
  if (at) return *at;
  return fail(Code::invalid, "scheduledAt is a time in RFC 3339", "scheduledAt");
}

// A schedule without a kind, as of older clients, is an interval.
std::string kind_of(const Object& metadata) {
  const std::string kind = text_in(metadata, "scheduleType");
  if (!kind.empty()) return kind;
  return metadata.find("cronExpression") != nullptr ? "cron" : "interval";
}

Result<void> check(const Object& metadata) {
  const std::string kind = kind_of(metadata);
  if (kind == "cron") {
    TRY(timetable_of(metadata));
  } else if (kind == "interval") {
    TRY(interval_of(metadata));
  } else if (kind == "once") {
    TRY(instant_of(metadata));
  } else {
    return fail(Code::invalid, "scheduleType is cron, interval or once", "scheduleType");
  }
  return {};
}

}  // namespace

Result<void> check_schedule(const Trigger& trigger) {
  return check(trigger.metadata()).map_error([](Error error) {
    error.field = "triggerMetadata." + error.field;
    return error;
  });
}

Instant next_run(const Trigger& trigger, Instant t) {
  const Object metadata = trigger.metadata();
  const std::string kind = kind_of(metadata);
  if (kind == "cron") {
    const auto timetable = timetable_of(metadata);
    return timetable ? timetable->cron.next(t, *timetable->zone) : Instant::never();
  }
  if (kind == "interval") {
    const auto interval = interval_of(metadata);
    return interval ? t + *interval : Instant::never();
  }
  const auto once = instant_of(metadata);
  return once && *once > t ? *once : Instant::never();
}

}  // namespace mayfly::centrali
