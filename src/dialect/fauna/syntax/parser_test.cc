// Texts that the grammar accepts, shown as trees, and texts that it refuses.
#include "dialect/fauna/syntax/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dialect/fauna/syntax/dump_testing.h"

namespace mayfly::fauna {
namespace {

using TextCase = std::pair<std::string, std::string>;

Template query_of(std::string_view text) {
  return {make_source("*query*", std::string(text)), {}};
}

std::string first_error(const Diagnostics& diagnostics) {
  const Diagnostic& first = diagnostics.front();
  const TextPosition at = position_of(first.span);
  const std::string annotation = first.annotation.empty() ? "" : " (" + first.annotation + ")";
  return fmt::format("{}:{} {}{}", at.line, at.column, first.message, annotation);
}

std::string tree_of(const Template& query) {
  const auto program = parse_query(query);
  if (!program) return first_error(program.error());
  std::string tree = testing::Dump::of(*(*program)->root);
  // The block around a single expression is left out.
  const auto& block = std::get<Block>((*program)->root->node);
  return block.statements.size() > 1 ? tree : tree.substr(7, tree.size() - 8);
}
std::string tree_of(std::string_view text) {
  return tree_of(query_of(text));
}

void expect_trees(const std::vector<TextCase>& cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(tree_of(text), expected) << text;
}

TEST(FqlParser, ParsesNumbersToTheNarrowestType) {
  expect_trees({
      {"0", "0"},
      {"2147483647", "2147483647"},
      {"2147483648", "2147483648L"},
      {"-2147483648", "-2147483648"},
      {"-2147483649", "-2147483649L"},
      {"9223372036854775807", "9223372036854775807L"},
      {"9223372036854775808", "9.223372036854776e+18"},
      {"-9223372036854775808", "-9223372036854775808L"},
      {"1_000_000", "1000000"},
      {"0x1F", "31"},
      {"0o17", "15"},
      {"0b1_01", "5"},
      {"0xFFFFFFFFFFFFFFFFF", "2.9514790517935283e+20"},
      {"- 5", "-5"},
      {"+5", "5"},
      {"-/* minus */5", "-5"},
      {"1.5", "1.5"},
      {"1_0.2_5", "10.25"},
      {"1e3", "1000"},
      {"1E+3", "1000"},
      {"-5.123e3", "-5123"},
      {"1e400", "inf"},
      {"1e-400", "0"},
      {"1 - 5", "(1 - 5)"},
      {"1 -5", "(1 - 5)"},
      {"1-5", "(1 - 5)"},
      {"1 - -5", "(1 - -5)"},
      {"--5", "(- -5)"},
      {"3.foo", "(3 .foo)"},
      {"1.e5", "(1 .e5)"},
      {"-5.abs()", "(-5 .abs())"},
      {"007", "1:2 Expected end-of-input"},
      {"1e", "1:3 Expected digit"},
      {"0x", "1:3 Expected digit"},
      {"-\n5", "2:1 Expected expression"},
  });
}

TEST(FqlParser, ParsesTextsWithEscapesAndInterpolations) {
  expect_trees({
      {"''", R"("")"},
      {"'it", "1:4 Unexpected end of a string"},
      {"\"it", "1:4 Unexpected end of a string"},
      {R"('a"#{b}`')", R"("a\"\#{b}`")"},
      {R"("a#b")", R"("a\#b")"},
      {R"("\x41\u00e9\u{1F600}\n\t\0\#\`\'")", "\"A\xC3\xA9\xF0\x9F\x98\x80\\n\\t\\0\\#`'\""},
      {"'a\nb'", R"("a\nb")"},
      {R"("a#{1}b")", R"((text "a" 1 "b"))"},
      {R"("#{a.b + 1}")", "(text ((a .b) + 1))"},
      {R"("#{ "#{x}" }!")", R"((text (text x) "!"))"},
      {R"("#{ { a: "}" } }")", R"((text {a: "}"}))"},
      {R"("#{a}#{b}")", "(text a b)"},
      {R"('\u12')", "1:6 Expected hex digit"},
      {R"('\uz')", "1:4 Expected `{` or hex digit"},
      {R"('\u{1234')", "1:9 Expected `}` or hex digit"},
      {R"('\u{110000}')", "1:2 Invalid escape (outside of valid unicode range)"},
      {R"('\ud800')", "1:2 Invalid escape (surrogates are disallowed)"},
      {R"('\3')", "1:3 Expected escape code"},
      {"'\x01'", "1:2 Invalid character (it has no place in a string)"},
      {"'\xE2\x80\xAE'", "1:2 Invalid character (it has no place in a string)"},
      {R"("#{.a}")", "1:4 Invalid anonymous field access"},
      {R"("#{a")", "1:5 Expected `}`"},
  });
}

TEST(FqlParser, ParsesHeredocsWithoutTheirIndentation) {
  expect_trees({
      {"<<-END\na multiline\nstring\nEND", R"("a multiline\nstring\n")"},
      {"<<-END\n    a\n      b\n    END", R"("a\n  b\n")"},
      {"<<- END  \n  a\n\n  b\nEND", R"("a\n\nb\n")"},
      {"<<-END\n\n\na\nEND", R"("a\n")"},
      {"<<-END\nEND", R"("")"},
      {"<<-END\nENDOR\nEND.length", R"(("ENDOR\n" .length))"},
      {"<<-END\na #{x} \\n\nEND", R"("a \#{x} \\n\n")"},
      {"<<+END\n  a #{x}\n    # b\n  END", R"((text "a " x "\n  \# b\n"))"},
      {"<<+END\n#{x}\n  b\nEND", R"((text x "\n  b\n"))"},
      {"<<+END\na\nEND", R"("a\n")"},
      {"<<-END a", "1:8 Expected a new line"},
      {"<<-END\na", "2:2 Unexpected end of a string"},
      {"<<-\n", "1:4 Expected identifier"},
  });
}

TEST(FqlParser, AcceptsCommentsLikeSpace) {
  expect_trees({
      {"1 // one", "1"},
      {"/* a /* b */ c */ 1", "1"},
      {"1 /* a\n b */ + 2", "(1 + 2)"},
      {"a // one\n b", "(block a b)"},
      {"a /* \n */ b", "2:5 Expected end-of-input"},
      {"1 /* a", "1:3 Expected end-of-input"},
      {"1 // \xE2\x80\xAE", "1:3 Expected end-of-input"},
  });
}

TEST(FqlParser, BindsOperatorsFromLooseToTight) {
  expect_trees({
      {"a ?? b || c && d == e < f isa g | h ^ i & j + k * l ** m",
       "(a ?? (b || (c && (d == (e < (f isa (g | (h ^ (i & (j + (k * (l ** m))))))))))))"},
      {"a ** b ** c", "(a ** (b ** c))"},
      {"a * b ** c ** d * e", "(a * (b ** (c ** d)) * e)"},
      {"a - b + c", "(a - b + c)"},
      {"a - (b + c)", "(a - (b + c))"},
      {"(a - b) + c", "((a - b) + c)"},
      {"a * b + c * d", "((a * b) + (c * d))"},
      {"a || b || c", "(a || b || c)"},
      {"a == b != c =~ d !~ e", "(a == b != c =~ d !~ e)"},
      {"a >= b <= c > d < e", "(a >= b <= c > d < e)"},
      {"a % b / c", "(a % b / c)"},
      {"-a ** b", "((- a) ** b)"},
      {"!a && ~b", "((! a) && (~ b))"},
      {"!a.b()", "(! (a .b()))"},
      {"!~a", "(! (~ a))"},
      {"!!a", "(! (! a))"},
      {"a!=b", "(a != b)"},
      {"a!!=b", "((a !) != b)"},
      {"isa", "1:1 Invalid identifier (`isa` is a keyword)"},
      {"a isab", "1:3 Expected end-of-input"},
      {"1 + if (a) b", "1:5 Invalid identifier (`if` is a keyword)"},
      {"a +", "1:4 Expected expression"},
  });
}

TEST(FqlParser, EndsStatementsAtNewLines) {
  expect_trees({
      {"a\nb", "(block a b)"},
      {"a;b;", "(block a b)"},
      {"a ;;\n; b\n\n", "(block a b)"},
      {"a\n+ b", "2:1 Expected expression"},
      {"a\n- 5", "(block a -5)"},
      {"a +\nb", "(a + b)"},
      {"a\n?? b\n|| c\n&& d", "(a ?? (b || (c && d)))"},
      {"a\n| b\n^ c\n& d", "(a | (b ^ (c & d)))"},
      {"a\n== b", "2:1 Expected end-of-input"},
      {"a\n.b\n?.c\n.d()", "(a .b ?.c .d())"},
      {"a\n(b)", "(block a b)"},
      {"a\n[b]", "(block a [b])"},
      {"a\n!b", "(block a (! b))"},
      {"a\n{ b }", "(block a (block b))"},
      {"a (b)", "(a (b))"},
      {"a [b]", "(a [b])"},
      {"a !", "(a !)"},
      {"f(\na\n,\nb\n,)", "(f (a b))"},
      {"let a\n=\n1\na", "(block (let a 1) a)"},
      {"happy little fox", "1:7 Expected end-of-input"},
      {"2 3", "1:3 Expected end-of-input"},
      {"x =>\n1", "(=> (x) 1)"},
      {"x\n=> 1", "2:1 Expected end-of-input"},
      {"a // note\n.b", "(a .b)"},
  });
}

TEST(FqlParser, DistinguishesObjectsFromBlocks) {
  expect_trees({
      {"{}", "{}"},
      {"{ }", "{}"},
      {"{ a: 1 }", "{a: 1}"},
      {"{\n a\t: 1,\n 'b c': 2, \"d\": 3, if: 4, }", R"({a: 1, "b c": 2, d: 3, "if": 4})"},
      {"{ 'a' }", R"((block "a"))"},
      {"{ a }", "(block a)"},
      {"{ a\n: 1 }", "2:1 Expected `}`"},
      {"{ let a: Int = 1; a }", "(block (let a: Int 1) a)"},
      {"{ \"a#{b}\" }", R"((block (text "a" b)))"},
      {"{ \"\": 0 }", R"({"": 0})"},
      {"{ a: { b: {} } }", "{a: {b: {}}}"},
      {"{ a: 2, b: 3, a: 4 }", "1:15 Duplicate key"},
      {"{ \"#{3}\": 2 }", "1:3 Object keys do not support interpolation"},
      {"{", "1:2 Unexpected end of block. Expected statement or expression"},
      {"{ ; }", "1:3 Unexpected end of block. Expected statement or expression"},
      {"{ a:", "1:5 Expected expression"},
      {"{ a: }", "1:6 Expected expression"},
      {"{ a: 1", "1:7 Expected `,` or `}`"},
      {"{ a: 1, 2 }", "1:9 Expected `}` or identifier"},
      {"{ a: (3 }", "1:9 Expected `)`, `,`, or `...`"},
      {"{ a: [3 }", "1:9 Expected `,` or `]`"},
      {"{ x; let y = 1 }", "1:16 Missing return expression"},
      {"let y = 1", "1:10 Missing return expression"},
      {"}", "1:1 Unexpected end of query. Expected statement or expression"},
      {"", "1:1 Unexpected end of query. Expected statement or expression"},
      {"##", "1:1 Unexpected end of query. Expected statement or expression"},
  });
}

TEST(FqlParser, ParsesLetsConditionsAndTimes) {
  expect_trees({
      {"let a = 1; let b: Array<Int>= [a]; b", "(block (let a 1) (let b: Array<Int> [a]) b)"},
      {"let x: Int?= 1; x", "(block (let x: Int? 1) x)"},
      {"if (a) b", "(if a b)"},
      {"if (a) { b } else { c }", "(if a (block b) (block c))"},
      {"if (a)\n b\n else if (c) d\nelse e", "(if a b (if c d e))"},
      {"at (Time('x')) { a }.b", R"((at (Time ("x")) ((block a) .b)))"},
      {"(at (t) { a }).b", "((at t (block a)) .b)"},
      {"let let = 3", "1:5 Invalid identifier (`let` is a keyword)"},
      {"let FQL = 3", "1:5 Invalid identifier (`FQL` is a keyword)"},
      {"let _ = 3", "1:5 Invalid identifier (`_` is a keyword)"},
      {"let", "1:4 Expected identifier"},
      {"let a", "1:6 Expected `:` or `=`"},
      {"let a:", "1:7 Expected type"},
      {"let a: int", "1:11 Expected `<` or `=`"},
      {"let a =", "1:8 Expected expression"},
      {"if", "1:3 Expected `(`"},
      {"if true", "1:4 Expected `(`"},
      {"if (true)", "1:10 Expected expression"},
      {"if (true) 3 else", "1:17 Expected expression"},
      {"match (a) { case b => c }", "1:1 match expr not supported"},
      {"else", "1:1 Invalid identifier (`else` is a keyword)"},
  });
}

TEST(FqlParser, ParsesLambdas) {
  expect_trees({
      {"a => a", "(=> (a) a)"},
      {"() => 1", "(=> () 1)"},
      {"(a,) => a", "(=> (a) a)"},
      {"(a, _, ...b) => { a }", "(=> (a _ ...b) (block a))"},
      {"(_, _) => 1", "(=> (_ _) 1)"},
      {"(..._) => 1", "(=> (..._) 1)"},
      {"_ => 1", "(=> (_) 1)"},
      {"a => b => a + b", "(=> (a) (=> (b) (a + b)))"},
      {"(a) + 1", "(a + 1)"},
      {"(a, b)", "[a b]"},
      {"(a, b).length", "([a b] .length)"},
      {"f((a, b) => a, 1)", "(f ((=> (a b) a) 1))"},
      {"(x, foo, x) => x", "1:10 Duplicate lambda argument"},
      {"(a, if) => a", "1:5 Invalid identifier (`if` is a keyword)"},
      {"()", "1:3 Expected `=>`"},
      {"(...a)", "1:2 Expected expression"},
  });
}

TEST(FqlParser, MakesTheWholeOperationAroundAShortLambdaOne) {
  expect_trees({
      {"f(.a)", "(f ((.. (. .a))))"},
      {"s.where(.a > 1 && .b == 2)", "(s .where((.. (((. .a) > 1) && ((. .b) == 2)))))"},
      {"f(1 + .a)", "(f ((.. (1 + (. .a)))))"},
      {"f(-.a)", "(f ((.. (- (. .a)))))"},
      {"f(!.a?.b)", "(f ((.. (! (. .a ?.b)))))"},
      {"f(.delete())", "(f ((.. (. .delete()))))"},
      {"f(.(1))", "(f ((.. (. (1)))))"},
      {"f(.[0].a)", "(f ((.. (. [0] .a))))"},
      {"(.x == 0)", "(.. ((. .x) == 0))"},
      {"f((.a) + (.b))", "(f ((.. ((. .a) + (. .b)))))"},
      {"a[.b]", "(a [(.. (. .b))])"},
      {"(.a, .b)", "[(.. (. .a)) (.. (. .b))]"},
      {"f(.a { b })", "(f ((.. (project (. .a) {b: (. .b)}))))"},
      {"f(.a.map(.b))", "(f ((.. (. .a .map((.. (. .b)))))))"},
      {"f(.if)", "(f ((.. (. .if))))"},
      {".foo", "1:1 Invalid anonymous field access"},
      {"{ let a = .foo; 3 }", "1:11 Invalid anonymous field access"},
      {"2 + .foo", "1:1 Invalid anonymous field access"},
      {"(.foo + .bar) / 3", "1:1 Invalid anonymous field access"},
      {"[.a]", "1:2 Invalid anonymous field access"},
      {"x => .a", "1:6 Invalid anonymous field access"},
      {"f(if (.a) 1)", "1:7 Invalid anonymous field access"},
  });
}

TEST(FqlParser, ParsesChains) {
  expect_trees({
      {"a.b.c", "(a .b .c)"},
      {"a.b(1).c", "(a .b(1) .c)"},
      {"a.b(1)(2)[3]!", "(a .b(1) (2) [3] !)"},
      {"a?.b!", "(a ?.b !)"},
      {"a?.b.c!.d", "(a ?.b .c ! .d)"},
      {"a?.(1)?.[2]", "(a ?.(1) ?.[2])"},
      {"a?.b(1)", "(a ?.b(1))"},
      {"a.b?.(1)", "(a .b?.(1))"},
      {"(a?.b).c", "((a ?.b) .c)"},
      {"(a.b)(c)", "((a .b) (c))"},
      {"[1, 2,][0]", "([1 2] [0])"},
      {"a.at(0).match", "(a .at(0) .match)"},
      {"a[1, 2]", "(a [1 2])"},
      {"null.a", "(null .a)"},
      {"f(,)", "1:3 Expected `)` or expression"},
      {"foo(", "1:5 Expected `)` or expression"},
      {"foo(a", "1:6 Expected `)` or `,`"},
      {"a.", "1:3 Expected identifier"},
      {"a?.", "1:4 Expected `(`, `[`, or identifier"},
      {"a[1", "1:4 Expected `,` or `]`"},
  });
}

TEST(FqlParser, ParsesProjections) {
  expect_trees({
      {"a { b }", "(project a {b: (. .b)})"},
      {"a { b, c: .d + 1, e: 5, }", "(project a {b: (. .b), c: ((. .d) + 1), e: 5})"},
      {"a { b { c }, d: .e { f } }",
       "(project a {b: (project (. .b) {c: (. .c)}), d: (project (. .e) {f: (. .f)})})"},
      {"a { b\n c }", "(project a {b: (. .b), c: (. .c)})"},
      {"a.all() { id }.b", "1:15 Expected end-of-input"},
      {"(a { b }).c", "((project a {b: (. .b)}) .c)"},
      {"a + b { c }", "(project (a + b) {c: (. .c)})"},
      {"x => x { a }", "(=> (x) (project x {a: (. .a)}))"},
      {"a { * }", "1:5 project expr not supported"},
      {"a { 3 }", "1:5 Expected `*` or identifier"},
      {"a { }", "1:5 Expected `*` or identifier"},
      {"a { b: }", "1:8 Expected expression"},
      {"a { b: 3 c }", "1:10 Expected `,` or `}`"},
      {"a { if }", "1:5 Invalid identifier (`if` is a keyword)"},
  });
}

TEST(FqlParser, ParsesValuesOfTheTemplateAsVariables) {
  TemplateBuilder builder("*query*");
  ASSERT_TRUE(builder.add_text("f("));
  builder.add_value();
  ASSERT_TRUE(builder.add_text("0, "));
  builder.add_value();
  ASSERT_TRUE(builder.add_text(".a)"));
  const Template query = std::move(builder).finish();
  EXPECT_EQ(tree_of(query), "1:5 Expected `)` or `,`");  // `$0` and `0` are two

  TemplateBuilder called("*query*");
  ASSERT_TRUE(called.add_text("f("));
  called.add_value();
  ASSERT_TRUE(called.add_text(", "));
  called.add_value();
  ASSERT_TRUE(called.add_text(".a)"));
  EXPECT_EQ(tree_of(std::move(called).finish()), "(f ($0 ($1 .a)))");
}

TEST(FqlParser, RefusesValuesElsewhere) {
  for (const auto& [before, after] : std::vector<TextCase>{
           {"'", "'"}, {"\"", "\""}, {"/*", "*/ 1"}, {"// ", "\n1"}, {"<<-E\n", "\nE"}}) {
    TemplateBuilder builder("*query*");
    ASSERT_TRUE(builder.add_text(before));
    builder.add_value();
    ASSERT_TRUE(builder.add_text(after));
    EXPECT_FALSE(parse_query(std::move(builder).finish())) << before;
  }
  EXPECT_FALSE(TemplateBuilder("*query*").add_text(std::string_view("\0", 1)));
  EXPECT_EQ(tree_of(std::string_view("a.\0", 3)), "1:3 Expected identifier");
  EXPECT_EQ(tree_of("$0"), "1:1 Unexpected end of query. Expected statement or expression");
}

// Queries as drivers, the command line and the documentation send them.
TEST(FqlParser, ParsesTheQueriesOfClients) {
  for (
      const std::string_view text : {
          R"(Foo.create({id: "1", a: 1, ttl: Time("3000-01-01T12:00:00Z")}))",
          R"(Foo.byId("1")!.update({ttl: Time.now().add(1, "days")}).ttl!.difference(Time.now()))",
          R"(let doc = Col.all().first()!; doc.update({foo:"baz"}); {now: Time.now(), ttl: doc.ttl})",
          R"(at (Time("2024-01-01T00:00:00Z")) {User.byId(1)!.name})",
          R"((at (Time("2024-01-01T00:00:00Z")) { User.byId(1) }).name)",
          R"(if (Collection.byName("X") == null) { Collection.create({ name: "X" }) })",
          R"(Set.sequence(0,3).forEach(v => Foo.create({ value: v + 1}));)",
          R"(Function.create({"name":"my_double","body":"x => x * 2"}))",
          R"(Books.byGenre("sci-fi", { from: [1, "a"], to: (2, "b") }) { title, author { name } })",
          "Database.all().paginate(1000).data { name }",
          "if (Database.byName(n).exists()) {\n  Key.where(.database == n).forEach(.delete())\n"
          "  Database.byName(n)!.delete()\n}\nDatabase.create({ name: n })\n"
          "Key.create({ role: \"admin\", database: n }).secret",
          "let page = collection.where(.ttl == null)\n  .pageSize(20)\n  .paginate()\n"
          "page.data.forEach(document =>\n  document.update({\n    ttl: document.ts.add(365, "
          "\"days\"),\n  })\n)\npage { after }",
          "users.order(desc(.age), .name).map(u => \"#{u.name} is #{u.age ?? 'old'}\")\n",
          "x isa String || x isa Number && !(x == null)",
      }) {
    const Template query = query_of(text);
    const auto program = parse_query(query);
    EXPECT_TRUE(program) << (program ? "" : render(program.error()));
  }
}

TEST(FqlParser, KnowsSpans) {
  const Template query = query_of("let x = f(1, 2); (x.b(1) + -y) { a }");
  const auto program = parse_query(query);
  ASSERT_TRUE(program);
  const auto& block = std::get<Block>((*program)->root->node);
  EXPECT_EQ(text_of(std::get<Let>(block.statements[0]).span), "let x = f(1, 2)");
  const Expression& projected = *std::get<ExpressionPtr>(block.statements[1]);
  EXPECT_EQ(text_of(projected.span), "(x.b(1) + -y) { a }");
  const Expression& sum = *projected.as<Projection>()->of;
  EXPECT_EQ(text_of(sum.span), "(x.b(1) + -y)");
  EXPECT_TRUE(sum.is_in_brackets);
  const Chain& chain = *sum.as<Operations>()->first->as<Chain>();
  EXPECT_EQ(text_of(chain.steps[0].span), "(1)");
  EXPECT_EQ(text_of(std::get<MethodStep>(chain.steps[0].what).name_span), "b");
}

TEST(FqlParser, ParsesLambdasAsBodies) {
  const auto body = [](const std::string& text) {
    const SourcePtr source = make_source("*udf:f*", text);
    const auto program = parse_lambda(source);
    return program ? testing::Dump::of(*(*program)->root) : first_error(program.error());
  };
  EXPECT_EQ(body("(a, b) => a + b"), "(=> (a b) (a + b))");
  EXPECT_EQ(body("\n x => x * 2 // twice\n"), "(=> (x) (x * 2))");
  EXPECT_EQ(body("(.x == 0)"), "(.. ((. .x) == 0))");
  EXPECT_EQ(body(".x == 0"), "1:1 Invalid anonymous field access");
  EXPECT_EQ(body("1"), "1:1 Body must be a lambda expression. (Expression is not a lambda.)");
  EXPECT_EQ(body("1; 2"), "1:1 Body must be a lambda expression. (Expression is not a lambda.)");
  EXPECT_EQ(body(""), "1:1 Unexpected end of query. Expected statement or expression");
}

TEST(FqlParser, ParsesPaths) {
  const auto path = [](const std::string& text) {
    const SourcePtr source = make_source("*path*", text);
    const auto read = parse_path(source);
    return read ? render_path(*read) : first_error(read.error());
  };
  EXPECT_EQ(path(".a.b[0]['c d'].if"), R"(.a.b[0]["c d"].if)");
  EXPECT_EQ(path(".['c d']"), R"(.["c d"])");
  EXPECT_EQ(path(".[0].a"), ".[0].a");
  EXPECT_EQ(path("a"), "1:1 Invalid field path");
  EXPECT_EQ(path(".a()"), "1:3 Invalid field path");
  EXPECT_EQ(path(".a?.b"), "1:3 Invalid field path");
  EXPECT_EQ(path(".a[-1]"), "1:3 Invalid field path");
}

}  // namespace
}  // namespace mayfly::fauna
