#include "base/random.h"

#include <array>
#include <random>

#include "base/check.h"

namespace mayfly {

std::uint64_t Random::system_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

// SplitMix64: one addition and two multiplications, every seed good.
std::uint64_t Random::next() {
  const std::lock_guard lock(mutex_);
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::uint64_t Random::below(std::uint64_t n) {
  CHECK(n > 0);
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
}

std::string Random::uuid() {
  const std::array<std::uint64_t, 2> halves{(next() & ~0xF000ULL) | 0x4000ULL,
                                            (next() & ~(3ULL << 62)) | (2ULL << 62)};
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (int nibble = 0; nibble < 32; ++nibble) {
    if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) text.push_back('-');
    text.push_back(digits[(halves[nibble / 16] >> (60 - 4 * (nibble % 16))) & 0xF]);
  }
  return text;
}

}  // namespace mayfly
