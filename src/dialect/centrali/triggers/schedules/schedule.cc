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

std::string zone_name_of(const Object& metadata) {
  const std::string name = text_in(metadata, "timezone");
  return name.empty() ? "UTC" : name;
}

// Fields are named as in the metadata.
Result<Timetable> timetable_of(const Object& metadata) {
  Cron cron = TRY(Cron::parse(text_in(metadata, "cronExpression")));
  ZonePtr found = TRY(find_zone(zone_name_of(metadata)));
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
  for (const std::string name : {"scheduleType", "timezone"}) {
    const Value value = member_or_null(metadata, name);
    if (value.is_null() || value.is(Kind::text)) continue;
    return fail(Code::invalid, name + " must be a text", name);
  }
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

bool has_same_schedule(const Trigger& one, const Trigger& other) {
  const bool are_schedules =
      one.type() == Trigger::Type::scheduled && other.type() == Trigger::Type::scheduled;
  const Object a = one.metadata();
  const Object b = other.metadata();
  const std::string kind = kind_of(a);
  if (!are_schedules || kind != kind_of(b)) return false;
  if (kind == "cron") {
    return text_in(a, "cronExpression") == text_in(b, "cronExpression") &&
           zone_name_of(a) == zone_name_of(b);
  }
  if (kind == "interval") return integer_in(a, "interval") == integer_in(b, "interval");
  const auto at = instant_of(a);
  const auto other_at = instant_of(b);
  return at && other_at && *at == *other_at;
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

Result<void> plan_next_run(const Trigger& before, Trigger& trigger, Instant now) {
  if (trigger.type() != Trigger::Type::scheduled) {
    trigger.set_next_run(Instant::never());
    return {};
  }
  const bool is_same = has_same_schedule(before, trigger);
  if (is_same && !trigger.next_run_at().is_never()) return {};
  const Instant next = next_run(trigger, now);
  if (next.is_never() && !is_same) {
    return fail(Code::invalid, "scheduledAt has passed", "triggerMetadata.scheduledAt");
  }
  trigger.set_next_run(next);
  return {};
}

}  // namespace mayfly::centrali
