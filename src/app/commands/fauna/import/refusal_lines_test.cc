// Which refusals of an import are printed.
#include "app/commands/fauna/import/refusal_lines.h"

#include <gtest/gtest.h>

#include "app/limits.h"

namespace mayfly::app {
namespace {

TEST(RefusalLines, TheFirstOfEachReasonArePrintedAndTheOthersCounted) {
  RefusalLines lines;
  constexpr std::uint64_t shown_max = limits::import_refusals_shown_max;
  std::uint64_t shown = 0;
  for (int id = 0; id < 100; ++id) {
    shown += lines.shows("User " + std::to_string(id) + ": name: Failed unique constraint") ? 1 : 0;
  }
  EXPECT_EQ(shown, shown_max);
  EXPECT_TRUE(lines.shows("User 7: Document failed check constraint `grown`"));
  EXPECT_TRUE(lines.shows("Cart 7: name: Failed unique constraint"));
  EXPECT_TRUE(lines.shows("the document does not end on its line"));
  EXPECT_EQ(lines.summary(),
            std::vector<std::string>{std::to_string(100 - shown_max) +
                                     " more like this: User: name: Failed unique constraint"});
}

TEST(RefusalLines, AReasonBeyondTheBoundIsPrintedEachTime) {
  RefusalLines lines;
  for (std::size_t i = 0; i < limits::import_reasons_max; ++i) {
    EXPECT_TRUE(lines.shows("reason " + std::to_string(i) + "x"));
  }
  for (std::uint64_t i = 0; i < limits::import_refusals_shown_max + 2; ++i) {
    EXPECT_TRUE(lines.shows("one more"));
  }
  EXPECT_EQ(lines.summary(), std::vector<std::string>{});
}

}  // namespace
}  // namespace mayfly::app
