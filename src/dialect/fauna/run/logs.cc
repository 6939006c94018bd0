#include "dialect/fauna/run/logs.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/limits.h"

namespace mayfly::fauna {

void Logs::add(std::string line) {
  // The separator counts as well, so that the number of empty lines is bounded.
  const std::size_t bytes = line.size() + sizeof(std::string);
  if (left_out_ > 0 || bytes > limits::fql_logs_bytes_max - bytes_) {
    ++left_out_;
    return;
  }
  bytes_ += bytes;
  lines_.push_back(std::move(line));
}

std::vector<std::string> Logs::lines() const {
  std::vector<std::string> all = lines_;
  if (left_out_ > 0) {
    all.push_back(fmt::format("info: {} more {} left out: a query logs at most {} bytes", left_out_,
                              left_out_ == 1 ? "line was" : "lines were",
                              limits::fql_logs_bytes_max));
  }
  return all;
}

bool Logs::has(std::string_view line) const {
  return std::find(lines_.begin(), lines_.end(), line) != lines_.end();
}

std::size_t Logs::count_of(std::string_view beginning) const {
  const auto count = std::count_if(lines_.begin(), lines_.end(), [&](const std::string& line) {
    return line.starts_with(beginning);
  });
  return static_cast<std::size_t>(count);
}

void Logs::forget_from(std::size_t count) {
  if (count >= lines_.size()) {
    left_out_ = count - lines_.size();
    return;
  }
  left_out_ = 0;
  while (lines_.size() > count) {
    bytes_ -= lines_.back().size() + sizeof(std::string);
    lines_.pop_back();
  }
}

}  // namespace mayfly::fauna
