// P7: a million expirations in one instant, during 2,000 reads a second.
#include "base/check.h"
#include "bench/rows.h"
#include "bench/storm.h"

namespace mayfly::bench {
namespace {

void add_storm(const Options& options, bool is_told, std::vector<ReportRow>& rows) {
  const std::string what =
      is_told ? "storm of deaths, a durable event for each" : "storm of deaths, nobody listening";
  ReportRow reads{.id = "P7",
                  .what = what + ": p99 of reads during it",
                  .unit = "us",
                  .against = "before it",
                  .goal = "<= 1.2",
                  .is_met = [](double ours, double theirs) { return ours <= 1.2 * theirs; }};
  ReportRow wrong{.id = "P7",
                  .what = what + ": wrong answers, from the first microsecond",
                  .unit = "reads",
                  .goal = "0",
                  .is_met = [](double ours, double) { return ours == 0; }};
  ReportRow memory{.id = "P7",
                   .what = what + ": memory during it",
                   .unit = "MiB",
                   .against = "before it",
                   .goal = "<= 1.1",
                   .is_met = [](double ours, double theirs) { return ours <= 1.1 * theirs; }};
  for (int i = 0; i < options.storms(); ++i) {
    const auto mayfly = make_mayfly(options.directory + "/storm", is_told);
    const StormResult result = run_storm(*mayfly, {.deaths = options.deaths_or(1'000'000)});
    reads.ours.push_back(result.during_p99_micros);
    reads.theirs.push_back(result.before_p99_micros);
    wrong.ours.push_back(double(result.wrong));
    memory.ours.push_back(result.memory_most_mib);
    memory.theirs.push_back(result.memory_before_mib);
  }
  for (ReportRow* row : {&reads, &wrong, &memory}) rows.push_back(std::move(*row));
}

}  // namespace

void add_storm_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P7")) return;
  add_storm(options, false, rows);
  add_storm(options, true, rows);
}

}  // namespace mayfly::bench
