#include "base/similar.h"

#include <gtest/gtest.h>

namespace mayfly {
namespace {

TEST(SimilarTest, CountsTheLettersThatDiffer) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("port", "port"), 0U);
  EXPECT_EQ(edit_distance("", "port"), 4U);
  EXPECT_EQ(edit_distance("nativ", "native"), 1U);
  EXPECT_EQ(edit_distance("port", "part"), 1U);
  EXPECT_EQ(edit_distance("port", "host"), 2U);
}

}  // namespace
}  // namespace mayfly
