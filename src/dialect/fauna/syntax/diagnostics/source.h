// Where text comes from, and places in it. Trees and diagnostics point into sources and do not own
// them: what holds a tree or a diagnostic holds its sources, too (Program does).
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

// Bytes of a source from `begin` up to and without `end`. It may lie one byte behind the text: what
// is missing is missing there.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const Source* source = nullptr;
  bool operator==(const Span&) const = default;
};

// From the beginning of one to the end of the other.
inline Span joined(Span first, Span last) {
  return {first.begin, last.end, first.source};
}

std::string_view text_of(Span span);

// Both count from 1; a column is a code point.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
  bool operator==(const Position&) const = default;
};
// Behind a text that begins there.
Position position_behind(Position begin, std::string_view text);
Position position_of(std::string_view text, std::size_t offset);
inline Position position_of(Span span) {
  return position_of(span.source->text, span.begin);
}

// One character of UTF-8: a byte that begins none is U+FFFD, and is one byte long. Nothing is at
// the end of the text.
struct CodePoint {
  char32_t value = 0;
  std::uint32_t size = 0;
};
CodePoint code_point_at(std::string_view text, std::size_t offset);
std::size_t count_code_points(std::string_view text);

// A query as requests send it: pieces of text with values in between. A value is never text: in the
// source stands a mark in its place, which the parser takes for the variable `$0`, `$1`, … and
// which is shown so.
struct Template {
  SourcePtr source;
  std::vector<std::uint32_t> values;  // where the mark of each value is
};

class TemplateBuilder {
 public:
  explicit TemplateBuilder(std::string name) : name_(std::move(name)) {}
  // Fails with invalid where the text holds NUL, which is what a mark begins with.
  Result<void> add_text(std::string_view text);
  void add_value();
  Template finish() &&;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> values_;
};

// The name of the variable that holds a value, and what its mark looks like: `$` is NUL there.
std::string value_name(std::size_t index);

}  // namespace mayfly::fauna
