// The names of functions, and their results.
#include "dialect/cosmos/sql/functions/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "expr/evaluation/evaluate.h"
#include "expr/function.h"
#include "expr/render.h"
#include "expr/testing.h"
#include "value/json/json.h"

namespace mayfly::cosmos::sql {
namespace {

constexpr Instant names_now{1'767'225'600'123'456};  // 2026-01-01T00:00:00.123456Z

// The result of the call with the items of a JSON array as arguments; "?" stands for undefined.
// With `is_in_row` the arguments depend on the row.
std::string answer(std::string_view name, std::string_view arguments, bool is_in_row = false) {
  const NamedFunction* function = find_name(name);
  if (function == nullptr) return "unknown";
  Value given = *parse_json(arguments);
  for (Value& argument : given.mutable_array()) {
    if (argument.is(Kind::text) && argument.text() == "?") argument = Value();
  }
  ExprList list;
  for (std::size_t i = 0; i < given.array().size(); ++i) {
    list.push_back(is_in_row ? expr::field({Part::body, Path{{i}}})
                             : expr::literal(given.array()[i]));
  }
  const CallContext context{names_now, std::make_shared<Random>(7)};
  const Result<Value> value =
      evaluate(*call_of(*function, std::move(list), context), ValueScope(given), unbounded());
  return value ? render_literal(*value) : value.error().message;
}

// Expects the result both ways: evaluated while the query is lowered, and for each row.
void expect(std::string_view name, std::string_view arguments, std::string_view result) {
  EXPECT_EQ(answer(name, arguments), result) << name << arguments;
  EXPECT_EQ(answer(name, arguments, true), result) << name << arguments << " in a row";
}

TEST(NamesTest, EveryFunctionOfTheReferenceHasAName) {
  for (const char* name :
       {"COUNT", "SUM", "AVG", "MIN", "MAX", "IS_DEFINED", "IS_NULL", "IS_STRING", "IS_NUMBER",
        "IS_BOOL", "IS_ARRAY", "IS_OBJECT", "IS_PRIMITIVE", "CONTAINS", "STARTSWITH", "ENDSWITH",
        "STRINGEQUALS", "LOWER", "UPPER", "LENGTH", "CONCAT", "SUBSTRING", "INDEX_OF", "REPLACE",
        "TRIM", "LTRIM", "RTRIM", "LEFT", "RIGHT", "TOSTRING", "ARRAY_CONTAINS", "ARRAY_LENGTH",
        "ARRAY_SLICE", "ARRAY_CONCAT", "ABS", "CEILING", "FLOOR", "ROUND", "POWER", "SQRT",
        "GETCURRENTTIMESTAMP", "GETCURRENTDATETIME", "GETCURRENTTICKS", "ST_DISTANCE", "ST_WITHIN",
        // tier 2
        "IIF", "CHOOSE", "OBJECTTOARRAY", "SETINTERSECT", "SETUNION", "ARRAY_CONTAINS_ANY",
        "ARRAY_CONTAINS_ALL", "ARRAY_SUM", "ARRAY_AVG", "ARRAY_MIN", "ARRAY_MAX", "ARRAY_MEDIAN",
        "REGEXMATCH", "REVERSE", "REPLICATE", "STRINGTONUMBER", "STRINGTOBOOLEAN", "STRINGTONULL",
        "STRINGTOARRAY", "STRINGTOOBJECT", "STRINGJOIN", "STRINGSPLIT", "LASTINDEXOF",
        "CONTAINS_ANY_CI", "CONTAINS_ANY_CS", "CONTAINS_ALL_CI", "CONTAINS_ALL_CS", "DATETIMEADD",
        "DATETIMEBIN", "DATETIMEDIFF", "DATETIMEFROMPARTS", "DATETIMEPART", "DATETIMEFORMAT",
        "DATETIMETOTICKS", "DATETIMETOTIMESTAMP", "TICKSTODATETIME", "TIMESTAMPTODATETIME",
        "GETCURRENTDATETIMESTATIC", "GETCURRENTTIMESTAMPSTATIC", "GETCURRENTTICKSSTATIC", "DAY",
        "IS_INTEGER", "IS_FINITE_NUMBER", "IS_DATETIME", "DOCUMENTID", "INTADD", "INTSUB", "INTMUL",
        "INTDIV", "INTMOD", "INTBITAND", "INTBITOR", "INTBITXOR", "INTBITNOT", "INTBITLEFTSHIFT",
        "INTBITRIGHTSHIFT", "NUMBERBIN", "EXP", "LOG", "LOG10", "SIGN", "SQUARE", "TRUNC", "PI",
        "RAND", "SIN", "COS", "TAN", "COT", "ASIN", "ACOS", "ATAN", "ATN2", "DEGREES", "RADIANS",
        "MAKELIST", "MAKESET", "COUNTIF",
        // tier 3
        "ST_INTERSECTS", "ST_ISVALID", "ST_ISVALIDDETAILED", "ST_AREA", "VECTORDISTANCE",
        "FULLTEXTCONTAINS", "FULLTEXTCONTAINSALL", "FULLTEXTCONTAINSANY"}) {
    EXPECT_NE(find_name(name), nullptr) << name;
  }
}

TEST(NamesTest, NamesCountWithoutTheirCaseAndUnknownOnesAreNotFound) {
  EXPECT_EQ(find_name("StartsWith"), find_name("STARTSWITH"));
  EXPECT_EQ(find_name("is_defined"), find_name("IS_DEFINED"));
  for (const char* name : {"", "BADFUNC", "FULLTEXTSCORE", "RRF", "ABS ",
                           "a name that is much longer than every name of the table"}) {
    EXPECT_EQ(find_name(name), nullptr) << name;
  }
}

TEST(NamesTest, EveryRowIsInTheLibraryAndTakesThatManyArguments) {
  std::set<std::string_view> names;
  for (const NamedFunction& function : named_functions()) {
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
    EXPECT_EQ(find_name(function.name), &function);
    EXPECT_LE(function.arguments_min, function.arguments_max) << function.name;
    if (function.is_aggregate) {
      EXPECT_EQ(aggregate_of(function).name, function.row);
      EXPECT_EQ(function.arguments_max, 1U) << function.name;
    } else if (function.write == nullptr) {
      const Function* row = find_function(function.row);
      ASSERT_NE(row, nullptr) << function.name;
      EXPECT_GE(function.arguments_min, row->arguments_min) << function.name;
      EXPECT_LE(function.arguments_max, row->arguments_max) << function.name;
    }
  }
}

// Also functions of several rows, with the least and the most arguments.
TEST(NamesTest, EveryFunctionCanBeCalledWithUndefinedArguments) {
  const CallContext context{names_now, std::make_shared<Random>(7)};
  for (const NamedFunction& function : named_functions()) {
    if (function.is_aggregate) continue;
    for (const std::size_t n :
         {function.arguments_min, std::min(function.arguments_max, function.arguments_min + 4)}) {
      const ExprPtr call = call_of(function, ExprList(n, expr::literal(Value())), context);
      const Result<Value> value = evaluate(*call, ValueScope(Value()), unbounded());
      ASSERT_TRUE(value) << function.name;
      const bool is_defined = function.arguments_min == 0 || function.name.substr(0, 3) == "IS_";
      EXPECT_EQ(!value->is_missing(), is_defined) << function.name;
    }
  }
}

TEST(NamesTest, AThirdArgumentThatIsTrueIgnoresCase) {
  expect("CONTAINS", R"(["Mayfly","FLY"])", "false");
  expect("CONTAINS", R"(["Mayfly","FLY",true])", "true");
  expect("CONTAINS", R"(["Mayfly","FLY",false])", "false");
  expect("CONTAINS", R"(["Mayfly","fly",false])", "true");
  expect("CONTAINS", R"(["Mayfly","fly","?"])", "missing");
  expect("CONTAINS", R"(["Mayfly","fly",1])", "missing");
  expect("STARTSWITH", R"(["Mayfly","MAY",true])", "true");
  expect("ENDSWITH", R"(["Mayfly","FLY",true])", "true");
  expect("STRINGEQUALS", R"(["a","A",true])", "true");
  expect("STRINGEQUALS", R"(["a","A"])", "false");
  expect("STRINGEQUALS", "[1,1]", "missing");
}

TEST(NamesTest, AnArrayContainsValuesAndPartsOfObjects) {
  expect("ARRAY_CONTAINS", R"([[1,2],2])", "true");
  expect("ARRAY_CONTAINS", R"([[1,2],"?"])", "false");
  expect("ARRAY_CONTAINS", R"([1,1])", "missing");
  expect("ARRAY_CONTAINS", R"([[{"a":1,"b":2}],{"a":1}])", "false");
  expect("ARRAY_CONTAINS", R"([[{"a":1,"b":2}],{"a":1},true])", "true");
  expect("ARRAY_CONTAINS", R"([[{"a":1,"b":2}],{"a":1},"?"])", "false");
  expect("ARRAY_CONTAINS", R"([[{"a":{"b":1,"c":[{"d":1,"e":2}]}}],{"a":{"c":[{"d":1}]}},true])",
         "true");
  expect("ARRAY_CONTAINS", R"([[{"a":{"b":1}}],{"a":{"b":1,"c":2}},true])", "false");
  expect("ARRAY_CONTAINS", R"([[{"a":[1,2]}],{"a":[1]},true])", "false");
  expect("ARRAY_CONTAINS_ANY", "[[1,2,3,4],2,5]", "true");
  expect("ARRAY_CONTAINS_ANY", R"([[1,2,3,4],1,"?"])", "true");
  expect("ARRAY_CONTAINS_ANY", R"([[1,2,3,4],5,"?"])", "missing");
  expect("ARRAY_CONTAINS_ANY", "[[],1,2]", "false");
  expect("ARRAY_CONTAINS_ALL", "[[1,2,3,4],2,4]", "true");
  expect("ARRAY_CONTAINS_ALL", R"([[1,2,3,4],5,"?"])", "false");
  expect("ARRAY_CONTAINS_ALL", R"([[1,2,3,4],1,"?"])", "missing");
  expect("CONTAINS_ANY_CI", R"(["Mayfly","X","FLY"])", "true");
  expect("CONTAINS_ANY_CS", R"(["Mayfly","X","FLY"])", "false");
  expect("CONTAINS_ALL_CI", R"(["Mayfly","MAY","FLY"])", "true");
  expect("CONTAINS_ALL_CS", R"(["Mayfly","May","FLY"])", "false");
  expect("SETUNION", "[[1,2],[2,3]]", "[1, 2, 3]");
  expect("RADIANS", "[13]", "0.22689280275926285");
  expect("SETINTERSECT", "[[1,2],[2,3]]", "[2]");
  expect("SETINTERSECT", "[[3,1,2],[2,3,2]]", "[2, 3]");
}

TEST(NamesTest, ThereIsOneNowInAQuery) {
  EXPECT_EQ(answer("GETCURRENTDATETIME", "[]"), R"("2026-01-01T00:00:00.1234560Z")");
  EXPECT_EQ(answer("GetCurrentDateTimeStatic", "[]"), R"("2026-01-01T00:00:00.1234560Z")");
  EXPECT_EQ(answer("GETCURRENTTIMESTAMP", "[]"), "1767225600123");
  EXPECT_EQ(answer("GETCURRENTTICKS", "[]"), "17672256001230000");
}

TEST(NamesTest, RandomNumbersDifferAndLieBelowOne) {
  const CallContext context{names_now, std::make_shared<Random>(7)};
  const ExprPtr call = call_of(*find_name("RAND"), {}, context);
  std::set<double> seen;
  for (int i = 0; i < 100; ++i) {
    const double x = evaluate(*call, ValueScope(Value()), unbounded())->number();
    EXPECT_TRUE(x >= 0 && x < 1) << x;
    seen.insert(x);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(NamesTest, ADocumentsNumberStandsInItsRid) {
  // Eight bytes of the container, and 258 as eight bytes, the lowest first.
  expect("DOCUMENTID", R"([{"_rid":"AAAAAIAAAAACAQAAAAAAAA=="}])", "258");
  expect("DOCUMENTID", R"([{"_rid":"AAAAAIAAAAD-AQAAAAAAAA=="}])", "511");
  expect("DOCUMENTID", R"([{"id":"1"}])", "missing");
}

TEST(NamesTest, AVectorsDistanceIsThatOfTheMetricItNames) {
  expect("VECTORDISTANCE", "[[3,4],[6,8]]", "1");
  expect("VECTORDISTANCE", "[[1,2],[3,4],true]", "0.9838699100999074");
  expect("VECTORDISTANCE", R"([[1,2],[3,4],false,{"distanceFunction":"DotProduct"}])", "11");
  expect("VECTORDISTANCE", R"([[0,0],[3,4],false,{"distanceFunction":"euclidean"}])", "5");
  expect("VECTORDISTANCE", R"([[3,4],[6,8],false,{"dataType":"float32"}])", "1");
  expect("VECTORDISTANCE", R"([[3,4],[6,8],false,{"distanceFunction":"taxi"}])", "missing");
}

}  // namespace
}  // namespace mayfly::cosmos::sql
