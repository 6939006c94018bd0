// What does not fit a shape, and what defaults add to a value.
#include "dialect/common/shape.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json/json.h"

namespace mayfly {
namespace {

constexpr std::string_view words[] = {"missing",  "null",     "unknown", "type",     "several",
                                      "choice",   "least",    "most",    "fraction", "multiple",
                                      "size_min", "size_max", "pattern", "repeated"};

constexpr ShapeType text_type{"text", "no text", is_a<Kind::text>};
constexpr ShapeType even_type{"even", "no number", [](const Value& v) { return v.is_number(); },
                              [](const Shape&, const Value& v, Instant) {
                                return std::string(v.integer() % 2 == 0 ? "" : "odd");
                              }};
constexpr ShapeType bytes_type{"bytes", "", nullptr, nullptr,
                               [](std::string_view text) { return text.size(); }};

Shape named(std::string name, Shape shape = {}) {
  shape.name = std::move(name);
  return shape;
}

Shape object_of(std::vector<Shape> children, Shape::Unknown unknown = Shape::Unknown::inherited) {
  Shape shape;
  shape.children = std::move(children);
  shape.unknown = unknown;
  return shape;
}

Shape list_of(Shape item) {
  Shape shape;
  shape.items.push_back(std::move(item));
  return shape;
}

Shape pattern(std::string_view of) {
  Shape shape;
  shape.patterns.push_back(expr::call("matches", {expr::slot(0), expr::literal(Value(of))}));
  return shape;
}

// ".a[0] type no text; .b missing"
std::string violations_of(const std::string& json, const Shape& shape,
                          Extent extent = Extent::whole, std::size_t violations_max = 100) {
  Meter meter;
  const Value value = *parse_json(json);
  const auto violations =
      *inspect(value, shape, {.meter = meter, .violations_max = violations_max, .extent = extent});
  std::string all;
  for (const Violation& violation : violations) {
    const bool is_self = violation.path.steps.empty();
    all += fmt::format("{}{} {}", all.empty() ? "" : "; ", is_self ? "." : violation.path.render(),
                       words[static_cast<std::size_t>(violation.what)]);
    if (!violation.claim.empty()) all += " " + violation.claim;
    if (!violation.limit.is_missing()) all += " " + render_json(violation.limit);
  }
  return all;
}

std::string filled(const std::string& json, const Shape& shape, Extent extent) {
  return render_json(with_defaults(shape, *parse_json(json), extent));
}

TEST(ShapeTest, AValueIsOfItsTypeAndTheTypeMaySayMore) {
  EXPECT_EQ(violations_of("1", Shape{}), "");
  EXPECT_EQ(violations_of("1", {.type = &text_type}), ". type no text");
  EXPECT_EQ(violations_of(R"("a")", {.type = &even_type}), ". type no number");
  EXPECT_EQ(violations_of("3", {.type = &even_type}), ". type odd");
  EXPECT_EQ(violations_of("4", {.type = &even_type}), "");
  EXPECT_EQ(violations_of("[1]", {.type = &text_type, .is_single = true}), ". several");
}

TEST(ShapeTest, BoundsAreOfNumbersOfCharactersAndOfItems) {
  const Shape number{.range = {1, 4}, .is_integer = true};
  EXPECT_EQ(violations_of("1", number), "");
  EXPECT_EQ(violations_of("0", number), ". least 1");
  EXPECT_EQ(violations_of("4.5", number), ". most 4; . fraction");
  EXPECT_EQ(violations_of("0.3", {.multiple_of = 0.1}), "");
  EXPECT_EQ(violations_of("0.35", {.multiple_of = 0.1}), ". multiple");
  const Shape sized{.size = {2, 3}};
  EXPECT_EQ(violations_of(R"("äö")", sized), "");
  EXPECT_EQ(violations_of(R"("a")", sized), ". size_min 2");
  EXPECT_EQ(violations_of("[1,2,3,4]", sized), ". size_max 3");
  EXPECT_EQ(violations_of(R"("äö")", {.type = &bytes_type, .size = {2, 3}}), ". size_max 3");
}

TEST(ShapeTest, ChoicesPatternsAndRepetitions) {
  const Shape choice{.choices = {Value("a"), Value(1)}};
  EXPECT_EQ(violations_of("1", choice), "");
  EXPECT_EQ(violations_of(R"("b")", choice), ". choice");
  EXPECT_EQ(violations_of(R"("ab")", pattern("^a")), "");
  EXPECT_EQ(violations_of(R"("ba")", pattern("^a")), ". pattern");
  EXPECT_EQ(violations_of("[1,2]", {.has_unique_items = true}), "");
  EXPECT_EQ(violations_of("[1,1]", {.has_unique_items = true}), ". repeated");
}

TEST(ShapeTest, NullIsAcceptedRefusedAbsentOrAValue) {
  const auto field = [](Shape::Null null) {
    return object_of({named("a", {.type = &text_type, .is_required = true, .null = null})});
  };
  EXPECT_EQ(violations_of(R"({"a":null})", field(Shape::Null::accepted)), "");
  EXPECT_EQ(violations_of(R"({"a":null})", field(Shape::Null::refused)), ".a null");
  EXPECT_EQ(violations_of(R"({"a":null})", field(Shape::Null::absent)), ".a missing");
  EXPECT_EQ(violations_of(R"({"a":null})", field(Shape::Null::value)), ".a type no text");
}

TEST(ShapeTest, AllViolationsAreFoundAndABriefShapeStopsAtTheFirst) {
  Shape shape = object_of({named("a", list_of({.type = &text_type})),
                           named("b", {.is_required = true}), named("c", {.type = &text_type})},
                          Shape::Unknown::refused);
  const std::string value = R"({"c":1,"d":2,"e":3,"a":[1,"x",2]})";
  EXPECT_EQ(violations_of(value, shape),
            ".b missing; .c type no text; .d unknown; .e unknown; .a[0] type no text; "
            ".a[2] type no text");
  EXPECT_EQ(violations_of(value, shape, Extent::whole, 2), ".b missing; .c type no text");
  shape.is_brief = true;
  shape.children[0].is_brief = true;
  EXPECT_EQ(violations_of(value, shape), ".d unknown");
  EXPECT_EQ(violations_of(R"({"c":1,"a":[1,"x",2]})", shape),
            ".a[0] type no text; .b missing; .c type no text");
}

TEST(ShapeTest, ChangesMissNothingButWhatLiesInThemIsWhole) {
  const Shape inner = object_of({named("b", {.is_required = true})});
  const Shape shape = object_of({named("a", inner), named("c", {.is_required = true})});
  EXPECT_EQ(violations_of(R"({"a":{}})", shape), ".c missing; .a.b missing");
  EXPECT_EQ(violations_of(R"({"a":{}})", shape, Extent::changes), ".a.b missing");
}

TEST(ShapeTest, UnknownFieldsAreInheritedAcceptedRefusedOrHeldToAShape) {
  const Shape inner = object_of({named("b")});
  const std::string value = R"({"a":{"x":1}})";
  using Unknown = Shape::Unknown;
  EXPECT_EQ(violations_of(value, object_of({named("a", inner)})), "");
  EXPECT_EQ(violations_of(value, object_of({named("a", inner)}, Unknown::refused)), ".a.x unknown");
  EXPECT_EQ(violations_of(R"({"a":[{"x":1}]})",
                          object_of({named("a", list_of(inner))}, Unknown::refused)),
            ".a[0].x unknown");
  // An object without known fields may have any fields.
  EXPECT_EQ(violations_of(value, object_of({named("a")}, Unknown::refused)), "");
  const Shape open = object_of({named("b")}, Unknown::accepted);
  EXPECT_EQ(violations_of(value, object_of({named("a", open)}, Unknown::refused)), "");
  Shape held = object_of({named("a")}, Unknown::held);
  held.rest.push_back({.type = &text_type});
  EXPECT_EQ(violations_of(R"({"a":1,"x":"1","y":2})", held), ".y type no text");
}

TEST(ShapeTest, DefaultsFillAWholeValueAndOfChangesWhatIsEmptied) {
  const Shape absent{.null = Shape::Null::absent, .initial = 1};
  Shape group = object_of({named("c", absent)});
  group.null = Shape::Null::absent;
  group.initial = Object{};
  const Shape shape = object_of({named("a", absent), named("b", {.initial = 2}), named("g", group),
                                 named("l", list_of(group))});
  EXPECT_EQ(filled("{}", shape, Extent::whole), R"({"a":1,"b":2,"g":{}})");
  EXPECT_EQ(filled("{}", shape, Extent::changes), "{}");
  EXPECT_EQ(filled(R"({"a":null,"b":null})", shape, Extent::changes), R"({"a":1,"b":null})");
  EXPECT_EQ(filled(R"({"a":5,"b":6,"g":{},"l":[{},{"c":3}]})", shape, Extent::whole),
            R"({"a":5,"b":6,"g":{"c":1},"l":[{"c":1},{"c":3}]})");
  EXPECT_EQ(filled(R"({"g":null})", shape, Extent::changes), R"({"g":null})");
}

TEST(ShapeTest, TheMeterEndsAnInspectionOfManyItemsAndOfALongText) {
  const Shape shape = list_of(pattern("^a+$"));
  for (const Value& value :
       {Value(Array(5'000, Value(1))), Value(Array{Value(std::string(5'000, 'a'))})}) {
    Meter endless;
    EXPECT_TRUE(inspect(value, shape, {.meter = endless, .violations_max = 1})->empty());
    Meter late([] { return Instant::from_seconds(2); }, Instant::from_seconds(1));
    const auto outcome = inspect(value, shape, {.meter = late, .violations_max = 1});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, Code::timed_out);
  }
}

TEST(ShapeTest, AnInspectionGoesAsDeepAsTheShapeHoweverDeepTheValue) {
  constexpr std::size_t deep = 100;
  Value value = 1;
  for (std::size_t i = 0; i < deep; ++i) value = Object{{"a", std::move(value)}};
  Shape shape{.type = &text_type};
  for (std::size_t i = 0; i < 3; ++i) shape = object_of({named("a", std::move(shape))});
  EXPECT_EQ(violations_of(render_json(value), shape), ".a.a.a type no text");
}

}  // namespace
}  // namespace mayfly
