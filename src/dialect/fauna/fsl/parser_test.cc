// Parsed schema files in printed form, and errors.
#include "dialect/fauna/fsl/parser.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "dialect/fauna/fsl/print.h"

namespace mayfly::fauna::fsl {
namespace {

SourcePtr file_of(std::string text) {
  return make_source("main.fsl", std::move(text));
}

std::string places(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    const TextPosition at = position_of(diagnostic.span);
    out +=
        fmt::format("{}{}:{} {}", out.empty() ? "" : "; ", at.line, at.column, diagnostic.message);
  }
  return out;
}

std::string printed(const std::string& text) {
  const SourcePtr source = file_of(text);
  const auto file = parse_file(source);
  if (!file) return places(file.error());
  std::string out;
  for (const Item& item : file->items) out += (out.empty() ? "" : "\n") + render_item(item);
  return out;
}

// Checks that the text is printed as expected, and that the printed text is printed the same.
void expect_printed(const std::string& text, const std::string& expected) {
  EXPECT_EQ(printed(text), expected) << text;
  EXPECT_EQ(printed(expected), expected);
}

std::string in_collection(const std::string& members) {
  return "collection Foo {\n" + members + "}\n";
}

// The printed form of a collection's only member.
std::string only_member(const std::string& member) {
  const std::string whole = printed("collection Foo {\n" + member + "\n}");
  const std::string head = "collection Foo {\n  ";
  return whole.starts_with(head) ? whole.substr(head.size(), whole.size() - head.size() - 3)
                                 : whole;
}

TEST(FslParser, PrintsCollectionsInOneLayout) {
  expect_printed("collection Foo { name: String  ttl_days 30 }",
                 in_collection("  name: String\n  ttl_days 30\n"));
  expect_printed("collection Foo {}", in_collection(""));
}

TEST(FslParser, PrintsEachMember) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"a : Int", "a: Int"},
           {"a: Int?= 1 +  2", "a: Int? = 1 +  2"},
           {"index: String", "index: String"},
           {"history_days: Int", "history_days: Int"},
           {"compute: Int", "compute: Int"},
           {"a: { b: Int = 1, *: Any }", "a: { b: Int = 1, *: Any }"},
           {"*:Any", "*: Any"},
           {"compute a = doc => doc.b", "compute a = (doc) => doc.b"},
           {"compute a: Int? = (.b + 1)", "compute a: Int? = (.b + 1)"},
           {"compute a = (doc => { let x = 1\n x })", "compute a = (doc) => { let x = 1\n x }"},
           {"index a { terms [.b, mva(.c[0].d)] }", "index a {\n    terms [.b, mva(.c[0].d)]\n  }"},
           {"index a { values [.b, desc(.c), asc(.d), mva(.e), desc(mva(.f)), mva(desc(.g)),] }",
            "index a {\n    values [.b, desc(.c), .d, mva(.e), desc(mva(.f)), desc(mva(.g))]\n  }"},
           {"index a { terms [.['b c']]; values []; }", "index a {\n    terms [.[\"b c\"]]\n  }"},
           {"unique [.a, mva(.b)]", "unique [.a, mva(.b)]"},
           {"check ok (.ttl != null)", "check ok (.ttl != null)"},
           {"check ok ((doc) => doc.a > 0)", "check ok ((doc) => doc.a > 0)"},
           {"check ok (doc => doc.a > 0)", "check ok ((doc) => doc.a > 0)"},
           {"check ok (.a.any(x => x > 1))", "check ok (.a.any(x => x > 1))"},
           {"history_days 3", "history_days 3"},
           {"ttl_days 0x10", "ttl_days 16"},
           {"document_ttls true", "document_ttls true"},
           {"document_ttls false", "document_ttls false"},
           {"migrations { add .a; drop .b; move .a -> .b; split .a -> .b, .c; backfill .a = 'x';"
            "move_conflicts .a; move_wildcard .b; add_wildcard }",
            "migrations {\n    add .a\n    drop .b\n    move .a -> .b\n    split .a -> .b, .c\n"
            "    backfill .a = 'x'\n    move_conflicts .a\n    move_wildcard .b\n"
            "    add_wildcard\n  }"},
       }) {
    EXPECT_EQ(only_member(text), expected) << text;
    EXPECT_EQ(only_member(expected), expected);
  }
}

