#include "base/service/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "base/check.h"
#include "base/limits.h"

namespace mayfly {
namespace {

struct Series {
  std::unique_ptr<Counter> counter;
  std::unique_ptr<Gauge> gauge;
  std::unique_ptr<Histogram> histogram;
  std::function<double()> read;
};

struct Family {
  MetricRow row;
  std::map<Metrics::Labels, Series> series = {};
  std::function<Metrics::Samples()> read_all = {};
};

const char* name_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::counter: return "counter";
    case MetricKind::gauge: return "gauge";
    case MetricKind::histogram: return "histogram";
  }
  return "";
}

void check_row(const MetricRow& row) {
  CHECK(!row.name.empty() &&
        row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == row.name.npos);
  std::string end = row.unit.empty() ? "" : "_" + std::string(row.unit);
  if (row.kind == MetricKind::counter) end += "_total";
  CHECK(row.name.ends_with(end));
  CHECK((row.kind == MetricKind::histogram) == !row.bounds.empty());
  CHECK(std::is_sorted(row.bounds.begin(), row.bounds.end()));
}

prometheus::MetricType type_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::counter: return prometheus::MetricType::Counter;
    case MetricKind::gauge: return prometheus::MetricType::Gauge;
    case MetricKind::histogram: return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

void fill(prometheus::ClientMetric& metric, const Histogram& histogram) {
  const std::vector<std::uint64_t> counts = histogram.counts();
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    total += counts[i];
    const bool is_last = i == histogram.bounds().size();
    const double bound = is_last ? std::numeric_limits<double>::infinity() : histogram.bounds()[i];
    metric.histogram.bucket.push_back({total, bound});
  }
  metric.histogram.sample_count = total;
  metric.histogram.sample_sum = histogram.sum();
}

prometheus::ClientMetric labelled(const MetricRow& row, const Metrics::Labels& labels) {
  prometheus::ClientMetric metric;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    metric.label.push_back({std::string(row.labels[i]), labels[i]});
  }
  return metric;
}

// The sample of a counter or gauge with a given value.
prometheus::ClientMetric sample_of(const MetricRow& row, const Metrics::Labels& labels,
                                   double value) {
  prometheus::ClientMetric metric = labelled(row, labels);
  (row.kind == MetricKind::counter ? metric.counter.value : metric.gauge.value) = value;
  return metric;
}

prometheus::ClientMetric snapshot_of(const MetricRow& row, const Metrics::Labels& labels,
                                     const Series& series) {
  prometheus::ClientMetric metric = labelled(row, labels);
  if (series.histogram) {
    fill(metric, *series.histogram);
  } else if (row.kind == MetricKind::counter) {
    metric.counter.value =
        series.read ? series.read() : static_cast<double>(series.counter->count());
  } else {
    metric.gauge.value = series.read ? series.read() : static_cast<double>(series.gauge->level());
  }
  return metric;
}

}  // namespace

std::size_t metric_shard() {
  static std::atomic<std::size_t> threads = 0;
  thread_local const std::size_t own = threads.fetch_add(1) % metric_shards;
  return own;
}

std::uint64_t Counter::count() const {
  std::uint64_t count = 0;
  for (const Shard& shard : shards_) count += shard.count.load(std::memory_order_relaxed);
  return count;
}

Histogram::Histogram(std::vector<double> bounds) : bounds_(std::move(bounds)) {
  for (Shard& shard : shards_) {
    shard.lines = std::vector<CacheLine>(bounds_.size() / line_counts + 1);
  }
}

std::atomic<std::uint64_t>& Histogram::Shard::count(std::size_t bucket) {
  auto& counts = lines[bucket / line_counts].counts;
  return counts[bucket % line_counts];
}

std::uint64_t Histogram::Shard::counted(std::size_t bucket) const {
  const auto& counts = lines[bucket / line_counts].counts;
  return counts[bucket % line_counts].load(std::memory_order_relaxed);
}

void Histogram::observe(double value) {
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  Shard& shard = shards_[metric_shard()];
  shard.count(static_cast<std::size_t>(bucket)).fetch_add(1, std::memory_order_relaxed);
  shard.sum.fetch_add(value, std::memory_order_relaxed);
}

std::vector<std::uint64_t> Histogram::counts() const {
  std::vector<std::uint64_t> counts(bounds_.size() + 1);
  for (const Shard& shard : shards_) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] += shard.counted(i);
    }
  }
  return counts;
}

double Histogram::sum() const {
  double sum = 0;
  for (const Shard& shard : shards_) sum += shard.sum.load(std::memory_order_relaxed);
  return sum;
}

