// LineReader: lines out of a file or a pipe, in bounded memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace mayfly::app {

class LineReader {
 public:
  // `in` is a file descriptor and stays the caller's.
  LineReader(int in, std::size_t line_bytes_max) : in_(in), bytes_max_(line_bytes_max) {}

  enum class Met { line, long_line, end };
  // The next line without its end; the last one may lack it. Of one that is too long the text is
  // not kept, and the next call goes on behind it. Fails with internal where reading fails.
  Result<Met> next(std::string& line);

  std::uint64_t number() const { return number_; }  // of the line last met, from 1
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