TEST(FslParser, PrintsMembersByTheirKindAndWithoutDefaults) {
  expect_printed(
      "collection Foo {\n"
      "  ttl_days 2\n  migrations { add_wildcard }\n  history_days 0\n  check c (.a)\n"
      "  unique [.a]\n  index i { terms [.a] }\n  *: Any\n  b: Int\n  compute c = (.a)\n"
      "  document_ttls true\n  a: Int\n}",
      in_collection("  b: Int\n  compute c = (.a)\n  a: Int\n  *: Any\n"
                    "  index i {\n    terms [.a]\n  }\n  unique [.a]\n  check c (.a)\n"
                    "  ttl_days 2\n  document_ttls true\n"
                    "  migrations {\n    add_wildcard\n  }\n"));
}

TEST(FslParser, KeepsMembersInTheirOrder) {
  const SourcePtr source = file_of("collection Foo {\n  ttl_days 2\n  a: Int\n}");
  const auto file = parse_file(source);
  ASSERT_TRUE(file);
  const auto& members = std::get<Collection>(file->items[0].what).members;
  EXPECT_TRUE(std::holds_alternative<TtlDays>(members[0].what));
  EXPECT_EQ(text_of(members[1].span), "a: Int");
  EXPECT_EQ(text_of(std::get<Field>(members[1].what).type.span), "Int");
}

TEST(FslParser, PrintsFunctions) {
  expect_printed("function f() { 1 }", "function f() { 1 }\n");
  expect_printed("@role(\"server-readonly\")\n@alias(g)\nfunction f(a, ...b) {\n  a.c\n}",
                 "@alias(g)\n@role(\"server-readonly\")\nfunction f(a, ...b) {\n  a.c\n}\n");
  expect_printed("function f(a: Int, ...b: Array<String?>): Int|Null { a }",
                 "function f(a: Int, ...b: Array<String?>): Int | Null { a }\n");
  const SourcePtr source = file_of("function f(a: Int, ...b: Int): Int { a }\nfunction g(a) { a }");
  const auto file = parse_file(source);
  ASSERT_TRUE(file);
  const auto& typed = std::get<Function>(file->items[0].what);
  EXPECT_EQ(lambda_of(typed), "(a, ...b) => { a }");
  EXPECT_EQ(signature_of(typed), "(a: Int, b: ...Int) => Int");
  EXPECT_EQ(signature_of(std::get<Function>(file->items[1].what)), std::nullopt);
}

TEST(FslParser, PrintsRolesAndAccessProviders) {
  expect_printed(
      "role r { privileges Foo { read; write { predicate ((a, b) => a == b) } create } "
      "membership User { predicate (.admin) }\n membership Other }",
      "role r {\n"
      "  privileges Foo {\n"
      "    read\n"
      "    write {\n"
      "      predicate ((a, b) => a == b)\n"
      "    }\n"
      "    create\n"
      "  }\n"
      "  membership User {\n"
      "    predicate (.admin)\n"
      "  }\n"
      "  membership Other\n"
      "}\n");
  expect_printed(
      "access provider 'p.1' { issuer 'i'; jwks_uri \"https://x\"\n role r { predicate (x => x) } "
      "\n role s }",
      "access provider \"p.1\" {\n"
      "  issuer \"i\"\n"
      "  jwks_uri \"https://x\"\n"
      "  role r {\n"
      "    predicate ((x) => x)\n"
      "  }\n"
      "  role s\n"
      "}\n");
}

TEST(FslParser, PrintsCodeOfSeveralLinesAsItIs) {
  const std::string role =
      "role r {\n  membership User {\n    predicate ((a) => a == \"x\n  y\")\n  }\n}\n";
  expect_printed(role, role);
  const std::string collection = in_collection(
      "  a: String = <<-E\n  b\n    c\nE\n  migrations {\n    backfill .a = 'x\n y'\n  }\n");
  expect_printed(collection, collection);
}

