#include "bench/hour.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "bench/load.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/wire.h"
#include "db/feed/feed.h"
#include "db/jobs/jobs.h"
#include "query/planning/planner.h"
#include "query/run.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t at_once = 1'000;  // in one commit
constexpr std::int64_t looks_of_a_run = 300;
constexpr std::int64_t looks_between_checks = 30;
constexpr Span between_reads = Span::millis(1);
constexpr Span between_pages = Span::millis(2);
constexpr std::size_t events_of_a_page = 5'000;

DocumentKey key_of(std::uint64_t n) {
  return DocumentKey::of("doc" + std::to_string(n));
}

// The same at every call, and spread evenly below `below`.
std::int64_t spread(std::uint64_t n, std::int64_t below) {
  return static_cast<std::int64_t>(Random(n + 1).below(static_cast<std::uint64_t>(below)));
}

double p99(std::vector<std::int64_t> all) {
  return all.empty() ? 0 : quantile(all, 0.99);
}

}  // namespace

Hour::Hour(const std::string& directory, Span whole, std::uint64_t documents)
    : directory_(directory),
      whole_(whole),
      documents_(documents),
      engine_(directory, clock_),
      written_at_(documents / at_once + 1) {
  engine_.change({.keep_feed_for = Span::seconds(60)});
  engine_.database->jobs().start();
  threads_.emplace_back([this] { run_main_jobs(); });
  threads_.emplace_back([this] { read(); });
  threads_.emplace_back([this] { follow(); });
  threads_.emplace_back([this] { look(); });
}

Hour::~Hour() {
  is_over_ = true;
  for (std::thread& thread : threads_) thread.join();
  engine_.database->jobs().stop();
}

Instant Hour::end_of(std::uint64_t n) const {
  const Instant written{written_at_[n / at_once].load()};
  const std::int64_t shortest = whole_.micros / 60;
  return written + Span{shortest + spread(n, whole_.micros - shortest)};
}

double Hour::load() {
  const Instant began = monotonic_now();
  for (std::uint64_t n = 0; n < documents_; n += at_once) {
    const std::uint64_t to = std::min(n + at_once, documents_);
    written_at_[n / at_once] = clock_.now().micros;
    engine_.fill("doc", n, to, [this](std::uint64_t i) { return Lifetime(At{end_of(i)}); });
    loaded_ = to;
  }
  return double(documents_) * 1e6 / double((monotonic_now() - began).micros);
}

void Hour::wait() {
  while (events_ < documents_) rest(100'000);
}

std::vector<Look> Hour::looks() const {
  const std::lock_guard lock(mutex_);
  return looks_;
}

double Hour::disk_mib(const std::string& directory) {
  std::uintmax_t bytes = 0;
  std::error_code gone;  // a file may go meanwhile
  for (const auto& file : std::filesystem::recursive_directory_iterator(directory, gone)) {
    const auto size = file.is_regular_file(gone) ? file.file_size(gone) : 0;
    if (!gone) bytes += size;
    gone.clear();
  }
  return double(bytes) / (1 << 20);
}

// What the server's main thread does.
void Hour::run_main_jobs() {
  while (!is_over_) {
    engine_.database->jobs().run_due(JobLane::main);
    rest(10'000);
  }
}

// A thousand a second, of all that have been written: each is there before its end, and not after
// it, by the instant of the read. While a commit is in progress, that instant is earlier than the
// machine's time.
void Hour::read() {
  Random random(7);
  for (; !is_over_; rest(between_reads.micros)) {
    const std::uint64_t loaded = loaded_;
    if (loaded == 0) continue;
    const std::uint64_t n = random.below(loaded);
    const Instant end = end_of(n);
    const Instant began = monotonic_now();
    View view = engine_.database->view();
    const auto found = view.get(*engine_.collection, key_of(n), view.live());
    const Span took = monotonic_now() - began;
    CHECK(found && found->has_value() == (view.now() < end));
    const std::lock_guard lock(mutex_);
    read_micros_.push_back(took.micros);
  }
}

void Hour::follow() {
  FeedPosition position;
  while (!is_over_) {
    const auto page =
        engine_.database->feed().read(*engine_.collection, position, events_of_a_page);
    CHECK(page && !page->has_gap);
    const Instant now = clock_.now();
    position = page->last;
    std::vector<std::int64_t> lags;
    for (const Event& event : page->events) {
      if (event.kind == Event::Kind::expired) lags.push_back((now - event.death).micros);
    }
    {
      const std::lock_guard lock(mutex_);
      event_micros_.insert(event_micros_.end(), lags.begin(), lags.end());
    }
    events_ += lags.size();
    if (!page->has_more) rest(between_pages.micros);
  }
}

void Hour::look() {
  const Instant began = monotonic_now();
  Look before;
  for (std::int64_t n = 1; !is_over_; ++n) {
    const Instant due = began + Span{n * whole_.micros / looks_of_a_run};
    while (!is_over_ && monotonic_now() < due) rest(5'000);
    if (!is_over_) look_once(began, before, n % looks_between_checks == 0);
  }
}

// The exact number, once all are there: it takes a while.
void Hour::check_count(Instant now, std::uint64_t living) const {
  if (loaded_ < documents_) return;
  std::uint64_t expected = 0;
  for (std::uint64_t n = 0; n < documents_; ++n) expected += end_of(n) > now ? 1 : 0;
  CHECK(living == expected);
}

void Hour::look_once(Instant began, Look& before, bool counts_all) {
  Look look{.at = double((monotonic_now() - began).micros) / 1e6,
            .memory_mib = resident_mib_of(getpid()),
            .disk_mib = disk_mib(directory_)};
  View view = engine_.database->view();
  const auto plan =
      query::plan(query::scan(engine_.collection, view.live()), {view.now(), std::nullopt});
  CHECK(plan);
  const auto counted = query::count(*plan, view);
  CHECK(counted);
  look.living = counted->rows;
  if (counts_all) check_count(view.now(), look.living);
  const std::lock_guard lock(mutex_);
  look.expired_per_second = double(event_micros_.size()) / (look.at - before.at);
  look.read_p99_micros = p99(std::exchange(read_micros_, {}));
  look.event_p99_millis = p99(std::exchange(event_micros_, {})) / 1e3;
  fmt::print(stderr,
             "{:.0f} s: {} living, {:.0f} expired/s, read p99 {:.0f} us, event p99 {:.1f} ms, "
             "memory {:.0f} MiB, disk {:.0f} MiB\n",
             look.at, look.living, look.expired_per_second, look.read_p99_micros,
             look.event_p99_millis, look.memory_mib, look.disk_mib);
  looks_.push_back(look);
  before = look;
}

}  // namespace mayfly::bench
