// Tests of metrics.h: Prometheus reads what is counted.
#include "base/service/metrics.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/limits.h"

namespace mayfly {
namespace {

using Table = Metrics::Table;

const Table metric_rows = {
    {.name = "mayfly_expired_total", .help = "Deaths that were recorded."},
    {.name = "mayfly_disk_bytes",
     .kind = MetricKind::gauge,
     .help = "Space used.",
     .unit = "bytes"},
    {.name = "mayfly_request_seconds",
     .kind = MetricKind::histogram,
     .help = "Time an answer took.",
     .unit = "seconds",
     .labels = {"api"},
     .bounds = {0.1, 1}},
    {.name = "mayfly_requests_total", .help = "Requests.", .labels = {"api", "status"}},
};

bool has(const std::string& text, std::string_view line) {
  return ("\n" + text).find("\n" + std::string(line) + "\n") != std::string::npos;
}

TEST(MetricsTest, EachMetricIsRenderedWithItsKindAndHelp) {
  Metrics metrics(metric_rows);
  metrics.counter("mayfly_expired_total").add(3);
  metrics.counter("mayfly_expired_total").add();
  metrics.gauge("mayfly_disk_bytes").set(70);
  metrics.gauge("mayfly_disk_bytes").add(-71);
  metrics.counter("mayfly_requests_total", {"native", "200"}).add(2);
  metrics.counter("mayfly_requests_total", {"na\"ive", "404"}).add(1);
  const std::string text = metrics.render();
  EXPECT_TRUE(has(text, "# HELP mayfly_expired_total Deaths that were recorded.")) << text;
  EXPECT_TRUE(has(text, "# TYPE mayfly_expired_total counter")) << text;
  EXPECT_TRUE(has(text, "mayfly_expired_total 4")) << text;
  EXPECT_TRUE(has(text, "# TYPE mayfly_disk_bytes gauge")) << text;
  EXPECT_TRUE(has(text, "mayfly_disk_bytes -1")) << text;
  EXPECT_TRUE(has(text, R"(mayfly_requests_total{api="native",status="200"} 2)")) << text;
  EXPECT_TRUE(has(text, R"(mayfly_requests_total{api="na\"ive",status="404"} 1)")) << text;
}

TEST(MetricsTest, AHistogramCountsValuesUpToEachBound) {
  Metrics metrics(metric_rows);
  Histogram& times = metrics.histogram("mayfly_request_seconds", {"native"});
  for (const double t : {0.05, 0.1, 0.5, 3.0}) times.observe(t);
  const std::string text = metrics.render();
  EXPECT_TRUE(has(text, R"(mayfly_request_seconds_bucket{api="native",le="0.1"} 2)")) << text;
  EXPECT_TRUE(has(text, R"(mayfly_request_seconds_bucket{api="native",le="1"} 3)")) << text;
  EXPECT_TRUE(has(text, R"(mayfly_request_seconds_bucket{api="native",le="+Inf"} 4)")) << text;
  EXPECT_TRUE(has(text, R"(mayfly_request_seconds_count{api="native"} 4)")) << text;
  EXPECT_TRUE(has(text, R"(mayfly_request_seconds_sum{api="native"} 3.65)")) << text;
}

TEST(MetricsTest, AWatchedNumberIsReadWhenTheMetricsAre) {
  Metrics metrics(metric_rows);
  double bytes = 1;
  metrics.watch("mayfly_disk_bytes", [&] { return bytes; });
  metrics.watch("mayfly_expired_total", [] { return 9.0; });
  bytes = 12;
  EXPECT_TRUE(has(metrics.render(), "mayfly_disk_bytes 12")) << metrics.render();
  EXPECT_TRUE(has(metrics.render(), "mayfly_expired_total 9"));
}

TEST(MetricsTest, SeriesThatComeAndGoAreReadTogether) {
  Metrics metrics(metric_rows);
  Metrics::Samples samples{{{"native", "200"}, 2.0}, {{"second", "404"}, 1.0}};
  metrics.watch_all("mayfly_requests_total", [&] { return samples; });
  EXPECT_TRUE(has(metrics.render(), R"(mayfly_requests_total{api="native",status="200"} 2)"));
  EXPECT_TRUE(has(metrics.render(), R"(mayfly_requests_total{api="second",status="404"} 1)"));
  samples.pop_back();
  EXPECT_FALSE(has(metrics.render(), R"(mayfly_requests_total{api="second",status="404"} 1)"));
}

TEST(MetricsTest, CountsFromManyThreadsAddUp) {
  Metrics metrics(metric_rows);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 10'000; ++n) {
        metrics.counter("mayfly_expired_total").add();
        metrics.histogram("mayfly_request_seconds", {"native"}).observe(0.5);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(metrics.counter("mayfly_expired_total").count(), 40'000U);
  EXPECT_EQ(metrics.histogram("mayfly_request_seconds", {"native"}).counts()[1], 40'000U);
  EXPECT_EQ(metrics.histogram("mayfly_request_seconds", {"native"}).sum(), 20'000.0);
}

TEST(MetricsTest, LabelsBeyondTheBoundShareOneSeries) {
  Metrics metrics(metric_rows);
  for (std::size_t i = 0; i < limits::metric_series_max + 10; ++i) {
    metrics.counter("mayfly_requests_total", {"api" + std::to_string(i), "200"}).add();
  }
  EXPECT_EQ(metrics.counter("mayfly_requests_total", {"other", "other"}).count(), 10U);
  EXPECT_EQ(metrics.counter("mayfly_requests_total", {"api0", "200"}).count(), 1U);
}

TEST(MetricsDeathTest, AWrongTableOrNameFailsACheck) {
  EXPECT_DEATH(Metrics(Table{{.name = "Bad"}}), "broken promise");
  EXPECT_DEATH(Metrics(Table{{.name = "a_seconds", .unit = "seconds"}}), "broken promise");
  EXPECT_DEATH(Metrics(Table{{.name = "a_total"}, {.name = "a_total"}}), "broken promise");
  Metrics metrics(metric_rows);
  EXPECT_DEATH(metrics.counter("mayfly_unknown_total"), "broken promise");
  EXPECT_DEATH(metrics.counter("mayfly_disk_bytes"), "broken promise");
  EXPECT_DEATH(metrics.counter("mayfly_requests_total", {"one"}), "broken promise");
}

TEST(MetricsTest, TheTableIsAPage) {
  const std::string page = render_metrics_markdown(metric_rows);
  EXPECT_TRUE(has(page, "| `mayfly_requests_total` | counter | `api`, `status` | Requests. |"))
      << page;
}

}  // namespace
}  // namespace mayfly