TEST(FslParser, KeepsTheCommentsAboveItemsAndMembers) {
  expect_printed(
      "// of the file\n\n// of Foo\n  /* and\n   * more */\n@alias(Bar)\ncollection Foo { // "
      "beside\n"
      "  // of a\n  a: Int // beside a\n  b: Int\n\n  // of c\n  // and more\n  c: Int\n\n  // "
      "end\n}\n",
      "// of Foo\n/* and\n * more */\n@alias(Bar)\ncollection Foo {\n"
      "  // of a\n  a: Int\n  b: Int\n  // of c\n  // and more\n  c: Int\n}\n");
  const SourcePtr source = file_of("// note\ncollection Foo {}\n");
  const auto file = parse_file(source);
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(file->items[0].span), "collection Foo {}");
  EXPECT_EQ(text_of(file->items[0].comment_span), "// note");
}

TEST(FslParser, PrintsGeneratedFiles) {
  const SourcePtr source = file_of("collection Foo {}\nfunction f() { 1 }");
  const auto file = parse_file(source);
  ASSERT_TRUE(file);
  EXPECT_EQ(render_generated_file(file->items),
            "// The following schema is auto-generated.\n"
            "// This file contains FSL for FQL10-compatible schema items.\n"
            "\n"
            "collection Foo {\n"
            "}\n"
            "\n"
            "function f() { 1 }\n");
  EXPECT_TRUE(parse_file(file_of("")));
  EXPECT_TRUE(parse_file(file_of("// nothing\n ; \n")));
}

TEST(FslParser, RefusesWrongItems) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"2", "1:1 Expected end-of-input"},
           {"foo", "1:1 Invalid schema item `foo`"},
           {"collection", "1:1 Missing required name"},
           {"collection {}", "1:1 Missing required name"},
           {"collection #", "1:12 Expected identifier"},
           {"collection Foo", "1:1 Missing required value"},
           {"collection Foo 3", "1:16 Expected a block"},
           {"collection Foo {", "1:17 Expected `}`"},
           {"collection Foo {} 3", "1:19 Expected end-of-input"},
           {"collection if {}", "1:12 Invalid identifier"},
           {"collection 'a b' {}", "1:12 Invalid identifier `a b`"},
           {"@role(x) collection Foo {}", "1:7 Annotation not supported here"},
           {"@alias(x) role Foo {}", "1:1 Annotations are not allowed here"},
           {"@foo(x) role Foo {}", "1:2 Expected `alias` or `role`"},
           {"@alias(x) @alias(y) collection Foo {}", "1:11 Duplicate annotation `alias`"},
           {"collection Foo {}\nfunction Foo() { 1 }",
            "2:10 Duplicate collection or function `Foo`"},
           {"collection Foo {}\n@alias(Foo) collection Bar {}",
            "2:8 Duplicate collection or function `Foo`"},
           {"role r {}\nrole r {}", "2:6 Duplicate role `r`"},
           {"function", "1:1 Missing required name"},
           {"function f {}", "1:12 Expected `(`"},
           {"function f() {}", "1:15 Unexpected end of block. Expected statement or expression"},
           {"function f() { let x = 1 }", "1:26 Missing return expression"},
           {"function f() 1", "1:14 Expected `{`"},
           {"function f(x: y z) { x }", "1:17 Expected `)` or `,`"},
           {"function f(a: Int, b): Int { 1 }", "1:20 All or no arguments must have a type"},
           {"function f(a, b: Int) { 1 }", "1:15 All or no arguments must have a type"},
           {"function f(a: Int) { 1 }", "1:18 Return type is required when arguments have a type"},
           {"function f(a): Int { 1 }",
            "1:16 Return type is not allowed when arguments do not have a type"},
           {"function f(...a, b) { 1 }", "1:15 Variadic argument must be the last argument."},
           {"role r { foo }", "1:10 Invalid member `foo`"},
           {"role r { privileges {} }", "1:10 Missing required name"},
           {"role r { privileges Foo }", "1:10 Missing required value"},
           {"role r { privileges Foo { fly } }", "1:27 Invalid action `fly`"},
           {"role r { privileges Foo { read read } }", "1:32 Duplicate action `read`"},
           {"role r { privileges Foo {}; privileges Foo {} }", "1:40 Duplicate privileges `Foo`"},
           {"role r { membership Foo; membership Foo }", "1:37 Duplicate membership `Foo`"},
           {"role r { membership Foo { foo } }", "1:27 Expecting a predicate"},
           {"role r { membership Foo {} }", "1:25 Expected a single predicate member"},
           {"role r { membership Foo { predicate (1) } }", "1:37 Expected lambda predicate"},
           {"role r { membership Foo 1 }", "1:25 Expected a block"},
           {"access provider", "1:1 Missing required name"},
           {"access provider p { issuer; jwks_uri 'x' }", "1:21 Missing required value"},
           {"access provider p { issuer 1; jwks_uri 'x' }", "1:28 Expected string literal"},
           {"access provider p { issuer 'x' }", "1:19 Missing jwks uri"},
           {"access provider p { issuer 'x'; issuer 'y'; jwks_uri 'z' }", "1:33 Duplicate issuer"},
           {"access provider p { issuer 'x'; jwks_uri 'z'; foo }", "1:47 Invalid member `foo`"},
       }) {
    EXPECT_EQ(printed(text), expected) << text;
  }
}

