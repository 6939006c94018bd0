// Randomness that a caller passes in, so that a seed reproduces a run. Not for secrets: use
// crypto/crypto.h for those.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace mayfly {

// Threads: all members may be called from any thread.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // Seeded from the operating system.
  static std::uint64_t system_seed();

  std::uint64_t next();
  // Uniform in [0, n); n must not be 0.
  std::uint64_t below(std::uint64_t n);
  // A version 4 UUID in its usual text form.
  std::string uuid();

 private:
  std::mutex mutex_;
  std::uint64_t state_;
};

}  // namespace mayfly
