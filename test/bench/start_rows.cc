// P12: from the start of the process to the first answer, and the memory it then holds.
#include "bench/process.h"
#include "bench/rows.h"

namespace mayfly::bench {

void add_start_rows(const Options& options, std::vector<Row>& rows) {
  if (!options.wants("P12")) return;
  Row start{.id = "P12",
            .what = "start to first answer, empty",
            .unit = "ms",
            .goal = "<= 50",
            .is_met = [](double ours, double) { return ours <= 50; }};
  Row memory{.id = "P12",
             .what = "memory at rest",
             .unit = "MiB",
             .goal = "<= 40",
             .is_met = [](double ours, double) { return ours <= 40; }};
  int run = 0;
  repeat(options.repetitions, start, [&] {
    const ServerProcess server(options.directory + "/start" + std::to_string(run++));
    memory.ours.push_back(server.resident_mib());
    return double(server.started_in().micros) / 1e3;
  });
  rows.push_back(std::move(start));
  rows.push_back(std::move(memory));
}

}  // namespace mayfly::bench
