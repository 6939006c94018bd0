// What is said of a query or a schema, with the place in its source:
//
//   error: Expected end-of-input            info at *query*:1: a line that was logged
//   at *query*:1:7
//     |
//   1 | happy little fox
//     |       ^
//     |
//
// A source that its reader may not see is not drawn: only `at` is there. A span of several lines is
// a bracket at their left. Hints follow in the same form, without their `at` where they are of the
// line above, and may show the text as it would be right. The calls that led to an error follow it,
// from the innermost on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialect/fauna/syntax/diagnostics/source.h"

namespace mayfly::fauna {

struct Hint {
  enum class Kind : std::uint8_t { general, performance, cause };
  std::string message;
  Span span;
  // What to write in place of the span; empty text removes it.
  std::optional<std::string> suggestion = {};
  Kind kind = Kind::general;
};

enum class Severity : std::uint8_t {
  error,
  warning,
  performance_hint,
  hint,
  info,  // of dbg(): with its source
  log    // of log(): in one line
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;
  Span span;
  std::string annotation = {};  // stands behind the underline
  std::vector<Hint> hints = {};
  std::vector<Span> frames = {};  // who called, innermost first
  // Of which the reader may not see the text: only their names, lines and columns are shown.
  std::vector<const Source*> undrawn = {};
};

inline Diagnostic error_at(Span span, std::string message) {
  return {Severity::error, std::move(message), span};
}

// Without a line break at its end.
std::string render(const Diagnostic& diagnostic);
// With an empty line between them: the summary of an answer.
std::string render(std::span<const Diagnostic> diagnostics);

// "The query failed 1 validation check"
std::string validation_message(std::size_t failed);

}  // namespace mayfly::fauna
