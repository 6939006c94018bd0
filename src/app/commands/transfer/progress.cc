// The bar, drawn with a carriage return.
#include "app/commands/transfer/progress.h"

#include <unistd.h>

#include <algorithm>

namespace mayfly::app {
namespace {

constexpr std::uint64_t bar_cells = 30;
constexpr const char* line_away = "\r\x1b[K";

std::string bar(std::uint64_t done, std::uint64_t whole) {
  const double share =
      whole == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(whole));
  const auto full = static_cast<std::size_t>(share * bar_cells);
  const std::string percent = std::to_string(static_cast<int>(share * 100));
  return "[" + std::string(full, '#') + std::string(bar_cells - full, '.') + "] " + percent + "%  ";
}

}  // namespace

ProgressBar::ProgressBar(std::FILE* out, std::optional<std::uint64_t> whole)
    : out_(out), is_shown_(::isatty(::fileno(out)) == 1), whole_(whole) {}

void ProgressBar::end() {
  if (is_drawn_) std::fputs("\n", out_);
  is_drawn_ = false;
}

void ProgressBar::draw(std::uint64_t done, const std::string& text) {
  if (!is_shown_) return;
  const std::string line = line_away + (whole_ ? bar(done, *whole_) : std::string()) + text;
  std::fputs(line.c_str(), out_);
  std::fflush(out_);
  is_drawn_ = true;
}

void ProgressBar::clear() {
  if (!is_drawn_) return;
  std::fputs(line_away, out_);
  is_drawn_ = false;
}

}  // namespace mayfly::app
