// The entry point of a target for libFuzzer.
#include "fuzz.h"

namespace {

// One input in so many is also run in its grown form. libFuzzer does not keep that input, because
// its coverage includes that of the grown form.
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
