// The place of a partition key among all keys, for those who divide keys into ranges: a hash that
// spreads them evenly, as upper-case hexadecimal text, which sorts as the places do. Clients
// compute it themselves, so every digit is theirs to check.
//
//   version 1 := number(32 bits of Murmur) value(the key)     as put_ordered writes numbers
//   version 2 := 126 bits of Murmur, one such part for each component
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "value/value.h"

namespace mayfly {

enum class KeyHashVersion : std::uint8_t { v1 = 1, v2 = 2 };

// What of a component is hashed: arrays, objects and what JSON has no form for count as missing,
// and equal numbers are the same.
Value hashed_component(const Value& value);

// Version 1 takes the first component only. Empty without components.
std::string key_hash(KeyHashVersion version, std::span<const Value> components);

// Keys lie as evenly among so many positions as they are hashed.
inline constexpr std::uint64_t key_positions = std::uint64_t{1} << 62;
// The text that those at a position and behind it are not below: "" at position 0, and "FF", which
// none reaches, at key_positions.
std::string key_hash_at(KeyHashVersion version, std::uint64_t position);

}  // namespace mayfly
