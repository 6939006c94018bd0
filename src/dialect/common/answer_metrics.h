// AnswerMetrics: counts the answers of one API by status, and how long they took by the class of
// their status. Costs a few atomic additions for each answer, and a lock for the first answer of a
// status.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/service/metrics.h"
#include "net/handler.h"

namespace mayfly {

// The table of metrics must have these rows, with the labels api and status, and api and class.
inline constexpr std::string_view answers_metric = "mayfly_answers_total";
inline constexpr std::string_view answer_time_metric = "mayfly_answer_seconds";

// Threads: any.
class AnswerMetrics final : public net::AnswerMeter {
 public:
  // `metrics` outlives it.
  AnswerMetrics(Metrics& metrics, std::string_view api) : metrics_(metrics), api_(api) {}

  // `status` is one of HTTP; any other counts as 500.
  void answered(int status, Span took) override;

 private:
  static constexpr int status_end = 600;
  static constexpr int class_size = 100;

  Metrics& metrics_;
  const std::string api_;
  std::array<std::atomic<Counter*>, status_end> counters_{};
  std::array<std::atomic<Histogram*>, status_end / class_size> times_{};
};

}  // namespace mayfly
