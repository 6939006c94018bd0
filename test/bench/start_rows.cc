// P12: from the start of the process to the first answer, and the memory it then holds.
#include <filesystem>

#include "bench/engine.h"
#include "bench/process.h"
#include "bench/rows.h"

namespace mayfly::bench {
namespace {

// Each start is on a directory that `prepare` has filled.
void add_starts(const Options& options, const std::string& what, double millis_max,
                const std::function<void(const std::string&)>& prepare,
                std::vector<ReportRow>& rows) {
  ReportRow start{.id = "P12",
                  .what = "start to first answer, " + what,
                  .unit = "ms",
                  .goal = "<= " + std::to_string(static_cast<int>(millis_max)),
                  .is_met = [millis_max](double ours, double) { return ours <= millis_max; }};
  ReportRow memory{.id = "P12",
                   .what = "memory at rest, " + what,
                   .unit = "MiB",
                   .goal = "<= 40",
                   .is_met = [](double ours, double) { return ours <= 40; }};
  repeat(options.repetitions, start, [&] {
    const std::string data = options.directory + "/start";
    prepare(data);
    double millis = 0;
    {
      const ServerProcess server(data);
      memory.ours.push_back(server.resident_mib());
      millis = double(server.started_in().micros) / 1e3;
    }
    std::filesystem::remove_all(data);
    return millis;
  });
  rows.push_back(std::move(start));
  rows.push_back(std::move(memory));
}

}  // namespace

void add_start_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P12")) return;
  add_starts(options, "empty", 50, [](const std::string&) {}, rows);
  const std::uint64_t documents = options.documents_or(1'000'000);
  const std::string filled = filled_data(options.directory, documents);
  add_starts(
      options, std::to_string(documents) + " documents", 200,
      [&filled](const std::string& data) { copy_data(filled, data); }, rows);
}

}  // namespace mayfly::bench
