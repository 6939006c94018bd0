// Tokenises JSON by simdjson's first pass over the text. The pass finds the start of every token,
// and checks that every string is closed and has no control characters, and that the text is UTF-8.
// JsonCursor parses the tokens: simdjson's own second pass refuses large integers and loses the
// spelling of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace mayfly {

// A token begins with one of {}[]:, or with a quote, or with anything else except white space. It
// ends before the next token, without trailing white space. A token that begins with a quote ends
// with the closing quote.
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

  // Fails with invalid. The tokens are valid until the next call and point into a copy of the text.
  Result<Tokens> read(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Tokeniser& tokeniser_of_thread();
// Calls `use` with a tokeniser. Texts of usual size use the thread's own, which is kept; a larger
// text uses a temporary one, so that its memory is freed. `use` must not call this function.
template <class Use>
auto with_tokeniser(std::size_t text_size, Use use) {
  constexpr std::size_t usual_bytes_max = 64 << 10;
  if (text_size <= usual_bytes_max) return use(tokeniser_of_thread());
  Tokeniser own;
  return use(own);
}

bool is_utf8(std::string_view text);

}  // namespace mayfly
