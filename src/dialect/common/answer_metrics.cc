#include "dialect/common/answer_metrics.h"

namespace mayfly {

void AnswerMetrics::answered(int status, Span took) {
  if (status < class_size || status >= status_end) status = 500;
  auto& counter = counters_[static_cast<std::size_t>(status)];
  Counter* counted = counter.load(std::memory_order_acquire);
  if (counted == nullptr) {
    counted = &metrics_.counter(answers_metric, {api_, std::to_string(status)});
    counter.store(counted, std::memory_order_release);
  }
  auto& time = times_[static_cast<std::size_t>(status / class_size)];
  Histogram* observed = time.load(std::memory_order_acquire);
  if (observed == nullptr) {
    const std::string name = std::to_string(status / class_size) + "xx";
    observed = &metrics_.histogram(answer_time_metric, {api_, name});
    time.store(observed, std::memory_order_release);
  }
  counted->add();
  observed->observe(static_cast<double>(took.micros) / 1e6);
}

}  // namespace mayfly
