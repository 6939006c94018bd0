// The main program of this dialect's tests, which run scripts.
#include "script/testing.h"

int main(int count, char** arguments) {
  return mayfly::script::testing::run_tests(count, arguments);
}
