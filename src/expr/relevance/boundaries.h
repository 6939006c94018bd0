// Boundaries: the boundaries of words or sentences in a text, by ICU's rules for no specific
// language.
//
//   Boundaries words(Boundaries::Of::words, text);
//   for (auto to = words.next(); to; to = words.next()) …
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

struct UBreakIterator;
struct UText;

namespace mayfly::relevance {

// The text must outlive it. Use at most one of each kind in a thread at a time: both would share
// the thread's iterator, which is kept because it is expensive to create. Threads: the one that
// created it. Positions are bytes. If ICU fails, the text has no boundaries, which is no error.
class Boundaries {
 public:
  enum class Of { words, sentences };
  Boundaries(Of of, std::string_view text);
  ~Boundaries();
  Boundaries(const Boundaries&) = delete;
  Boundaries& operator=(const Boundaries&) = delete;

  // Returns one boundary after another, beginning with the one after the first word; nullopt at the
  // end.
  std::optional<std::size_t> next();
  // Whether the segment that ends at the boundary returned by next() is a word.
  bool ends_word() const;

  // The last boundary before `at`, or the beginning of the text; and the first one after it, or the
  // end of the text. `at` must be the start of a character.
  std::size_t before(std::size_t at);
  std::size_t behind(std::size_t at);

 private:
  UBreakIterator* iterator_ = nullptr;  // null: there are no boundaries
  UText* read_ = nullptr;
  const std::size_t size_;
};

}  // namespace mayfly::relevance
