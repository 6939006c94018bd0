// The log: one line for each event on standard error, as text for people or as JSON for machines. A
// line is a sentence and named fields. No values are pasted into the sentence, so the same event
// always has the same text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly {

enum class LogLevel { debug, info, warn, error, off };
enum class LogFormat { text, json };

Result<LogLevel> parse_log_level(std::string_view name);
Result<LogFormat> parse_log_format(std::string_view name);

// A name and its value, rendered already: `quoted` says whether JSON writes it as text.
struct LogField {
  LogField(std::string_view name, std::string_view text) : name(name), value(text) {}
  LogField(std::string_view name, const std::string& text) : name(name), value(text) {}
  LogField(std::string_view name, const char* text) : name(name), value(text) {}
  LogField(std::string_view name, bool b)
      : name(name), value(b ? "true" : "false"), quoted(false) {}
  LogField(std::string_view name, double n);
  LogField(std::string_view name, std::int64_t n) : LogField(name, std::to_string(n), false) {}
  LogField(std::string_view name, std::uint64_t n) : LogField(name, std::to_string(n), false) {}
  LogField(std::string_view name, int n) : LogField(name, std::to_string(n), false) {}
  LogField(std::string_view name, unsigned n) : LogField(name, std::to_string(n), false) {}

  std::string_view name;
  std::string value;
  bool quoted = true;

 private:
  LogField(std::string_view name, std::string number, bool quoted)
      : name(name), value(std::move(number)), quoted(quoted) {}
};
using LogFields = std::initializer_list<LogField>;

// Before the first call, the levels info and above are logged as text. Threads: call
// start_logging() before other threads start; log() may be called from any.
void start_logging(LogLevel level, LogFormat format);

// Whether lines of this level are logged, for callers whose fields cost something.
bool is_logged(LogLevel level);
void log(LogLevel level, std::string_view message, LogFields fields = {});

// Replaces this text with "(hidden)" in all later lines: a second protection beside the rule that
// secrets are not logged. Texts of fewer than four bytes are not hidden, because they would match
// everywhere.
void hide_in_logs(std::string secret);

// One line without its line end, as log() would write it at that instant.
std::string render_log_line(LogFormat format, Instant at, LogLevel level, std::string_view message,
                            LogFields fields);

}  // namespace mayfly
