// Passages: the parts of a text that show the found terms, chosen as Lucene's unified highlighter
// does. A passage is a sentence, or a part of a long one, and begins and ends between words. If
// there are too many, those with the highest scores are shown. For each word in the passage, which
// occurs `often` times in a text of `length` bytes, the score is
//
//   2.2 * ln(1 + (1 + length / 87 + 0.5) / (often + 0.5)) * n / (n + 1.2 * (0.25 + 0.75 * l / 87))
//
// where l is the length of the passage in bytes, and n is how often the word occurs in it. The sum
// grows by the share 1 / ln(87 + the passage's beginning), so that the first of similar passages
// has the highest score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mayfly::relevance {

// A term found in a text, with byte positions. The same word has the same number everywhere.
struct FoundTerm {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t term = 0;
};

struct Passage {
  std::size_t begin = 0;  // in bytes
  std::size_t end = 0;    // a term found in it may end after that
  std::size_t first = 0;  // index of the first found term
  std::size_t count = 0;
};

// The terms in `found` are ordered by their beginnings, and so are the passages. Each passage has
// at least one term, and each term is in one passage. A sentence of more than `characters_max`
// characters is cut between words; 0: no bound.
std::vector<Passage> passages_of(std::string_view text, std::span<const FoundTerm> found,
                                 std::size_t characters_max);

// The position of a passage in its text.
struct PassagePosition {
  std::size_t begin = 0;   // of the passage
  std::size_t length = 0;  // of all the text
};
// The passage's score. `often`: how often each word occurs in the text, by the word's number.
double passage_score(const Passage& passage, std::span<const FoundTerm> found,
                     const PassagePosition& setting, std::span<const std::uint32_t> often);

// The beginning of a text: so many characters, extended to the end of their last word.
std::string_view beginning_of(std::string_view text, std::size_t characters);

}  // namespace mayfly::relevance
