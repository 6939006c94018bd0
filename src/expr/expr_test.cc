// Trees: rendering, evaluation and folding.
#include "expr/expr.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "expr/analyse.h"
#include "expr/evaluation/evaluate.h"
#include "expr/function.h"
#include "expr/render.h"
#include "expr/testing.h"
#include "value/json/json.h"

namespace mayfly {
namespace {

using expr::all_of;
using expr::any_of;
using expr::body;
using expr::call;
using expr::literal;
using expr::negation;
using Mode = expr::Each::Mode;

const ExprPtr yes = literal(true);
const ExprPtr no = literal(false);
const ExprPtr unknown = literal(Value());

std::string value_of(const ExprPtr& e, std::string_view row = "{}") {
  const Value value = *parse_json(row);
  const Result<Value> result = evaluate(*e, ValueScope(value), unbounded());
  if (!result) return std::string(name_of(result.error().code)) + ": " + result.error().message;
  const Result<Truth> as_truth = truth(*e, ValueScope(value), unbounded());
  EXPECT_EQ(*as_truth, to_truth(*result)) << render(*e);
  return render_literal(*result);
}

TEST(ExprTest, AndOrAndNotAreThreeValued) {
  struct Case {
    ExprPtr e;
    const char* value;
  };
  const Case cases[] = {
      {all_of({yes, yes}), "true"},
      {all_of({yes, no}), "false"},
      {all_of({yes, unknown}), "missing"},
      {all_of({unknown, no}), "false"},
      {all_of({no, unknown}), "false"},
      {any_of({no, no}), "false"},
      {any_of({unknown, yes}), "true"},
      {any_of({no, unknown}), "missing"},
      {negation(no), "true"},
      {negation(unknown), "missing"},
      {negation(literal(1)), "missing"},
      {all_of({literal(1), yes}), "missing"},
      {any_of({literal("x"), yes}), "true"},
      {all_of({}), "true"},
      {any_of({}), "false"},
  };
  for (const Case& c : cases) EXPECT_EQ(value_of(c.e), c.value) << render(*c.e);
}

TEST(ExprTest, OperandsAfterTheDecisiveOneAreNotEvaluated) {
  const ExprPtr fails = expr::must(unknown, "x is needed");
  EXPECT_EQ(value_of(all_of({no, fails})), "false");
  EXPECT_EQ(value_of(any_of({yes, fails})), "true");
  EXPECT_EQ(value_of(all_of({fails, no})), "invalid: x is needed");
}

TEST(ExprTest, FieldsAreFoundByPathAndAbsentOnesAreMissing) {
  const char* row = R"({"a":{"b":[1,{"c":null}]}})";
  EXPECT_EQ(value_of(expr::field({Part::body, *Path::parse("a.b[1].c")}), row), "null");
  EXPECT_EQ(value_of(expr::field({Part::body, *Path::parse("a.b[2]")}), row), "missing");
  EXPECT_EQ(value_of(expr::field({Part::body, *Path::parse("a.b.c")}), row), "missing");
  EXPECT_EQ(value_of(expr::slot(0), row), R"({"a": {"b": [1, {"c": null}]}})");
  EXPECT_EQ(value_of(expr::slot(3), row), "missing");
  EXPECT_EQ(value_of(expr::metadata("id"), row), "missing");
}

TEST(ExprTest, IfMissingTakesTheSecondForMissingOnly) {
  EXPECT_EQ(value_of(expr::if_missing(body("a"), literal(2)), R"({"a":null})"), "null");
  EXPECT_EQ(value_of(expr::if_missing(body("a"), literal(2))), "2");
}

ExprPtr each(Mode mode, ExprPtr item_body) {
  return expr::each(mode, 1, body("a"), std::move(item_body));
}

TEST(ExprTest, EachIteratesOverAnArray) {
  const ExprPtr big = expr::greater(expr::slot(1), literal(2));
  EXPECT_EQ(value_of(each(Mode::any, big), R"({"a":[1,3]})"), "true");
  EXPECT_EQ(value_of(each(Mode::any, big), R"({"a":[1,"x"]})"), "missing");
  EXPECT_EQ(value_of(each(Mode::any, big), R"({"a":[]})"), "false");
  EXPECT_EQ(value_of(each(Mode::any, big), R"({"a":5})"), "missing");
  EXPECT_EQ(value_of(each(Mode::all, big), R"({"a":[3,4]})"), "true");
  EXPECT_EQ(value_of(each(Mode::all, big), R"({"a":["x",1]})"), "false");
  EXPECT_EQ(value_of(each(Mode::all, big), R"({"a":[]})"), "true");
  EXPECT_EQ(value_of(each(Mode::filter, big), R"({"a":[1,3,"x",4]})"), "[3, 4]");
  EXPECT_EQ(
      value_of(each(Mode::map, call("add", {expr::slot(1), literal(1)})), R"({"a":[1,"x",2]})"),
      "[2, 3]");
}

TEST(ExprTest, AnInnerEachSeesTheSlotsAroundIt) {
  const ExprPtr inner =
      expr::each(Mode::map, 2, expr::body("b"), call("multiply", {expr::slot(1), expr::slot(2)}));
  EXPECT_EQ(value_of(expr::each(Mode::map, 1, body("a"), inner), R"({"a":[1,2],"b":[10,20]})"),
            "[[10, 20], [20, 40]]");
}

TEST(ExprTest, AForeignCallGetsItsArgumentsTheRowAndTheMeter) {
  const Scope* seen = nullptr;
  const Meter* meter_seen = nullptr;
  const ExprPtr e = expr::foreign(
      "twice", Effect::reads,
      [&](const Scope& scope, std::span<const Value> arguments, Meter& meter) -> Result<Value> {
        seen = &scope.row();
        meter_seen = &meter;
        return Value(arguments[0].integer() * 2);
      },
      {expr::slot(1)});
  const Value row = *parse_json(R"({"a":[4]})");
  const ValueScope scope(row);
  EXPECT_EQ(render_literal(*evaluate(*each(Mode::map, e), scope, unbounded())), "[8]");
  EXPECT_EQ(seen, &scope);
  EXPECT_EQ(meter_seen, &unbounded());
  EXPECT_EQ(effect_of(*each(Mode::map, e)), Effect::reads);
}

TEST(ExprTest, RendersAsOneLine) {
  struct Case {
    ExprPtr e;
    const char* text;
  };
  const ExprPtr a = body("a");
  const ExprPtr equal = expr::equal(a, literal(1));
  const Case cases[] = {
      {expr::greater(body("price"), literal(3)), ".price > 3"},
      {all_of({equal, any_of({equal, negation(body("done"))})}),
       ".a = 1 and (.a = 1 or not .done)"},
      {negation(all_of({equal, equal})), "not (.a = 1 and .a = 1)"},
      {any_of({all_of({equal, equal}), equal}), ".a = 1 and .a = 1 or .a = 1"},
      {call("multiply", {call("add", {a, literal(1)}), literal(2)}), "(.a + 1) * 2"},
      {call("in", {expr::metadata("id"), literal(Array{"x", "y"})}), R"(@id in ["x", "y"])"},
      {expr::if_missing(equal, no), "(.a = 1) ?? false"},
      {expr::must(a, "no \"a\""), R"(must(.a, "no \"a\""))"},
      {expr::each(Mode::any, 1, a, expr::equal(expr::slot(1), literal("x"))),
       R"(any($1 in .a: $1 = "x"))"},
      {expr::field(Field::body("n"), 2), "$2.n"},
      {expr::slot(0), "."},
      {literal(Array{Value(), Instant{0}, 1.5}), R"([missing, time("1970-01-01T00:00:00Z"), 1.5])"},
      {call("power", {literal(2), a}), "power(2, .a)"},
      {all_of({}), "and ()"},
      {all_of({a}), "and .a"},
  };
  for (const Case& c : cases) EXPECT_EQ(render(*c.e), c.text);
}

TEST(ExprTest, FoldsConstants) {
  struct Case {
    ExprPtr e;
    const char* text;
  };
  const ExprPtr a = body("a");
  const ExprPtr p = expr::equal(a, literal(1));
  const ExprPtr fails = expr::must(p, "no");
  const Case cases[] = {
      {call("add", {literal(1), literal(2)}), "3"},
      {expr::equal(a, call("add", {literal(1), literal(2)})), ".a = 3"},
      {expr::less(literal(3), a), ".a > 3"},
      {all_of({yes, p}), ".a = 1"},
      {all_of({p, no}), "false"},
      {all_of({fails, no, p}), "must(.a = 1, \"no\") and false"},
      {any_of({p, yes}), "true"},
      {any_of({no, p, no}), ".a = 1"},
      {all_of({yes, a}), "and .a"},
      {all_of({all_of({p, p}), p}), ".a = 1 and .a = 1 and .a = 1"},
      {expr::if_missing(unknown, a), ".a"},
      {expr::if_missing(call("exists", {a}), no), "exists(.a)"},
      {negation(yes), "false"},
      {expr::must(unknown, "no"), "must(missing, \"no\")"},
      {call("repeat", {literal("abc"), literal(INT64_MAX)}),
       "repeat(\"abc\", 9223372036854775807)"},
  };
  for (const Case& c : cases) EXPECT_EQ(render(*fold(c.e)), c.text);
}

TEST(ExprTest, ReportsTheFieldsItReadsAndWhetherItMayFail) {
  const ExprPtr e =
      all_of({expr::equal(body("a"), body("b")),
              each(Mode::any, expr::equal(expr::slot(1), expr::field(Field::body("x"), 2)))});
  std::string fields;
  for (const expr::FieldOf& f : fields_read(*e)) {
    fields += std::to_string(f.slot) + f.field.render() + " ";
  }
  EXPECT_EQ(free_slots(*e), (std::vector<Slot>{0, 2}));
  EXPECT_TRUE(fields.starts_with("0.a 0.b ")) << fields;
  EXPECT_FALSE(may_fail(*e));
  EXPECT_TRUE(may_fail(*negation(expr::must(e, "x"))));
}

TEST(ExprTest, TreesThatAreTooDeepOrTooLargeAreRefused) {
  ExprPtr deep = body("a");
  for (std::size_t i = 1; i < limits::filter_depth_max; ++i) deep = negation(deep);
  EXPECT_TRUE(check_size(*deep));
  EXPECT_EQ(check_size(*negation(deep)).error().code, Code::too_large);
  const ExprPtr wide = all_of(ExprList(limits::filter_nodes_max, deep));
  EXPECT_EQ(check_size(*wide).error().code, Code::too_large);
}

Instant late() {
  return Instant{10};
}

TEST(ExprTest, AMeterBoundsTimeAndBuiltValues) {
  const Value row(Object{{"a", Array(2'000, Value(1))}, {"t", std::string(100'000, 'x')}});
  Meter out_of_time(late, Instant{5});
  const auto slow = evaluate(*each(Mode::all, yes), ValueScope(row), out_of_time);
  EXPECT_EQ(slow.error().code, Code::timed_out);
  Meter in_time(late, Instant{50});
  EXPECT_TRUE(evaluate(*each(Mode::all, yes), ValueScope(row), in_time));
  const ExprPtr doubled = call("concat", {body("t"), body("t")});
  const auto big = evaluate(*each(Mode::map, doubled), ValueScope(row), in_time);
  EXPECT_EQ(big.error().code, Code::too_large);
  EXPECT_TRUE(evaluate(*doubled, ValueScope(row), in_time));
}

// A scope over packed bytes, as for a document.
class PackedScope final : public Scope {
 public:
  explicit PackedScope(BytesView bytes) : packed_(bytes) {}
  Value field(Slot, const Field& field) const override { return packed_.at(field.path); }
  const Packed* packed() const override { return &packed_; }

