// The only user of ICU's boundaries.
#include "expr/relevance/boundaries.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <memory>

namespace mayfly::relevance {
namespace {

struct CloseIterator {
  void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
};
using Iterator = std::unique_ptr<UBreakIterator, CloseIterator>;

Iterator make_iterator(UBreakIteratorType type) {
  UErrorCode error = U_ZERO_ERROR;
  Iterator iterator(ubrk_open(type, "", nullptr, 0, &error));
  return U_SUCCESS(error) ? std::move(iterator) : nullptr;
}

UBreakIterator* iterator_of(Boundaries::Of of) {
  thread_local const Iterator words = make_iterator(UBRK_WORD);
  if (of == Boundaries::Of::words) return words.get();
  thread_local const Iterator sentences = make_iterator(UBRK_SENTENCE);
  return sentences.get();
}

}  // namespace

Boundaries::Boundaries(Of of, std::string_view text) : size_(text.size()) {
  UErrorCode error = U_ZERO_ERROR;
  read_ = utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &error);
  UBreakIterator* const iterator = iterator_of(of);
  if (iterator == nullptr || U_FAILURE(error)) return;
  ubrk_setUText(iterator, read_, &error);
  if (U_FAILURE(error)) return;
  ubrk_first(iterator);
  iterator_ = iterator;
}

Boundaries::~Boundaries() {
  if (read_ != nullptr) utext_close(read_);
}

std::optional<std::size_t> Boundaries::next() {
  const std::int32_t at = iterator_ != nullptr ? ubrk_next(iterator_) : UBRK_DONE;
  if (at == UBRK_DONE) return std::nullopt;
  return static_cast<std::size_t>(at);
}

bool Boundaries::ends_word() const {
  return ubrk_getRuleStatus(iterator_) >= UBRK_WORD_NONE_LIMIT;
}

std::size_t Boundaries::before(std::size_t at) {
  const std::int32_t found =
      iterator_ != nullptr ? ubrk_preceding(iterator_, static_cast<std::int32_t>(at)) : UBRK_DONE;
  return found == UBRK_DONE ? 0 : static_cast<std::size_t>(found);
}

std::size_t Boundaries::behind(std::size_t at) {
  const std::int32_t found =
      iterator_ != nullptr ? ubrk_following(iterator_, static_cast<std::int32_t>(at)) : UBRK_DONE;
  return found == UBRK_DONE ? size_ : static_cast<std::size_t>(found);
}

}  // namespace mayfly::relevance
