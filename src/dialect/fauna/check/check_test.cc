// Errors that typechecking finds, and the types that it infers.
#include "dialect/fauna/check/check.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/syntax/parser.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

struct StaticTypeCase {
  std::string query;
  std::string type;
};
// A refused query and the messages of its diagnostics, one per line.
struct RefusedQueryCase {
  std::string query;
  std::string expected;
};

class CheckTest : public FaunaTest {
 protected:
  CheckTest() {
    run_steps({
        {"", R"(Collection.create({name: "Author"}))"},
        {"", R"(Collection.create({name: "Book", fields: {
                  title: {signature: "String"}, pages: {signature: "Int?"},
                  author: {signature: "Ref<Author>?"}, kind: {signature: "'a' | 'b'", default: "'a'"},
                  place: {signature: "{ shelf: Int, row: String? }?"}, tags: {signature: "Array<String>?"}},
                computed_fields: {long: {body: "b => (b.pages ?? 0) > 300", signature: "Boolean"}},
                indexes: {byTitle: {terms: [{field: "title"}]}}}))"},
        {"",
         R"(Function.create({name: "twice", alias: "double", body: "x => x * 2", signature: "Number => Number"}))"},
        {"", R"(Function.create({name: "plain", body: "(a, b) => a"}))"},
    });
  }

  Reply checked(const std::string& text) { return query(text, {{"x-typecheck", "true"}}); }

  static std::string messages(const std::string& summary) {
    std::string result;
    for (std::size_t at = 0; at < summary.size();) {
      const std::size_t end = std::min(summary.find('\n', at), summary.size());
      const std::string line = summary.substr(at, end - at);
      for (const char* word : {"error: ", "warning: ", "hint: ", "cause: "}) {
        if (line.starts_with(word)) result += (result.empty() ? "" : "\n") + line;
      }
      at = end + 1;
    }
    return result;
  }
};

TEST_F(CheckTest, TheTypeOfAQueryIsAnswered) {
  const StaticTypeCase cases[] = {
      {"if (true) { 42 } else { 41 }", "42 | 41"},
      {"1 + 2", "Number"},
      {R"("a" + 1)", "String"},
      {R"("taco".length)", "Int"},
      {R"(["a", 1])", R"(["a", 1])"},
      {"{ a: 1, \"b c\": [true] }", "{ a: 1, \"b c\": [true] }"},
      {"null", "Null"},
      {"let x = 5; x == 5", "Boolean"},
      {"if (1 > 2) 1", "1 | Null"},
      {"x => x", "Any => Any"},
      {"[1, 2].map(x => x + 1)", "Array<Number>"},
      {"[1, 2].first()", "1 | 2 | Null"},
      {"[1, 2].first()!", "1 | 2"},
      {"[1, 2].first() ?? \"none\"", "1 | 2 | \"none\""},
      {"Book.all()", "Set<Book>"},
      {"Book.byTitle(\"x\").first()", "Book | Null"},
      {"Book.byId(1)", "Ref<Book>"},
      {"Book.byId(1)?.title", "String | Null"},
      {"Book.byId(1) { title, long }", "{ title: String, long: Boolean } | Null"},
      {"Book.all() { title }", "Set<{ title: String }>"},
      {"Book.all().map(.pages)", "Set<Int | Null>"},
      {"Book.where(.pages == 1).toArray()", "Array<Book>"},
      {"Author.byId(1)?.anything", "Any"},
      {"Book", "BookCollection"},
      {"Math", "MathModule"},
      {"Time.now()", "Time"},
      {"twice(2)", "Number"},
      {"plain(1, 2)", "Any"},
      {"double(2)", "Number"},
      {"Time(\"2020-01-01T00:00:00Z\").add(1, \"day\")", "Time"},
      {"\"a#{1}\"", "String"},
      {"let x: Int | String = 5; x", "Int | String"},
      {"FQL.Math.abs(-1)", "Number"},
  };
  for (const StaticTypeCase& one : cases) {
    const Reply reply = checked(one.query);
    EXPECT_EQ(reply.status(), 200) << one.query << "\n" << reply.summary();
    EXPECT_EQ(reply.text("static_type"), one.type) << one.query;
  }
  EXPECT_EQ(query("1").text("static_type"), "") << "it was not typechecked";
}

