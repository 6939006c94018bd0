// What a fuzz target is: one function that takes any bytes apart and holds what it makes of them to
// properties by CHECK. It is linked once with libFuzzer (entry.cc), which looks for inputs that
// reach new code, and once with replay.cc, which feeds it those kept in corpus/ in every test run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/check.h"
#include "base/random.h"

namespace mayfly::fuzz {

inline constexpr std::size_t input_bytes_max = 64 << 10;
// What one input may cost: a server lives through many such requests at once.
inline constexpr std::size_t run_bytes_max = 64 << 20;
inline constexpr double run_seconds_max = 1;

// The target: every targets/*.cc defines it.
void run(BytesView input);

// The same for the same input: whatever a target chooses beside its input, it chooses by this.
std::uint64_t seed_of(BytesView input);

// The input with one piece of it repeated until it has input_bytes_max bytes: what takes more than
// linear time or memory shows there.
Bytes grown(BytesView input, Random& random);
// The input with a few small changes, some of them pieces of `other`.
Bytes mutated(BytesView input, BytesView other, Random& random);

// run() in a copy that ends where the input ends, so that a sanitizer sees every byte read beyond
// it, and held to run_bytes_max and run_seconds_max.
void run_within_bounds(BytesView input);

}  // namespace mayfly::fuzz
