// Migration of documents when the fields of their collection change: every kind of step, in FQL and
// in schema files.
#include "dialect/fauna/push/http/testing.h"
#include "dialect/fauna/wire/wire_limits.h"

namespace mayfly::fauna {
namespace {

class Migrations : public testing::SchemaTest {
 protected:
  // A collection without declared fields.
  void make(const std::vector<std::string>& documents) {
    EXPECT_EQ(pushed("collection C { *: Any }"), "");
    for (const std::string& one : documents) {
      EXPECT_EQ(query("C.create(" + one + ")").status(), 200) << one;
    }
  }
  // The fields of all documents.
  std::string fields() {
    const testing::Reply reply = query("C.all().toArray().map(.data)");
    return reply.result();
  }
};

TEST_F(Migrations, SplitGivesAValueToTheFirstFieldWhoseTypeFits) {
  EXPECT_EQ(pushed("collection C { price: String | Int | Boolean }"), "");
  run_steps({{"", "[1, 'a', true].forEach(p => C.create({ price: p }))"}});
  EXPECT_NE(pushed("collection C { price: Int? \n text: String? "
                   "migrations { split .price -> .price, .text } }")
                .find("Field `.price` of documents that are there fits none of the fields"),
            std::string::npos);
  EXPECT_EQ(fields(), R"([{"price":1},{"price":"a"},{"price":true}])") << "nothing was changed";
  EXPECT_EQ(pushed("collection C { price: Int? \n text: String? \n flag: Boolean? "
                   "migrations { split .price -> .price, .text, .flag } }"),
            "");
  EXPECT_EQ(fields(), R"([{"price":1},{"text":"a"},{"flag":true}])");
}

TEST_F(Migrations, ASplitFieldThatIsDroppedLaterTakesTheRemainingValues) {
  EXPECT_EQ(pushed("collection C { price: Int | String }"), "");
  run_steps({{"", "[1, 'a'].forEach(p => C.create({ price: p }))"}});
  EXPECT_EQ(pushed("collection C { price: Int migrations { split .price -> .price, .other; "
                   "drop .other; backfill .price = 9 } }"),
            "");
  EXPECT_EQ(fields(), R"([{"price":1},{"price":9}])");
}

TEST_F(Migrations, ASplitFieldThatIsMovedLaterHasTheTypeOfItsTarget) {
  EXPECT_EQ(pushed("collection C { a: Int | String }"), "");
  run_steps({{"", "[1, 'a'].forEach(p => C.create({ a: p }))"}});
  EXPECT_EQ(pushed("collection C { n: Int? \n s: String? "
                   "migrations { split .a -> .x, .s; move .x -> .n } }"),
            "");
  EXPECT_EQ(fields(), R"([{"n":1},{"s":"a"}])");
}

TEST_F(Migrations, MoveConflictsMovesValuesThatDoNotFit) {
  make({"{ stock: 1, x: 1 }", "{ stock: 'none', conflicts: { stock: 0 } }", "{ conflicts: 7 }"});
  EXPECT_NE(pushed("collection C { stock: Int? \n *: Any }").find("does not fit type `Int?`"),
            std::string::npos);
  EXPECT_EQ(pushed("collection C { stock: Int \n conflicts: { *: Any }? \n *: Any "
                   "migrations { add .conflicts; add .stock; move_conflicts .conflicts; "
                   "backfill .stock = 0 } }"),
            "");
  EXPECT_EQ(fields(), R"([{"stock":1,"x":1},{"conflicts":{"stock":0,"_stock":"none"},"stock":0},)"
                      R"({"conflicts":{"conflicts":7},"stock":0}])");
}

TEST_F(Migrations, MoveWildcardMovesUndeclaredFields) {
  make({"{ a: 1, b: 2, rest: { b: 0 } }", "{ a: 2 }"});
  EXPECT_NE(pushed("collection C { a: Int \n rest: { *: Any }? }").find("`.b`"), std::string::npos);
  EXPECT_EQ(pushed("collection C { a: Int \n rest: { *: Any }? migrations { add .a; add .rest; "
                   "move_conflicts .rest; move_wildcard .rest } }"),
            "");
  EXPECT_EQ(fields(), R"([{"a":1,"rest":{"b":0,"_b":2}},{"a":2}])");
  EXPECT_EQ(query("C.create({ a: 1, z: 1 })").code(), "constraint_failure");
}

TEST_F(Migrations, AddWildcardNeedsANewWildcard) {
  EXPECT_EQ(pushed("collection C { a: Int }"), "");
  run_steps({{"", "C.create({ a: 1 }).a", "1"}});
  EXPECT_NE(pushed("collection C { a: Int migrations { add_wildcard } }").find("`add_wildcard`"),
            std::string::npos);
  EXPECT_EQ(pushed("collection C { a: Int \n *: Any migrations { add_wildcard } }"), "");
  run_steps({{"", "C.all().first()!.update({ z: 1 }).z", "1"}});
  EXPECT_NE(pushed("collection C { a: Int \n *: Any migrations { add_wildcard; "
                   "move_wildcard .rest } }")
                .find("`move_wildcard`"),
            std::string::npos);
}

TEST_F(Migrations, NestedFieldsAreMigrated) {
  EXPECT_EQ(pushed("collection C { pos: { x: Int, y: Int }; z: Int? }"), "");
  run_steps({{"", "C.create({ pos: { x: 1, y: 2 }, z: 3 }).z", "3"}});
  EXPECT_EQ(pushed("collection C { pos: { y: Int, z: Int?, w: Int }; x: Int?; migrations { "
                   "move .pos.x -> .x; move .z -> .pos.z; add .pos.w; backfill .pos.w = 4 } }"),
            "");
  EXPECT_EQ(fields(), R"([{"pos":{"y":2,"z":3,"w":4},"x":1}])");
}

TEST_F(Migrations, AreShownInDifferences) {
  EXPECT_EQ(pushed("collection C { a: Int | String; b: Int; *: Any }"), "");
  EXPECT_EQ(diff("collection C { n: Int?; s: String?; c: Int; rest: { *: Any }?\n"
                 "migrations { split .a -> .n, .s; move .b -> .c; add .rest; "
                 "move_conflicts .rest; move_wildcard .rest } }"),
            "* Modifying collection `C` at main.fsl:1:1:\n"
            "  * Defined fields:\n"
            "  + add field `.rest`\n"
            "  ~ split field `.a` into fields `.n`, `.s`\n"
            "  ~ move field `.b` to field `.c`\n"
            "  ~ move conflicting values into field `.rest`\n"
            "  ~ move undeclared fields into field `.rest`\n"
            "  - remove wildcard\n\n");
}

TEST_F(Migrations, AValueAtTheTargetIsKept) {
  make({"{ a: 1, b: 2 }"});
  EXPECT_NE(pushed("collection C { b: Int \n *: Any migrations { move .a -> .b } }")
                .find("Field `.b` of documents that are there is in the way of `.a`"),
            std::string::npos);
  EXPECT_EQ(fields(), R"([{"a":1,"b":2}])");
}

TEST_F(Migrations, StepsRunOnce) {
  EXPECT_EQ(pushed("collection C { a: Int? }"), "");
  run_steps({{"", "C.create({}).a", "null"}});
  const std::string head = "collection C { a: Int? \n b: Int? migrations { ";
  EXPECT_EQ(pushed(head + "backfill .a = 1 } }"), "");
  EXPECT_EQ(fields(), R"([{"a":1}])");
  run_steps({{"", "C.all().first()!.replace({}).a", "null"}});
  EXPECT_EQ(pushed(head + "backfill .a = 1; backfill .b = 2 } }"), "");
  EXPECT_EQ(fields(), R"([{"b":2}])");
  EXPECT_EQ(pushed(head + "backfill .b = 2; add .b } }"), "") << "an earlier step is left out";
  run_steps({{"", "C.all().first()!.replace({}).b", "null"}});
  EXPECT_EQ(pushed(head + "backfill .b = 2; add .b; add .a } }"), "");
  EXPECT_EQ(fields(), "[{}]");
}

TEST_F(Migrations, AreWrittenByFqlToo) {
  run_steps({
      {"", R"(Collection.create({ name: "C" }))"},
      {"", "C.create({ n: 1, other: 2 }).n", "1"},
      {"", "C.create({ n: 'a' }).n", "\"a\""},
      {"split",
       R"(C.definition.update({ fields: { n: { signature: "Int?" }, s: { signature: "String?" },
            rest: { signature: "{ *: Any }?" } },
          migrations: [{ split: { field: ".n", to: [".n", ".s"] } },
            { move_wildcard: { into: ".rest" } }] }).migrations.length)",
       "2"},
      {"", "C.all().toArray().map(.data)", R"([{"n":1,"rest":{"other":2}},{"s":"a"}])"},
      {"no step", R"(C.definition.update({ migrations: [{ fly: { field: ".n" } }] }))",
       R"(…[[["migrations",0]] Value is not a valid migration.])"},
      {"", R"(C.definition.update({ migrations: [{ split: { field: ".n", to: [".a"] } }] }))",
       R"(…[[["migrations",0]] Value is not a valid migration.])"},
      {"", R"(C.definition.update({ migrations: [{ add: { field: ".n[0]" } }] }))",
       R"(…[[["migrations",0]] Value is not a valid migration.])"},
      {"no write",
       R"(C.definition.update({ fields: { z: { signature: "Any" } }, migrations: [
            { backfill: { field: ".z", value: "C.create({}).id" } }] }))",
       "invalid_effect: …"},
      {"", "C.all().count()", "2"},
  });
}

