// std::string::find is quadratic: on a text of one repeated letter it looks at every position for
// the whole length of what is sought. memmem of glibc uses the two-way algorithm.
#include "expr/functions/texts/find.h"

#include <cstring>
#include <string>

namespace mayfly {

std::size_t find_text(std::string_view text, std::string_view sought, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (sought.empty()) return from;
  const std::string_view rest = text.substr(from);
  const void* found = memmem(rest.data(), rest.size(), sought.data(), sought.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::size_t find_last_text(std::string_view text, std::string_view sought) {
  if (sought.size() > text.size()) return std::string_view::npos;
  const std::string backwards(text.rbegin(), text.rend());
  const std::string sought_backwards(sought.rbegin(), sought.rend());
  const std::size_t found = find_text(backwards, sought_backwards);
  return found == std::string_view::npos ? found : text.size() - found - sought.size();
}

}  // namespace mayfly
