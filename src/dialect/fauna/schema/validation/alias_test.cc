// Aliases: second names of collections and functions, which share one namespace with the names.
#include "dialect/fauna/push/http/testing.h"

namespace mayfly::fauna {
namespace {

using Aliases = testing::SchemaTest;

TEST_F(Aliases, NameCollectionsAndFunctions) {
  run_steps({
      {"13",
       R"(Collection.create({ name: "Foo", alias: "Bar", indexes: { byA: { terms: [".a"] } } }))"},
      {"", "Bar.create({ id: 1, a: 1 })", R"({"id":"1","coll":"Foo","ts":"…","a":1})"},
      {"", R"([Bar.byId(1)!.a, Collection("Bar").all().count(), Bar.byA(1).count()])", "[1,1,1]"},
      {"", "Bar.definition.name", "\"Foo\""},
      {"a document has one name", R"(Collection.byName("Bar").exists())", "false"},
      {"", R"(Function.create({ name: "double", alias: "twice", body: "x => x * 2" }))"},
      {"", R"([twice(3), double(3), Function("twice")(4), [1, 2].map(twice)])", "[6,6,8,[2,4]]"},
      {"", "typechecked [twice(3), Bar.byId(1)!.a]", "[6,1]"},
      {"the real name", R"(twice("a"))", "summary: …*udf:double*…"},
      {"changed", R"(Function.byName("double")!.update({ alias: "dbl" }).alias)", "\"dbl\""},
      {"", "dbl(1)", "2"},
      {"", "twice(1)", "unbound_variable: Unbound variable `twice`"},
      {"", R"(Function.byName("double")!.update({ alias: null }).alias)", "null"},
      {"", "dbl(1)", "unbound_variable: Unbound variable `dbl`"},
      {"", R"(Function("dbl"))",
       "invalid_argument: invalid argument `function`: No such user function `dbl`."},
  });
}

TEST_F(Aliases, ShareOneSpaceWithNames) {
  run_steps({
      {"I", R"(Collection.create({ name: "Foo", alias: "Bar" }))"},
      {"", R"(Function.create({ name: "f", alias: "g", body: "x => x" }))"},
      {"", R"(Function.create({ name: "Bar", body: "x => x" }))",
       R"(…[[["name"]] A Collection already exists with the alias `Bar`])"},
      {"", R"(Collection.create({ name: "g" }))",
       R"(…[[["name"]] A Function already exists with the alias `g`])"},
      {"", R"(Function.create({ name: "h", alias: "Bar", body: "x => x" }))",
       R"(…[[["alias"]] A Collection already exists with the alias `Bar`])"},
      {"", R"(Collection.create({ name: "C", alias: "f" }))",
       R"(…[[["alias"]] A Function already exists with the name `f`])"},
      {"", R"(Collection.create({ name: "C", alias: "C" }))",
       R"(…[[["alias"]] A Collection already exists with the name `C`])"},
      {"", R"(Foo.definition.update({ alias: "g" }))",
       R"(…[[["alias"]] A Function already exists with the alias `g`])"},
      {"reserved", R"(Foo.definition.update({ alias: "Time" }))",
       R"(…[[["alias"]] The identifier `Time` is reserved.])"},
      {"", R"(Foo.definition.update({ alias: "a b" }))", R"(…[[["alias"]] Invalid identifier.])"},
      {"kept", R"(Foo.definition.update({ alias: "Bar", ttl_days: 1 }).alias)", "\"Bar\""},
  });
}

TEST_F(Aliases, AreReleasedAndTakenWithinOneQuery) {
  run_steps({
      {"freed", R"(Function.create({ name: "f", alias: "g", body: "x => x" }))"},
      {"",
       R"(Function.byName("f")!.update({ alias: "h" });
          Function.create({ name: "f2", alias: "g", body: "x => x" }).alias)",
       "\"g\""},
      {"",
       R"(Function.byName("f2")!.delete(); Function.create({ name: "g", body: "x => x" }).name)",
       "\"g\""},
      {"taken",
       R"(Function.create({ name: "p", alias: "q", body: "x => x" });
          Function.create({ name: "q", body: "x => x" }))",
       R"(…[[["name"]] A Function already exists with the alias `q`])"},
      {"",
       R"(Function.create({ name: "p", body: "x => x" });
          Function.create({ name: "q", alias: "p", body: "x => x" }))",
       R"(…[[["alias"]] A Function already exists with the name `p`])"},
      {"renamed",
       R"(Function.byName("f")!.update({ name: "k" });
          Function.create({ name: "f", alias: "h", body: "x => x" }))",
       R"(…[[["alias"]] A Function already exists with the alias `h`])"},
      {"",
       R"(Function.byName("f")!.update({ name: "k" });
          Function.create({ name: "f", body: "x => x" }).name)",
       "\"f\""},
  });
}

