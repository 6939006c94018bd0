// The benchmark: ratios, both sides in one run. `./dev bench --help`.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/rows.h"
#include "script/process/child.h"

namespace mayfly::bench {

bool Options::wants(const std::string& id) const {
  return only.empty() || ("," + only + ",").find("," + id + ",") != std::string::npos;
}

std::string sample_json(std::size_t bytes, std::uint64_t n) {
  std::string json = R"({"user":"user-)" + std::to_string(n) + R"(","age":)" +
                     std::to_string(n % 100) + R"(,"active":true,"tags":["a","b"],"note":")";
  // Words that do not compress to nothing.
  for (std::uint64_t word = n + 1; json.size() + 2 < bytes; word = word * 6364136223846793005 + 1) {
    json.push_back(static_cast<char>('a' + (word >> 40) % 26));
  }
  return json + "\"}";
}

}  // namespace mayfly::bench

int main(int argc, char** argv) {
  using namespace mayfly::bench;
  mayfly::script::serve_if_sandbox(argc, argv);
  Options options;
  std::string json_file;
  CLI::App app("Measures Mayfly against the ceilings of its parts, both in one run.");
  app.add_option("--repetitions", options.repetitions)->capture_default_str();
  app.add_option("--seconds", options.seconds, "Of one repetition of one side.")
      ->capture_default_str();
  app.add_option(
      "--documents", options.documents,
      "Instead of 200,000 in the engine's rows, 1,000,000 in those of growth and start.");
  app.add_option("--deaths", options.deaths,
                 "Instead of 1,000,000 in a storm and in trashcans, 200,000 in a purge.");
  app.add_option("--hours", options.hours, "Of P20: within this all its documents expire.")
      ->capture_default_str();
  app.add_option("--curves", options.curves, "Of P20: what it has seen, as CSV.");
  app.add_option("--only", options.only, "Ids of rows, with commas: P1,P3.");
  app.add_flag(
      "--peers", options.with_peers,
      "P13, P14 and K6 too: @vercel/cosmosdb-server from npm; Redis, PostgreSQL and MyRocks from "
      "their Debian packages.");
  app.add_option("--json", json_file, "Write the report as JSON here, too.");
  CLI11_PARSE(app, argc, argv);
  std::string directory = (std::filesystem::temp_directory_path() / "mayfly-bench-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) return 1;
  options.directory = directory;
  std::vector<ReportRow> rows;
  add_http_rows(options, rows);
  add_engine_rows(options, rows);
  add_lag_rows(options, rows);
  add_storm_rows(options, rows);
  add_purge_rows(options, rows);
  add_growth_rows(options, rows);
  add_count_rows(options, rows);
  add_build_rows(options, rows);
  add_hour_rows(options, rows);
  add_idle_rows(options, rows);
  add_start_rows(options, rows);
  add_fauna_rows(options, rows);
  add_fanout_rows(options, rows);
  add_paging_rows(options, rows);
  add_delivery_rows(options, rows);
  add_vector_rows(options, rows);
  add_kuzzle_rows(options, rows);
  add_kuzzle_fanout_rows(options, rows);
  add_kuzzle_collector_rows(options, rows);
  add_cosmos_rows(options, rows);
  if (options.with_peers) add_peer_rows(options, rows);
  if (options.with_peers) add_kuzzle_memory_rows(options, rows);
  std::filesystem::remove_all(directory);
  if (rows.empty()) {
    std::fputs("No row has such an id; P14 and K6 need --peers.\n", stderr);
    return 1;
  }
  std::fputs(render_table(rows).c_str(), stdout);
  const std::string json = render_report_json(rows);
  if (!json_file.empty()) std::ofstream(json_file) << json << '\n';
  std::printf("\n%s\n", json.c_str());
  return 0;
}
