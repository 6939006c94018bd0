// Conversion to stored values and back.
#include "dialect/fauna/values/stored.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dialect/fauna/values/arbitrary.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/testing.h"
#include "dialect/fauna/values/text/text.h"
#include "value/arbitrary.h"
#include "value/json/json.h"

namespace mayfly::fauna {
namespace {

std::string stored_text(const FqlValue& value) {
  const auto stored = to_stored(value);
  return stored ? std::string(name_of(stored->kind())) + ' ' + render_json(*stored)
                : stored.error().message;
}

TEST(FqlStoredTest, ValuesAreStoredSoThatOtherDialectsKnowThem) {
  const std::pair<FqlValue, const char*> rows[] = {
      {nullptr, "null null"},
      {long_number(3), "integer 3"},
      {2.0, "real 2"},
      {FqlTime{1, 5'000}, R"(time "1970-01-01T00:00:01.000005Z")"},
      {FqlTime{1, 5}, R"(reference {"collection":"#time","id":"1970-01-01T00:00:01.000000005Z"})"},
      {FqlTime{253'402'300'800, 0},
       R"(reference {"collection":"#time","id":"+10000-01-01T00:00:00Z"})"},
      {FqlDate{1}, R"(date "1970-01-02")"},
      {FqlDate{INT64_MAX}, "A date so far away cannot be stored."},
      {ByteText{"hi"}, R"(binary "aGk=")"},
      {Id{"7"}, R"(reference {"collection":"#id","id":"7"})"},
      {Uuid{"u"}, R"(reference {"collection":"#uuid","id":"u"})"},
      {module_of("Foo"), R"(reference {"collection":"#module","id":"Foo"})"},
      {DocumentHandle{.collection = "Foo", .id = "1", .at = Instant{1}},
       R"(reference {"collection":"Foo","id":"1"})"},
      {FqlArray{1, named_function("f()")},
       "Anonymous functions cannot be stored. Use a string of FQL instead."},
      {EventSourceToken{"t"}, "Sets and event sources cannot be stored."},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(stored_text(value), text);
}

TEST(FqlStoredTest, DocumentsOfBuiltInCollectionsComeBackByName) {
  EXPECT_TRUE(from_stored(Reference{"Function", "f"}).document()->is_named);
  EXPECT_FALSE(from_stored(Reference{"Key", "1"}).document()->is_named);
  EXPECT_EQ(type_name(from_stored(std::int64_t{1} << 31)), "Long");
  EXPECT_EQ(type_name(from_stored(1)), "Int");
  EXPECT_TRUE(from_stored(Missing()).is_null());
}

RC_GTEST_PROP(FqlStoredTest, StoredValuesComeBack, ()) {
  const FqlValue value = *arbitrary::value();
  const FqlValue back = from_stored(to_stored(value).value());
  RC_ASSERT((total_order(back, value) == 0));
  RC_ASSERT((debug_text(back) == debug_text(value)));
}

RC_GTEST_PROP(FqlStoredTest, ValuesOfEveryDialectAreAccepted, ()) {
  const Value value = *mayfly::arbitrary::value();
  RC_ASSERT(to_stored(from_stored(value)).has_value());
}

}  // namespace
}  // namespace mayfly::fauna
