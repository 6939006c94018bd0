// The server itself: its description, clock, sweeper and health.
#include <fmt/format.h>

#include <cmath>

#include "base/limits.h"
#include "base/service/metrics.h"
#include "db/clock/database_clock.h"
#include "db/expiry/sweeper.h"
#include "db/jobs/jobs.h"
#include "delivery/deliveries.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/native/actions.h"
#include "value/rfc3339.h"

namespace mayfly::native {
namespace {

std::string_view clock_kind(const NativeCall& call) {
  return call.shared.services.manual_clock == nullptr ? "system" : "virtual";
}

net::Response tell_clock(const NativeCall& call, Instant now) {
  return json_response(200,
                       render_json(Object{{"now", Value(now)}, {"kind", Value(clock_kind(call))}}));
}

// The requested new time of the clock, from `now`.
Result<Instant> read_move(const Object& body, Instant now) {
  MemberReader members(body);
  const auto seconds = TRY(members.number("advance_seconds"));
  const auto to = TRY(members.time("set"));
  TRY(members.finish());
  if (seconds.has_value() == to.has_value()) {
    return fail(Code::invalid, "either \"advance_seconds\" or \"set\" must be given",
                "advance_seconds");
  }
  if (to) {
    if (*to >= now) return *to;
    return fail(Code::invalid,
                fmt::format("the clock does not go back; it stands at {}", render_rfc3339(now)),
                "set");
  }
  const double micros = std::round(*seconds * 1e6);
  const auto left = static_cast<double>((limits::instant_max - now).micros);
  if (!(micros >= 0)) {
    return fail(Code::invalid, "\"advance_seconds\" must not be negative", "advance_seconds");
  }
  if (micros > left) {
    return fail(Code::invalid, "\"advance_seconds\" leads beyond the year 9999", "advance_seconds");
  }
  return now + Span{static_cast<std::int64_t>(micros)};
}

Value time_or_null(Instant t) {
  return t.is_never() || t == Instant::beginning() ? Value(Null{}) : Value(t);
}

Value count(std::uint64_t n) {
  return Value(static_cast<std::int64_t>(n));
}

// The server answers requests and is ready, but an operator must act.
Result<net::Response> tell_what_needs_a_look(NativeCall& call) {
  const SweeperState state = call.database().sweeper().state();
  Array warnings;
  if (state.failing_collections > 0) {
    warnings.push_back("the ends of " + std::to_string(state.failing_collections) +
                       (state.failing_collections == 1 ? " collection" : " collections") +
                       " cannot be recorded: " + state.last_failure);
  }
  if (const auto* deliveries = call.shared.services.deliveries) {
    for (const auto& [kind, why] : deliveries->closed_targets()) {
      warnings.push_back("no message is delivered to " + kind + ": " + why);
    }
  }
  for (const JobState& job : call.database().jobs().states()) {
    if (!job.last_error.empty()) {
      warnings.push_back("the job " + job.name + " fails: " + job.last_error);
    }
  }
  if (warnings.empty()) return get_health(call);
  return json_response(
      200, render_json(Object{{"status", Value("ok")}, {"warnings", std::move(warnings)}}));
}

}  // namespace

Result<net::Response> describe_server(NativeCall& call) {
  return json_response(200, render_json(Object{{"name", Value("mayfly")},
                                               {"version", Value(MAYFLY_VERSION)},
                                               {"clock", Value(clock_kind(call))},
                                               {"now", Value(call.database().now())}}));
}

Result<net::Response> describe_api(NativeCall& call) {
  return net::Response{.view = {call.shared.openapi}};
}

Result<net::Response> get_health(NativeCall&) {
  return json_response(200, R"({"status":"ok"})");
}

Result<net::Response> get_readiness(NativeCall& call) {
  const auto& readiness = call.shared.services.readiness;
  const Result<void> ready = readiness ? readiness() : Result<void>{};
  if (ready) return tell_what_needs_a_look(call);
  return json_response(503, render_json(Object{{"status", Value("not_ready")},
                                               {"reason", Value(ready.error().message)}}));
}

Result<net::Response> get_metrics(NativeCall& call) {
  const Metrics* metrics = call.shared.services.metrics;
  return net::Response{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                       .body = metrics == nullptr ? std::string() : metrics->render()};
}

Result<net::Response> get_clock(NativeCall& call) {
  return tell_clock(call, call.database().now());
}

// A move counts from the instant that readers see, which commits may have moved slightly ahead of
// the clock. So a client that reads T and advances by n is then at T + n.
Result<net::Response> move_clock(NativeCall& call) {
  ManualClock* clock = call.shared.services.manual_clock;
  if (clock == nullptr) {
    return fail(Code::unsupported,
                "the clock is the system's; start the server with '--clock virtual' to move it");
  }
  const Object body = TRY(parse_object(call.request.body));
  Database& database = call.database();
  const std::lock_guard lock(call.shared.clock_is_moved);
  const Instant now = database.now();
  const Instant to = TRY(read_move(body, now));
  if (to == now) return tell_clock(call, now);
  TRY(mayfly::move_clock(database, *clock, to));
  database.jobs().look_again();
  return tell_clock(call, database.now());
}

Result<net::Response> list_jobs(NativeCall& call) {
  Array jobs;
  for (const JobState& job : call.database().jobs().states()) {
    jobs.push_back(
        Object{{"name", Value(job.name)},
               {"lane", Value(std::string(name_of(job.lane)))},
               {"lease", job.lease.empty() ? Value(nullptr) : Value(job.lease)},
               {"running", Value(job.is_running)},
               {"due", time_or_null(job.due)},
               {"last_run", time_or_null(job.last_run)},
               {"took_seconds", Value(static_cast<double>(job.took.micros) / 1e6)},
               {"runs", count(job.runs)},
               {"failures", count(job.failures)},
               {"last_error", job.last_error.empty() ? Value(nullptr) : Value(job.last_error)}});
  }
  return json_response(200, render_json(Object{{"jobs", std::move(jobs)}}));
}

Result<net::Response> get_sweeper(NativeCall& call) {
  const SweeperState state = call.database().sweeper().state();
  return json_response(200,
                       render_json(Object{{"paused", Value(state.is_paused)},
                                          {"next_due", time_or_null(state.next_due)},
                                          {"overdue_collections", count(state.overdue_collections)},
                                          {"expired", count(state.expired)},
                                          {"trash_purged", count(state.trash_purged)},
                                          {"batches", count(state.batches)},
                                          {"swept_at", time_or_null(state.swept_at)}}));
}

Result<net::Response> pause_sweeper(NativeCall& call) {
  call.database().sweeper().pause();
  return get_sweeper(call);
}

Result<net::Response> resume_sweeper(NativeCall& call) {
  call.database().sweeper().resume();
  return get_sweeper(call);
}

Result<net::Response> run_sweeper(NativeCall& call) {
  const std::size_t recorded = TRY(call.database().sweeper().run_due(SIZE_MAX));
  return json_response(200, render_json(Object{{"recorded", count(recorded)}}));
}

}  // namespace mayfly::native
