// Arrays: parts, finding, callbacks, sorting.
#include <gtest/gtest.h>

#include "dialect/fauna/library/testing.h"

namespace mayfly::fauna {
namespace {

struct ArrayCase {
  FqlArray self;
  const char* method;
  Values arguments;
  const char* outcome;
};

void expect_arrays(std::span<const ArrayCase> cases) {
  for (const ArrayCase& c : cases) {
    EXPECT_EQ(of_method(c.self, c.method, c.arguments), c.outcome)
        << debug_text(c.self) << "." << c.method << " " << debug_text(array_of(c.arguments));
  }
}

bool is_over_one(const FqlValue& x) {
  return x.whole().number > 1;
}

const FqlValue over_one = function_of_one(is_over_one);
const FqlValue doubled =
    function_of_one([](const FqlValue& x) { return whole_number(2 * x.whole().number); });
const FqlValue itself = function_of_one([](const FqlValue& x) { return x; });
const FqlValue listed = function_of(
    2, [](Run&, std::span<const FqlValue> x) { return Result<FqlValue>(array_of({x[0], x[1]})); });

FqlValue one_member(const char* name, const FqlValue& value) {
  FqlObject object;
  object.append(name, value);
  return object;
}

TEST(FqlArrayTest, PartsAreExtracted) {
  const ArrayCase cases[] = {
      {{1, 2}, "length", {}, "2"},
      {{1, 2}, "at", {1}, "2"},
      {{1, 2, 3}, "at", {5}, "index_out_of_bounds: index 5 out of bounds for length 3"},
      {{1, 2}, "at", {-1}, "index_out_of_bounds: index -1 out of bounds for length 2"},
      {{1, 2, 3}, "slice", {1}, "[2, 3]"},
      {{1, 2, 3}, "slice", {-5, 2}, "[1, 2]"},
      {{1, 2, 3}, "slice", {2, 99}, "[3]"},
      {{1, 2, 3}, "slice", {3, 1}, "[]"},
      {{1, 2, 3}, "take", {2}, "[1, 2]"},
      {{1, 2, 3}, "take", {0}, "[]"},
      {{1, 2, 3}, "take", {99}, "[1, 2, 3]"},
      {{1},
       "take",
       {-1},
       "invalid_bounds: expected `limit` to be greater than or equal to 0, received -1"},
      {{1, 2, 3}, "drop", {2}, "[3]"},
      {{1, 2, 3}, "drop", {99}, "[]"},
      {{1},
       "drop",
       {-1},
       "invalid_bounds: expected `amount` to be greater than or equal to 0, received -1"},
      {{1, 2}, "first", {}, "1"},
      {{1, 2}, "last", {}, "2"},
      {{}, "first", {}, "null"},
      {{}, "isEmpty", {}, "true"},
      {{1}, "nonEmpty", {}, "true"},
  };
  expect_arrays(cases);
}

TEST(FqlArrayTest, ANullReportsItsReason) {
  TestRun run;
  const FqlValue empty = FqlArray();
  const auto cause = [&](std::string_view method, const Values& arguments) {
    return call_method(run, *find_method("Array", method), empty, arguments)->null().cause;
  };
  EXPECT_EQ(cause("first", {}), NullCause::empty_array);
  EXPECT_EQ(cause("last", {}), NullCause::empty_array);
  EXPECT_EQ(cause("reduce", {listed}), NullCause::empty_array);
  EXPECT_EQ(cause("indexOf", {1}), NullCause::no_element);
  EXPECT_EQ(cause("firstWhere", {over_one}), NullCause::no_element);
}

TEST(FqlArrayTest, ArraysAreCombined) {
  const ArrayCase cases[] = {
      {{1}, "append", {array_of({2})}, "[1, [2]]"},
      {{1}, "prepend", {2}, "[2, 1]"},
      {{1}, "concat", {array_of({2, 3})}, "[1, 2, 3]"},
      {{FqlArray{1}, FqlArray{}, FqlArray{2, 3}}, "flatten", {}, "[1, 2, 3]"},
      {{1}, "flatten", {}, "type_mismatch: expected type: Array<Any>, received Int"},
      {{1, 2}, "reverse", {}, "[2, 1]"},
      {{"a", "b"}, "entries", {}, R"([[0, "a"], [1, "b"]])"},
      {{1, "x", 1.0, "x", FqlValue(), FqlValue()}, "distinct", {}, R"([1, "x", null])"},
      {{1, 2}, "toString", {}, "\"[1, 2]\""},
  };
  expect_arrays(cases);
  EXPECT_EQ(of_static("Array", "sequence", {1, 4}), "[1, 2, 3]");
  EXPECT_EQ(of_static("Array", "sequence", {4, 1}), "[]");
  EXPECT_EQ(of_static("Array", "sequence", {0, 16'001}),
            "value_too_large: Value too large: array size 16001 exceeds limit 16000");
  EXPECT_EQ(of_static("Array", "sequence", {Whole{INT64_MIN, true}, Whole{INT64_MAX, true}}),
            "value_too_large: Value too large: array size 18446744073709551615 exceeds limit "
            "16000");
  EXPECT_EQ(of_method(FqlArray(16'000), "append", {1}),
            "value_too_large: Value too large: array size 16001 exceeds limit 16000");
}

TEST(FqlArrayTest, ElementsAreFound) {
  const ArrayCase cases[] = {
      {{1, 2}, "includes", {2.0}, "true"},
      {{1, 2}, "includes", {3}, "false"},
      {{Id{"5"}}, "includes", {"5"}, "true"},
      {{document("9")}, "includes", {FqlValue()}, "false"},
      {{FqlArray{1}}, "includes", {array_of({1})}, "true"},
      {{1, 2, 1}, "indexOf", {1}, "0"},
      {{1, 2, 1}, "indexOf", {1, 1}, "2"},
      {{1, 2, 1}, "indexOf", {5}, "null"},
      {{1}, "indexOf", {1, -1}, "index_out_of_bounds: index -1 out of bounds for length 1"},
      {{1, 2, 1}, "lastIndexOf", {1}, "2"},
      {{1, 2, 1}, "lastIndexOf", {1, 1}, "0"},
      {{1, 2, 3}, "indexWhere", {over_one}, "1"},
      {{1, 2, 3}, "indexWhere", {over_one, 2}, "2"},
      {{1, 2, 3}, "lastIndexWhere", {over_one}, "2"},
      {{1, 2, 3}, "lastIndexWhere", {over_one, 1}, "1"},
      {{1, 2, 3}, "firstWhere", {over_one}, "2"},
      {{1, 2, 3}, "lastWhere", {over_one}, "3"},
      {{1}, "lastWhere", {over_one}, "null"},
      {{1, 2}, "any", {over_one}, "true"},
      {{}, "any", {over_one}, "false"},
      {{1, 2}, "every", {over_one}, "false"},
      {{}, "every", {over_one}, "true"},
      {{1, 2, 3}, "filter", {over_one}, "[2, 3]"},
      {{1, 2, 3}, "where", {over_one}, "[2, 3]"},
      {{FqlValue(), true}, "filter", {itself}, "[true]"},
      {{1}, "filter", {itself}, "type_mismatch: expected type: Boolean, received Int"},
      {{1},
       "filter",
       {listed},
       "invalid_argument: `predicate` should accept 1 parameter, provided function requires "
       "exactly 2 parameters."},
  };
  expect_arrays(cases);
}

TEST(FqlArrayTest, CallbacksReturnValues) {
  const ArrayCase cases[] = {
      {{1, 2}, "map", {doubled}, "[2, 4]"},
      {{FqlArray{1, 2}, FqlArray{3}}, "flatMap", {itself}, "[1, 2, 3]"},
      {{1}, "flatMap", {itself}, "type_mismatch: expected type: Array<Any>, received Int"},
      {{1, 2}, "forEach", {itself}, "null"},
      {{1, 2, 3}, "fold", {0, listed}, "[[[0, 1], 2], 3]"},
      {{1, 2, 3}, "foldRight", {0, listed}, "[[[0, 3], 2], 1]"},
      {{1, 2, 3}, "reduce", {listed}, "[[1, 2], 3]"},
      {{1, 2, 3}, "reduceRight", {listed}, "[[3, 2], 1]"},
      {{}, "fold", {0, listed}, "0"},
      {{}, "reduceRight", {listed}, "null"},
      {{1}, "reduce", {listed}, "1"},
      {{1, 2, 3, 4, 5}, "aggregate", {0, listed}, "[[[[1, 2], [3, 4]], 5], 0]"},
      {{}, "aggregate", {0, listed}, "0"},
      {{1}, "aggregate", {0, listed}, "[1, 0]"},
      {{1},
       "map",
       {listed},
       "invalid_argument: `mapper` should accept 1 parameter, provided function requires exactly 2 "
       "parameters."},
      {{1},
       "fold",
       {0, itself},
       "invalid_argument: `reducer` should accept 2 parameters, provided function requires exactly "
       "1 parameter."},
      {{1},
       "aggregate",
       {0, itself},
       "invalid_argument: `combiner` should accept 2 parameters, provided function requires "
       "exactly 1 parameter."},
      {{1},
       "forEach",
       {listed},
       "invalid_argument: `fn` should accept 1 parameter, provided function requires exactly 2 "
       "parameters."},
  };
  expect_arrays(cases);
}

TEST(FqlArrayTest, ElementsAreSorted) {
  const FqlValue first = function_of_one([](const FqlValue& x) { return x.array()[0]; });
  const FqlValue second = function_of_one([](const FqlValue& x) { return x.array()[1]; });
  const FqlArray pairs = {FqlArray{1, 2}, FqlArray{2, 1}, FqlArray{1, 1}};
  const ArrayCase cases[] = {
      {{FqlValue(), "b", 3, true, 1, "a"}, "order", {}, R"([1, 3, "a", "b", true, null])"},
      {{1, 3, 2}, "order", {one_member("desc", itself)}, "[3, 2, 1]"},
      {{1, FqlValue(), 2}, "order", {one_member("desc", itself)}, "[null, 2, 1]"},
      {pairs, "order", {first}, "[[1, 2], [1, 1], [2, 1]]"},
      {pairs, "order", {first, one_member("asc", second)}, "[[1, 1], [1, 2], [2, 1]]"},
      {pairs, "order", {one_member("desc", first), second}, "[[2, 1], [1, 1], [1, 2]]"},
      {{1},
       "order",
       {itself, one_member("up", itself)},
       "invalid_argument: invalid argument `ordering1`: expected a function, `asc(function)` or "
       "`desc(function)`"},
      {{1},
       "order",
       {listed},
       "invalid_argument: `ordering0` should accept 1 parameter, provided function requires "
       "exactly 2 parameters."},
  };
  expect_arrays(cases);
}

TEST(FqlArrayTest, SortingEndsAtTheDeadline) {
  static Instant now;
  now = Instant{0};
  TestRun run(Meter([] { return now; }, Instant{1}));
  const FqlValue late = function_of_one([](const FqlValue& x) {
    now = Instant{2};
    return FqlValue(std::string(100'000, 'a') + display_text(x));
  });
  const FqlValue orderings[] = {late};
  const FqlValue items = FqlArray{1, 2, 3};
  const auto sorted = call_method(run, *find_method("Array", "order"), items, orderings);
  ASSERT_FALSE(sorted);
  EXPECT_EQ(sorted.error().code, Code::timed_out);
}

}  // namespace
}  // namespace mayfly::fauna
