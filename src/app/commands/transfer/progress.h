// ProgressBar: one line that is redrawn, for a user at a terminal. Nothing is drawn into files and
// pipes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace mayfly::app {

class ProgressBar {
 public:
  // Draws on `out` if that is a terminal. `whole`: the total, if it is known.
  ProgressBar(std::FILE* out, std::optional<std::uint64_t> whole);
  ~ProgressBar() { end(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  bool is_shown() const { return is_shown_; }
  void set_whole(std::uint64_t whole) { whole_ = whole; }
  // `done` of the total; `text` follows the bar.
  void draw(std::uint64_t done, const std::string& text);
  // Erases the line, before something else is printed.
  void clear();
  // Ends the line, so that the next output begins on a new one. Idempotent.
  void end();

 private:
  std::FILE* const out_;
  const bool is_shown_;
  std::optional<std::uint64_t> whole_;
  bool is_drawn_ = false;
};

}  // namespace mayfly::app