TEST(FslParser, RefusesWrongMembers) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"bar", "2:1 Invalid field or member `bar`"},
           {"ttl: Time", "2:1 Invalid reserved name `ttl`"},
           {"id: ID", "2:1 Invalid reserved name `id`"},
           {"compute ts = (.a)", "2:9 Invalid reserved name `ts`"},
           {"'a.b': Int", "2:1 Invalid identifier `a.b`"},
           {"a = 1", "2:1 Expected a type signature"},
           {"a: Int\na: Int", "3:1 Duplicate field `a`"},
           {"a: Int\ncompute a = (.b)", "3:9 Duplicate field `a`"},
           {"a: { b: Int = 1 }?", "2:15 Default values are not allowed here"},
           {"a: { b: { c: Int = 1 } } = {}", "2:20 Default values are not allowed here"},
           {"a: { b: Int = 1 } | Null", "2:15 Default values are not allowed here"},
           {"a: Array<{ b: Int = 1 }>", "2:21 Default values are not allowed here"},
           {"*: Any = 1", "2:10 No default allowed for wildcard field"},
           {"compute a: Int", "2:1 Computed fields require a value"},
           {"compute a = 1", "2:13 Expected lambda"},
           {"compute a = .b", "2:13 Invalid anonymous field access"},
           {"@alias(x) a: Int", "2:1 Annotations are not allowed here"},
           {"index a", "2:1 Missing required value"},
           {"index {}", "2:1 Missing required name"},
           {"index a { baz }", "2:11 Invalid member `baz`"},
           {"index a { terms }", "2:11 Missing required value"},
           {"index a { terms .a }", "2:17 Expected an array of terms"},
           {"index a { values 1 }", "2:18 Expected an array of values"},
           {"index a { terms [.b]; terms [.c] }", "2:23 Duplicate terms definition"},
           {"index a { terms [asc(.b)] }", "2:18 Expected 'mva'"},
           {"index a { values [foo(.b)] }", "2:19 Expected 'asc', 'desc', or 'mva'"},
           {"index a { values [asc(desc(.b))] }", "2:23 Expected 'asc', 'desc', or 'mva'"},
           {"index a { terms [.b()] }", "2:20 Invalid field path"},
           {"index a {}; index a {}", "2:19 Duplicate index name `a`"},
           {"unique", "2:1 Missing required value"},
           {"unique [bar]", "2:9 Invalid field path"},
           {"unique []", "2:8 Expected non-empty terms for a unique constraint"},
           {"unique [.a, .b]; unique [.b, .a]", "2:25 Duplicate unique constraint."},
           {"check ok .a",
            "2:10 Invalid anonymous field access; 2:10 Expected lambda check "
            "predicate"},
           {"check ok (1)", "2:10 Expected lambda check predicate"},
           {"check ok x => x", "2:10 Expected lambda check predicate"},
           {"check ok (.a); check ok (.b)", "2:22 Duplicate check constraint name `ok`"},
           {"ttl_days \"x\"", "2:10 Expected integer literal"},
           {"ttl_days 1.5", "2:10 Expected integer literal"},
           {"ttl_days", "2:1 Missing required value"},
           {"ttl_days 1; ttl_days 2", "2:13 Duplicate ttl days"},
           {"history_days 1; history_days 2", "2:17 Duplicate history days"},
           {"document_ttls 1", "2:15 Expected boolean literal"},
           {"document_ttls true; document_ttls true", "2:21 Duplicate document TTLs"},
           {"migrations {}", "2:1 Empty migration blocks are not allowed"},
           {"migrations 1", "2:12 Expected a migration block"},
           {"migrations { foo }", "2:14 Only migrations are allowed in migration blocks"},
           {"migrations { split .a -> .b }", "2:14 Expected at least two fields to split into"},
           {"migrations { split .a -> .b, .b }", "2:30 Expected list of fields with no duplicates"},
           {"migrations { add .a[0] }", "2:18 Cannot index into an item in a migration path"},
           {"migrations { move .a }", "2:22 Expected `->`"},
           {"migrations { add_wildcard }; migrations { add_wildcard }",
            "2:30 Duplicate migration block"},
       }) {
    EXPECT_EQ(printed("collection Foo {\n" + text + "\n}"), expected) << text;
  }
}

