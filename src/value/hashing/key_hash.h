// Hashes partition keys, for clients that divide keys into ranges. The hash spreads keys evenly;
// its upper-case hexadecimal text sorts in the order of the hashes. Clients compute it themselves,
// so every digit must match.
//
//   version 1 := number(32 bits of Murmur) value    of the first component; key_hash.cc has the
//                                                   encodings
//   version 2 := 126 bits of Murmur                 one such part for each component
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "value/value.h"

namespace mayfly {

enum class KeyHashVersion : std::uint8_t { v1 = 1, v2 = 2 };

// The part of a component that is hashed: arrays, objects and values that JSON cannot express count
// as missing, and equal numbers give the same value.
Value hashed_component(const Value& value);

// Version 1 hashes only the first component. Empty without components.
std::string key_hash(KeyHashVersion version, std::span<const Value> components);

// Positions divide the space of hashes evenly.
inline constexpr std::uint64_t key_positions = std::uint64_t{1} << 62;
// The lower bound of the hashes at a position and after it: "" at position 0; at key_positions
// "FF", which no hash reaches.
std::string key_hash_at(KeyHashVersion version, std::uint64_t position);

}  // namespace mayfly
