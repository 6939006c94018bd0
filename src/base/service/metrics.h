// Metrics: one row each, which defines the counter, the text that Prometheus reads and the
// documentation. The modules that measure something supply the tables.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mayfly {

enum class MetricKind { counter, gauge, histogram };

// The name ends with the unit, if there is one; a counter's name then ends with `_total`:
// mayfly_expired_total, mayfly_request_seconds, mayfly_disk_bytes.
struct MetricRow {
  std::string_view name;
  MetricKind kind = MetricKind::counter;
  std::string_view help;
  std::string_view unit = {};                 // seconds, bytes; empty for plain numbers
  std::vector<std::string_view> labels = {};  // names; each series has a value for every one
  std::vector<double> bounds =
      {};  // of a histogram's buckets, ascending; the last bucket, which has no bound, is left out
};

// Threads that count at the same time use separate counters, each on its own cache line. A cache
// line that two processors write costs about as much as a large part of a read does.
inline constexpr std::size_t metric_shards = 8;
std::size_t metric_shard();  // the calling thread's, always the same one

// Only increases. Threads: any.
class Counter {
 public:
  void add(std::uint64_t n = 1) {
    shards_[metric_shard()].count.fetch_add(n, std::memory_order_relaxed);
  }
  std::uint64_t count() const;

 private:
  struct alignas(64) Shard {
    std::atomic<std::uint64_t> count = 0;
  };
  std::array<Shard, metric_shards> shards_;
};

// Goes up and down. Threads: any.
class alignas(64) Gauge {
 public:
  void set(std::int64_t n) { level_.store(n, std::memory_order_relaxed); }
  void add(std::int64_t n) { level_.fetch_add(n, std::memory_order_relaxed); }
  std::int64_t level() const { return level_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> level_ = 0;
};

// Counts observations in buckets. Threads: any.
class Histogram {
 public:
  explicit Histogram(std::vector<double> bounds);
  void observe(double value);
  const std::vector<double>& bounds() const { return bounds_; }
  // The observations in each bucket; the last bucket has no bound.
  std::vector<std::uint64_t> counts() const;
  double sum() const;

 private:
  static constexpr std::size_t line_counts = 8;
  struct alignas(64) CacheLine {
    std::array<std::atomic<std::uint64_t>, line_counts> counts = {};
  };
  struct alignas(64) Shard {
    std::vector<CacheLine> lines;
    std::atomic<double> sum = 0;

    std::atomic<std::uint64_t>& count(std::size_t bucket);
    std::uint64_t counted(std::size_t bucket) const;
  };
  std::vector<double> bounds_;
  std::array<Shard, metric_shards> shards_;
};

// Bounds from a tenth of a millisecond to ten seconds, for response times.
std::vector<double> latency_bounds();

// All metrics of a process, or of a test. Threads: any.
class Metrics {
 public:
  using Table = std::vector<MetricRow>;
  using Labels = std::vector<std::string>;  // values, in the order of the row's label names

  // Checked: the rows' names are different and well formed.
  explicit Metrics(Table rows);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // The series with these labels. It is created at its first use and lives as long as this object:
  // look it up once and keep the reference. Checked: the row exists and is of that kind. Beyond
  // limits::metric_series_max, a metric's further labels share one series, whose labels are all
  // "other".
  Counter& counter(std::string_view name, const Labels& labels = {});
  Gauge& gauge(std::string_view name, const Labels& labels = {});
  Histogram& histogram(std::string_view name, const Labels& labels = {});

  // A counter or gauge whose value is kept elsewhere. `read` returns it. It is called whenever the
  // metrics are rendered, by the thread that renders them, under the lock of this object: it must
  // be quick and must not call this object. What it reads must outlive this object.
  void watch(std::string_view name, std::function<double()> read, const Labels& labels = {});

  // The same for a whole metric whose series come and go: one call returns all of them.
  using Samples = std::vector<std::pair<Labels, double>>;
  void watch_all(std::string_view name, std::function<Samples()> read);

  // Everything in the text format that Prometheus reads, in the order of the table.
  std::string render() const;
  const Table& rows() const;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

// The table as a page of documentation.
std::string render_metrics_markdown(const Metrics::Table& rows);

}  // namespace mayfly
