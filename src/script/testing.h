// For test programs that run scripts: each of their processes is the program itself.
#pragma once

#include <gtest/gtest.h>

#include <csignal>

#include "script/child.h"

namespace mayfly::script::testing {

inline int run_tests(int count, char** arguments) {
  serve_if_sandbox(count, arguments);
  std::signal(SIGCHLD, SIG_DFL);
  ::testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}

}  // namespace mayfly::script::testing
