// JSON tokenising, by simdjson's first pass over the text: it finds where every token begins, that
// every text is closed and holds no control characters, and that all is UTF-8. What the tokens mean
// is JsonCursor's work: simdjson's own second pass refuses great integers and forgets how numbers
// were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace mayfly {

// A token begins with one of {}[]:, or with a quote, or with anything else that is not white space;
// it ends before the next one begins, but for white space. A token that begins with a quote ends
// with the quote that closes it.
struct Tokens {
  std::string_view text;
  const std::uint32_t* starts = nullptr;
  std::size_t count = 0;
};

// Threads: one at a time.
class Tokeniser {
 public:
  Tokeniser();
  ~Tokeniser();
  Tokeniser(const Tokeniser&) = delete;

  // Fails with invalid. The tokens hold until the next call and point into a copy of the text.
  Result<Tokens> read(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Tokeniser& tokeniser_of_thread();
// Calls `use` with a tokeniser: the thread's own, which stays, for everyday texts; else one that
// goes with the call, so that a great text does not hold memory for good. `use` must not come back
// here.
template <class Use>
auto with_tokeniser(std::size_t text_size, Use use) {
  constexpr std::size_t everyday = 64 << 10;
  if (text_size <= everyday) return use(tokeniser_of_thread());
  Tokeniser own;
  return use(own);
}

bool is_utf8(std::string_view text);

}  // namespace mayfly
