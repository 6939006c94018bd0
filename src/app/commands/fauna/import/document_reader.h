// DocumentReader: reads the documents of one file of an export, in bounded memory. It separates
// documents without parsing them.
//
//   file := (list | document)…
//   list := [document, …] | [list, …] | page
//   page := {"data": list, …} | {"@set": page, …}
//
// Of a page, that member is the first one, and the others are skipped. In a file .json a document
// may span lines; in .jsonl and .ndjson it has one line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

class DocumentReader {
 public:
  // `one_a_line`: a document that does not end on its line is broken, and the next begins after
  // that line. A file whose first document has a line to itself is also read this way.
  enum class Layout : std::uint8_t { any, one_a_line };
  // `in` is a file descriptor and is not closed here.
  DocumentReader(int in, Layout layout, std::size_t document_bytes_max)
      : in_(in), has_lines_(layout == Layout::one_a_line), bytes_max_(document_bytes_max) {}

  enum class Item : std::uint8_t { document, broken, end };
  // Gives the next document, on one line. For a broken document reason() says what is wrong. Fails
  // with internal if reading fails.
  Result<Item> next(std::string& document);

  std::uint64_t line() const { return begins_at_; }  // line on which the document begins, from 1
  const std::string& reason() const { return reason_; }
  std::uint64_t bytes() const { return bytes_; }  // read so far

 private:
  enum class State : std::uint8_t { between, within, skip_line, skip_page };

  Result<bool> fill();
  bool take(char c, std::string& document);
  bool take_between(char c, std::string& document);
  bool take_within(char c, std::string& document);
  void take_in_page(char c);
  bool end_document();
  bool end_line(std::string& document);
  Item end_file();
  bool break_off(std::string why, State then);
  void track_text(char c);

  const int in_;
  bool has_lines_;
  const std::size_t bytes_max_;
  std::string piece_;
  std::size_t at_ = 0;  // in the piece
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t begins_at_ = 1;
  State state_ = State::between;
  // For each open list, how many braces of a page follow its end; 0: it belongs to no page.
  std::vector<int> lists_;
  int depth_ = 0;  // nesting in the document or in the skipped text
  bool is_in_text_ = false;
  bool is_escaped_ = false;
  bool is_long_ = false;
  bool is_first_ = true;  // no document has been completed yet
  std::string reason_;    // empty: the document is complete
};

}  // namespace mayfly::app
