// The static check of a schema in a typechecked database.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

class SchemaCheckTest : public FaunaTest {
 protected:
  SchemaCheckTest() {
    run_steps({{"", R"q(Database.create({name: "typed", typechecked: true}))q"},
               {"", R"q(Database.create({name: "free"}))q"}});
    secret = "secret:typed:admin";
  }

  std::string pushed(const std::string& text) {
    const std::string mark = "----formdata-undici-012345678901";
    const std::string body = "--" + mark +
                             "\r\nContent-Disposition: form-data; name=\"main.fsl\"; "
                             "filename=\"blob\"\r\n\r\n" +
                             text + "\r\n--" + mark + "--\r\n";
    const Reply reply = send("POST", "/schema/1/update?force=true&staged=false", body,
                             {{"content-type", "multipart/form-data; boundary=" + mark}});
    return reply.status() == 200 ? "" : reply.message();
  }
};

TEST_F(SchemaCheckTest, BodiesOfFunctionsAreChecked) {
  const Reply reply = query(R"q(Function.create({name: "f", body: "x => Users.all()"}))q");
  EXPECT_EQ(reply.code(), "invalid_schema");
  EXPECT_EQ(reply.message(), "Invalid database schema update.");
  EXPECT_EQ(reply.summary(),
            "error: Invalid database schema update.\n"
            "    error: Unbound variable `Users`\n"
            "    at *udf:f*:1:6\n"
            "      |\n"
            "    1 | x => Users.all()\n"
            "      |      ^^^^^\n"
            "      |");
  EXPECT_EQ(query("Function.byName(\"f\").exists()").data(), "false");
  const std::string create = "Function.create({name: \"h\", signature: \"String => Int\", body: ";
  run_steps({
      {"", create + R"q("x => x.length"}).name)q", R"q("h")q"},
      {"", R"q(Function.byName("h")!.update({body: "x => x.foo"}))q", "invalid_schema: …"},
      {"", R"q(Function.byName("h")!.update({body: "x => x"}))q",
       "summary: …Type `String` is not a subtype of `Int`…"},
      {"", R"q(Function.byName("h")!.update({signature: "Strin => Any"}))q",
       "summary: …Unknown type `Strin`. Did you mean `String`?…"},
  });
  secret = "secret:free:admin";
  run_steps({{"elsewhere nothing is",
              R"q(Function.create({name: "f", body: "x => Users.all()"}).name)q", R"q("f")q"}});
}

TEST_F(SchemaCheckTest, CollectionsAreChecked) {
  const std::string create = "Collection.create({name: \"C\", fields: {a: {signature: ";
  run_steps({
      {"", create + R"q("Nothing"}}}))q", "summary: …Unknown type `Nothing`…"},
      {"", create + R"q("Int", default: "'x'"}}}))q",
       "summary: …Type `String` is not a subtype of `Int`…at *field:C:a*:1:1…"},
      {"", create + R"q("Int"}}, computed_fields: {c: {body: "d => d.b"}}}))q",
       "summary: …Type `C` does not have field `b`…at *computed_field:C:c*:1:8…"},
      {"", create + R"q("Int"}}, computed_fields: {c: {body: "d => d.a", signature: "String"}}}))q",
       "summary: …Type `Int` is not a subtype of `String`…"},
      {"", create + R"q("Int"}}, constraints: [{check: {name: "n", body: "d => d.b > 1"}}]}))q",
       "summary: …Type `C` does not have field `b`…at *check_constraint:n*:1:8…"},
      {"", create + R"q("Int"}}, constraints: [{check: {name: "n", body: "d => d.a"}}]}))q",
       "summary: …Type `Int` is not a subtype of `Boolean`…"},
      {"", create + R"q("Int"}}, computed_fields: {c: {body: "d => d.a + 1", signature: "Number"}},
         constraints: [{check: {name: "n", body: "(.a > 1)"}}]}).name)q",
       R"q("C")q"},
      {"what a function needs must stay",
       R"q(Function.create({name: "f", body: "() => C.all().first()!.a"}).name)q", R"q("f")q"},
      {"", R"q(C.definition.update({fields: {b: {signature: "Int?"}}}).name)q", R"q("C")q"},
      {"", R"q(C.definition.delete())q", "summary: …Unbound variable `C`…"},
  });
}

TEST_F(SchemaCheckTest, PredicatesOfRolesAreChecked) {
  const std::string role = "Role.create({name: \"r\", privileges: [{resource: \"C\", actions: {";
  run_steps({
      {"", R"q(Collection.create({name: "C", fields: {a: {signature: "Int"}}}).name)q", R"q("C")q"},
      {"", role + R"q(read: "d => d.b == 1"}}]}))q",
       "summary: …Type `C` does not have field `b`…at *role:r:read*:1:8…"},
      {"", role + R"q(read: "d => d.a"}}]}))q",
       "summary: …Type `Int` is not a subtype of `Boolean`…"},
      {"", role + R"q(write: "(a, b) => a.a == b.c"}}]}))q",
       "summary: …Type `C` does not have field `c`…"},
      {"", role + R"q(read: "d => d.a == 1", write: "(a, b) => a.a == b.a"}}]}).name)q",
       R"q("r")q"},
  });
}

