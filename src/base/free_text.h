// Gives a text's memory back. Assigning an empty text keeps it: an empty one has nothing that could
// be moved in its place.
#pragma once

#include <string>

namespace mayfly {

inline void free_text(std::string& text) {
  std::string().swap(text);
}

}  // namespace mayfly
