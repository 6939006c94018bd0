// Passages: the parts of a text that show what was searched for, as Lucene's unified highlighter
// chooses them. A passage is a sentence, or a part of a long one, and begins and ends between
// words. What a passage is worth says which ones are shown where there are too many: for each word
// in it, of a text of `length` bytes in which the word stands `often` times,
//
//   2.2 * ln(1 + (1 + length / 87 + 0.5) / (often + 0.5)) * n / (n + 1.2 * (0.25 + 0.75 * l / 87))
//
// where l are the bytes of the passage and n how often the word stands in it; all of it is more by
// 1 / ln(87 + where the passage begins), so that of like ones the first is worth most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mayfly::relevance {

// What was found at a place of a text, in bytes. The same word has the same number everywhere.
struct FoundTerm {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t term = 0;
};

struct Passage {
  std::size_t begin = 0;  // in bytes
  std::size_t end = 0;    // what is found in it may end behind that
  std::size_t first = 0;  // of what was found
  std::size_t count = 0;
};

// `found` is in the order of its beginnings, and so are the passages. Each has at least one, and
// each of these is in one. A sentence of more than `characters_max` is cut at words; 0: none is.
std::vector<Passage> passages_of(std::string_view text, std::span<const FoundTerm> found,
                                 std::size_t characters_max);

// Where a passage stands in all the text.
struct PassageSetting {
  std::size_t begin = 0;   // of the passage
  std::size_t length = 0;  // of all the text
};
// `often`: by the number of a word, how often it stands in all the text.
double worth_of(const Passage& passage, std::span<const FoundTerm> found,
                const PassageSetting& setting, std::span<const std::uint32_t> often);

// The beginning of a text: so many characters, and on to the end of their last word.
std::string_view beginning_of(std::string_view text, std::size_t characters);

}  // namespace mayfly::relevance