TEST_F(SchemaCheckTest, APredicateHasAsManyParametersAsArguments) {
  const std::string role = "Role.create({name: \"r\", privileges: [{resource: \"C\", actions: {";
  const std::string member = "Role.create({name: \"r\", membership: {resource: \"C\", predicate: ";
  std::vector<testing::CaseStep> lines = {
      {"", R"q(Collection.create({name: "C"}).name)q", R"q("C")q"},
      {"", member + R"q("() => true"}}))q", "invalid_schema: …"},
      {"", member + R"q("(a, b) => true"}}))q", "invalid_schema: …"}};
  for (const char* wrong :
       {"read: \"() => true\"", "read: \"(a, b) => true\"", "create: \"(a, b) => true\"",
        "delete: \"() => true\"", "write: \"d => true\"", "write: \"(a, b, c) => true\""}) {
    lines.push_back({"", role + wrong + "}}]})", "invalid_schema: …"});
  }
  lines.push_back(
      {"", role + R"q(read: "d => true", write: "(a, b) => true"}}]}).name)q", R"q("r")q"});
  run_steps(lines);
}

TEST_F(SchemaCheckTest, ACollectionThatATypeNamesStays) {
  run_steps({
      {"", R"q(Collection.create({name: "A"}).name)q", R"q("A")q"},
      {"", R"q(Collection.create({name: "B", fields: {a: {signature: "Ref<A>?"}}}).name)q",
       R"q("B")q"},
      {"", R"q(A.definition.delete())q", "summary: …Unknown type `A`…"},
      {"", R"q(B.definition.delete(); A.definition.delete(); 1)q", "1"},
  });
}

TEST_F(SchemaCheckTest, FilesAreCheckedAtTheirPlaces) {
  EXPECT_EQ(pushed("collection A { name: String }\n\n"
                   "function f(x) {\n  let y = x\n  Users.all()\n}"),
            "Invalid database schema update.\n"
            "    error: Unbound variable `Users`\n"
            "    at main.fsl:5:3\n"
            "      |\n"
            "    5 |   Users.all()\n"
            "      |   ^^^^^\n"
            "      |");
  EXPECT_EQ(pushed("collection A {\n  name: String\n  compute n = (.nam)\n"
                   "  check c (.name.foo == 1)\n}\n"),
            "Invalid database schema update.\n"
            "    error: Type `A` does not have field `nam`\n"
            "    at main.fsl:3:17\n"
            "      |\n"
            "    3 |   compute n = (.nam)\n"
            "      |                 ^^^\n"
            "      |\n"
            "    \n"
            "    error: Type `String` does not have field `foo`\n"
            "    at main.fsl:4:18\n"
            "      |\n"
            "    4 |   check c (.name.foo == 1)\n"
            "      |                  ^^^\n"
            "      |");
  const std::string right =
      "function f(x: String): Int { x.length }\n"
      "collection A { name: String?\n compute n: Number = (.b?.n ?? 1)\n b: Ref<B>? }\n"
      "collection B { n: Int = 5\n check c (.n > f(\"a\")) }\n"
      "role r { privileges A { read { predicate (.name == \"x\") } } }\n";
  EXPECT_EQ(pushed(right), "") << "items may name each other in any order";
  secret = "secret:free:admin";
  EXPECT_EQ(pushed("function f(x) { Users.all() }"), "");
}

TEST_F(SchemaCheckTest, AFunctionMayWriteADocumentThatItLooksUp) {
  EXPECT_EQ(pushed("collection Product { name: String\n index byName { terms [.name] } }\n"
                   "collection Cart { owner: String\n index byOwner { terms [.owner] } }\n"
                   "collection CartItem { cart: Ref<Cart>\n product: Ref<Product>\n count: Int }\n"
                   "function cartOf(owner) {\n"
                   "  Cart.byOwner(owner).first() ?? Cart.create({ owner: owner })\n}\n"
                   "function putIn(owner, name, count) {\n"
                   "  let product = Product.byName(name).first()\n"
                   "  if (product == null) abort(\"There is no such product.\")\n"
                   "  let cart: Ref<Cart> = Cart.byOwner(owner).first()\n"
                   "  CartItem.create({ cart: cart, product: product, count: count })\n}\n"),
            "");
}

// Also if the file has the same text elsewhere, or spells it differently.
TEST_F(SchemaCheckTest, AnErrorIsShownInItsOwnBody) {
  const auto places = [&](const std::string& text) {
    std::string found;
    const std::string result = pushed(text);
    for (std::size_t at = 0; (at = result.find("at main.fsl:", at)) != result.npos;) {
      at += std::string_view("at main.fsl:").size();
      found += (found.empty() ? "" : " ") + result.substr(at, result.find('\n', at) - at);
    }
    return found;
  };
  EXPECT_EQ(places("collection A {\n  name: String\n  compute e: String = (.name)\n"
                   "  check z (.name)\n  check y (.name)\n}\n"
                   "collection B {\n  name: String\n  check z (.name)\n}\n"),
            "4:12 5:12 9:12");
  EXPECT_EQ(places("collection A {\n  name: String\n  check x (x => x)\n"
                   "  compute name2: Int = (name => name.name)\n}\n"),
            "4:33 3:17");
  EXPECT_EQ(places("collection A {\n  a: Strin\n  b: Strin?\n  c: Int = \"a\"\n  d: Int = \"a\"\n"
                   "  e:   { a:Strin }\n  f: { g: Strin }\n}\n"),
            "2:6 3:6 4:12 5:12 6:8 7:11");
  EXPECT_EQ(places("function Strin2(a: Strin, b: Int,   c: Strin): Strin {\n  let x: Strin = b\n"
                   "  x\n}\n"
                   "function f(a: Int, ...b: Strin): Int { a }\n"),
            "1:20 1:40 1:48 2:10 5:26");
  EXPECT_EQ(places("collection A { name: String }\n"
                   "role r {\n  privileges A {\n    read { predicate (.name) }\n"
                   "    delete { predicate (.name) }\n  }\n"
                   "  membership A { predicate (.name) }\n}\n"),
            "4:23 5:25 7:29");
}

}  // namespace
}  // namespace mayfly::fauna::testing
