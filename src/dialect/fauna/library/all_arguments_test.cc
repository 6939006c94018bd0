// For any arguments, a function of the library returns a value or a failure of the query.
#include <gtest/gtest.h>

#include <limits>

#include "dialect/fauna/errors.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/library/testing.h"
#include "dialect/fauna/run/weight.h"

namespace mayfly::fauna {
namespace {

constexpr std::span<const Method> (*tested_families[])() = {
    any_methods,          string_methods,         regex_methods,  parse_methods, math_methods,
    rounding_methods,     time_methods,           date_methods,   bytes_methods, array_methods,
    array_search_methods, array_callback_methods, object_methods,
};

FqlObject an_object() {
  FqlObject object;
  object.append("a", 1);
  object.append("", FqlArray{FqlValue()});
  return object;
}

Values extremes() {
  return {FqlValue(),
          true,
          0,
          -1,
          2,
          Whole{INT32_MIN, false},
          Whole{INT32_MAX, false},
          Whole{INT64_MIN, true},
          Whole{INT64_MAX, true},
          0.5,
          -1e300,
          std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::quiet_NaN(),
          "",
          "a",
          "äöü \xF0\x9F\x98\x80",
          "days",
          "2024-01-02",
          "(a|b*)*",
          ByteText{"\x00\xFF"},
          FqlTime{INT64_MAX / 1'000'000, 999'999'999},
          FqlTime{-5, 1},
          FqlDate{-1},
          Id{"5"},
          array_of({}),
          array_of({1, "a", FqlValue()}),
          array_of({FqlArray{"a", 1}, FqlArray{"b", 2}}),
          an_object(),
          document("1"),
          document("9"),
          function_of_one([](const FqlValue& x) { return x; }),
          function_of(2, [](Run&, auto arguments) { return Result<FqlValue>(arguments[1]); })};
}

void expect_an_answer(const Method& method, const FqlValue& self, const Values& arguments) {
  TestRun run;
  run.documents["1"] = an_object();
  const auto result = call_method(run, method, self, arguments);
  if (result) {
    EXPECT_TRUE(weigh(run, *result));
    return;
  }
  ASSERT_TRUE(run.failure()) << method.of << "." << method.name << ": " << result.error().message;
  EXPECT_TRUE(is_query_error_code(run.failure()->code)) << run.failure()->code;
}

// Only combinations with the right number of arguments, because others are refused earlier.
void call_with_all(const Method& method, const FqlValue& self, const Values& values) {
  const Arity arity = arity_of(method);
  if (arity.takes(0)) expect_an_answer(method, self, {});
  for (const FqlValue& first : values) {
    if (arity.takes(1)) expect_an_answer(method, self, {first});
    if (arity.max < 2) continue;
    for (const FqlValue& second : values) {
      expect_an_answer(method, self, {first, second});
      if (arity.max > 2) expect_an_answer(method, self, {first, second, 2});
    }
  }
}

TEST(FqlLibraryTest, EachFunctionAcceptsOrRefusesAnyArguments) {
  const Values values = extremes();
  for (const auto family : tested_families) {
    for (const Method& row : family()) {
      if (row.is_static || row.of.empty()) {
        const Method* const method =
            row.is_static ? find_static(row.of, row.name) : find_global(row.name);
        call_with_all(*method, FqlValue(), values);
        continue;
      }
      for (const FqlValue& self : values) {
        const std::string_view type = type_of_methods(self);
        if (row.of != type && (row.of != "Any" || type == "Null")) continue;
        call_with_all(*find_method(type, row.name), self, values);
      }
    }
  }
}

}  // namespace
}  // namespace mayfly::fauna
