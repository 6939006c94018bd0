// The words of a text: its runs of letters, combining marks, digits and underscores, in lower case.
// No language decides; relevance/stems.h has the words of a language.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mayfly {

std::vector<std::string> words_of(std::string_view text);

// A word and its byte positions in the text.
struct FoundWord {
  std::string word;
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::vector<FoundWord> find_words(std::string_view text);

}  // namespace mayfly