TEST_F(CheckTest, ErrorsAreRefused) {
  const RefusedQueryCase cases[] = {
      {"nothing", "error: Unbound variable `nothing`"},
      {"2 + \"2\"", "error: Type `String` is not a subtype of `Number`"},
      {"if (5) 1", "error: Type `Int` is not a subtype of `Boolean`"},
      {"true && 1", "error: Type `Int` is not a subtype of `Boolean`"},
      {"!5", "error: Type `Int` is not a subtype of `Boolean`"},
      {"Time.now() - 1", "error: Type `Time` does not have field `-`"},
      {"at (5) { 1 }", "error: Type `Int` is not a subtype of `TransactionTime | Time`"},
      {"\"x\".conct(\"y\")", "error: Type `String` does not have field `conct`"},
      {"\"x\".foo", "error: Type `String` does not have field `foo`"},
      {"{ a: 1 }.b", "error: Type `{ a: 1 }` does not have field `b`"},
      {"\"x\".concat(5)", "error: Type `Int` is not a subtype of `String`"},
      {"5(1)", "error: Type `Int` cannot be used as a function"},
      {"\"x\".length()", "error: Type `Int` cannot be used as a function"},
      {"5[0]", "error: Cannot use `[]` operator with type `Int`"},
      {"5 { a }", "error: Cannot use projection with type `Int`"},
      {"[1][\"a\"]", "error: Type `String` is not a subtype of `Number`"},
      {"twice(1, 2)", "error: Function was called with too many arguments. Expected 1, received 2"},
      {"plain(1)", "error: Function was not called with enough arguments. Expected 2, received 1"},
      {"\"x\".slice()",
       "error: Function was not called with enough arguments. Expected at least 1, received 0"},
      {"(x => x)(1, 2)",
       "error: Function was called with too many arguments. Expected 1, received 2"},
      {"twice(\"x\")", "error: Type `String` is not a subtype of `Number`"},
      {"[1].map((a, b) => a)", "error: Type `(Any, Any) => Any` is not a subtype of `1 => Any`"},
      {"[1].map(x => x.foo)", "error: Type `Int` does not have field `foo`"},
      {"[1].filter(x => 5)", "error: Type `Int` is not a subtype of `Boolean`"},
      {"let x: String = 1; x", "error: Type `Int` is not a subtype of `String`"},
      {"let x: strng = 1; x", "error: Unknown type `strng`. Did you mean `String`?"},
      {"let x: book = 1; x", "error: Unknown type `book`. Did you mean `Book`?"},
      {"let x: Whatever = 1; x", "error: Unknown type `Whatever`"},
      {"Math.sine(1)", "error: Type `MathModule` does not have field `sine`"},
      {"Math(1)", "error: Type `MathModule` cannot be used as a function"},
      {"Book.byAuthor()", "error: Type `BookCollection` does not have field `byAuthor`"},
      {"Book.byTitle()",
       "error: Function was not called with enough arguments. Expected at least 1, received 0"},
      {"Book.where(.foo == 1)", "error: Type `Book` does not have field `foo`"},
      {"Book.all() { foo }", "error: Type `Book` does not have field `foo`"},
      {"Book.byId(1).title",
       "error: Type `NullBook` does not have field `title`\n"
       "hint: Use the ! or ?. operator to handle the null case"},
      {"[\"a\"].first().length",
       "error: Type `Null` does not have field `length`\n"
       "hint: Use the ! or ?. operator to handle the null case"},
      {"let x = null; x.foo",
       "error: Type `Null` does not have field `foo`\nhint: Type `Null` inferred here\n"
       "hint: Use the ! or ?. operator to handle the null case"},
      {"let x = \"a\"; twice(x)",
       "error: Type `String` is not a subtype of `Number`\nhint: Type `String` inferred here"},
      {"x\ny", "error: Unbound variable `x`\nerror: Unbound variable `y`"},
  };
  for (const RefusedQueryCase& one : cases) {
    const Reply reply = checked(one.query);
    EXPECT_EQ(reply.code(), "invalid_query") << one.query << "\n" << reply.response.body;
    EXPECT_EQ(messages(reply.summary()), one.expected) << one.query;
  }
  EXPECT_EQ(checked("x\ny").message(), "The query failed 2 validation checks");
}

