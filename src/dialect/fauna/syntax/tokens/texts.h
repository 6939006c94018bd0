// Reads pieces of texts and heredocs, which are no tokens: escapes, unescaped characters, and the
// indentation of heredocs.
//
//   escape  := \ (\ 0 ' " ` n r v t b f #) | \xHH | \uHHHH | \u{H…}       one to six digits
//   heredoc := <<- NAME new-line { line } NAME        <<+ with interpolations; without escapes
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/fauna/syntax/diagnostics/source.h"

namespace mayfly::fauna {

// An error in a text and its place: the message of a diagnostic and its annotation.
struct TextFault {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view message;
  std::string_view annotation = {};
};

// A piece that was read: its end and its decoded text, or the fault.
struct TextPiece {
  std::uint32_t end = 0;
  std::string text;
  std::optional<TextFault> fault = {};
};

// One character of a text between quotes: an escape, or the character itself.
TextPiece read_text_character(std::string_view source, std::uint32_t at);
// One character of a heredoc.
TextPiece read_plain_character(std::string_view source, std::uint32_t at);

// The end of the text whose opening quote is at `at`, after its closing quote. nullopt if it is
// unterminated, or if a text in `"` has an interpolation.
std::optional<std::uint32_t> end_of_plain_text(std::string_view source, std::uint32_t at);

// What follows `<<-` or `<<+`: the name that ends the heredoc, and the offset of its first line.
struct HeredocHead {
  std::string_view name;
  std::uint32_t body = 0;
  std::optional<TextFault> fault = {};
};
HeredocHead read_heredoc_head(std::string_view source, std::uint32_t at);
// If the line at `at` ends the heredoc: the offset after its name.
std::optional<std::uint32_t> end_of_heredoc_name(std::string_view source, std::uint32_t at,
                                                 std::string_view name);
bool is_line_end(std::string_view source, std::uint32_t at);

// The indentation of a line; for a blank line its length.
std::size_t indentation_of(std::string_view line);

}  // namespace mayfly::fauna
