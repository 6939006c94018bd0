// DocumentReader: the documents of one file of an export, in bounded memory. They are not parsed,
// only separated.
//
//   file := list… | document…     of .json a document may have several lines, of .jsonl one
//   list := [document, …] | [list, …]
//   page := {"data": list …}      stands for its list; so does {"@set": page}
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

class DocumentReader {
 public:
  // `one_a_line`: a document that does not end on its line is broken, and the next begins behind
  // it. A file whose first document has a line to itself is read like that, too.
  enum class Layout : std::uint8_t { any, one_a_line };
  // `in` is a file descriptor and stays the caller's.
  DocumentReader(int in, Layout layout, std::size_t document_bytes_max)
      : in_(in), has_lines_(layout == Layout::one_a_line), bytes_max_(document_bytes_max) {}

  enum class Met : std::uint8_t { document, broken, end };
  // The next document, on one line; of a broken one reason() says what is wrong. Fails with
  // internal where reading fails.
  Result<Met> next(std::string& document);

  std::uint64_t line() const { return begins_at_; }  // on which it begins, from 1
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
  Met end_file();
  bool break_off(std::string why, State then);
  void note_text(char c);

  const int in_;
  bool has_lines_;
  const std::size_t bytes_max_;
  std::string piece_;
  std::size_t at_ = 0;  // in the piece
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t begins_at_ = 1;
  State state_ = State::between;
  // The open lists: of each, how many braces of a page close behind it; 0: it is no page's.
  std::vector<int> lists_;
  int depth_ = 0;  // of the document, or of what is skipped
  bool is_in_text_ = false;
  bool is_escaped_ = false;
  bool is_long_ = false;
  bool is_first_ = true;  // no document has ended yet
  std::string reason_;    // empty: the document is whole
};

}  // namespace mayfly::app
