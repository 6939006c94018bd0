// Rendered diagnostics.
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

#include <gtest/gtest.h>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/syntax/parser.h"

namespace mayfly::fauna {
namespace {

Span span_in(const SourcePtr& source, std::string_view piece) {
  const std::size_t begin = source->text.find(piece);
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + piece.size()),
          source.get()};
}

std::string refusal_of(std::string text) {
  const Template query{make_source("*query*", std::move(text)), {}};
  const auto program = parse_query(query);
  return program ? "" : render(program.error());
}

TEST(FaunaDiagnostic, UnderlinesAPlaceInItsLine) {
  const SourcePtr source = make_source("*query*", "let a = 1\neventuallyError()\n");
  EXPECT_EQ(render(error_at(span_in(source, "()"), "oops")),
            "error: oops\n"
            "at *query*:2:16\n"
            "  |\n"
            "2 | eventuallyError()\n"
            "  |                ^^\n"
            "  |");
}

TEST(FaunaDiagnostic, OfAHiddenTextOnlyThePositionsAreShown) {
  const SourcePtr query = make_source("*query*", "f(1)");
  const SourcePtr secret = make_source("*udf:f*", "x => {\n  g('sesame')\n}");
  Diagnostic diagnostic = error_at(span_in(secret, "('sesame')"), "oops");
  diagnostic.annotation = "here";
  diagnostic.hints = {{"of the same line", span_in(secret, "'sesame'")},
                      {"of the query", span_in(query, "1")}};
  diagnostic.frames = {span_in(query, "(1)"), span_in(secret, "x => {\n  g")};
  diagnostic.undrawn = {secret.get()};
  EXPECT_EQ(render(diagnostic),
            "error: oops\n"
            "at *udf:f*:2:4\n"
            "hint: of the same line\n"
            "at *udf:f*:2:5\n"
            "hint: of the query\n"
            "at *query*:1:3\n"
            "  |\n"
            "1 | f(1)\n"
            "  |   ^\n"
            "  |\n"
            "trace:\n"
            "at *query*:1:2\n"
            "  |\n"
            "1 | f(1)\n"
            "  |  ^^^\n"
            "  |\n"
            "at *udf:f*:1:1");
}

TEST(FaunaDiagnostic, ShowsErrorsOfTheParser) {
  EXPECT_EQ(refusal_of("happy little fox"),
            "error: Expected end-of-input\n"
            "at *query*:1:7\n"
            "  |\n"
            "1 | happy little fox\n"
            "  |       ^\n"
            "  |");
  EXPECT_EQ(refusal_of(""),
            "error: Unexpected end of query. Expected statement or expression\n"
            "at *query*:1:1\n"
            "  |\n"
            "1 |\n"
            "  | ^\n"
            "  |");
  EXPECT_EQ(refusal_of("f(\n\n"),
            "error: Expected `)` or expression\n"
            "at *query*:1:3\n"
            "  |\n"
            "1 | f(\n"
            "  |   ^\n"
            "  |");
  EXPECT_EQ(refusal_of("let if = 1"),
            "error: Invalid identifier\n"
            "at *query*:1:5\n"
            "  |\n"
            "1 | let if = 1\n"
            "  |     ^^ `if` is a keyword\n"
            "  |");
}

TEST(FaunaDiagnostic, ShowsHintsUnderTheirError) {
  EXPECT_EQ(refusal_of("{ a: 1,\n  a: 2 }"),
            "error: Duplicate key\n"
            "at *query*:2:3\n"
            "  |\n"
            "2 |   a: 2 }\n"
            "  |   ^\n"
            "  |\n"
            "hint: Key originally used here\n"
            "at *query*:1:3\n"
            "  |\n"
            "1 | { a: 1,\n"
            "  |   ^\n"
            "  |");
  EXPECT_EQ(refusal_of("let x = 1"),
            "error: Missing return expression\n"
            "at *query*:1:10\n"
            "  |\n"
            "1 | let x = 1\n"
            "  |          ^\n"
            "  |\n"
            "cause: Statement does not return a value\n"
            "  |\n"
            "1 | let x = 1\n"
            "  | ^^^^^^^^^\n"
            "  |");
}

TEST(FaunaDiagnostic, SuggestsTheCorrectShortLambda) {
  EXPECT_EQ(refusal_of("let f = .a\nf"),
            "error: Invalid anonymous field access\n"
            "at *query*:1:9\n"
            "  |\n"
            "1 | let f = .a\n"
            "  |         ^^\n"
            "  |\n"
            "hint: Put it in parentheses, or write a lambda: `x => x.field`\n"
            "  |\n"
            "1 | let f = .a\n"
            "  |         ^^\n"
            "  |");
}

TEST(FaunaDiagnostic, ShowsTheTextWithTheSuggestionApplied) {
  const SourcePtr source = make_source("*query*", "foo.bar");
  Diagnostic diagnostic = error_at(span_in(source, "bar"), "no");
  const Span end{7, 7, source.get()};
  diagnostic.hints = {{"add", end, "!"},
                      {"change", span_in(source, "foo"), "other"},
                      {"remove", span_in(source, ".bar"), ""}};
  EXPECT_EQ(render(diagnostic),
            "error: no\n"
            "at *query*:1:5\n"
            "  |\n1 | foo.bar\n  |     ^^^\n  |\n"
            "hint: add\n"
            "  |\n1 | foo.bar!\n  |        +\n  |\n"
            "hint: change\n"
            "  |\n1 | other.bar\n  | ~~~~~\n  |\n"
            "hint: remove\n"
            "  |\n1 | foo.bar\n  |    ----\n  |");
}