TEST(FslParser, ShowsTheFirstUseOfAName) {
  const SourcePtr source = file_of("collection Foo {\n  ttl_days 1\n  ttl_days 2\n}");
  EXPECT_EQ(render(parse_file(source).error()),
            "error: Duplicate ttl days\n"
            "at main.fsl:3:3\n"
            "  |\n"
            "3 |   ttl_days 2\n"
            "  |   ^^^^^^^^\n"
            "  |\n"
            "hint: Originally defined here\n"
            "at main.fsl:2:3\n"
            "  |\n"
            "2 |   ttl_days 1\n"
            "  |   ^^^^^^^^\n"
            "  |");
}

TEST(FslParser, FindsNamesThatTwoFilesHave) {
  const auto both = [](const std::string& one, const std::string& other) {
    const std::vector<File> files{*parse_file(file_of(one)),
                                  *parse_file(make_source("foo.fsl", other))};
    const auto checked = check_names(files);
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(both("role foo {}", "role foo {}"),
            "Duplicate role `foo` in foo.fsl (originally seen in main.fsl)");
  EXPECT_EQ(both("collection Foo {}", "@alias(Foo) function f() { 1 }"),
            "Duplicate collection or function `Foo` in foo.fsl (originally seen in main.fsl)");
  EXPECT_EQ(both("collection foo {}", "role foo {}"), "");
}

// Every file is either refused, or its printed form parses and prints the same.
TEST(FslParser, SurvivesChangedFiles) {
  const std::vector<std::string> samples{
      "// note\n@alias(F)\ncollection Foo {\n  a: { b: Int? = 1, *: Any }\n  compute c = (.a)\n"
      "  index i { terms [.a, mva(.b)] values [desc(.c)] }\n  unique [.a]\n"
      "  check ok (doc => doc.a != null)\n  ttl_days 3\n  migrations { split .a -> .b, .c }\n}",
      "@role(server)\nfunction f(a: Int, ...b: String): Int {\n  let x = \"#{a}\"\n  x.length\n}",
      "role r {\n  privileges Foo { read { predicate ((d) => d.a) } create }\n  membership U\n}\n"
      "access provider p { issuer \"i\"; jwks_uri \"u\"; role r }",
  };
  Random random(19);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = samples[random.below(samples.size())];
    for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
      const std::size_t at = random.below(text.size() + 1);
      const std::string& other = samples[random.below(samples.size())];
      switch (random.below(3)) {
        case 0: text.erase(at, random.below(9)); break;
        case 1: text.insert(at, other.substr(random.below(other.size()), random.below(9))); break;
        default: text.insert(at, 1, static_cast<char>(random.below(256))); break;
      }
    }
    const SourcePtr source = file_of(text);
    const auto file = parse_file(source);
    if (!file) {
      EXPECT_THAT(render(file.error()), ::testing::StartsWith("error: ")) << text;
      continue;
    }
    const std::string once = printed(text);
    ASSERT_EQ(printed(once), once) << text;
  }
}

}  // namespace
}  // namespace mayfly::fauna::fsl
