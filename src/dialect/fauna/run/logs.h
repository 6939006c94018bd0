// Logs: what log() and dbg() of one run have said, for the summary.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mayfly::fauna {

class Logs {
 public:
  // A line beyond limits::fql_logs_bytes_max is left out, and so is every one behind it.
  void add(std::string line);
  // In their order; where some were left out the last one says how many.
  std::vector<std::string> lines() const;

  bool has(std::string_view line) const;
  // How many lines begin so.
  std::size_t count_of(std::string_view beginning) const;
  // How much has been said, and how to forget what was said since.
  std::size_t count() const { return lines_.size() + left_out_; }
  void forget_from(std::size_t count);

 private:
  std::vector<std::string> lines_;
  std::size_t bytes_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace mayfly::fauna
