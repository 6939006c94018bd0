// Removing and merging fields: the cost of both is proportional to the document.
#include "dialect/kuzzle/documents/field_set.h"

#include <gtest/gtest.h>

#include "base/threads/thread_time.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Server;

std::string without(const std::string& body, const std::string& names) {
  Meter meter;
  const auto fields = FieldSet::parse(parse_json(names)->array());
  if (!fields) return fields.error().message;
  Value left = *parse_json(body);
  EXPECT_TRUE(fields->remove_from(left, meter).has_value());
  return render_json(left);
}

TEST(KuzzleFieldSetTest, OnlyNamedFieldsAreRemoved) {
  const std::string body = R"({"a":1,"b":{"c":[1,2,3],"d":{"e":2}},"f":null})";
  EXPECT_EQ(without(body, "[]"), body);
  EXPECT_EQ(without(body, R"(["none","a.x","b.c.x","b[0]","f.g"])"), body);
  EXPECT_EQ(without(body, R"(["a","f"])"), R"({"b":{"c":[1,2,3],"d":{"e":2}}})");
  EXPECT_EQ(without(body, R"(["b.d.e","a"])"), R"({"b":{"c":[1,2,3],"d":{}},"f":null})");
  EXPECT_EQ(without(body, R"(["b.d.e","b.d"])"), R"({"a":1,"b":{"c":[1,2,3]},"f":null})");
  // Positions refer to the original body.
  EXPECT_EQ(without(R"({"l":[0,1,{"x":1,"y":2},3]})", R"(["l[0]","l[1]","l[2].x","l[9]"])"),
            R"({"l":[{"y":2},3]})");
  EXPECT_EQ(without(body, R"([""])"), "a name in \"fields\" is empty");
}

TEST(KuzzleFieldSetTest, ItEndsWithTheTimeOfItsRequest) {
  Object body;
  for (int i = 0; i < 5'000; ++i) body.append("f" + std::to_string(i), i);
  Value value(std::move(body));
  Meter meter(monotonic_now, monotonic_now() - Span::seconds(1));
  const auto done = FieldSet::parse(Array{Value("f0")})->remove_from(value, meter);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, Code::timed_out);
}

std::string names(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += (i > 0 ? "," : "") + std::string("\"f") + std::to_string(i) + '"';
  }
  return R"({"fields":[)" + text + "]}";
}

TEST(KuzzleFieldSetTest, ARequestNamesABoundedNumber) {
  const auto s = Server::with_documents({{"d1", R"({"f0":1,"f999":1,"g":1})"}});
  EXPECT_EQ(s->of("document:deleteFields", "d1", names(limits::deleted_fields_max + 1)).status,
            413);
  EXPECT_EQ(s->of("document:deleteFields", "d1", names(limits::deleted_fields_max)).status, 200);
  EXPECT_EQ(s->of("document:get", "d1").text("result._source"), R"({"g":1})");
  EXPECT_EQ(s->of("document:deleteFields", "d1", R"({"fields":[""]})").status, 400);
  EXPECT_EQ(s->of("document:deleteFields", "d1", R"({"fields":[1]})").status, 400);
}

// With names that share long prefixes, as hostile ones do.
Object large(int from, int count) {
  Object object;
  for (int i = from; i < from + count; ++i) object.append(std::to_string(1'000'000 + i), i);
  return object;
}

TEST(KuzzleFieldSetTest, ManyFieldsAreMergedIntoAsManyInOnePass) {
  constexpr int count = 60'000;
  const Instant begun = thread_time();
  const Value merged = merge_deeply(large(0, count), large(count / 2, count));
  EXPECT_LT((thread_time() - begun).micros, Span::seconds(2).micros);
  EXPECT_EQ(merged.object().size(), std::size_t{count} + count / 2);
  EXPECT_EQ(merged.object().begin()->first, "1000000");
  EXPECT_EQ((merged.object().end() - 1)->second.integer(), count + count / 2 - 1);
  EXPECT_EQ(render_json(merge_deeply(Object{{"a", Object{{"b", 1}}}, {"c", 1}},
                                     Object{{"a", Object{{"d", 2}}}, {"c", 2}, {"e", 3}})),
            R"({"a":{"b":1,"d":2},"c":2,"e":3})");
}

TEST(KuzzleFieldSetTest, AMessageOfManyArgumentsIsReadInOnePass) {
  Object sent = large(0, 60'000);
  Message message;
  const Instant begun = thread_time();
  EXPECT_TRUE(parse_message(Value(std::move(sent)), message).has_value());
  EXPECT_LT((thread_time() - begun).micros, Span::seconds(2).micros);
  EXPECT_EQ(message.arguments.size(), 60'000U);
}

}  // namespace
}  // namespace mayfly::kuzzle