 private:
  Packed packed_;
};

Value arbitrary_scalar() {
  static const std::vector<Value> values = {nullptr,
                                            true,
                                            false,
                                            0,
                                            1,
                                            -7,
                                            1.0,
                                            1.5,
                                            -0.0,
                                            1e300,
                                            INT64_MAX,
                                            INT64_MIN,
                                            9223372036854775808.0,
                                            9007199254740993,
                                            9007199254740992.0,
                                            "",
                                            "a",
                                            "b",
                                            "a\"b",
                                            "\\",
                                            "é",
                                            "\x01",
                                            Instant{5},
                                            Date{3},
                                            Binary{"x"},
                                            Array{1},
                                            Object{{"a", 1}}};
  return values[*rc::gen::inRange<std::size_t>(0, values.size())];
}

RC_GTEST_PROP(ExprPropertyTest, ComparisonsOnPackedBytesAgreeWithThoseOnValues, ()) {
  const Value left = arbitrary_scalar();
  const Value right = arbitrary_scalar();
  const Bytes packed = *pack(Value(Object{{"x", 1}, {"field", left}, {"y", nullptr}}));
  const PackedScope scope(packed);
  const Value unpacked = Packed(packed).unpack();
  for (const char* name :
       {"equal", "not_equal", "less", "less_or_equal", "greater", "greater_or_equal"}) {
    for (const char* field : {"field", "absent"}) {
      const ExprPtr e = call(name, {body(field), literal(right)});
      const Truth shortly = *truth(*e, scope, unbounded());
      const Truth at_length = *truth(*e, ValueScope(unpacked), unbounded());
      if (shortly != at_length) RC_FAIL(render(*e) + " over " + render_literal(unpacked));
    }
  }
}

// Expressions of every kind but Foreign, over the fields a and b.
ExprPtr arbitrary_expr(int depth) {
  const int pick = *rc::gen::inRange(0, depth > 0 ? 10 : 3);
  const auto inner = [&] { return arbitrary_expr(depth - 1); };
  switch (pick) {
    case 0: return literal(arbitrary_scalar());
    case 1: return body(*rc::gen::element<std::string>("a", "b"));
    case 2: return literal(*rc::gen::element<Value>(Value(), Value(true), Value(false)));
    case 3: return all_of({inner(), inner()});
    case 4: return any_of({inner(), inner(), inner()});
    case 5: return negation(inner());
    case 6: return expr::if_missing(inner(), inner());
    case 7: return expr::must(inner(), "gone");
    case 8:
      return call(*rc::gen::element<std::string>("equal", "less", "add", "in"), {inner(), inner()});
    default:
      return expr::each(*rc::gen::element(Mode::any, Mode::filter), static_cast<Slot>(depth),
                        inner(), inner());
  }
}

RC_GTEST_PROP(ExprPropertyTest, FoldingChangesNoValue, ()) {
  const ExprPtr e = arbitrary_expr(4);
  const Value row(Object{{"a", arbitrary_scalar()}, {"b", arbitrary_scalar()}});
  const Result<Value> before = evaluate(*e, ValueScope(row), unbounded());
  const Result<Value> after = evaluate(*fold(e), ValueScope(row), unbounded());
  RC_ASSERT(before.has_value() == after.has_value());
  if (before && render_literal(*before) != render_literal(*after)) {
    RC_FAIL(render(*e) + " became " + render(*fold(e)));
  }
}

}  // namespace
}  // namespace mayfly