TEST_F(CheckTest, WritesAreCheckedAgainstTheFields) {
  const RefusedQueryCase cases[] = {
      {"Book.create({ title: 5 })", "error: Type `Int` is not a subtype of `String`"},
      {"Book.create({ pages: 5 })", "error: Type `{ pages: 5 }` does not have field `title`"},
      {"Book.create({ title: \"x\", foo: 1 })",
       "error: Type `{ title: \"x\", foo: 1 }` contains extra field `foo`"},
      {"Book.create({ title: \"x\", ttl: Time.now() })",
       "error: Type `{ title: \"x\", ttl: Time }` contains extra field `ttl`"},
      {"Book.create({ title: \"x\", kind: \"c\" })",
       "error: Type `\"c\"` is not a subtype of `\"a\" | \"b\" | Null`"},
      {"Book.create({ title: \"x\", place: { shelf: \"y\" } })",
       "error: Type `{ shelf: \"y\" }` is not a subtype of `{ shelf: Int, row: String | Null } | "
       "Null`"},
      {"Book.byId(1)!.update({ title: 5 })",
       "error: Type `Int` is not a subtype of `String | Null`"},
      {"Book.byId(1)!.update({ id: 5 })", "error: Type `{ id: 5 }` contains extra field `id`"},
      {"Book.byId(1)!.replace({ pages: 5 })",
       "error: Type `{ pages: 5 }` does not have field `title`"},
      {"Book.createData({ title: \"x\", ttl: 5 })",
       "error: Type `{ title: \"x\", ttl: 5 }` contains extra field `ttl`"},
      {"Author.create({ data: 1 })", "error: Type `Int` is not a subtype of `Null`"},
      {"Author.create({ ttl: 1 })", "error: Type `Int` is not a subtype of `Time | Null`"},
      {"Book.create(5)",
       "error: Type `Int` is not a subtype of `{ id: ID | Null, title: String, pages: Int | Null, "
       "author: Ref<Author> | Null, kind: \"a\" | \"b\" | Null, place: { shelf: Int, row: String | "
       "Null } | Null, tags: Array<String> | Null }`"},
  };
  for (const RefusedQueryCase& one : cases) {
    const Reply reply = checked(one.query);
    EXPECT_EQ(reply.code(), "invalid_query") << one.query << "\n" << reply.response.body;
    EXPECT_EQ(messages(reply.summary()), one.expected) << one.query;
  }
  run_steps({
      {"", R"(typechecked Book.create({ id: "1", title: "x", author: Author.byId(9) }).title)",
       R"("x")"},
      {"any number is taken: its kind is tested when the query runs",
       R"(typechecked Book.create({ title: "x", pages: 1.5 }))", "constraint_failure: …"},
      {"", R"(typechecked Book.byId(1)!.update({ pages: 5, tags: ["a"] }).pages)", "5"},
      {"", R"(typechecked Author.create({ anything: 1, ttl: null }).anything)", "1"},
      {"", R"(typechecked Author.createData({ ttl: "x" }).data.ttl)", R"("x")"},
  });
}

// A document or null, as `first()` returns it. Whether it exists is tested when the query runs.
TEST_F(CheckTest, ADocumentOrNullFitsAReference) {
  run_steps({
      {"", R"(Collection.create({name: "Loan", fields: {book: {signature: "Ref<Book>"},
                others: {signature: "Array<Ref<Book>>?"}}}))"},
      {"", R"(Function.create({name: "title", body: "b => b?.title",
                signature: "Ref<Book> => String | Null"}))"},
      {"", R"(typechecked Book.create({ id: 1, title: "x" }).title)", R"("x")"},
      {"", R"(typechecked let b = Book.byTitle("x").first()
              Loan.create({ book: b, others: [b] }).book!.title)",
       R"("x")"},
      {"", "typechecked Loan.create({ book: Loan.all().first()?.book }).book!.id", R"("1")"},
      {"", "typechecked Loan.all().first()!.replace({ book: Book.all().last() }).book!.id",
       R"("1")"},
      {"", "typechecked title(Book.all().first())", R"("x")"},
      {"what is null is refused when the query runs",
       R"(typechecked let b = Book.byTitle("none").first(); Loan.create({ book: b }))",
       R"(constraint_failure: … [[["book"]] Missing required field of type Ref<Book>])"},
  });
  const RefusedQueryCase cases[] = {
      {"Loan.create({ book: null })", "error: Type `Null` is not a subtype of `Ref<Book>`"},
      {"Loan.create({ book: Author.all().first() })",
       "error: Type `Author | Null` is not a subtype of `Ref<Book>`"},
      {"Loan.create({ book: if (1 == 1) Book.all().first() else 5 })",
       "error: Type `Book | Null | 5` is not a subtype of `Ref<Book>`"},
      {"let b: Book = Book.all().first(); b",
       "error: Type `Book | Null` is not a subtype of `Book`"},
  };
  for (const RefusedQueryCase& one : cases) {
    const Reply reply = checked(one.query);
    EXPECT_EQ(reply.code(), "invalid_query") << one.query << "\n" << reply.response.body;
    EXPECT_EQ(messages(reply.summary()), one.expected) << one.query;
  }
}

