// Objects, globals, bytes, and values as text.
#include <gtest/gtest.h>

#include "dialect/fauna/library/display.h"
#include "dialect/fauna/library/testing.h"

namespace mayfly::fauna {
namespace {

FqlValue object_with(std::vector<FqlObject::Member> members) {
  FqlObject object;
  for (auto& [name, value] : members) object.append(name, value);
  return object;
}

// Document 1 has the member `a`; document 9 does not exist.
std::string of_documents(std::string_view module, std::string_view name, const Values& arguments) {
  TestRun run;
  run.documents["1"] = object_with({{"id", Id{"1"}}, {"a", document("1")}}).object();
  const Method* const method = module.empty() ? find_global(name) : find_static(module, name);
  return outcome_of(run, method, FqlValue(), arguments);
}

TEST(FqlObjectTest, MembersAreListed) {
  const FqlValue object = object_with({{"a", 1}, {"b", "x"}});
  EXPECT_EQ(of_static("Object", "keys", {object}), R"(["a", "b"])");
  EXPECT_EQ(of_static("Object", "values", {object}), R"([1, "x"])");
  EXPECT_EQ(of_static("Object", "entries", {object}), R"([["a", 1], ["b", "x"]])");
  EXPECT_EQ(of_static("Object", "toString", {object}), R"("{ a: 1, b: \"x\" }")");
}

TEST(FqlObjectTest, AnExistingDocumentHasMembers) {
  EXPECT_EQ(of_documents("Object", "keys", {document("1")}), R"(["id", "a"])");
  EXPECT_EQ(of_documents("Object", "values", {document("9")}),
            "invalid_argument: invalid argument `object`: collection `Foo` does not contain "
            "document with id 9.");
  EXPECT_EQ(of_documents("Object", "assign", {object_with({}), document("1")}),
            R"({ id: ID("1"), a: [doc 1 in Foo] })");
  EXPECT_EQ(of_documents("Object", "select",
                         {object_with({{"d", document("1")}}), array_of({"d", "a", "id"})}),
            R"(ID("1"))");
}

TEST(FqlObjectTest, PairsBecomeMembers) {
  EXPECT_EQ(of_static("Object", "fromEntries",
                      {array_of({FqlArray{"a", 1}, FqlArray{"b", 2}, FqlArray{"a", 3}})}),
            "{ a: 3, b: 2 }");
  EXPECT_EQ(of_static("Object", "fromEntries", {array_of({FqlArray{"a"}})}),
            "invalid_argument: invalid argument `entries`: expected inner array of length 2 but "
            "saw length 1 at index 0");
  EXPECT_EQ(of_static("Object", "fromEntries", {array_of({1})}),
            "invalid_argument: expected value for `entries` of type Array<Array<Any>>, received "
            "Array<Any>");
  EXPECT_EQ(of_static("Object", "fromEntries", {array_of({FqlArray{1, 2}})}),
            "invalid_argument: expected value for `entries` of type String, received Int");
}

TEST(FqlObjectTest, TheSecondObjectWins) {
  EXPECT_EQ(of_static("Object", "assign",
                      {object_with({{"a", 1}, {"b", 1}}), object_with({{"b", 2}, {"c", 3}})}),
            "{ a: 1, b: 2, c: 3 }");
}

TEST(FqlObjectTest, APathLeadsThroughObjects) {
  const FqlValue object = object_with({{"a", object_with({{"b", FqlValue()}})}});
  EXPECT_EQ(of_static("Object", "select", {object, array_of({"a"})}), "{ b: null }");
  EXPECT_EQ(of_static("Object", "select", {object, array_of({"a", "c"})}), "null");
  EXPECT_EQ(of_static("Object", "select", {object, array_of({})}), "{ a: { b: null } }");
  EXPECT_EQ(of_static("Object", "hasPath", {object, array_of({"a", "b"})}), "true");
  EXPECT_EQ(of_static("Object", "hasPath", {object, array_of({"a", "b", "c"})}), "false");
  EXPECT_EQ(of_static("Object", "hasPath", {object, array_of({1})}),
            "invalid_argument: expected value for `path` of type Array<String>, received "
            "Array<Any>");
}

TEST(FqlGlobalTest, AnAbortCarriesItsValue) {
  TestRun run;
  EXPECT_EQ(outcome_of(run, find_global("abort"), FqlValue(), {"oops"}), "abort: Query aborted.");
  EXPECT_EQ(run.failure()->abort->text(), "oops");
}

TEST(FqlGlobalTest, LogsAreDisplayTextsAndDebugTexts) {
  TestRun run;
  EXPECT_EQ(outcome_of(run, find_global("log"), FqlValue(), {"a", 2.0, array_of({"x"})}), "null");
  EXPECT_EQ(outcome_of(run, find_global("log"), FqlValue(), {}), "null");
  EXPECT_EQ(outcome_of(run, find_global("dbg"), FqlValue(), {"a"}), "\"a\"");
  EXPECT_EQ(run.logs.lines(),
            (std::vector<std::string>{R"(info: a 2 ["x"])", "info: ", "info: \"a\""}));
}

TEST(FqlGlobalTest, IdsAreDigits) {
  EXPECT_EQ(of_global("ID", {"123"}), "ID(\"123\")");
  EXPECT_EQ(of_global("ID", {5}), "ID(\"5\")");
  EXPECT_EQ(of_global("ID", {Id{"5"}}), "ID(\"5\")");
  EXPECT_EQ(of_global("ID", {"abc"}), "invalid_id: `\"abc\"` is not a valid ID.");
  EXPECT_EQ(of_global("ID", {-1}), "invalid_id: `-1` is not a valid ID.");
  EXPECT_EQ(of_global("ID", {"9223372036854775808"}),
            "invalid_id: `\"9223372036854775808\"` is not a valid ID.");
  EXPECT_EQ(of_global("newId"), "ID(\"101\")");
  EXPECT_EQ(of_method(Id{"5"}, "toString"), "\"5\"");
}

TEST(FqlGlobalTest, OrderingsAreObjects) {
  const FqlValue accessor = function_of_one([](const FqlValue& x) { return x; });
  EXPECT_EQ(of_global("asc", {accessor}), "{ asc: [function <lambda>] }");
  EXPECT_EQ(of_global("desc", {accessor}), "{ desc: [function <lambda>] }");
  EXPECT_EQ(of_global("asc", {1}),
            "invalid_argument: expected value for `accessor` of type Function, received Int");
}

TEST(FqlGlobalTest, BytesAreBase64) {
  EXPECT_EQ(of_global("Bytes", {"AQID"}), "Bytes(\"AQID\")");
  EXPECT_EQ(of_static("Bytes", "fromBase64", {""}), "Bytes(\"\")");
  EXPECT_EQ(of_global("Bytes", {"!"}),
            "invalid_argument: invalid argument `encoded`: invalid base64 encoding");
  EXPECT_EQ(of_method(ByteText{"\x01\x02\x03"}, "toBase64"), "\"AQID\"");
}

TEST(FqlDisplayTest, DocumentsAreShownWithTheirFields) {
  TestRun run;
  run.documents["1"] = object_with({{"id", Id{"1"}}, {"friend", document("1")}}).object();
  const std::string shown = R"({ id: ID("1"), friend: [doc 1 in Foo] })";
  EXPECT_EQ(display(run, document("1")).value(), shown);
  EXPECT_EQ(debug(run, array_of({document("1")})).value(), "[" + shown + "]");
  EXPECT_EQ(display(run, document("9")).value(), "Foo(\"9\") /* not found */");
  EXPECT_EQ(display(run, object_with({{"d", document("9")}})).value(),
            "{ d: Foo(\"9\") /* not found */ }");
}

TEST(FqlDisplayTest, AllKindsHaveText) {
  EXPECT_EQ(of_method(true, "toString"), "\"true\"");
  EXPECT_EQ(of_method(2.0, "toString"), "\"2\"");
  EXPECT_EQ(of_method(2.5, "toString"), "\"2.5\"");
  EXPECT_EQ(of_method(Uuid{"00000000-0000-0000-0000-000000000001"}, "toString"),
            "\"00000000-0000-0000-0000-000000000001\"");
  EXPECT_EQ(of_method(FqlObject(), "toString"), "\"{}\"");
}

TEST(FqlDisplayTest, ATextOfSharedPartsHasABound) {
  FqlValue value = std::string(1'000, 'a');
  for (int i = 0; i < 15; ++i) value = FqlArray{value, value};
  EXPECT_TRUE(
      of_method(value, "toString").starts_with("value_too_large: Value too large: string size "));
}

}  // namespace
}  // namespace mayfly::fauna
