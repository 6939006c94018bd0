// Tests of result.h: TRY propagates values and errors, for every kind of Result.
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace mayfly {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return fail(Code::invalid, std::to_string(n) + " is odd", "n");
  return n / 2;
}
Result<int> quarter(int n) {
  return TRY(half(TRY(half(n))));
}
Result<void> must_be_even(int n) {
  TRY(half(n));
  return {};
}
Result<std::unique_ptr<int>> boxed(int n) {
  TRY(must_be_even(n));
  return std::make_unique<int>(n);
}
Result<int> unboxed(int n) {
  const std::unique_ptr<int> box = TRY(boxed(n));
  return *box;
}

TEST(ResultTest, TryGivesTheValue) {
  EXPECT_EQ(quarter(12), 3);
  EXPECT_TRUE(must_be_even(2));
  EXPECT_EQ(unboxed(4), 4);
}

TEST(ResultTest, TryReturnsTheErrorOfTheFirstThatFails) {
  const Result<int> failed = quarter(6);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::invalid);
  EXPECT_EQ(failed.error().message, "3 is odd");
  EXPECT_EQ(failed.error().field, "n");
  EXPECT_EQ(unboxed(5).error().message, "5 is odd");
}

TEST(ResultTest, AnErrorSaysWhatWasBeingDone) {
  const Error error = Error{Code::corrupt, "short", "f"}.during("reading index price");
  EXPECT_EQ(error.message, "reading index price: short");
  EXPECT_EQ(error.code, Code::corrupt);
  EXPECT_EQ(error.field, "f");
}

TEST(ResultTest, EveryCodeHasItsName) {
  EXPECT_STREQ(name_of(Code::invalid), "invalid");
  EXPECT_STREQ(name_of(Code::no_space), "no_space");
  EXPECT_STREQ(name_of(Code::internal), "internal");
}

}  // namespace
}  // namespace mayfly
