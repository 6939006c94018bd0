// Reads the input in pieces.
#include "app/commands/transfer/line_reader.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mayfly::app {
namespace {

constexpr std::size_t piece_bytes = 64 << 10;

}  // namespace

// Reads a piece; gives whether there was any. Takes what a pipe holds now instead of waiting for a
// full piece.
Result<bool> LineReader::fill() {
  piece_.resize(piece_bytes);
  ssize_t got = 0;
  do {
    got = ::read(in_, piece_.data(), piece_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) return fail(Code::internal, std::string("reading failed: ") + std::strerror(errno));
  piece_.resize(static_cast<std::size_t>(got));
  at_ = 0;
  return got > 0;
}

Result<LineReader::Item> LineReader::next(std::string& line) {
  line.clear();
  bool is_long = false;
  bool has_any = false;
  for (;;) {
    if (at_ == piece_.size() && !TRY(fill())) {
      if (!has_any) return Item::end;
      break;
    }
    if (!has_any) ++number_;
    has_any = true;
    const std::size_t end = piece_.find('\n', at_);
    const std::size_t stop = end == std::string::npos ? piece_.size() : end;
    is_long = is_long || line.size() + (stop - at_) > bytes_max_;
    if (is_long) {
      line.clear();
    } else {
      line.append(piece_, at_, stop - at_);
    }
    bytes_ += stop - at_;
    at_ = stop;
    if (end == std::string::npos) continue;
    ++at_;
    ++bytes_;
    break;
  }
  if (!is_long && line.ends_with('\r')) line.pop_back();
  return is_long ? Item::long_line : Item::line;
}

}  // namespace mayfly::app
