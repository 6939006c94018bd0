// Boundaries: where the words or the sentences of a text begin and end, as ICU finds them in no
// language of its own.
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

// The text outlives it. A thread has at most one of each kind at a time: making an iterator costs
// more than most texts, so the thread keeps it. Positions are bytes.
class Boundaries {
 public:
  enum class Of { words, sentences };
  Boundaries(Of of, std::string_view text);
  ~Boundaries();
  Boundaries(const Boundaries&) = delete;
  Boundaries& operator=(const Boundaries&) = delete;

  // One after another, beginning with the one behind the first word; nothing at the end.
  std::optional<std::size_t> next();
  // Whether what ends at the boundary that next() gave is a word, not what stands between words.
  bool ends_word() const;

  // The last one before `at`, where a character begins; and the first one behind it. Where there is
  // none, the beginning and the end of the text.
  std::size_t before(std::size_t at);
  std::size_t behind(std::size_t at);

 private:
  UBreakIterator* iterator_ = nullptr;  // null: there are no boundaries
  UText* read_ = nullptr;
  const std::size_t size_;
};

}  // namespace mayfly::relevance
