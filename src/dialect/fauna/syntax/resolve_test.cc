// Slots of variables, and captures of lambdas.
#include "dialect/fauna/syntax/resolve.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dialect/fauna/syntax/parser.h"

namespace mayfly::fauna {
namespace {

// Every variable, let and lambda in the order of the text: `x@0`, a global `x`, `let x@1`,
// `[from>to, …]/size` of a lambda before its body.
class SlotList {
 public:
  std::string text;

  void walk(const ExpressionPtr& tree) {
    if (tree) std::visit(*this, tree->node);
  }
  void operator()(const Literal&) {}
  void operator()(const Variable& variable) {
    add(variable.name + (variable.slot ? "@" + std::to_string(*variable.slot) : ""));
  }
  void operator()(const TextTemplate& whole) {
    for (const auto& part : whole.parts) {
      if (const auto* const tree = std::get_if<ExpressionPtr>(&part)) walk(*tree);
    }
  }
  void operator()(const ObjectOf& object) {
    for (const ObjectField& field : object.fields) walk(field.value);
  }
  void operator()(const ArrayOf& array) { walk(array.items); }
  void operator()(const Block& block) {
    for (const auto& statement : block.statements) {
      const auto* const let = std::get_if<Let>(&statement);
      walk(let == nullptr ? std::get<ExpressionPtr>(statement) : let->value);
      if (let != nullptr) add("let " + let->name + "@" + std::to_string(let->slot));
    }
  }
  void operator()(const If& whole) {
    walk(whole.condition);
    walk(whole.yes);
    walk(whole.no);
  }
  void operator()(const At& whole) {
    walk(whole.time);
    walk(whole.body);
  }
  void operator()(const Lambda& lambda) {
    std::string captures;
    for (const Capture& capture : lambda.captures) {
      captures += (captures.empty() ? "" : ", ") + std::to_string(capture.from) + ">" +
                  std::to_string(capture.to);
    }
    add("[" + captures + "]/" + std::to_string(lambda.frame_size));
    walk(lambda.body);
  }
  void operator()(const Chain& chain) {
    walk(chain.receiver);
    for (const Step& step : chain.steps) {
      if (const auto* const index = std::get_if<IndexStep>(&step.what)) walk(index->arguments);
      if (const auto* const call = std::get_if<CallStep>(&step.what)) walk(call->arguments);
      if (const auto* const method = std::get_if<MethodStep>(&step.what)) walk(method->arguments);
    }
  }
  void operator()(const Unary& unary) { walk(unary.operand); }
  void operator()(const Operations& operations) {
    walk(operations.first);
    for (const Operation& operation : operations.rest) walk(operation.operand);
  }
  void operator()(const Projection& projection) {
    walk(projection.of);
    walk(projection.element);
  }

 private:
  void walk(const ExpressionList& trees) {
    for (const ExpressionPtr& tree : trees) walk(tree);
  }
  void add(const std::string& piece) { text += (text.empty() ? "" : " ") + piece; }
};

std::string slots_of(std::string text, const std::vector<std::string>& arguments = {}) {
  const Template query{make_source("*query*", std::move(text)), {}};
  const auto program = parse_query(query, arguments);
  if (!program) return render(program.error());
  SlotList slots;
  slots.walk((*program)->root);
  return slots.text + " /" + std::to_string((*program)->frame_size);
}

TEST(FqlResolver, GivesSlotsInTheOrderOfBinding) {
  EXPECT_EQ(slots_of("let a = 1; let b = a; a + b"), "let a@0 a@0 let b@1 a@0 b@1 /2");
  EXPECT_EQ(slots_of("let a = a; a"), "a let a@0 a@0 /1");
  EXPECT_EQ(slots_of("Foo.all()"), "Foo /0");
  EXPECT_EQ(slots_of("x + y", {"x", "y"}), "x@0 y@1 /2");
}

TEST(FqlResolver, InnerNamesHideOuterOnesInTheirBlock) {
  EXPECT_EQ(slots_of("let a = 1; { let a = a; a }; a"), "let a@0 a@0 let a@1 a@1 a@0 /2");
  EXPECT_EQ(slots_of("let a = 1; let a = 2; a"), "let a@0 let a@1 a@1 /2");
  EXPECT_EQ(slots_of("{ let a = 1; a }; a"), "let a@0 a@0 a /1");
}

TEST(FqlResolver, CapturesEnclosingVariables) {
  EXPECT_EQ(slots_of("let a = 1; x => x + a"), "let a@0 [0>1]/2 x@0 a@1 /1");
  EXPECT_EQ(slots_of("let a = 1; (_, ...y) => { let b = a; y + b + a }"),
            "let a@0 [0>2]/4 a@2 let b@3 y@1 b@3 a@2 /1");
  EXPECT_EQ(slots_of("let a = 1; x => y => a + x"), "let a@0 [0>1]/2 [1>1, 0>2]/3 a@1 x@2 /1");
  EXPECT_EQ(slots_of("let a = 1; x => { { let a = 2; a }; a }"),
            "let a@0 [0>2]/3 let a@1 a@1 a@2 /1");
  EXPECT_EQ(slots_of("let f = x => f(x); f"), "[]/1 f x@0 let f@0 f@0 /1");
}

TEST(FqlResolver, NamesEachVariableOnce) {
  const Template query{make_source("*query*", "let a = 1; x => { let a = a; y => [x, a, y] }"), {}};
  const auto program = parse_query(query, std::vector<std::string>{"b"});
  ASSERT_TRUE(program) << render(program.error());
  EXPECT_EQ((*program)->names, (std::vector<std::string>{"b", "a", "x", "y"}));
  const auto& body = std::get<Block>((*program)->root->node);
  const Lambda& outer = *std::get<ExpressionPtr>(body.statements.back())->as<Lambda>();
  ASSERT_EQ(outer.captures.size(), 1U);
  EXPECT_EQ((*program)->names[outer.captures[0].name], "a");
}

TEST(FqlResolver, BindsTheHiddenParameterOfEachShortLambdaAndProjection) {
  EXPECT_EQ(slots_of("let a = 1; s.where(.a == a && .b.any(.c == a))"),
            "let a@0 s [0>1]/2 .@0 a@1 .@0 [1>1]/2 .@0 a@1 /1");
  EXPECT_EQ(slots_of("let v = 1; d { a, b: .c + v, e { f: v } }"),
            "let v@0 d [0>1]/2 .@0 .@0 v@1 .@0 [1>1]/2 v@1 /1");
}

TEST(FqlResolver, PutsTheValuesOfTheTemplateBeforeTheArguments) {
  TemplateBuilder builder("*query*");
  builder.add_value();
  ASSERT_TRUE(builder.add_text(" + x + f(() => "));
  builder.add_value();
  ASSERT_TRUE(builder.add_text(")"));
  const Template query = std::move(builder).finish();
  const auto program = parse_query(query, std::vector<std::string>{"x"});
  ASSERT_TRUE(program) << render(program.error());
  EXPECT_EQ((*program)->values, 2U);
  SlotList slots;
  slots.walk((*program)->root);
  EXPECT_EQ(slots.text, "$0@0 x@2 f [1>0]/1 $1@0");
}

}  // namespace
}  // namespace mayfly::fauna
