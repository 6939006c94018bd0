// MurmurHash3, by its public definition.
#pragma once

#include <cstdint>
#include <utility>

#include "base/bytes.h"

namespace mayfly {

// x86/32 and x64/128 with seed 0.
std::uint32_t murmur3_32(BytesView bytes);
std::pair<std::uint64_t, std::uint64_t> murmur3_128(BytesView bytes);

}  // namespace mayfly
