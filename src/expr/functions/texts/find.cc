// std::string::find is quadratic: on a text of one repeated letter it compares the whole needle at
// every position. memmem of glibc uses the two-way algorithm.
#include "expr/functions/texts/find.h"

#include <cstring>
#include <string>

namespace mayfly {

std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (needle.empty()) return from;
  const std::string_view rest = text.substr(from);
  const void* found = memmem(rest.data(), rest.size(), needle.data(), needle.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::size_t find_last_text(std::string_view text, std::string_view needle) {
  if (needle.size() > text.size()) return std::string_view::npos;
  const std::string backwards(text.rbegin(), text.rend());
  const std::string needle_backwards(needle.rbegin(), needle.rend());
  const std::size_t found = find_text(backwards, needle_backwards);
  return found == std::string_view::npos ? found : text.size() - found - needle.size();
}

}  // namespace mayfly
