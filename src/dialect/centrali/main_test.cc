// The program of the tests of this dialect, which run scripts.
#include "script/testing.h"

int main(int count, char** arguments) {
  return mayfly::script::testing::run_tests(count, arguments);
}
