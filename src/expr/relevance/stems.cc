// The only user of Snowball.
#include "expr/relevance/stems.h"

#include <libstemmer.h>

#include <algorithm>
#include <memory>

#include "expr/functions/texts/case.h"
#include "expr/limits.h"
#include "expr/relevance/boundaries.h"

namespace mayfly::relevance {
namespace {

constexpr const char* encoding = "UTF_8";

struct Close {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};
using Stemmer = std::unique_ptr<sb_stemmer, Close>;

// A stemmer is expensive to create; each thread keeps the one of the last language.
sb_stemmer* stemmer_of(std::string_view language) {
  thread_local std::string last_language;
  thread_local Stemmer last;
  if (last == nullptr || language != last_language) {
    last_language = std::string(language);
    last.reset(sb_stemmer_new(last_language.c_str(), encoding));
  }
  return last.get();
}

std::string stem_of(std::string_view written, sb_stemmer* stemmer) {
  std::string word = to_lower(written);
  if (stemmer == nullptr || word.size() > limits::stemmed_word_bytes_max) return word;
  const auto* stem = sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(word.data()),
                                     static_cast<int>(word.size()));
  if (stem == nullptr) return word;
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

}  // namespace

bool is_language(std::string_view language) {
  const char** known = sb_stemmer_list();
  while (*known != nullptr && language != *known) ++known;
  return *known != nullptr;
}

std::vector<std::string> stems_of(std::string_view text, std::string_view language) {
  std::vector<std::string> found;
  Boundaries boundaries(Boundaries::Of::words, text);
  sb_stemmer* const stemmer = stemmer_of(language);
  std::size_t from = 0;
  for (auto to = boundaries.next(); to; from = *to, to = boundaries.next()) {
    if (boundaries.ends_word()) found.push_back(stem_of(text.substr(from, *to - from), stemmer));
  }
  return found;
}

}  // namespace mayfly::relevance
