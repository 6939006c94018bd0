// Logs: the output of log() and dbg() in one run, for the summary.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mayfly::fauna {

class Logs {
 public:
  // A line beyond limits::fql_logs_bytes_max is left out, and so are all later ones.
  void add(std::string line);
  // All lines in order. If some were left out, a last line says how many.
  std::vector<std::string> lines() const;

  bool has(std::string_view line) const;
  // The number of lines with that beginning.
  std::size_t count_of(std::string_view beginning) const;
  // The number of lines so far, and removing all lines from that number on.
  std::size_t count() const { return lines_.size() + left_out_; }
  void forget_from(std::size_t count);

 private:
  std::vector<std::string> lines_;
  std::size_t bytes_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace mayfly::fauna
