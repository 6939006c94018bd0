// P19: what a first build of the server costs.
#include <sys/resource.h>

#include <cstdlib>

#include "base/check.h"
#include "bench/rows.h"

namespace mayfly::bench {
namespace {

// Before headers were precompiled and sources compiled in batches.
constexpr double seconds_at_first = 1'464;

double cpu_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// What `./dev run` does before it starts the server, without results of earlier compilations.
double build(const std::string& directory) {
  const double before = cpu_seconds_of_children();
  const std::string sources = MAYFLY_BENCH_DIR "/../..";
  const std::string command = "cmake -S '" + sources + "' -B '" + directory +
                              "' -G Ninja -DCMAKE_BUILD_TYPE=Release -DMAYFLY_TESTS=OFF "
                              "-DCMAKE_C_COMPILER_LAUNCHER= -DCMAKE_CXX_COMPILER_LAUNCHER= >&2 && "
                              "CCACHE_DISABLE=1 cmake --build '" +
                              directory + "' --target mayfly >&2";
  CHECK(std::system(command.c_str()) == 0);
  return cpu_seconds_of_children() - before;
}

}  // namespace

void add_build_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P19") || options.only.empty()) return;  // it takes minutes
  ReportRow row{.id = "P19",
                .what = "CPU time of a first build",
                .unit = "s",
                .goal = "<= 488",
                .is_met = [](double ours, double) { return ours <= seconds_at_first / 3; }};
  row.ours.push_back(build(options.directory + "/build"));
  rows.push_back(std::move(row));
}

}  // namespace mayfly::bench
