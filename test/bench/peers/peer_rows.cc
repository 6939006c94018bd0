// P14: the same documents written, read and expired by Mayfly and by its peers.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/peers/peers.h"
#include "bench/rows.h"
#include "bench/storm.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t documents_read = 100'000;

struct Peer {
  std::string name;
  bool is_durable;
  std::function<std::unique_ptr<Contestant>(const std::string& directory)> make;
};
const std::vector<Peer>& all_peers() {
  static const std::vector<Peer> peers{
      {"Redis, always", true, [](const auto& at) { return make_redis(at, "always"); }},
      {"Redis, everysec", false, [](const auto& at) { return make_redis(at, "everysec"); }},
      {"PostgreSQL", true, [](const auto& at) { return make_postgres(at); }},
      {"MyRocks", true, [](const auto& at) { return make_myrocks(at); }},
  };
  return peers;
}

// Both sides of a row for each peer; Mayfly's side is the same in all of them.
struct Sides {
  Samples ours;
  std::vector<Samples> theirs{all_peers().size()};
};

void add(const ReportRow& row, const Sides& sides, std::vector<ReportRow>& rows) {
  for (std::size_t i = 0; i < all_peers().size(); ++i) {
    ReportRow made = row;
    made.against = all_peers()[i].name;
    made.ours = sides.ours;
    made.theirs = sides.theirs[i];
    rows.push_back(std::move(made));
  }
}

// Mayfly first.
using Contestants = std::vector<std::unique_ptr<Contestant>>;

Contestants make_all(const Options& options) {
  Contestants all;
  all.push_back(make_mayfly(options.directory + "/mayfly", false));
  for (const Peer& peer : all_peers()) {
    all.push_back(peer.make(options.directory + "/peer" + std::to_string(all.size())));
  }
  for (const auto& contestant : all) {
    contestant->fill("living", 0, documents_read, Instant::never());
    contestant->settle();
  }
  return all;
}

Sides measure(const Options& options, const Contestants& contestants,
              const std::function<double(Contestant&)>& work) {
  Sides sides;
  for (int i = 0; i < options.repetitions; ++i) {
    sides.ours.push_back(work(*contestants.front()));
    for (std::size_t p = 0; p < all_peers().size(); ++p) {
      sides.theirs[p].push_back(work(*contestants[p + 1]));
    }
  }
  return sides;
}

void add_rates(const Options& options, std::vector<ReportRow>& rows) {
  const Contestants contestants = make_all(options);
  for (const int connections : {1, 16}) {
    const Sides writes = measure(options, contestants, [&](Contestant& contestant) {
      return writes_per_second(contestant, connections, options.seconds);
    });
    const Sides reads = measure(options, contestants, [&](Contestant& contestant) {
      return reads_per_second(contestant, connections, options.seconds, documents_read);
    });
    const ReportRow row{.id = "P14", .unit = "documents/s", .goal = "-"};
    ReportRow write = row, read = row;
    write.what = fmt::format("writes, {} connections", connections);
    read.what = fmt::format("reads, {} connections", connections);
    add(write, writes, rows);
    if (connections > 1) {
      // A server that does not wait for the disk cannot be compared with one that does.
      for (std::size_t i = 0; i < all_peers().size(); ++i) {
        if (!all_peers()[i].is_durable) continue;
        ReportRow& goal = rows[rows.size() - all_peers().size() + i];
        goal.goal = ">= 1";
        goal.is_met = [](double ours, double theirs) { return ours >= theirs; };
      }
    }
    add(read, reads, rows);
  }
}

void add_storms(const Options& options, std::vector<ReportRow>& rows) {
  const Storm storm{.deaths = options.deaths_or(1'000'000)};
  Sides ratios, bytes;
  const auto weather = [&storm](Contestant& contestant, Samples& ratio, Samples& written) {
    const StormResult result = run_storm(contestant, storm);
    ratio.push_back(result.during_p99_micros / result.before_p99_micros);
    written.push_back(result.bytes_per_death);
  };
  for (int i = 0; i < options.storms(); ++i) {
    weather(*make_mayfly(options.directory + "/mayfly", false), ratios.ours, bytes.ours);
    for (std::size_t p = 0; p < all_peers().size(); ++p) {
      weather(*all_peers()[p].make(options.directory + "/peer"), ratios.theirs[p], bytes.theirs[p]);
    }
  }
  add({.id = "P14",
       .what = "storm of deaths: p99 of reads during it over that before it",
       .unit = "times",
       .goal = "< 1",
       .is_met = [](double ours, double theirs) { return ours < theirs; }},
      ratios, rows);
  add({.id = "P14",
       .what = "bytes written for one of these deaths beyond what compaction writes anyway",
       .unit = "B",
       .goal = "<= 1, or <= 1 B",
       .is_met = [](double ours, double theirs) { return ours <= std::max(theirs, 1.0); }},
      bytes, rows);
}

}  // namespace

void add_peer_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P14")) return;
  add_rates(options, rows);
  add_storms(options, rows);
}

}  // namespace mayfly::bench
