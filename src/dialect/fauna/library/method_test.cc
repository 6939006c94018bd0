#include "dialect/fauna/library/method.h"
#include "dialect/fauna/schema/system.h"

#include <gtest/gtest.h>

#include <set>

#include "dialect/fauna/library/signature.h"
#include "dialect/fauna/library/testing.h"

namespace mayfly::fauna {
namespace {

TEST(FqlMethodTest, EachRowIsComplete) {
  std::set<std::string> names;
  for (const Method& method : all_methods()) {
    const std::string name =
        fmt::format("{}{}{}", method.of, method.is_static ? "::" : ".", method.name);
    EXPECT_TRUE(names.insert(name).second) << name << " stands twice";
    EXPECT_TRUE(method.description.ends_with('.')) << name;
    EXPECT_EQ(method.example.empty(), method.example_value.empty()) << name;
    EXPECT_NE(method.call, nullptr) << name;
    const bool needs_documents = method.example.empty();
    EXPECT_TRUE(needs_documents || method.example.find(method.name) != method.example.npos) << name;
  }
}

TEST(FqlMethodTest, AFunctionIsFoundByItsTypeAndItsName) {
  EXPECT_EQ(find_method("String", "at")->of, "String");
  EXPECT_EQ(find_method("Array", "at")->of, "Array");
  EXPECT_EQ(find_method("String", "conct"), nullptr);
  EXPECT_EQ(find_static("Math", "abs")->name, "abs");
  EXPECT_EQ(find_method("Math", "abs"), nullptr);
  EXPECT_EQ(find_static("String", "at"), nullptr);
  EXPECT_EQ(find_global("Time")->of, "");
  EXPECT_EQ(find_global("Tim"), nullptr);
}

TEST(FqlMethodTest, AllValuesButNullHaveToString) {
  EXPECT_NE(find_method("Number", "toString"), nullptr);
  EXPECT_NE(find_method("Boolean", "toString"), nullptr);
  EXPECT_EQ(find_method("Null", "toString"), nullptr);
  EXPECT_EQ(find_global("toString"), nullptr);
}

TEST(FqlMethodTest, TypesAndFamiliesAreModules) {
  for (const char* const name : {"Math", "String", "Null", "Doc", "Struct", "Time", "Object"}) {
    EXPECT_TRUE(is_library_module(name)) << name;
  }
  EXPECT_FALSE(is_library_module("Any"));
  EXPECT_FALSE(is_library_module("UserCollection"));
  for (const Method& method : all_methods()) {
    const bool is_of_collections = method.of.ends_with("Collection");
    EXPECT_TRUE(!method.is_static || is_of_collections || is_library_module(method.of) ||
                find_system(method.of) != nullptr)
        << method.of;
  }
  EXPECT_FALSE(is_library_module(""));
  EXPECT_FALSE(is_library_module("Foo"));
}

TEST(FqlMethodTest, AFieldHasNoParentheses) {
  EXPECT_TRUE(is_field(*find_method("String", "length")));
  EXPECT_FALSE(is_field(*find_method("String", "at")));
  EXPECT_EQ(arity_of(*find_method("String", "replace")).text(), "2 or 3 arguments");
  EXPECT_EQ(arity_of(*find_global("log")).text(), "any number of arguments");
}

TEST(FqlMethodTest, ASignatureIsReadAsItIsWritten) {
  const auto signature =
      Signature::parse("(a: String | Array<Int>, b?: Any, ...c: Set) => Int | Null");
  ASSERT_EQ(signature.parameters.size(), 3U);
  EXPECT_EQ(signature.parameters[0].name, "a");
  EXPECT_EQ(signature.parameters[0].shown_type(), "String | Array<Int>");
  EXPECT_TRUE(signature.parameters[0].takes("x"));
  EXPECT_TRUE(signature.parameters[0].takes(array_of({1, 2})));
  EXPECT_FALSE(signature.parameters[0].takes(array_of({1, 2.5})));
  EXPECT_TRUE(signature.parameters[1].is_optional);
  EXPECT_TRUE(signature.parameters[2].is_rest);
  EXPECT_EQ(signature.arity.text(), "at least 1 argument");
}

TEST(FqlMethodTest, ArgumentsAreChecked) {
  EXPECT_EQ(of_method("a", "concat", {2}),
            "invalid_argument: expected value for `other` of type String, received Int");
  EXPECT_EQ(of_method("a", "concat"),
            "invalid_function_invocation: callee function expects exactly 1 argument, but 0 were "
            "provided.");
  EXPECT_EQ(of_method("a", "toLowerCase", {1}),
            "invalid_function_invocation: callee function expects no arguments, but 1 was "
            "provided.");
  EXPECT_EQ(of_method("a", "indexOf", {1, 2, 3}),
            "invalid_function_invocation: callee function expects 1 or 2 arguments, but 3 were "
            "provided.");
  EXPECT_EQ(of_method(array_of({}), "concat", {FqlValue(FqlObject())}),
            "invalid_argument: expected value for `other` of type Array<Any>, received "
            "{ *: Any }");
  EXPECT_EQ(of_static("Object", "keys", {1}),
            "invalid_argument: expected value for `object` of type { *: Any } | Doc, received "
            "Int");
  EXPECT_EQ(of_method("a", "at", {Whole{5'000'000'000, true}}),
            "invalid_argument: expected value for `index` of type Int, received Long");
  EXPECT_EQ(of_method(array_of({1}), "map", {1}),
            "invalid_argument: expected value for `mapper` of type Function, received Int");
  EXPECT_EQ(of_method("a", "concat", {document("9")}),
            "invalid_argument: expected value for `other` of type String, received NullDoc");
}

TEST(FqlMethodTest, AnEffectIsRefusedWhereItIsNotAllowed) {
  TestRun run;
  const Run::EffectScope within(run, {Effect::pure, "computed fields"});
  EXPECT_EQ(outcome_of(run, find_static("Time", "now"), FqlValue(), {}),
            "invalid_effect: `now` performs an observation, which is not allowed in computed "
            "fields.");
}

TEST(FqlMethodTest, EachCallIsAnOperation) {
  TestRun run;
  EXPECT_EQ(outcome_of(run, find_method("String", "length"), "abc", {}), "3");
  EXPECT_EQ(run.counts().operations, 1U);
}

}  // namespace
}  // namespace mayfly::fauna
