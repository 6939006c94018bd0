// CHECK states an invariant of the program. It is always on. If it does not hold, the program stops
// immediately, because going on could lose or revive data. Input never reaches a CHECK: bad input
// is an Error.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace mayfly {

[[noreturn]] inline void stop(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, condition);
  std::abort();
}

#define CHECK(condition)                              \
  do {                                                \
    if (!(condition)) [[unlikely]]                    \
      ::mayfly::stop(__FILE__, __LINE__, #condition); \
  } while (false)

}  // namespace mayfly
