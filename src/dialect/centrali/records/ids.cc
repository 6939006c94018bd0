#include "dialect/centrali/records/ids.h"

#include <charconv>

namespace mayfly::centrali {
namespace {

constexpr std::size_t uuid_size = 36;
constexpr std::size_t head_size = 8;
constexpr std::size_t tail_at = 24;

std::optional<std::uint64_t> read_hex(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

// 32 bits that depend on all of the last 48 of the id.
std::optional<std::uint32_t> mask_of(std::string_view id) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15ULL;
  const auto tail = read_hex(id.substr(tail_at));
  if (!tail) return std::nullopt;
  return static_cast<std::uint32_t>((*tail * odd) >> 32);
}

}  // namespace

std::string new_record_id(Random& random, CollectionId collection) {
  std::string id = random.uuid();
  std::uint32_t head = collection ^ mask_of(id).value_or(0);
  for (std::size_t i = head_size; i-- > 0; head >>= 4) id[i] = "0123456789abcdef"[head & 0xF];
  return id;
}

std::optional<CollectionId> collection_hint(std::string_view id) {
  if (id.size() != uuid_size || id[head_size] != '-') return std::nullopt;
  const auto head = read_hex(id.substr(0, head_size));
  const auto mask = mask_of(id);
  if (!head || !mask) return std::nullopt;
  return static_cast<std::uint32_t>(*head) ^ *mask;
}

}  // namespace mayfly::centrali