TEST_F(Migrations, HaveABound) {
  run_steps({{"", R"(Collection.create({ name: "C" }))"}, {"", "C.create({ a: 1 }).a", "1"}});
  const std::string steps = "Set.sequence(0, " + std::to_string(limits::schema_members_max) +
                            ").toArray().map(i => ({ "
                            "drop: { field: '.x' } }))";
  run_steps({{"", "C.definition.update({ migrations: " + steps + " }).migrations.length",
              std::to_string(limits::schema_members_max)},
             {"", "C.definition.update({ migrations: " + steps + ".append({ add_wildcard: {} }) })",
              R"(…[[["migrations"]] Too many migrations])"}});
}

// Splits that each double the number of possible targets of a field.
TEST_F(Migrations, StepsThatBranchAreFollowedOnce) {
  EXPECT_EQ(pushed("collection C { a: Int | String }"), "");
  run_steps({{"", "C.create({ a: 'x' }).a", "\"x\""}});
  std::string steps;
  for (int i = 0; i < 60; ++i) steps += "split .a -> .a, .b; split .b -> .b, .a;";
  EXPECT_NE(pushed("collection C { a: Int?; b: Int?; migrations {" + steps + "} }")
                .find("fits none of the fields"),
            std::string::npos);
}

TEST_F(Migrations, AnEmptyCollectionTakesAnyChange) {
  EXPECT_EQ(pushed("collection C { a: Int }"), "");
  EXPECT_EQ(pushed("collection C { b: String \n c: Int }"), "");
  EXPECT_EQ(pushed("collection C { b: Int migrations { split .b -> .b, .c; drop .c } }"), "");
}

}  // namespace
}  // namespace mayfly::fauna
