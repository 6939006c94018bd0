// Stems: the words of a text, by ICU's boundaries, in lower case and without the endings that
// Snowball's rules for the language remove. "Running dogs" has the stems "run" and "dog". These are
// not the words of functions/texts/words.h. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mayfly::relevance {

// Whether Snowball has rules for it: "english", "french" …
bool is_language(std::string_view language);

// In the order of the text. For a language without rules, and for words of more than
// limits::stemmed_word_bytes_max: whole words in lower case.
std::vector<std::string> stems_of(std::string_view text, std::string_view language);

}  // namespace mayfly::relevance
