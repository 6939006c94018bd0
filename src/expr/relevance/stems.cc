// The only user of Snowball, and of ICU's word boundaries.
#include "expr/relevance/stems.h"

#include <libstemmer.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>

#include "expr/functions/case.h"
#include "expr/limits.h"

namespace mayfly::relevance {
namespace {

constexpr const char* encoding = "UTF_8";

struct Close {
  void operator()(UBreakIterator* boundaries) const { ubrk_close(boundaries); }
  void operator()(UText* text) const { utext_close(text); }
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};
using Boundaries = std::unique_ptr<UBreakIterator, Close>;
using Stemmer = std::unique_ptr<sb_stemmer, Close>;

Boundaries make_boundaries() {
  UErrorCode error = U_ZERO_ERROR;
  Boundaries boundaries(ubrk_open(UBRK_WORD, "", nullptr, 0, &error));
  return U_SUCCESS(error) ? std::move(boundaries) : nullptr;
}

// Making one costs more than most texts; a thread keeps the one of the last language.
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
  thread_local const Boundaries boundaries = make_boundaries();
  std::vector<std::string> found;
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UText, Close> read(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &error));
  if (boundaries == nullptr || U_FAILURE(error)) return found;
  ubrk_setUText(boundaries.get(), read.get(), &error);
  if (U_FAILURE(error)) return found;
  sb_stemmer* const stemmer = stemmer_of(language);
  std::int32_t from = ubrk_first(boundaries.get());
  for (std::int32_t to = ubrk_next(boundaries.get()); to != UBRK_DONE;
       from = to, to = ubrk_next(boundaries.get())) {
    if (ubrk_getRuleStatus(boundaries.get()) < UBRK_WORD_NONE_LIMIT) continue;
    found.push_back(stem_of(
        text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)), stemmer));
  }
  return found;
}

}  // namespace mayfly::relevance
