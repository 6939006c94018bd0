// LineReader: reads lines from a file or a pipe, in bounded memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace mayfly::app {

class LineReader {
 public:
  // `in` is a file descriptor and is not closed here.
  LineReader(int in, std::size_t line_bytes_max) : in_(in), bytes_max_(line_bytes_max) {}

  enum class Item { line, long_line, end };
  // Gives the next line without its end; the last line may lack an end. The text of a line that is
  // too long is dropped, and the next call continues after it. Fails with internal if reading
  // fails.
  Result<Item> next(std::string& line);

  std::uint64_t number() const { return number_; }  // of the last line, from 1
  std::uint64_t bytes() const { return bytes_; }    // read so far

 private:
  Result<bool> fill();

  const int in_;
  const std::size_t bytes_max_;
  std::string piece_;
  std::size_t at_ = 0;  // in the piece
  std::uint64_t number_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace mayfly::app
