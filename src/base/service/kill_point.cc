#include "base/service/kill_point.h"

#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <string>

namespace mayfly {
namespace {

std::atomic<std::uint64_t> passes_left{0};

tl::unexpected<Error> no_such(std::string_view text) {
  std::string message = "MAYFLY_KILL_AT is NAME:N, not '" + std::string(text) + "'; the names are";
  for (const std::string_view name : kill_points) message += " " + std::string(name);
  return fail(Code::invalid, std::move(message), "MAYFLY_KILL_AT");
}

// Writes to standard error, so that a test knows that the process was here, and kills it.
[[noreturn]] void die_at(std::string_view name) {
  const std::string word = "killed at " + std::string(name) + "\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, word.data(), word.size());
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

}  // namespace

namespace detail {

std::atomic<std::size_t> armed_kill_point{kill_point_count};

void count_pass() {
  if (passes_left.fetch_sub(1) == 1) die_at(kill_points[armed_kill_point.load()]);
}

}  // namespace detail

Result<void> arm_kill_point(const char* setting) {
  const std::string_view text = setting == nullptr ? "" : setting;
  if (text.empty()) return {};
  const std::size_t colon = text.find(':');
  std::uint64_t nth = 0;
  if (colon != text.npos) {
    const auto [end, error] =
        std::from_chars(text.data() + colon + 1, text.data() + text.size(), nth);
    if (error != std::errc() || end != text.data() + text.size()) nth = 0;
  }
  for (std::size_t i = 0; nth > 0 && i < kill_point_count; ++i) {
    if (kill_points[i] != text.substr(0, colon)) continue;
    passes_left.store(nth);
    detail::armed_kill_point.store(i);
    return {};
  }
  return no_such(text);
}

}  // namespace mayfly
