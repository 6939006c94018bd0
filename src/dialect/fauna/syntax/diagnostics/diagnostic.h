// Messages about a query or a schema, with the place in its source:
//
//   error: Expected end-of-input            info at *query*:1: a line that was logged
//   at *query*:1:7
//     |
//   1 | happy little fox
//     |       ^
//     |
//
// A source that the reader may not see is not drawn; only the line with `at` appears. A span of
// several lines is drawn as a bracket on their left. Hints follow in the same form, without `at` if
// they are about the line above; they may show a corrected text. Then follow the calls that led to
// the error, innermost first.
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
  // The replacement of the span; an empty text removes it.
  std::optional<std::string> suggestion = {};
  Kind kind = Kind::general;
};

enum class Severity : std::uint8_t {
  error,
  warning,
  performance_hint,
  hint,
  info,  // from dbg(): with its source
  log    // from log(): in one line
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;
  Span span;
  std::string annotation = {};  // text after the underline
  std::vector<Hint> hints = {};
  std::vector<Span> frames = {};  // calls, innermost first
  // Sources with a text that the reader may not see: only their names, lines and columns are shown.
  std::vector<const Source*> undrawn = {};
};

inline Diagnostic error_at(Span span, std::string message) {
  return {Severity::error, std::move(message), span};
}

// Without a line break at its end.
std::string render(const Diagnostic& diagnostic);
// Separated by empty lines: the summary of a response.
std::string render(std::span<const Diagnostic> diagnostics);

// "The query failed 1 validation check"
std::string validation_message(std::size_t failed);

}  // namespace mayfly::fauna
