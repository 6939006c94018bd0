// A fuzz target: one function that parses any bytes and checks properties of the result by CHECK.
// It is linked with libFuzzer (entry.cc), which searches for inputs that reach new code; or with
// replay.cc, which runs it on the inputs in corpus/ in every test run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/check.h"
#include "base/random.h"

namespace mayfly::fuzz {

inline constexpr std::size_t input_bytes_max = 64 << 10;
// Bounds of the run of one input, in bytes of memory and in seconds of the processor. A server must
// withstand many such requests at the same time.
inline constexpr std::size_t run_bytes_max = 64 << 20;
inline constexpr double run_seconds_max = 1;

// The target: every targets/*.cc defines it. Ends the program if a property does not hold.
void run(BytesView input);

// A hash of the input. A target seeds its random choices with it, so that a run can be repeated.
std::uint64_t seed_of(BytesView input);

// The input with one piece of it repeated up to input_bytes_max bytes. Code that takes more than
// linear time or memory exceeds its bounds on it.
Bytes grown(BytesView input, Random& random);
// The input with a few small changes; some insert pieces of `other`.
Bytes mutated(BytesView input, BytesView other, Random& random);

// Calls run() with a copy of exactly the input's size, so that a sanitizer reports every read
// beyond it. Ends the program if the run exceeds run_bytes_max or run_seconds_max.
void run_within_bounds(BytesView input);

}  // namespace mayfly::fuzz
