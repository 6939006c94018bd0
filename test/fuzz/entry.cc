// A target as libFuzzer calls it.
#include "fuzz.h"

namespace {

// One input in so many is also run in its grown form. libFuzzer is told not to keep that one: what
// it reached is not its own.
constexpr std::uint64_t inputs_between_grown = 512;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mayfly;
  const BytesView input(reinterpret_cast<const char*>(data), size);
  fuzz::run_within_bounds(input);
  const std::uint64_t seed = fuzz::seed_of(input);
  if (seed % inputs_between_grown != 0) return 0;
  Random random(seed);
  fuzz::run_within_bounds(fuzz::grown(input, random));
  return -1;
}
