#include "app/server/jobs.h"

#include <string>
#include <utility>

#include "base/service/logging.h"
#include "db/clock/clock_limits.h"
#include "db/clock/database_clock.h"

namespace mayfly::app {
namespace {

constexpr Span between_looks = Span::seconds(1);

// Not for a virtual clock: it moves by commits only, and answers wait for those.
JobSpec keep_clock_floor(Database& database) {
  return {.name = "clock floor",
          .lane = JobLane::main,
          .run = [&database](const JobRun&) -> Result<NextRun> {
            TRY(database.persist_clock_if_used());
            return NextRun::after(limits::clock_floor_every);
          },
          .first_due = Instant::beginning(),
          .retry_max = limits::clock_floor_every};
}

// Logs once when the clock is further from the machine's than a crash explains.
JobSpec check_clock(Database& database) {
  return {.name = "clock distance",
          .lane = JobLane::main,
          .run = [&database, is_warned = false](const JobRun&) mutable -> Result<NextRun> {
            const auto [ahead, behind] = clock_distance(database);
            const bool is_far =
                ahead > limits::clock_ahead_warned || behind > limits::clock_behind_max;
            if (is_far && !std::exchange(is_warned, is_far)) {
              log(LogLevel::warn, "the data's time is far from the machine's clock",
                  {{"ahead_seconds", std::to_string(ahead.whole_seconds())},
                   {"behind_seconds", std::to_string(behind.whole_seconds())}});
            }
            is_warned = is_far;
            return NextRun::after(between_looks);
          },
          .first_due = Instant::beginning()};
}

// Makes the other jobs yield while requests are refused for overload, or soon will be.
JobSpec check_overload(const ServerParts& parts) {
  return {
      .name = "overload",
      .lane = JobLane::main,
      .run = [parts, refused_before = std::uint64_t{0}](const JobRun&) mutable -> Result<NextRun> {
        const net::ServerStats stats = parts.server.stats();
        const bool refuses =
            stats.requests_overloaded > std::exchange(refused_before, stats.requests_overloaded);
        parts.database.jobs().give_way(refuses || stats.requests_waiting > parts.requests_max / 2);
        return NextRun::after(between_looks);
      },
      .first_due = Instant::beginning()};
}

JobSpec count_documents(Inspection& inspection) {
  return {.name = "document counts",
          .lane = JobLane::main,
          .run = [&inspection](const JobRun&) -> Result<NextRun> {
            inspection.look();
            return NextRun::after(between_looks);
          },
          .first_due = Instant::beginning()};
}

}  // namespace

std::vector<JobHandle> add_server_jobs(const ServerParts& parts) {
  Jobs& jobs = parts.database.jobs();
  std::vector<JobHandle> handles;
  handles.push_back(jobs.add(check_clock(parts.database)));
  handles.push_back(jobs.add(check_overload(parts)));
  handles.push_back(jobs.add(count_documents(parts.inspection)));
  if (!parts.is_virtual) handles.push_back(jobs.add(keep_clock_floor(parts.database)));
  // Makes the first counts available before the first request for metrics.
  jobs.run_due(JobLane::main);
  return handles;
}

}  // namespace mayfly::app