TEST(FaunaDiagnostic, BracketsSeveralLines) {
  const SourcePtr source = make_source("*query*", "a\nfoo(\n  bar,\n  baz)\n");
  EXPECT_EQ(render(error_at(span_in(source, "(\n  bar,\n  baz)"), "oops")),
            "error: oops\n"
            "at *query*:2:4\n"
            "  |\n"
            "2 |   foo(\n"
            "  |  ____^\n"
            "3 | |   bar,\n"
            "4 | |   baz)\n"
            "  | |______^\n"
            "  |");
  const SourcePtr many = make_source("*query*", std::string(8, '\n') + "a(\nb)");
  EXPECT_EQ(render(error_at(span_in(many, "(\nb)"), "oops")),
            "error: oops\n"
            "at *query*:9:2\n"
            "   |\n"
            " 9 |   a(\n"
            "   |  __^\n"
            "10 | | b)\n"
            "   | |__^\n"
            "   |");
}

TEST(FaunaDiagnostic, CountsCharactersNotBytes) {
  const SourcePtr source = make_source("*query*", "'\xC3\xA9\xF0\x9F\x98\x80' x\xC3\xA9");
  EXPECT_EQ(render(error_at(span_in(source, "x\xC3\xA9"), "oops")),
            "error: oops\n"
            "at *query*:1:6\n"
            "  |\n"
            "1 | '\xC3\xA9\xF0\x9F\x98\x80' x\xC3\xA9\n"
            "  |      ^^\n"
            "  |");
}

TEST(FaunaDiagnostic, ShowsCallsFromTheInnermostOn) {
  const SourcePtr function = make_source("*udf:f*", "x => x.a");
  const SourcePtr query = make_source("*query*", "\nf(1)");
  Diagnostic diagnostic = error_at(span_in(function, "a"), "oops");
  diagnostic.frames = {span_in(query, "(1)")};
  const std::string frame = "at *query*:2:2\n  |\n2 | f(1)\n  |  ^^^\n  |";
  const std::string body = "error: oops\nat *udf:f*:1:8\n  |\n1 | x => x.a\n  |        ^\n  |\n";
  EXPECT_EQ(render(diagnostic), body + frame);
  diagnostic.hints = {{"here", span_in(function, "x")}};
  EXPECT_EQ(render(diagnostic),
            body + "hint: here\n  |\n1 | x => x.a\n  | ^\n  |\ntrace:\n" + frame);
}

TEST(FaunaDiagnostic, ShowsLogsInOneLine) {
  const SourcePtr source = make_source("*query*", "1\nlog('foo')");
  Diagnostic diagnostic{Severity::log, "foo", span_in(source, "log")};
  EXPECT_EQ(render(diagnostic), "info at *query*:2: foo");
  const std::vector<Diagnostic> two{error_at(span_in(source, "1"), "oops"), diagnostic};
  EXPECT_EQ(render(two),
            "error: oops\nat *query*:1:1\n  |\n1 | 1\n  | ^\n  |\n\ninfo at *query*:2: foo");
  diagnostic.severity = Severity::info;
  EXPECT_EQ(render(diagnostic), "info: foo\nat *query*:2:1\n  |\n2 | log('foo')\n  | ^^^\n  |");
  diagnostic.severity = Severity::performance_hint;
  diagnostic.span = {};
  EXPECT_EQ(render(diagnostic), "performance_hint: foo\nat <no source>");
}

TEST(FaunaDiagnostic, ShowsValuesOfTheTemplateByTheirNames) {
  TemplateBuilder builder("*query*");
  ASSERT_TRUE(builder.add_text("f("));
  builder.add_value();
  ASSERT_TRUE(builder.add_text(" a)"));
  const auto query = std::move(builder).finish();
  EXPECT_EQ(render(parse_query(query).error()),
            "error: Expected `)` or `,`\nat *query*:1:6\n  |\n1 | f($0 a)\n  |      ^\n  |");
}

TEST(FaunaDiagnostic, BoundsItsSize) {
  const SourcePtr wide =
      make_source("*query*", std::string(limits::diagnostic_line_bytes_max + 1, 'x'));
  EXPECT_EQ(render(error_at({5, 6, wide.get()}, "oops")), "error: oops\nat *query*:1:6");
  const SourcePtr tall =
      make_source("*query*", std::string(limits::diagnostic_lines_max + 2, '\n') + "x");
  const auto end = static_cast<std::uint32_t>(tall->text.size());
  EXPECT_EQ(render(error_at({0, end, tall.get()}, "oops")),
            "error: oops\nat *query*:1:1\n  |\n1 |\n  | ^\n  |");
}

TEST(FaunaDiagnostic, CountsFailedChecks) {
  EXPECT_EQ(validation_message(1), "The query failed 1 validation check");
  EXPECT_EQ(validation_message(2), "The query failed 2 validation checks");
}

}  // namespace
}  // namespace mayfly::fauna
