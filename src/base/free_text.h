// Releases a text's memory. Assigning an empty text does not: the text keeps its buffer.
#pragma once

#include <string>

namespace mayfly {

inline void free_text(std::string& text) {
  std::string().swap(text);
}

}  // namespace mayfly
