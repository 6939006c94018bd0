// K5: one pass of the Kuzzle dialect's garbage collector over a million documents in its trashcans,
// and reads beside it until nothing of them is left to do.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "base/check.h"
#include "bench/engine.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/steady.h"
#include "bench/wire.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t living = 200'000;
constexpr std::uint64_t of_each_collection = 100'000;  // the maximum of one pass
constexpr Span warm_up = Span::seconds(4);
constexpr Span before_pass = Span::seconds(4);
constexpr Span pass_time_max = Span::seconds(600);
constexpr std::int64_t between_looks = 20'000;  // microseconds between two checks of the log
constexpr const char* pass_begins = "[GC] Started";
constexpr const char* pass_ends = "[GC] Finished";

std::uint64_t collections_of(std::uint64_t trashed) {
  return (trashed + of_each_collection - 1) / of_each_collection;
}

std::string trashcan(std::uint64_t number) {
  return "trashed" + std::to_string(number);
}

// A reader through the dialect.
class KuzzleSession final : public Session {
 public:
  explicit KuzzleSession(std::uint16_t port) : wire_(port) {}
  bool read(const std::string& id) override {
    const int status = call(wire_, http_request("GET", "/b/living/" + id)).status;
    CHECK(status == 200 || status == 404);
    return status == 200;
  }
  void write(const std::string& id, const std::string& json) override {
    const std::string target = "/b/living/" + id + "/_create";
    CHECK(call(wire_, http_request("POST", target, json)).status == 200);
  }

 private:
  Wire wire_;
};

// A closed database whose collections the dialect has created, and which are filled through the
// document layer.
std::string fill(const std::string& directory, std::uint64_t trashed) {
  const std::string data = directory + "/trash-filled";
  {
    const ServerProcess server(data, {.speaks_kuzzle = true});
    server.call_kuzzle("POST", "/b/_create");
    server.call_kuzzle("PUT", "/b/living");
    for (std::uint64_t i = 0; i < collections_of(trashed); ++i) {
      server.call_kuzzle("PUT", "/b/" + trashcan(i));
    }
  }
  const SystemClock clock;
  Engine engine(data, clock);
  const auto keep = [](std::uint64_t) -> LifetimeChange { return Keep{}; };
  const auto go_to = [&engine](const std::string& name) {
    const CatalogPtr catalog = engine.database->catalog();
    engine.collection = catalog->find_collection(catalog->find_database("b")->id, name);
    CHECK(engine.collection);
  };
  go_to("living");
  engine.fill("d", 0, living, keep);
  for (std::uint64_t from = 0; from < trashed; from += of_each_collection) {
    const std::uint64_t to = std::min(from + of_each_collection, trashed);
    go_to(trashcan(from / of_each_collection));
    engine.fill("d", from, to, keep);
    engine.remove("d", from, to);
  }
  engine.settle();
  return data;
}

// The line of the log about the pass; nullopt: there is none yet.
std::optional<Value> find_line(const std::string& log, std::string_view message) {
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    if (line.find(message) == std::string::npos) continue;
    auto parsed = parse_json(line);
    if (parsed) return *std::move(parsed);
  }
  return std::nullopt;
}

Instant at_of(const Value& line) {
  return parse_rfc3339(line.member("at").text()).value();
}

struct Pass {
  double before_p99_micros = 0;
  double during_p99_micros = 0;
  double documents_per_second = 0;
};

// How many the sweeper has removed from trashcans.
std::uint64_t purged(const ServerProcess& server) {
  const auto told = parse_json(server.call("GET", "/v1/sweeper"));
  return static_cast<std::uint64_t>(told->member("trash_purged").integer());
}

// The reads from the end of the warm-up until the pass is over and all documents are removed.
std::vector<SteadyRead> read_beside(const ServerProcess& server, const std::string& log,
                                    Instant begin, std::uint64_t trashed) {
  const SystemClock clock;
  SteadyReads wanted{
      .connect = [&] { return std::make_unique<KuzzleSession>(server.kuzzle_port()); },
      .prefixes = {"d"},
      .begin = clock.now(),
      .goes_on = [begin](Instant meant_at) { return meant_at < begin; }};
  read_steadily(wanted);
  std::atomic<bool> is_over{false};
  std::thread watcher([&] {
    while (!find_line(log, pass_ends) || purged(server) < trashed) {
      CHECK(clock.now() < begin + pass_time_max);
      rest(between_looks);
    }
    is_over = true;
  });
  wanted.begin = begin;
  wanted.goes_on = [&is_over](Instant) { return !is_over; };
  std::vector<SteadyRead> reads = read_steadily(wanted);
  watcher.join();
  return reads;
}

// One pass over a copy of the data.
Pass measure(const std::string& filled, std::uint64_t trashed) {
  const std::string data = filled + "-copy";
  const std::string log = filled + ".log";
  copy_data(filled, data);
  Pass pass;
  {
    const Instant start = SystemClock().now();
    const Span interval{warm_up.micros + before_pass.micros};
    const ServerProcess server(
        data, {.flags = {"--kuzzle-services-garbageCollector-cleanInterval",
                         std::to_string(interval.micros / 1'000),
                         "--kuzzle-services-garbageCollector-maxDelete",
                         std::to_string(of_each_collection), "--log-format", "json"},
               .speaks_kuzzle = true,
               .log_file = log});
    const Instant begin = start + warm_up;
    const std::vector<SteadyRead> reads = read_beside(server, log, begin, trashed);
    for (const SteadyRead& read : reads) CHECK(read.was_there);
    const Value first = *find_line(log, pass_begins), last = *find_line(log, pass_ends);
    CHECK(last.member("documents").text() == std::to_string(trashed));
    const Instant began = at_of(first);
    Instant ended = began;
    for (const SteadyRead& read : reads) ended = std::max(ended, read.meant_at);
    pass.before_p99_micros = p99_micros(reads, begin, began);
    pass.during_p99_micros = p99_micros(reads, began, ended);
    pass.documents_per_second = double(trashed) * 1e6 / double((ended - began).micros);
  }
  std::filesystem::remove_all(data);
  return pass;
}

}  // namespace

void add_kuzzle_collector_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("K5")) return;
  const std::uint64_t trashed = options.deaths_or(1'000'000);
  const std::string what = fmt::format("garbage collection of {} trashed documents", trashed);
  const std::string filled = fill(options.directory, trashed);
  ReportRow reads{.id = "K5",
                  .what = what + ": p99 of reads during it",
                  .unit = "us",
                  .against = "before it",
                  .goal = "-"};
  ReportRow speed{.id = "K5", .what = what, .unit = "documents/s", .goal = "-"};
  for (int i = 0; i < options.storms(); ++i) {
    const Pass pass = measure(filled, trashed);
    reads.ours.push_back(pass.during_p99_micros);
    reads.theirs.push_back(pass.before_p99_micros);
    speed.ours.push_back(pass.documents_per_second);
  }
  std::filesystem::remove_all(filled);
  rows.push_back(std::move(reads));
  rows.push_back(std::move(speed));
}

}  // namespace mayfly::bench
