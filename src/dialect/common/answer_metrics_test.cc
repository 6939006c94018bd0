// Tests of counting answers.
#include "dialect/common/answer_metrics.h"

#include <gtest/gtest.h>

namespace mayfly {
namespace {

const Metrics::Table answer_rows = {
    {.name = answers_metric, .help = "Answers.", .labels = {"api", "status"}},
    {.name = answer_time_metric,
     .kind = MetricKind::histogram,
     .help = "Time.",
     .unit = "seconds",
     .labels = {"api", "class"},
     .bounds = latency_bounds()},
};

TEST(AnswerMetricsTest, AnswersAreCountedByStatusAndTimedByItsClass) {
  Metrics metrics(answer_rows);
  AnswerMetrics one(metrics, "one");
  AnswerMetrics other(metrics, "another");
  one.answered(200, Span::millis(2));
  one.answered(200, Span::millis(3));
  one.answered(201, Span::millis(4));
  one.answered(404, Span::seconds(60));
  other.answered(200, Span{0});
  EXPECT_EQ(metrics.counter(answers_metric, {"one", "200"}).count(), 2U);
  EXPECT_EQ(metrics.counter(answers_metric, {"one", "201"}).count(), 1U);
  EXPECT_EQ(metrics.counter(answers_metric, {"another", "200"}).count(), 1U);
  const Histogram& good = metrics.histogram(answer_time_metric, {"one", "2xx"});
  EXPECT_DOUBLE_EQ(good.sum(), 0.009);
  const Histogram& bad = metrics.histogram(answer_time_metric, {"one", "4xx"});
  EXPECT_EQ(bad.counts().back(), 1U);
}

TEST(AnswerMetricsTest, AnInvalidStatusCountsAsAFailure) {
  Metrics metrics(answer_rows);
  AnswerMetrics one(metrics, "one");
  for (const int status : {-1, 0, 99, 600, 1'000}) one.answered(status, Span{0});
  EXPECT_EQ(metrics.counter(answers_metric, {"one", "500"}).count(), 5U);
}

}  // namespace
}  // namespace mayfly
