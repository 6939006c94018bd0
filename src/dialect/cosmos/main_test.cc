// The program of the tests of this dialect.
#include "script/testing.h"

int main(int count, char** arguments) {
  return mayfly::script::testing::run_tests(count, arguments);
}