std::vector<double> latency_bounds() {
  return {.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
}

struct Metrics::Inner {
  Table rows;
  mutable std::mutex mutex;  // guards the families' maps; the series in them are atomic
  std::vector<Family> families;

  // Both hold the mutex already.
  Family& named(std::string_view name) {
    const auto family = std::find_if(families.begin(), families.end(),
                                     [&](const Family& f) { return f.row.name == name; });
    CHECK(family != families.end());
    return *family;
  }
  Series& series(std::string_view name, const Labels& labels) {
    Family* const family = &named(name);
    CHECK(labels.size() == family->row.labels.size());
    const bool is_full = family->series.size() >= limits::metric_series_max;
    const bool is_other = is_full && !family->series.contains(labels);
    Series& found = family->series[is_other ? Labels(labels.size(), "other") : labels];
    switch (family->row.kind) {
      case MetricKind::counter:
        if (!found.counter) found.counter = std::make_unique<Counter>();
        break;
      case MetricKind::gauge:
        if (!found.gauge) found.gauge = std::make_unique<Gauge>();
        break;
      case MetricKind::histogram:
        if (!found.histogram) found.histogram = std::make_unique<Histogram>(family->row.bounds);
        break;
    }
    return found;
  }
};

Metrics::Metrics(Table rows) : inner_(std::make_unique<Inner>()) {
  std::set<std::string_view> names;
  for (const MetricRow& row : rows) {
    check_row(row);
    CHECK(names.insert(row.name).second);
    inner_->families.push_back({row});
  }
  inner_->rows = std::move(rows);
}

Metrics::~Metrics() = default;

Counter& Metrics::counter(std::string_view name, const Labels& labels) {
  const std::lock_guard lock(inner_->mutex);
  Series& series = inner_->series(name, labels);
  CHECK(series.counter != nullptr);
  return *series.counter;
}

Gauge& Metrics::gauge(std::string_view name, const Labels& labels) {
  const std::lock_guard lock(inner_->mutex);
  Series& series = inner_->series(name, labels);
  CHECK(series.gauge != nullptr);
  return *series.gauge;
}

Histogram& Metrics::histogram(std::string_view name, const Labels& labels) {
  const std::lock_guard lock(inner_->mutex);
  Series& series = inner_->series(name, labels);
  CHECK(series.histogram != nullptr);
  return *series.histogram;
}

void Metrics::watch(std::string_view name, std::function<double()> read, const Labels& labels) {
  const std::lock_guard lock(inner_->mutex);
  Series& series = inner_->series(name, labels);
  CHECK(series.histogram == nullptr);
  series.read = std::move(read);
}

void Metrics::watch_all(std::string_view name, std::function<Samples()> read) {
  const std::lock_guard lock(inner_->mutex);
  Family& family = inner_->named(name);
  CHECK(family.row.kind != MetricKind::histogram);
  family.read_all = std::move(read);
}

std::string Metrics::render() const {
  std::vector<prometheus::MetricFamily> families;
  const std::lock_guard lock(inner_->mutex);
  for (const Family& family : inner_->families) {
    prometheus::MetricFamily rendered{
        std::string(family.row.name), std::string(family.row.help), type_of(family.row.kind), {}};
    for (const auto& [labels, series] : family.series) {
      rendered.metric.push_back(snapshot_of(family.row, labels, series));
    }
    if (family.read_all) {
      for (const auto& [labels, value] : family.read_all()) {
        CHECK(labels.size() == family.row.labels.size());
        rendered.metric.push_back(sample_of(family.row, labels, value));
      }
    }
    families.push_back(std::move(rendered));
  }
  return prometheus::TextSerializer().Serialize(families);
}

const Metrics::Table& Metrics::rows() const {
  return inner_->rows;
}

std::string render_metrics_markdown(const Metrics::Table& rows) {
  std::string page =
      "# Metrics\n\n"
      "This page lists what `GET /metrics` reports, in Prometheus' text format. It is generated "
      "from\n"
      "the table in the code.\n\n"
      "| name | kind | labels | meaning |\n| --- | --- | --- | --- |\n";
  for (const MetricRow& row : rows) {
    std::string labels;
    for (const std::string_view label : row.labels) {
      labels += (labels.empty() ? "`" : ", `") + std::string(label) + "`";
    }
    page += "| `" + std::string(row.name) + "` | " + name_of(row.kind) + " | " + labels + " | " +
            std::string(row.help) + " |\n";
  }
  return page;
}

}  // namespace mayfly
