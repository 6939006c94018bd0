#include "base/threads/large_blocks.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace mayfly {
namespace {

std::size_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "VmRSS:") {
  }
  std::size_t kilobytes = 0;
  status >> kilobytes;
  return kilobytes << 10;
}

// Sanitizers have their own allocator, which keeps freed memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kept_bytes_max = 512 << 20;
#else
constexpr std::size_t kept_bytes_max = 16 << 20;
#endif

TEST(LargeBlocks, AreReturnedAlsoIfSmallOnesBetweenThemLiveOn) {
  return_large_blocks();
  const std::size_t before = resident_bytes();
  std::vector<std::string> small;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::string> large;
    for (int i = 0; i < 100; ++i) {
      large.emplace_back(1 << 20, 'x');
      small.emplace_back(1 << 10, 'y');
    }
    EXPECT_GT(resident_bytes(), before + (90 << 20));
  }
  EXPECT_LT(resident_bytes(), before + kept_bytes_max);
}

}  // namespace
}  // namespace mayfly
