// Names in roles and access providers must exist, in FQL and in files.
#include "dialect/fauna/push/http/testing.h"

namespace mayfly::fauna {
namespace {

using References = testing::SchemaTest;

const std::string invalid = "invalid_schema: Invalid database schema update.";

TEST_F(References, OfARoleMustExist) {
  run_steps({
      {"", R"(Role.create({ name: "r", privileges: [{ resource: "Nope", actions: {} }] }))",
       invalid},
      {"", R"(Role.create({ name: "r", privileges: [{ resource: "Nope", actions: {} }] }))",
       "summary: error: Invalid database schema update.\n"
       "    error: Resource `Nope` does not exist\n"
       "    at *role:r*:1:12\n"
       "      |\n"
       "    1 | privileges Nope\n"
       "      |            ^^^^\n"
       "      |…"},
      {"", R"(Role.create({ name: "r", membership: { resource: "Nope" } }))", invalid},
      {"", R"(Role.byName("r").exists())", "false"},
      {"of other databases", R"(Database.create({ name: "d" }).name)", R"("d")"},
      {"", R"(Role.create({ name: "r", privileges: { resource: "d", actions: {} } }))", invalid},
      {"", R"(Function.create({ name: "f", body: "() => 1" }).name)", R"("f")"},
      {"no document of a function is a member",
       R"(Role.create({ name: "r", membership: { resource: "f" } }))", invalid},
      {"", R"(Role.create({ name: "r", membership: { resource: "Collection" },
                 privileges: ["f", "Role", "Credentials"].map(n => {
                   { resource: n, actions: { read: true } } }) }).name)",
       R"("r")"},
      {"", R"(Role.byName("r")!.update({ membership: { resource: "Nope" } }))", invalid},
      {"in any order within a query",
       R"(Role.create({ name: "s", privileges: { resource: "Late", actions: {} } })
          Collection.create({ name: "Late", alias: "Later" }).name)",
       R"("Late")"},
      {"", R"(Role.create({ name: "t", membership: { resource: "Later" } }).name)", R"("t")"},
  });
}

TEST_F(References, PreventTheDeletionOfReferencedItems) {
  run_steps({
      {"", R"(Collection.create({ name: "Book", alias: "Tome" }).name)", R"("Book")"},
      {"", R"(Collection.create({ name: "User" }).name)", R"("User")"},
      {"", R"(Function.create({ name: "f", body: "() => 1" }).name)", R"("f")"},
      {"", R"(Role.create({ name: "r", membership: { resource: "User" },
                 privileges: ["Tome", "f"].map(n => {
                   { resource: n, actions: { read: true } } }) }).name)",
       R"("r")"},
      {"", "Book.definition.delete()", "summary: …Resource `Tome` does not exist…"},
      {"", "Book.definition.update({ alias: null })", invalid},
      {"", "User.definition.delete()", "summary: …Resource `User` does not exist…"},
      {"", R"(Function.byName("f")!.delete())", "summary: …Resource `f` does not exist…"},
      {"", R"(Function.byName("f")!.update({ name: "g" }))", invalid},
      {"", R"(AccessProvider.create({ name: "p", issuer: "i", jwks_uri: "https://x.y",
                 roles: ["r"] }).name)",
       R"("p")"},
      {"", R"(Role.byName("r")!.delete())",
       "summary: …Role `r` does not exist\n    at *access_provider:p*:1:6…"},
      {"", "[Book.all().count(), User.all().count(), f()]", "[0,0,1]"},
  });
  const std::string files = main_text();
  EXPECT_EQ(pushed(files), "") << files;
  run_steps({
      {"together they go", R"(AccessProvider.byName("p")!.delete(); Role.byName("r")!.delete()
          Book.definition.delete(); User.definition.delete(); Function.byName("f")!.delete()
          1)",
       "1"},
  });
}

// Another API has created the collections, and drops them although roles refer to them.
TEST_F(References, ThatWereMissingBeforeDoNotBlockOtherChanges) {
  run_steps({{"", "1", "1"}});
  const DatabaseId home = database->catalog()->find_database("fauna")->id;
  std::vector<CollectionPtr> lost;
  for (const char* name : {"X", "Y"}) {
    lost.push_back(*database->create_collection(home, CollectionSpec{.name = name}));
  }
  run_steps({
      {"",
       R"(["X", "Y"].map(n => Role.create({ name: "of" + n, membership: { resource: n } }).name))",
       R"(["ofX","ofY"])"},
  });
  for (const CollectionPtr& one : lost) ASSERT_TRUE(database->drop_collection(one->id));
  run_steps({
      {"", R"(Collection.create({ name: "Z" }).name)", R"("Z")"},
      {"", R"(Role.create({ name: "r", membership: { resource: "X" } }))", invalid},
      {"", R"(Role.byName("ofX")!.update({ membership: { resource: "Y" } }))", invalid},
      {"", R"(Role.byName("ofX")!.update({ membership: { resource: "Z" } }).name)", R"("ofX")"},
      {"", R"(Role.byName("ofX")!.delete())", "null"},
      {"", R"(Role.byName("ofY")!.delete())", "null"},
  });
}

TEST_F(References, OfFilesHavePositions) {
  const std::string right =
      "collection Foo {}\nfunction f() { 1 }\nrole Fo {\n  privileges Foo { read }\n"
      "  privileges f { call }\n  membership Foo\n}\n"
      "access provider p {\n  issuer \"i\"\n  jwks_uri \"https://x.y\"\n  role Fo\n}\n";
  EXPECT_EQ(pushed(right), "");
  EXPECT_EQ(pushed("function f() { 1 }\nrole r {\n  privileges f { call }\n"
                   "  privileges\n    Nope { read }\n  membership f\n}\n"),
            "Invalid database schema update.\n"
            "    error: Resource `f` does not exist\n"
            "    at main.fsl:6:14\n"
            "      |\n"
            "    6 |   membership f\n"
            "      |              ^\n"
            "      |\n"
            "    \n"
            "    error: Resource `Nope` does not exist\n"
            "    at main.fsl:5:5\n"
            "      |\n"
            "    5 |     Nope { read }\n"
            "      |     ^^^^\n"
            "      |");
  EXPECT_EQ(main_text(), right);
  EXPECT_EQ(pushed(""), "") << "what is named goes with what names it";
}

}  // namespace
}  // namespace mayfly::fauna