TEST_F(CheckTest, SeveralErrorsInOneObjectAreCauses) {
  run_steps({{"", R"(Collection.create({name: "A0", fields: {name: {signature: "String"}}}))"}});
  EXPECT_EQ(checked("A0.create({ttl: Time.now()})").summary(),
            "error: Type `{ ttl: Time }` is not a subtype of `{ id: ID | Null, name: String }`\n"
            "at *query*:1:11\n"
            "  |\n"
            "1 | A0.create({ttl: Time.now()})\n"
            "  |           ^^^^^^^^^^^^^^^^^\n"
            "  |\n"
            "cause: Type `{ ttl: Time }` contains extra field `ttl`\n"
            "  |\n"
            "1 | A0.create({ttl: Time.now()})\n"
            "  |           ^^^^^^^^^^^^^^^^^\n"
            "  |\n"
            "cause: Type `{ ttl: Time }` does not have field `name`\n"
            "  |\n"
            "1 | A0.create({ttl: Time.now()})\n"
            "  |           ^^^^^^^^^^^^^^^^^\n"
            "  |");
}

TEST_F(CheckTest, HintsShowWhatToWriteAndWhereATypeIsFrom) {
  EXPECT_EQ(checked("let b = Book.byId(1)\nb.title").summary(),
            "error: Type `NullBook` does not have field `title`\n"
            "at *query*:2:3\n"
            "  |\n"
            "2 | b.title\n"
            "  |   ^^^^^\n"
            "  |\n"
            "hint: Type `NullBook` inferred here\n"
            "at *query*:1:9\n"
            "  |\n"
            "1 | let b = Book.byId(1)\n"
            "  |         ^^^^^^^^^^^^\n"
            "  |\n"
            "hint: Use the ! or ?. operator to handle the null case\n"
            "  |\n"
            "2 | b!.title\n"
            "  |  +\n"
            "  |");
}

TEST_F(CheckTest, AFunctionThatIsNotCalledIsAWarning) {
  const Reply reply = checked("Book.all\n5");
  EXPECT_EQ(reply.data(), "5");
  EXPECT_EQ(reply.summary(),
            "warning: Function is not called.\n"
            "at *query*:1:1\n"
            "  |\n"
            "1 | Book.all\n"
            "  | ^^^^^^^^\n"
            "  |\n"
            "hint: Call the function.\n"
            "  |\n"
            "1 | Book.all()\n"
            "  |         ++\n"
            "  |");
}

TEST_F(CheckTest, WhatCannotBeProvedWrongIsAccepted) {
  run_steps({
      {"", "typechecked let f = x => x.foo.bar(1); 5", "5"},
      {"", "typechecked let s = if (1 == 1) \"a\" else 5; s.toString()", "\"a\""},
      {"", "typechecked Query.identity() == null", "true"},
      {"", "typechecked Author.all().map(.a.b.c).count()", "0"},
      {"", "typechecked Collection.byName(\"Book\")!.history_days", "0"},
      {"", R"(typechecked let p = Book.all().paginate(1); p.data.map(.title).length)", "0"},
      {"", "typechecked [1, 2].toSet().fold(0, (sum, n) => sum + n)", "3"},
      {"", "typechecked [3, 1].order(desc(x => x))[0]", "3"},
      {"", "typechecked Book.byId(1).exists()", "false"},
      {"", "typechecked Book.byId(1) == null && Book.byId(1).id == ID(1)", "true"},
      {"", "typechecked null?.a.b", "null"},
      {"", "typechecked let a = [1, \"b\"]; a[0] == 1", "true"},
  });
}

