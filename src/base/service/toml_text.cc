#include "base/service/toml_text.h"

#include <algorithm>
#include <string>

namespace mayfly {
namespace {

// The library handles the nested parts of a name recursively.
constexpr std::size_t key_parts_max = 64;

// An upper bound of the parts that any name in the text has; does not skip quoted texts or
// comments.
std::size_t key_parts(std::string_view text) {
  std::size_t most = 0;
  std::size_t dots = 0;
  char before = 0;
  for (const char c : text) {
    if (c == '.') {
      dots = before == '.' ? 0 : dots + 1;
      most = std::max(most, dots);
    } else if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{' || c == '#') {
      dots = 0;
    }
    before = c;
  }
  return most + 1;
}

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view white_space = " \t\r\n\v\f";
constexpr std::string_view value_ends = "]},#";
constexpr std::string_view value_starts = "=[{";
constexpr std::string_view number_starts = "0123456789+-.";

bool contains(std::string_view set, char c) {
  return set.find(c) != std::string_view::npos;
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

//   text    = { comment | string | character }
//   comment = "#" to the end of the line
//   string  = quote, one or three of them, to the same quotes; up to two more of them may follow
//             three. Between " a backslash escapes the next character. It ends a line between """,
//             and then the string goes on with the next character that is no white space.
class TomlScan {
 public:
  explicit TomlScan(std::string_view text) : text_(text) {
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  // The position of a character outside ASCII in a wrong place; the end if there is none.
  std::size_t find_misplaced() {
    while (at_ < text_.size() && is_ascii(text_[at_])) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        if (!skip_string(c)) return at_;
      } else {
        note_place(c);
        ++at_;
      }
    }
    return at_;
  }

 private:
  // Within a number, the library reads all characters up to the end of the value as a part of it,
  // even quotes.
  enum class Place { start, number, other };

  void note_place(char c) {
    if (contains(white_space, c) || contains(value_ends, c)) {
      place_ = Place::start;
    } else if (place_ != Place::number && contains(value_starts, c)) {
      place_ = Place::start;
    } else if (place_ == Place::start) {
      place_ = contains(number_starts, c) ? Place::number : Place::other;
    }
  }

  // Whether all characters of the string are in their place; at_ is then behind the string, and
  // otherwise at the misplaced one.
  bool skip_string(char quote) {
    only_ascii_ = place_ != Place::start;
    if (place_ == Place::start) place_ = Place::other;
    const std::string_view rest = text_.substr(at_);
    const std::string quotes(3, quote);
    const bool is_multi_line = rest.starts_with(quotes);
    at_ += is_multi_line ? 3 : 1;
    is_joining_lines_ = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote && (!is_multi_line || text_.substr(at_).starts_with(quotes))) {
        at_ += is_multi_line ? count_quotes(quote) : 1;
        return true;
      }
      // The library reads no further than to the end of a line in a string of one.
      if (c == '\n' && !is_multi_line) {
        at_ = text_.size();
      } else if (!skip_character(quote == '"')) {
        return false;
      }
    }
    return true;
  }

  // The quotes at the end of a string of several lines: three and up to two that belong to it.
  std::size_t count_quotes(char quote) const {
    constexpr std::size_t quotes_max = 5;
    const std::size_t other = std::min(text_.find_first_not_of(quote, at_), text_.size());
    return std::min(other - at_, quotes_max);
  }

  bool skip_character(bool has_escapes) {
    const char c = text_[at_];
    if (!is_ascii(c)) {
      if (only_ascii_ || is_joining_lines_) return false;
      ++at_;
    } else if (c == '\\' && has_escapes) {
      ++at_;
      is_joining_lines_ = true;
      if (at_ == text_.size() || contains(white_space, text_[at_])) return true;
      if (!is_ascii(text_[at_])) return false;
      is_joining_lines_ = false;
      ++at_;
    } else {
      if (!contains(white_space, c)) is_joining_lines_ = false;
      ++at_;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_ = Place::start;
  bool only_ascii_ = false;        // in this string
  bool is_joining_lines_ = false;  // a backslash and then only white space came last
};

std::string line_of(std::string_view text, std::size_t at) {
  return std::to_string(std::ranges::count(text.substr(0, at), '\n') + 1);
}

}  // namespace

Result<void> check_toml_text(std::string_view text, const std::string& path) {
  if (key_parts(text) > key_parts_max) {
    return fail(Code::invalid, path + ": a name has too many parts", "config");
  }
  const std::size_t at = TomlScan(text).find_misplaced();
  if (at == text.size()) return {};
  return fail(Code::invalid,
              path + ":" + line_of(text, at) +
                  ": a character outside ASCII may only be in a comment or within quotes, and not "
                  "behind a backslash there",
              "config");
}

}  // namespace mayfly
