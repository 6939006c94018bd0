#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/limits.h"

namespace mayfly::fauna {
namespace {

// A text to draw, possibly changed by a suggestion, and the marked place in it.
struct MarkedText {
  std::string_view text;
  std::size_t begin = 0;
  std::size_t end = 0;
  char mark = '^';
  std::string_view annotation = {};
};

// One line of a drawing: an optional line number, an optional bracket, the text.
struct DrawnLine {
  std::string number;
  std::string_view bracket;
  std::string text;
};

std::string_view without_space_behind(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// A place after the last visible character is moved directly behind it.
MarkedText within_visible(MarkedText marked) {
  const std::size_t visible = without_space_behind(marked.text).size();
  if (marked.begin > visible) {
    marked.end -= std::min(marked.end, marked.begin - visible);
    marked.begin = visible;
  }
  marked.text = marked.text.substr(0, visible);
  marked.end = std::max(marked.end, marked.begin);
  return marked;
}

std::string_view line_at(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(start, text.find('\n', start) - start);
}

std::string times(std::size_t count, char c) {
  return std::string(count, c);
}

std::vector<DrawnLine> draw_in_line(const MarkedText& marked, std::string_view line,
                                    std::size_t indent) {
  const std::size_t end = std::min(marked.end, marked.begin - indent + line.size());
  std::size_t width = count_code_points(marked.text.substr(marked.begin, end - marked.begin));
  if (marked.end > marked.begin) width = std::max<std::size_t>(width, 1);
  std::string under = times(count_code_points(line.substr(0, indent)), ' ');
  under += times(width, marked.mark);
  if (!marked.annotation.empty()) under.append(" ").append(marked.annotation);
  return {{"", "", std::move(under)}};
}

std::vector<DrawnLine> draw_lines(const MarkedText& marked, std::string_view line,
                                  std::size_t number, std::size_t indent) {
  std::vector<DrawnLine> drawn;
  drawn.push_back({"", " _", times(count_code_points(line.substr(0, indent)), '_') + marked.mark});
  std::size_t start = marked.begin - indent + line.size() + 1;
  for (;; ++number) {
    const std::string_view next = line_at(marked.text, start);
    drawn.push_back({std::to_string(number + 1), "| ", std::string(next)});
    if (marked.end > start + next.size() + 1 && start + next.size() < marked.text.size()) {
      start += next.size() + 1;
      continue;
    }
    const std::string_view covered = next.substr(0, marked.end - start);
    const std::size_t width = std::max<std::size_t>(count_code_points(covered), 1);
    drawn.push_back({"", "|_", times(width - 1, '_') + "^"});
    return drawn;
  }
}

// The number and the length of lines are bounded. Of a larger span only the first line is drawn.
std::vector<DrawnLine> draw(const MarkedText& marked, std::size_t number) {
  const std::string_view line = line_at(marked.text, marked.begin);
  if (line.size() > limits::diagnostic_line_bytes_max) return {};
  const std::size_t start = line.data() - marked.text.data();
  const std::size_t indent = marked.begin - start;
  std::vector<DrawnLine> drawn{{std::to_string(number), "", std::string(line)}};
  const std::size_t line_end = start + line.size();
  const std::size_t end = std::min(marked.end, marked.text.size());
  const bool is_in_line = marked.end <= line_end + 1 || line_end == marked.text.size();
  const std::string_view rest = is_in_line ? "" : marked.text.substr(line_end, end - line_end);
  const auto lines = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n'));
  const bool fits =
      rest.size() <= limits::diagnostic_line_bytes_max * 4 && lines <= limits::diagnostic_lines_max;
  auto under = is_in_line || !fits ? draw_in_line(marked, line, indent)
                                   : draw_lines(marked, line, number, indent);
  std::move(under.begin(), under.end(), std::back_inserter(drawn));
  return drawn;
}

std::string frame_drawing(std::vector<DrawnLine> drawn) {
  std::size_t numbers = 0;
  std::size_t brackets = 0;
  for (const DrawnLine& line : drawn) {
    numbers = std::max(numbers, line.number.size());
    brackets = std::max(brackets, line.bracket.size());
  }
  drawn.insert(drawn.begin(), {"", "", ""});
  drawn.push_back({"", "", ""});
  std::string out;
  for (const DrawnLine& line : drawn) {
    std::string whole =
        fmt::format("{:>{}} | {:>{}}{}", line.number, numbers, line.bracket, brackets, line.text);
    // The placeholder of a value in the text.
    std::replace(whole.begin(), whole.end(), '\0', '$');
    out.append(out.empty() ? "" : "\n").append(without_space_behind(whole));
  }
  return out;
}

// The line of the diagnostic itself; `at` is not repeated for a hint on it.
struct PreviousLine {
  const Source* source = nullptr;
  std::size_t line = 0;
};

std::string render_at(const Source* source, TextPosition position) {
  return fmt::format("at {}:{}:{}", source->name, position.line, position.column);
}

std::string render_place(const MarkedText& place, const Source* source,
                         PreviousLine previous_line) {
  const MarkedText marked = within_visible(place);
  const TextPosition position = position_of(marked.text, marked.begin);
  std::string out;
  if (previous_line.source != source || previous_line.line != position.line)
    out = render_at(source, position);
  auto drawn = draw(marked, position.line);
  if (drawn.empty()) return out;
  if (!out.empty()) out += "\n";
  return out + frame_drawing(std::move(drawn));
}

using Undrawn = std::vector<const Source*>;

bool is_undrawn(Span span, const Undrawn& undrawn) {
  return std::find(undrawn.begin(), undrawn.end(), span.source) != undrawn.end();
}

std::string render_span(Span span, const Undrawn& undrawn, std::string_view annotation = {}) {
  if (span.source == nullptr) return "at <no source>";
  if (is_undrawn(span, undrawn)) return render_at(span.source, position_of(span));
  return render_place({span.source->text, span.begin, span.end, '^', annotation}, span.source, {});
}

std::string_view word_for(Hint::Kind kind) {
  switch (kind) {
    case Hint::Kind::general: return "hint";
    case Hint::Kind::performance: return "performance_hint";
    case Hint::Kind::cause: return "cause";
  }
  return "hint";
}

std::string_view word_for(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::performance_hint: return "performance_hint";
    case Severity::hint: return "hint";
    case Severity::info:
    case Severity::log: return "info";
  }
  return "error";
}

std::string render_suggestion(const Hint& hint, PreviousLine previous_line) {
  const Span span = hint.span;
  if (hint.suggestion->empty()) {
    return render_place({span.source->text, span.begin, span.end, '-'}, span.source, previous_line);
  }
  std::string text = span.source->text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  text.replace(begin, span.end - span.begin, *hint.suggestion);
  const char mark = span.begin == span.end ? '+' : '~';
  return render_place({text, begin, begin + hint.suggestion->size(), mark}, span.source,
                      previous_line);
}

std::string render_hint(const Hint& hint, PreviousLine previous_line, const Undrawn& undrawn) {
  std::string out = fmt::format("{}: {}\n", word_for(hint.kind), hint.message);
  if (hint.span.source == nullptr || is_undrawn(hint.span, undrawn)) {
    return out + render_span(hint.span, undrawn);
  }
  if (hint.suggestion) return out + render_suggestion(hint, previous_line);
  const Span span = hint.span;
  return out + render_place({span.source->text, span.begin, span.end}, span.source, previous_line);
}

std::string render_log(const Diagnostic& diagnostic) {
  const Span span = diagnostic.span;
  if (span.source == nullptr) return "info at <no source>: " + diagnostic.message;
  return fmt::format("info at {}:{}: {}", span.source->name, position_of(span).line,
                     diagnostic.message);
}

PreviousLine line_of(Span span) {
  if (span.source == nullptr) return {};
  const MarkedText marked = within_visible({span.source->text, span.begin, span.end});
  return {span.source, position_of(marked.text, marked.begin).line};
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  if (diagnostic.severity == Severity::log) return render_log(diagnostic);
  const Undrawn& undrawn = diagnostic.undrawn;
  std::string out = fmt::format("{}: {}\n{}", word_for(diagnostic.severity), diagnostic.message,
                                render_span(diagnostic.span, undrawn, diagnostic.annotation));
  const PreviousLine previous_line = line_of(diagnostic.span);
  for (const Hint& hint : diagnostic.hints) out += "\n" + render_hint(hint, previous_line, undrawn);
  if (!diagnostic.hints.empty() && !diagnostic.frames.empty()) out += "\ntrace:";
  for (const Span frame : diagnostic.frames) out += "\n" + render_span(frame, undrawn);
  return out;
}

std::string render(std::span<const Diagnostic> diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!out.empty()) out += "\n\n";
    out += render(diagnostic);
  }
  return out;
}

std::string validation_message(std::size_t failed) {
  return fmt::format("The query failed {} validation check{}", failed, failed == 1 ? "" : "s");
}

}  // namespace mayfly::fauna