TEST_F(CheckTest, TheFlagOfTheNearestDatabaseDecides) {
  const Headers unsaid;
  run_steps({{"", R"(Database.create({name: "typed", typechecked: true}))"},
             {"", R"(Database.create({name: "free"}))"}});
  EXPECT_EQ(query("2 + \"2\"", unsaid).code(), "invalid_argument");
  secret = "secret:typed:admin";
  EXPECT_EQ(query("2 + \"2\"", unsaid).code(), "invalid_query");
  EXPECT_EQ(query("2 + \"2\"").code(), "invalid_argument") << "the header says otherwise";
  EXPECT_EQ(query("1", unsaid).text("static_type"), "1");
  run_steps({{"", R"(Database.create({name: "below"}))"},
             {"", R"(Database.create({name: "free", typechecked: false}))"}});
  secret = "secret:typed/below:admin";
  EXPECT_EQ(query("2 + \"2\"", unsaid).code(), "invalid_query");
  secret = "secret:typed/free:admin";
  EXPECT_EQ(query("2 + \"2\"", unsaid).code(), "invalid_argument");
  secret = "secret:free:admin";
  EXPECT_EQ(query("2 + \"2\"", unsaid).code(), "invalid_argument");
}

TEST_F(CheckTest, ValuesOfTemplatesAndArgumentsHaveTypes) {
  const Headers on{{"x-typecheck", "true"}, {"x-format", "tagged"}};
  const Reply refused = query_body(R"({"query":{"fql":["2 + ",{"value":"x"}]}})", on);
  EXPECT_EQ(messages(refused.summary()), "error: Type `String` is not a subtype of `Number`");
  const Reply passed =
      query_body(R"({"query":{"fql":[{"value":{"@object":{"a":{"@int":"1"}}}},".b"]}})", on);
  EXPECT_EQ(passed.status(), 200) << passed.summary();
  const Reply argument = query_body(R"({"query":"a.length","arguments":{"a":{"@int":"5"}}})", on);
  EXPECT_EQ(messages(argument.summary()), "error: Type `Int` does not have field `length`");
}

TEST_F(CheckTest, ValuesAreTypedAsLiteralsAre) {
  const Headers on{{"x-typecheck", "true"}, {"x-format", "tagged"}};
  const auto with = [&](const std::string& before, const std::string& value,
                        const std::string& after) {
    return query_body(R"({"query":{"fql":[)" + render_json(mayfly::Value(before)) +
                          R"(,{"value":)" + value + "}," + render_json(mayfly::Value(after)) +
                          "]}}",
                      on);
  };
  const auto type_of = [&](const std::string& value) {
    return with("", value, "").text("static_type");
  };
  EXPECT_EQ(type_of(R"("it's")"), R"("it's")");
  EXPECT_EQ(type_of(R"({"@int":"5"})"), "5");
  EXPECT_EQ(type_of(R"({"@double":"1.5"})"), "1.5");
  EXPECT_EQ(type_of(R"({"@double":"NaN"})"), "Double");
  EXPECT_EQ(type_of("true"), "true");
  EXPECT_EQ(type_of("null"), "Null");
  EXPECT_EQ(type_of(R"({"a":["x",{"@date":"2020-01-01"}]})"), R"({ a: ["x", Date], *: Any })");
  const std::string create = "Book.create({ title: 't', kind: ";
  EXPECT_EQ(with(create, R"("b")", " }).kind").text("data"), "b");
  EXPECT_EQ(messages(with(create, R"("c")", " })").summary()),
            R"(error: Type `"c"` is not a subtype of `"a" | "b" | Null`)");
  EXPECT_EQ(with("Book.create(", R"({"title":"t","kind":"a"})", ").kind").text("data"), "a");
  EXPECT_EQ(messages(with("Book.create({ title: ", R"({"@int":"5"})", " })").summary()),
            "error: Type `Int` is not a subtype of `String`");
  EXPECT_EQ(query_body(R"({"query":"Book.create({ title: t, kind: k }).kind",
                           "arguments":{"t":"t","k":"a"}})",
                       on)
                .text("data"),
            "a");
}

TEST_F(CheckTest, ValuesThatAreLiteralsFitWhereverTheirKindDoes) {
  const Headers on{{"x-typecheck", "true"}};
  const std::pair<const char*, const char*> cases[] = {
      {"let x = v; x == 'b'", "false"},
      {"let x: String = v; x + 'b'", R"("ab")"},
      {"(if (1 == 1) v else 'c').length", "1"},
      {"[v, 'b'].includes('c')", "false"},
      {"[v].concat(['b'])", R"(["a","b"])"},
      {"[v].fold('', (sum, one) => sum + one)", R"("a")"},
      {"['x'].map(x => if (x == v) 1 else 2)", "[2]"},
      {"Set.single(v).concat(Set.single(2)).count()", "2"},
      {"let f: String => String = x => x; f(v)", R"("a")"},
      {"let f = x => x + v; [f].map(f => f('b'))", R"(["ba"])"},
      {"({ a: 1 })[v]", "1"},
      {"({ b: 1 })[v]", "null"},
      {"let o = { b: 1 }; let key = v; o[key]", "null"},
      {"Book.createData({ title: v, pages: 5 })['pages'] == 5 && v isa String", "true"},
      {"Book.all().first()![v]", "null"},
      {"Book.byTitle(v).first()?.title", R"("a")"},
  };
  for (const auto& [text, result] : cases) {
    const mayfly::Value body(
        Object{{"query", mayfly::Value(std::string(text))},
               {"arguments", mayfly::Value(Object{{"v", mayfly::Value(std::string("a"))}})}});
    EXPECT_EQ(query_body(render_json(body), on).result(), result) << text;
  }
}

