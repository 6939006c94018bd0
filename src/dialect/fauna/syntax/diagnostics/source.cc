#include "dialect/fauna/syntax/diagnostics/source.h"

#include <algorithm>

namespace mayfly::fauna {
namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The length of a character by its first byte; 0 if that is invalid.
std::uint32_t character_size(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

}  // namespace

std::string_view text_of(Span span) {
  const std::string_view text = span.source->text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  return text.substr(begin, std::min<std::size_t>(span.end, text.size()) - begin);
}

TextPosition position_after(TextPosition begin, std::string_view text) {
  const std::size_t line_end = text.rfind('\n');
  if (line_end == std::string_view::npos) {
    return {begin.line, begin.column + count_code_points(text)};
  }
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return {begin.line + lines, count_code_points(text.substr(line_end + 1)) + 1};
}

TextPosition position_of(std::string_view text, std::size_t offset) {
  return position_after({}, text.substr(0, offset));
}

CodePoint code_point_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return {};
  const auto first = static_cast<unsigned char>(text[offset]);
  const std::uint32_t size = character_size(first);
  if (size == 1) return {first, 1};
  if (size == 0 || offset + size > text.size()) return {0xFFFD, 1};
  char32_t value = first & (0x7F >> size);
  for (std::uint32_t i = 1; i < size; ++i) {
    if (!continues_character(text[offset + i])) return {0xFFFD, 1};
    value = (value << 6) | (static_cast<unsigned char>(text[offset + i]) & 0x3F);
  }
  return {value, size};
}

std::size_t count_code_points(std::string_view text) {
  const auto begins = [](char c) { return !continues_character(c); };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins));
}

Result<void> TemplateBuilder::add_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return fail(Code::invalid, "FQL strings cannot contain NUL characters");
  }
  text_ += text;
  return {};
}

void TemplateBuilder::add_value() {
  std::string placeholder = value_name(values_.size());
  placeholder[0] = '\0';
  values_.push_back(static_cast<std::uint32_t>(text_.size()));
  text_ += placeholder;
}

Template TemplateBuilder::finish() && {
  return {make_source(std::move(name_), std::move(text_)), std::move(values_)};
}

std::string value_name(std::size_t index) {
  return "$" + std::to_string(index);
}

}  // namespace mayfly::fauna
