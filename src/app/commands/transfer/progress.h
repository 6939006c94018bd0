// Progress: one line that is drawn over itself, for a person who waits at a terminal. Into a file
// or a pipe nothing is drawn.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace mayfly::app {

class Progress {
 public:
  // Draws on `out` if that is a terminal. `whole`: how much there is to do, where it is known.
  Progress(std::FILE* out, std::optional<std::uint64_t> whole);
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool is_shown() const { return is_shown_; }
  void set_whole(std::uint64_t whole) { whole_ = whole; }
  // `done` of the whole; `text` stands behind the bar.
  void draw(std::uint64_t done, const std::string& text);
  // Before something else is printed: takes the line away.
  void clear();
  // Ends the line, so that what is printed next has its own. Idempotent.
  void end();

 private:
  std::FILE* const out_;
  const bool is_shown_;
  std::optional<std::uint64_t> whole_;
  bool is_drawn_ = false;
};

}  // namespace mayfly::app