// Many values get one common type.
TEST_F(CheckTest, TheTypesOfManyValuesAreSmall) {
  const auto type_of = [&](const std::string& expression, std::size_t count, std::size_t kinds) {
    std::string values;
    for (std::size_t i = 0; i < count; ++i) {
      values += (i == 0 ? "\"" : ",\"") + std::to_string(i % kinds) + "\"";
    }
    return query_body(R"({"query":")" + expression + R"(","arguments":{"v":[)" + values + "]}}",
                      {{"x-typecheck", "true"}})
        .text("static_type");
  };
  EXPECT_EQ(type_of("v", 3, 3), R"(["0", "1", "2"])");
  EXPECT_EQ(type_of("v", 33, 2), R"(Array<"0" | "1">)");
  EXPECT_EQ(type_of("v", 33, 33), "Array<String>");
  EXPECT_EQ(type_of("v.first()", 32, 32), "String | Null");
  EXPECT_EQ(type_of("v", limits::fql_typed_values_max - 1, 2), R"(Array<"0" | "1">)");
  EXPECT_EQ(type_of("v", limits::fql_typed_values_max, 2), "Array<Any>");
  const std::string text(1'000, 'x');
  EXPECT_EQ(
      query_body(R"({"query":"v","arguments":{"v":")" + text + R"("}})", {{"x-typecheck", "true"}})
          .text("static_type"),
      "String");
}

TEST_F(CheckTest, TheNumberOfErrorsIsBounded) {
  std::string many;
  for (int i = 0; i < 500; ++i) many += "x" + std::to_string(i) + "\n";
  EXPECT_EQ(checked(many).message(), "The query failed 20 validation checks");
}

// Infinite types, and types that double in size with each line, become Any.
TEST_F(CheckTest, TypesAreBounded) {
  std::string doubling = "let a = { x: 1 }\n";
  std::string wide = "[";
  for (int i = 0; i < 200; ++i) {
    if (i < 10) doubling += "let a = { p: a, q: a }\n";
    wide += std::to_string(i) + ", ";
  }
  const Reply grown = checked(doubling + "a.p");
  EXPECT_EQ(grown.text("static_type"), "{ p: Any, q: Any }") << grown.summary();
  EXPECT_EQ(checked(wide + "1]").text("static_type"), "Array<Int>");
  EXPECT_EQ(checked(wide + "\"x\"].first()").text("static_type"), "Int | String | Null");
  std::string fields = "a: 0";
  for (int i = 0; i < 498; ++i) fields += ", a" + std::to_string(i) + ": 0";
  EXPECT_EQ(checked("({ b: 1 }) { b: { " + fields + " } }").text("static_type"), "Any");
  EXPECT_EQ(checked("let f = x => { " + fields + " }\n[1].map(f)[0].b").data(), "null");
  std::string unknown = "let x: A0";
  for (int i = 1; i < 100; ++i) unknown += " | A" + std::to_string(i);
  EXPECT_EQ(checked(unknown + " = 1\nx").message(), "The query failed 20 validation checks");
  const std::string text(1'000, 'x');
  EXPECT_EQ(checked("\"" + text + "\"").text("static_type"), "String");
}

TEST_F(CheckTest, CheckingEndsWithItsTime) {
  View view = database->view();
  Reading reading(view, database->catalog()->find_database("fauna")->id);
  std::string large;
  for (int i = 0; i < 2'000; ++i) large += "[1].map(x => x + 1)\n";
  const auto program = parse_query({make_source("*query*", large), {}});
  ASSERT_TRUE(program);
  const Meter late([] { return Instant{10}; }, Instant{5});
  const auto checked = check_query(reading, late, **program, {});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, Code::timed_out);
}

}  // namespace
}  // namespace mayfly::fauna::testing
