// CHECK states a promise of our own. It is always on; where it does not hold the program stops at
// once, because going on could lose or revive data. Input never reaches a CHECK: bad input is an
// Error.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace mayfly {

[[noreturn]] inline void stop(const char* file, int line, const char* promise) {
  std::fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
  std::abort();
}

#define CHECK(promise)                              \
  do {                                              \
    if (!(promise)) [[unlikely]]                    \
      ::mayfly::stop(__FILE__, __LINE__, #promise); \
  } while (false)

}  // namespace mayfly
