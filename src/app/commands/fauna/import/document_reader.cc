// Reads byte by byte; only brackets and the ends of texts matter.
#include "app/commands/fauna/import/document_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "app/limits.h"

namespace mayfly::app {
namespace {

constexpr std::size_t read_bytes_at_once = 64 << 10;
constexpr std::size_t page_head_bytes_max = 64;  // the longest beginning of a page, with some white
                                                 // space
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// How many braces are open at the beginning of a page's list; 0: the text is not the beginning of a
// page.
int braces_of_page(const std::string& text) {
  if (text.size() > page_head_bytes_max) return 0;
  std::string head;
  std::copy_if(text.begin(), text.end(), std::back_inserter(head),
               [](char c) { return !is_space(c); });
  if (head == R"({"data":[)") return 1;
  return head == R"({"@set":{"data":[)" ? 2 : 0;
}

}  // namespace

Result<bool> DocumentReader::fill() {
  piece_.resize(read_bytes_at_once);
  ssize_t got = 0;
  do {
    got = ::read(in_, piece_.data(), piece_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) return fail(Code::internal, std::string("reading failed: ") + std::strerror(errno));
  piece_.resize(static_cast<std::size_t>(got));
  at_ = bytes_ == 0 && piece_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  bytes_ += static_cast<std::uint64_t>(got);
  return got > 0;
}

Result<DocumentReader::Item> DocumentReader::next(std::string& document) {
  document.clear();
  reason_.clear();
  for (;;) {
    if (at_ == piece_.size() && !TRY(fill())) return end_file();
    while (at_ < piece_.size()) {
      const char c = piece_[at_++];
      const bool is_met = take(c, document);
      if (c == '\n') ++line_;
      if (is_met) return reason_.empty() ? Item::document : Item::broken;
    }
  }
}

bool DocumentReader::take(char c, std::string& document) {
  switch (state_) {
    case State::between: return take_between(c, document);
    case State::within: return take_within(c, document);
    case State::skip_page: take_in_page(c); return false;
    case State::skip_line: break;
  }
  if (c == '\n') state_ = State::between;
  return false;
}

bool DocumentReader::take_between(char c, std::string& document) {
  if (is_space(c)) return false;
  if (c == ',' && !lists_.empty()) return false;
  if (c == '[' && lists_.size() < limits::export_lists_max) {
    lists_.push_back(0);
    return false;
  }
  if (c == ']' && !lists_.empty()) {
    depth_ = lists_.back();
    lists_.pop_back();
    if (depth_ > 0) state_ = State::skip_page;
    return false;
  }
  begins_at_ = line_;
  if (c != '{') {
    return break_off("a document, which is a JSON object, was expected here", State::skip_line);
  }
  state_ = State::within;
  depth_ = 1;
  is_in_text_ = is_escaped_ = is_long_ = false;
  document = "{";
  return false;
}

bool DocumentReader::take_within(char c, std::string& document) {
  if (c == '\n' && (has_lines_ || is_in_text_)) return end_line(document);
  is_long_ = is_long_ || document.size() == bytes_max_;
  if (!is_long_) document += c == '\n' || c == '\r' ? ' ' : c;
  if (is_in_text_) {
    track_text(c);
    return false;
  }
  if (c == '"') is_in_text_ = true;
  if (c == '}' || c == ']') --depth_;
  if (c == '{' || c == '[') ++depth_;
  if (depth_ == 0) return end_document();
  const int braces = c == '[' ? braces_of_page(document) : 0;
  if (braces == 0 || lists_.size() >= limits::export_lists_max) return false;
  lists_.push_back(braces);
  document.clear();
  state_ = State::between;
  return false;
}

void DocumentReader::track_text(char c) {
  if (is_escaped_) {
    is_escaped_ = false;
  } else if (c == '\\') {
    is_escaped_ = true;
  } else if (c == '"') {
    is_in_text_ = false;
  }
}

// Skips from the end of a page's list to the end of the page.
void DocumentReader::take_in_page(char c) {
  if (is_in_text_) return track_text(c);
  if (c == '"') is_in_text_ = true;
  if (c == '{' || c == '[') ++depth_;
  if (c == '}' || c == ']') --depth_;
  if (depth_ == 0) state_ = State::between;
}

bool DocumentReader::end_document() {
  state_ = State::between;
  if (is_first_ && lists_.empty() && line_ == begins_at_) has_lines_ = true;
  is_first_ = false;
  if (!is_long_) return true;
  return break_off("the document has more than " + std::to_string(bytes_max_) + " bytes",
                   State::between);
}

// The end of a line: an error within a text, and within a document that must end on its line.
bool DocumentReader::end_line(std::string& document) {
  document.clear();
  is_first_ = false;
  return break_off(has_lines_ ? "the document does not end on its line"
                              : "a text of the document does not end on its line",
                   State::between);
}

DocumentReader::Item DocumentReader::end_file() {
  if (state_ == State::within) {
    break_off("the file ends within a document", State::between);
    lists_.clear();
    return Item::broken;
  }
  if (lists_.empty() && state_ != State::skip_page) return Item::end;
  begins_at_ = line_;
  break_off("the file ends within a list: it is not whole", State::between);
  lists_.clear();
  return Item::broken;
}

// Gives true: a broken document was found.
bool DocumentReader::break_off(std::string why, State then) {
  reason_ = std::move(why);
  state_ = then;
  return true;
}

}  // namespace mayfly::app
