// P20: twenty million documents that live between a minute and an hour, on one machine.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>

#include "base/check.h"
#include "bench/hour.h"
#include "bench/raw_rocks.h"
#include "bench/rows.h"

namespace mayfly::bench {
namespace {

struct Loaded {
  double per_second = 0;
  double disk_mib = 0;
};

Loaded load_raw(const std::string& directory, std::uint64_t documents) {
  Loaded loaded;
  {
    RawRocks raw(directory);
    loaded.per_second = raw.load_dying(documents);
    loaded.disk_mib = Hour::disk_mib(directory);
  }
  std::filesystem::remove_all(directory);
  return loaded;
}

template <class Member>
double median_of(std::span<const Look> looks, Member member) {
  Samples samples;
  for (const Look& look : looks) samples.push_back(look.*member);
  return samples.empty() ? 0 : median(std::move(samples));
}

// The last third of the time in which documents expire, against the first. The middle ones say
// what is usual.
ReportRow flat_row(std::span<const Look> looks, const std::string& what, const std::string& unit,
                   double Look::* member) {
  const std::size_t third = looks.size() / 3;
  return {.id = "P20",
          .what = what + ", last third of the time",
          .unit = unit,
          .ours = {median_of(looks.last(third), member)},
          .against = "first third",
          .theirs = {median_of(looks.first(third), member)},
          .goal = "flat (<= 1.2)",
          .is_met = [](double ours, double theirs) { return ours <= 1.2 * theirs; }};
}

void write_looks(const std::vector<Look>& looks, const std::string& file) {
  std::ofstream out(file);
  out << "seconds,living,expired_per_second,read_p99_us,event_p99_ms,memory_mib,disk_mib\n";
  for (const Look& look : looks) {
    out << fmt::format("{:.1f},{},{:.0f},{:.0f},{:.2f},{:.1f},{:.1f}\n", look.at, look.living,
                       look.expired_per_second, look.read_p99_micros, look.event_p99_millis,
                       look.memory_mib, look.disk_mib);
  }
}

}  // namespace

void add_hour_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P20") || options.only.empty()) return;  // it takes hours
  const std::uint64_t documents = options.documents_or(20'000'000);
  const Span whole{static_cast<std::int64_t>(options.hours * 3'600e6)};
  const Loaded raw = load_raw(options.directory + "/raw", documents);
  const std::string data = options.directory + "/hour";
  Loaded ours;
  double loaded_in = 0;
  std::vector<Look> looks;
  {
    Hour hour(data, whole, documents);
    ours.per_second = hour.load();
    ours.disk_mib = Hour::disk_mib(data);
    loaded_in = double(documents) / ours.per_second;
    hour.wait();
    looks = hour.looks();
  }
  if (!options.curves.empty()) write_looks(looks, options.curves);
  rows.push_back({.id = "P20",
                  .what = fmt::format("load of {} documents of 300 B with a lifetime", documents),
                  .unit = "documents/s",
                  .ours = {ours.per_second},
                  .against = "the same rows in raw RocksDB",
                  .theirs = {raw.per_second},
                  .goal = ">= 0.6",
                  .is_met = [](double mine, double theirs) { return mine >= 0.6 * theirs; }});
  rows.push_back({.id = "P20",
                  .what = "bytes on disk at the end of the load",
                  .unit = "MiB",
                  .ours = {ours.disk_mib},
                  .against = "the same rows in raw RocksDB",
                  .theirs = {raw.disk_mib},
                  .goal = "<= 1.2",
                  .is_met = [](double mine, double theirs) { return mine <= 1.2 * theirs; }});
  const auto begin =
      std::ranges::find_if(looks, [&](const Look& look) { return look.at > loaded_in; });
  const std::span<const Look> after(begin, looks.end());
  rows.push_back(flat_row(after, "memory of the process", "MiB", &Look::memory_mib));
  rows.push_back(flat_row(after, "point read p99", "us", &Look::read_p99_micros));
  rows.push_back(flat_row(after, "expiration to its event, p99", "ms", &Look::event_p99_millis));
}

}  // namespace mayfly::bench
