// Makes inputs from other inputs, in the same way in every run.
#include <algorithm>

#include "fuzz.h"

namespace mayfly::fuzz {

std::uint64_t seed_of(BytesView input) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : input) {
    hash ^= static_cast<std::uint8_t>(c);
    hash *= 1099511628211U;
  }
  return hash;
}

Bytes grown(BytesView input, Random& random) {
  Bytes out(input.substr(0, input_bytes_max));
  if (out.empty()) return out;
  const std::size_t from = random.below(out.size());
  const std::size_t longest = std::min<std::size_t>(out.size() - from, 64);
  const Bytes piece = out.substr(from, 1 + random.below(longest));
  Bytes repeated;
  while (out.size() + repeated.size() + piece.size() <= input_bytes_max) repeated += piece;
  return out.insert(from, repeated);
}

Bytes mutated(BytesView input, BytesView other, Random& random) {
  static constexpr std::string_view hard("\0\xFF\x80\x7F\"\\{}[](),:;.=&%+-*/<>@ \r\n0919eEZT", 37);
  Bytes out(input);
  for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
    const std::size_t at = random.below(out.size() + 1);
    const std::size_t size = 1 + random.below(8);
    const std::size_t from = random.below(other.size() + 1);
    switch (random.below(7)) {
      case 0: out.insert(at, 1, hard[random.below(hard.size())]); break;
      case 1: out.erase(at, size); break;
      case 2: out.insert(at, out.substr(at, size)); break;
      case 3: out.insert(at, other.substr(from, size * 4)); break;
      case 4:
        if (at < out.size()) out[at] = hard[random.below(hard.size())];
        break;
      case 5:
        if (at < out.size()) out[at] = static_cast<char>(out[at] ^ (1 << random.below(8)));
        break;
      default:
        if (at < out.size()) out[at] = static_cast<char>(out[at] + random.below(3) - 1);
        break;
    }
  }
  return out;
}

}  // namespace mayfly::fuzz
