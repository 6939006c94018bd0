// NameTable: a plain list while names are few, open addressing beyond.
#include "value/packed/name_table.h"

#include <xxhash.h>

#include <algorithm>

#include "base/random.h"

namespace mayfly {
namespace {

constexpr std::size_t few = 16;

// Seeded once for each process, so that no client can prepare colliding names. No result depends on
// it.
std::uint64_t hash_of(std::string_view name) {
  static const std::uint64_t seed = Random::system_seed();
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

}  // namespace

NameTable::NameTable(std::size_t names_expected) {
  names_.reserve(names_expected);
  if (names_expected <= few) return;
  std::size_t slots = 64;
  while (slots < names_expected * 2) slots *= 2;
  slots_.resize(slots);
}

std::size_t NameTable::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(name) & mask;
  while (slots_[slot] != 0 && names_[slots_[slot] - 1] != name) slot = (slot + 1) & mask;
  return slot;
}

void NameTable::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    slots_[slot_of(names_[i])] = static_cast<std::uint32_t>(i + 1);
  }
}

std::optional<std::size_t> NameTable::find(std::string_view name) const {
  if (!slots_.empty()) {
    const std::uint32_t slot = slots_[slot_of(name)];
    return slot == 0 ? std::nullopt : std::optional<std::size_t>(slot - 1);
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> NameTable::add(std::string_view name) {
  if (const auto found = find(name)) return found;
  if (slots_.empty() ? names_.size() >= few : names_.size() * 2 >= slots_.size()) grow();
  names_.push_back(name);
  if (!slots_.empty()) slots_[slot_of(name)] = static_cast<std::uint32_t>(names_.size());
  return std::nullopt;
}

}  // namespace mayfly
