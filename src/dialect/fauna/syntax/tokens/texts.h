// Pieces of texts and heredocs, which are no tokens: what an escape stands for, which characters
// may stand for themselves, how a heredoc's indentation is taken away.
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

// What is wrong, and where: the message of a diagnostic and its annotation.
struct TextFault {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view message;
  std::string_view annotation = {};
};

// What was read: where it ends and what it stands for, or the fault.
struct TextPiece {
  std::uint32_t end = 0;
  std::string text;
  std::optional<TextFault> fault = {};
};

// One character of a text between quotes: an escape, or the character itself.
TextPiece read_text_character(std::string_view source, std::uint32_t at);
// One character of a heredoc.
TextPiece read_plain_character(std::string_view source, std::uint32_t at);

// Where a text ends whose opening quote is there, behind its closing one; nothing where it does
// not end, or where `"` has an interpolation.
std::optional<std::uint32_t> behind_plain_text(std::string_view source, std::uint32_t at);

// Behind `<<-` or `<<+`: the name that ends the heredoc, and where its first line begins.
struct HeredocHead {
  std::string_view name;
  std::uint32_t body = 0;
  std::optional<TextFault> fault = {};
};
HeredocHead read_heredoc_head(std::string_view source, std::uint32_t at);
// Where the heredoc ends, behind its name, if the line that begins there holds it.
std::optional<std::uint32_t> behind_heredoc_name(std::string_view source, std::uint32_t at,
                                                 std::string_view name);
bool is_line_end(std::string_view source, std::uint32_t at);

// How deep a line is indented, or how long it is where it has nothing else.
std::size_t indentation_of(std::string_view line);

}  // namespace mayfly::fauna
