#include "value/hashing/murmur3.h"

#include <algorithm>
#include <bit>

namespace mayfly {
namespace {

// Up to sizeof(Word) bytes in little-endian order.
template <class Word>
Word little_endian(BytesView bytes) {
  Word word = 0;
  const std::size_t count = std::min(bytes.size(), sizeof(Word));
  for (std::size_t i = 0; i < count; ++i) {
    word |= static_cast<Word>(static_cast<std::uint8_t>(bytes[i])) << (8 * i);
  }
  return word;
}

std::uint32_t mixed_32(std::uint32_t block) {
  return std::rotl(block * 0xCC9E2D51U, 15) * 0x1B873593U;
}

constexpr std::uint64_t first_factor = 0x87C37B91114253D5U;
constexpr std::uint64_t second_factor = 0x4CF5AD432745937FU;

std::uint64_t mixed_first(std::uint64_t block) {
  return std::rotl(block * first_factor, 31) * second_factor;
}
std::uint64_t mixed_second(std::uint64_t block) {
  return std::rotl(block * second_factor, 33) * first_factor;
}

std::uint64_t finished(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xFF51AFD7ED558CCDU;
  h ^= h >> 33;
  h *= 0xC4CEB9FE1A85EC53U;
  return h ^ h >> 33;
}

}  // namespace

std::uint32_t murmur3_32(BytesView bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::uint32_t h = 0;
  for (; bytes.size() >= 4; bytes.remove_prefix(4)) {
    h ^= mixed_32(little_endian<std::uint32_t>(bytes));
    h = std::rotl(h, 13) * 5 + 0xE6546B64U;
  }
  h ^= mixed_32(little_endian<std::uint32_t>(bytes)) ^ size;
  h ^= h >> 16;
  h *= 0x85EBCA6BU;
  h ^= h >> 13;
  h *= 0xC2B2AE35U;
  return h ^ h >> 16;
}

std::pair<std::uint64_t, std::uint64_t> murmur3_128(BytesView bytes) {
  const std::uint64_t size = bytes.size();
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  for (; bytes.size() >= 16; bytes.remove_prefix(16)) {
    first ^= mixed_first(little_endian<std::uint64_t>(bytes));
    first = (std::rotl(first, 27) + second) * 5 + 0x52DCE729U;
    second ^= mixed_second(little_endian<std::uint64_t>(bytes.substr(8)));
    second = (std::rotl(second, 31) + first) * 5 + 0x38495AB5U;
  }
  first ^= mixed_first(little_endian<std::uint64_t>(bytes)) ^ size;
  second ^= mixed_second(little_endian<std::uint64_t>(
                bytes.substr(std::min<std::size_t>(8, bytes.size())))) ^
            size;
  first += second;
  second += first;
  first = finished(first);
  second = finished(second);
  first += second;
  second += first;
  return {first, second};
}

}  // namespace mayfly
