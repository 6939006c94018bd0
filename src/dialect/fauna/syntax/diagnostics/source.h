// Sources of text, and places in them. Trees and diagnostics point into sources without owning
// them. An object that holds a tree or a diagnostic must also own its sources, as Program does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mayfly::fauna {

// A text in UTF-8 and its name: `*query*`, `*udf:Name*`, `main.fsl`, …
struct Source {
  std::string name;
  std::string text;
};
using SourcePtr = std::shared_ptr<const Source>;

inline SourcePtr make_source(std::string name, std::string text) {
  return std::make_shared<const Source>(Source{std::move(name), std::move(text)});
}

// The bytes of a source in [begin, end). A span may lie one byte after the text, to show that
// something is missing there.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const Source* source = nullptr;
  bool operator==(const Span&) const = default;
};

// The span from the beginning of `first` to the end of `last`.
inline Span joined(Span first, Span last) {
  return {first.begin, last.end, first.source};
}

std::string_view text_of(Span span);

// Both count from 1; a column is a code point.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
  bool operator==(const TextPosition&) const = default;
};
// The position after a text that starts at `begin`.
TextPosition position_after(TextPosition begin, std::string_view text);
TextPosition position_of(std::string_view text, std::size_t offset);
inline TextPosition position_of(Span span) {
  return position_of(span.source->text, span.begin);
}

// Decodes one character of UTF-8. A byte that starts no character gives U+FFFD with size 1. At the
// end of the text, the size is 0.
struct CodePoint {
  char32_t value = 0;
  std::uint32_t size = 0;
};
CodePoint code_point_at(std::string_view text, std::size_t offset);
std::size_t count_code_points(std::string_view text);

// A query as requests send it: pieces of text with values in between. Values never become text. The
// source has a placeholder for each value, which the parser treats, and diagnostics show, as the
// variable `$0`, `$1`, …
struct Template {
  SourcePtr source;
  std::vector<std::uint32_t> values;  // the offset of each value's placeholder
};

class TemplateBuilder {
 public:
  explicit TemplateBuilder(std::string name) : name_(std::move(name)) {}
  // Fails with invalid if the text contains NUL, because a placeholder begins with NUL.
  Result<void> add_text(std::string_view text);
  void add_value();
  Template finish() &&;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> values_;
};

// The name of the variable that holds a value. Its placeholder in the source is this name with NUL
// in place of `$`.
std::string value_name(std::size_t index);

}  // namespace mayfly::fauna