TEST_F(Aliases, AreLookedUpInAConstantNumberOfStepsPerDefinition) {
  const auto steps_of = [this](int from) {
    const testing::Reply reply =
        query("Set.sequence(" + std::to_string(from) + ", " + std::to_string(from + 400) +
              R"().forEach(n => Function.create({ name: "f" + n.toString(), body: "x => x" })))");
    EXPECT_EQ(reply.status(), 200) << reply.result();
    return std::stoi(reply.text("stats.compute_ops"));
  };
  const int first = steps_of(0);
  steps_of(400);
  EXPECT_LE(steps_of(800), first + 1);
}

TEST_F(Aliases, AreWrittenInFiles) {
  EXPECT_EQ(pushed("@alias(Bar)\ncollection Foo {}\n@alias(twice)\nfunction double(x) { x * 2 }\n"),
            "");
  run_steps({{"", "Bar.create({ a: twice(2) }).a", "4"}});
  EXPECT_EQ(diff(main_text()), "");
  EXPECT_NE(pushed("collection Foo {}\n@alias(Foo) function f() { 1 }")
                .find("Duplicate collection or function `Foo`"),
            std::string::npos);
  EXPECT_EQ(pushed("@alias(double)\ncollection Foo {}\nfunction Bar(x) { x + 1 }\n"), "")
      << "names become free before others take them";
  run_steps({{"", "[double.all().count(), Bar(1)]", "[1,2]"}});
  EXPECT_EQ(pushed("@alias(Bar)\ncollection Foo {}\n@alias(double)\nfunction f(x) { x + 2 }\n"),
            "");
  EXPECT_EQ(pushed("@alias(double)\ncollection Foo {}\n@alias(Bar)\nfunction f(x) { x + 2 }\n"),
            "");
  run_steps({{"", "[double.all().count(), Bar(1)]", "[1,3]"}});
}

TEST_F(Aliases, CanBeUsedInPrivileges) {
  run_steps({
      {"", R"(Function.create({ name: "double", alias: "twice", body: "x => x * 2" }))"},
      {"", R"(Function.create({ name: "other", body: "x => x" }))"},
      {"",
       R"(Role.create({ name: "r", privileges: { resource: "twice", actions: { call: true } } }))"},
  });
  secret = "secret:@role/r";
  run_steps({{"", "[double(1), twice(1)]", "[2,2]"}, {"", "other(1)", "permission_denied: …"}});
}

TEST_F(Aliases, CanBeUsedInMemberships) {
  run_steps({{"", "Database.create({ name: 'd' }).name", "\"d\""}});
  secret = "secret:d:admin";
  run_steps({
      {"", R"(Collection.create({ name: "User", alias: "Person" }))"},
      {"",
       R"(Role.create({ name: "r", membership: { resource: "Person" }, privileges: { resource: "Person", actions: { read: true } } }))"},
      {"", "User.create({ id: 1, a: 5 }).a", "5"},
  });
  secret = "secret:d:@doc/User/1";
  run_steps({{"", "Person.byId(1)!.a", "5"}});
}

TEST_F(Aliases, AFunctionIsNotUsedInTheQueryThatMakesIt) {
  const std::string make = R"(Function.create({ name: "f", alias: "g", body: "x => x" }); )";
  run_steps({
      {"I", make + "f(1)", "unbound_variable: Unbound variable `f`"},
      {"", make + "f(1)",
       "summary: …hint: A function cannot be created and used in the same query.…"},
      {"", make + "Function('f')",
       "invalid_argument: invalid argument `function`: No such user function `f`."},
      {"", make + "Function('f')",
       "summary: …hint: A function cannot be created and used in the same query.…"},
      {"", make + "g(1)", "unbound_variable: Unbound variable `g`"},
      {"", "f(1)", "unbound_variable: Unbound variable `f`"},
      {"", make + "1", "1"},
      {"", "[f(1), g(2)]", "[1,2]"},
      {"what was there", R"(Function.byName("f")!.update({ body: "x => x + 1" }); f(1))", "2"},
  });
}

}  // namespace
}  // namespace mayfly::fauna
