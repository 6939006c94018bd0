// Documents, nulls, and missing documents. The numbers are those of the cases.
#include "dialect/fauna/testing.h"
#include "value/packed/packed.h"

namespace mayfly::fauna::testing {
namespace {

using DocumentsTest = FaunaTest;

TEST_F(DocumentsTest, ThatAreMissing) {
  run_steps({
      {"D01", R"(Collection.create({name: "Foo"}))"},
      {"", R"(tagged Foo.byId("999"))",
       R"({"@ref":{"id":"999","coll":{"@mod":"Foo"},"exists":false,"cause":"not found"}})"},
      {"", R"(Foo.byId("999") == null)", "true"},
      {"", R"(Foo.byId("999")?.x ?? "d")", R"("d")"},
      {"", R"(Foo.byId("999")!)",
       "document_not_found: Collection `Foo` does not contain document with id 999."},
      {"", R"(Foo.byId("999").nope())", "document_not_found: …"},
      {"", R"([Foo.byId("999").id, Foo.byId("999").coll])", R"(["999","Foo"])"},
      {"A9", R"(Foo.byId("abc"))",
       "invalid_argument: expected value for `id` of type ID, received String"},
      {"D07", R"(Foo.create({id: 1, a: 1}))"},
      {"", "Foo.all() { id, missing }", R"({"data":[{"id":"1","missing":null}]})"},
      {"", R"(Foo.byId("999") { id })", "null"},
      {"D05", "Foo.byId(1)!.delete()", "null"},
      {"", R"(Foo.create({id: 2, a: 1}))"},
      {"", R"(tagged Foo.byId(2)!.delete())",
       R"({"@ref":{"id":"2","coll":{"@mod":"Foo"},"exists":false,"cause":"deleted"}})"},
      {"", "let d = Foo.create({a: 1}); d.delete(); d.delete()", "document_not_found: …"},
      {"", "Foo.create({a: 1}).delete().a", "invalid_null_access: Cannot access `a` on null."},
      {"", "Foo.create({a: 1}).delete()?.a", "null"},
      {"", "Foo.create({a: 1}).delete()!", "document_not_found: …"},
      {"D06", "let author = Foo.create({}); author.delete(); Foo.byId(author.id).exists()",
       "false"},
  });
}

TEST_F(DocumentsTest, ReserveSomeNames) {
  run_steps({{"D02", R"(Collection.create({name: "Foo"}))"}, {"", "Foo.create({id: 1})"}});
  for (const std::string name : {"data", "ts", "coll", "update", "replace", "delete", "exists",
                                 "updateData", "replaceData"}) {
    const std::string failure = R"([[[")" + name + R"("]] Is a reserved field and cannot be used])";
    run_steps({
        {"D02 " + name, "Foo.create({ " + name + ": 1 })",
         "constraint_failure: Failed to create document in collection `Foo`. " + failure},
        {"", "Foo.byId(1)!.update({ " + name + ": 1 })",
         "constraint_failure: Failed to update document with id 1 in collection `Foo`. " + failure},
        {"", "Foo.byId(1)!.replace({ " + name + ": 1 })", "constraint_failure: …"},
        {"", "Foo.byId(1)!.replaceData({ " + name + ": 1 }).data." + name, "1"},
    });
  }
  run_steps({
      {"D02 id", "Foo.byId(1)!.update({ id: 2 })",
       R"(…[[["id"]] Is a reserved field and cannot be used])"},
      {"E1", "Foo.create({ id: null })",
       R"(…[[["id"]] Missing required field of type ID | String | Long])"},
      {"", "Foo.create({ id: -1 })", R"(…[[["id"]] id must be nonnegative])"},
      {"", R"(Foo.create({ id: "x" }))",
       R"(…[[["id"]] Expected ID | String | Long, provided String])"},
      {"", "Foo.create({ f: x => x })",
       "invalid_type: Anonymous functions cannot be stored. Use a string of FQL instead."},
      {"", "Foo.createData({ id: 5 }).data", R"({"id":5})"},
  });
}

TEST_F(DocumentsTest, AreMerged) {
  run_steps({
      {"D03", R"(Collection.create({name: "Foo"}))"},
      {"", "Foo.create({id: 1, a: null, b: {c: null}, d: [1, null, 2]})",
       R"({"id":"1","coll":"Foo","ts":"…","b":{},"d":[1,null,2]})"},
      {"D04", "Foo.create({id: 2, a: {x: 1, y: 2}, l: [1, 2]})"},
      {"", "Foo.byId(2)!.update({a: {y: null, z: 3}, l: [3]}) { a, l }",
       R"({"a":{"x":1,"z":3},"l":[3]})"},
      {"E3", "Foo.byId(2)!.update({a: 1, l: {a: null, b: 1}}) { a, l }", R"({"a":1,"l":{"b":1}})"},
      {"", "Foo.byId(2)!.update({l: [1, null]}) { l }", R"({"l":[1]})"},
      {"", "Foo.byId(2)!.replace({l: [1, null]}) { l }", R"({"l":[1,null]})"},
  });
}

TEST_F(DocumentsTest, OfTheSchema) {
  run_steps({
      {"D09", R"(if (Collection.byName("X") == null) { Collection.create({ name: "X" }) })"},
      {"", R"(if (Collection.byName("X") == null) { Collection.create({ name: "X" }) })", "null"},
      {"D08", R"(tagged Collection.byName("X"))",
       R"({"@doc":{"name":"X","coll":{"@mod":"Collection"},"ts":…})"},
      {"", R"(tagged X)", R"({"@mod":"X"})"},
      {"", R"(Collection.byName("nope") == null)", "true"},
      {"", R"(tagged Collection.byName("nope"))",
       R"({"@ref":{"name":"nope","coll":{"@mod":"Collection"},"exists":false,"cause":"not found"}})"},
  });
  EXPECT_EQ(query_body(R"({"query":{"fql":[{"value":{"@mod":"X"}}]}})", {{"x-format", "tagged"}})
                .result(),
            R"({"@mod":"X"})");
}

TEST_F(DocumentsTest, AreMadeInLoops) {
  run_steps({
      {"D10", R"(Collection.create({name: "Foo"}))"},
      {"", R"([{name: "A"}].map(i => Foo.create(i)).map(.name))", R"(["A"])"},
      {"", "Set.sequence(0, 3).forEach(v => Foo.create({ value: v + 1}));", "null"},
      {"", "Foo.where(.value != null).toArray().map(.value)", "[1,2,3]"},
      {"", "Foo.all().forEach(d => d.update({seen: true}))", "null"},
      {"", "Foo.where(.seen == true).count()", "4"},
      {"", "Foo.all().paginate(2).data.forEach(d => d.delete())", "null"},
      {"", "Foo.all().count()", "2"},
      {"", "Foo.all().map(d => d.delete()).toArray()",
       "invalid_effect: `delete` performs a write, which is not allowed in set functions."},
  });
}

TEST_F(DocumentsTest, Values) {
  run_steps({
      {"D14", R"({ a: 1, "b c": 2, c: [1, "x"] })", R"({"a":1,"b c":2,"c":[1,"x"]})"},
      {"", R"(decorated { a: 1, "b c": 2 })", R"("{\n  a: 1,\n  \"b c\": 2\n}")"},
      {"D15", R"(let name = "Ann"; "Hello, #{name}!")", R"("Hello, Ann!")"},
      {"", "'#{x}'", R"("#{x}")"},
      {"D16", R"(Time("2024-01-02T03:04:05.123456Z") == Time("2024-01-02T03:04:05.123456Z"))",
       "true"},
      {"", R"(Date("2024-02-30"))", "invalid_date: …"},
  });
}

// Another API has created the collection: ids are unique only within a partition.
TEST_F(DocumentsTest, OfAllPartitionsAreInASet) {
  run_steps({{"", "1", "1"}});
  const DatabaseId home = database->catalog()->find_database("fauna")->id;
  CollectionSpec spec{.name = "C"};
  spec.promises.body = BodyRules{.partition = {Path::of("p")}};
  const auto c = database->create_collection(home, spec);
  ASSERT_TRUE(c);
  for (const char* partition : {"a", "b"}) {
    const Bytes packed = pack(Object{{"p", partition}}).value();
    const auto done = database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(*c, DocumentKey::of("x"), packed, {}));
      return {};
    });
    ASSERT_TRUE(done);
  }
  run_steps({
      {"", "C.all().toArray().map(.p)", R"(["a","b"])"},
      {"", "[C.all().count(), C.where(.p == \"b\").count()]", "[2,1]"},
      {"", R"(C.where(.p == "b").forEach(d => d.update({n: 1})))", "null"},
      {"", "C.all().toArray().map(d => [d.p, d.n])", R"([["a",null],["b",1]])"},
      {"", R"(C.where(.p == "a").first()!.delete())", "null"},
      {"", "C.all().toArray().map(.p)", R"(["b"])"},
  });
}

// Two documents with the same id are checked and cached separately.
TEST_F(DocumentsTest, APartitionIsPartOfTheIdentity) {
  run_steps({{"", "Role.create({name: \"r\"}).name", "\"r\""}});
  const DatabaseId home = database->catalog()->find_database("fauna")->id;
  CollectionSpec spec{.name = "C"};
  spec.promises.body = BodyRules{.partition = {Path::of("p")}};
  const auto c = database->create_collection(home, spec);
  ASSERT_TRUE(c);
  for (const char* partition : {"a", "b"}) {
    const Bytes packed = pack(Object{{"p", partition}}).value();
    ASSERT_TRUE(database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(*c, DocumentKey::of("x"), packed, {}));
      return {};
    }));
  }
  run_steps({{"",
              "Role.byName(\"r\")!.update({privileges: {resource: \"C\", actions: "
              "{read: \"d => d.p == \\\"a\\\"\"}}}).name",
              "\"r\""}});
  const std::string admin = secret;
  secret = "secret:@role/r";
  run_steps({{"", "C.all().toArray().map(.p)", R"(["a"])"}});
  secret = admin;
  run_steps({
      {"", "C.all().order(d => d.p).paginate(1).after", "$next="},
      {"", R"(Set.paginate("$next").data.map(.p))", R"(["b"])"},
  });
}

// A handle has its partition, also if it comes from a write or a cursor.
TEST_F(DocumentsTest, WithOneIdInTwoPartitionsAreDistinct) {
  run_steps({{"", "1", "1"}});
  const DatabaseId home = database->catalog()->find_database("fauna")->id;
  CollectionSpec spec{.name = "C"};
  spec.promises.body = BodyRules{.partition = {Path::of("p")}};
  ASSERT_TRUE(database->create_collection(home, spec));
  run_steps({
      {"", R"(C.create({ id: 7, p: "a" }).p)", R"("a")"},
      {"", R"(C.create({ id: 7, p: "b" }).update({ n: 1 }).p)", R"("b")"},
      {"", R"(C.create({ id: 7, p: "a" }))",
       "document_id_exists: Collection `C` already contains document with id 7."},
      {"", "let all = C.all().toArray(); [all[0] == all[1], all[0] == all[0]]", "[false,true]"},
      {"", "[C.all().toArray().distinct().length, C.all().distinct().count()]", "[2,2]"},
      {"", R"(C.where(.p == "b").first() == C.where(.n == 1).first())", "true"},
      {"", R"(let d = C.where(.p == "b").first()!; d.update({ n: 2 }) == d)", "true"},
      {"", R"(let d = C.where(.p == "b").first()!; [0, d].toSet().paginate(1).after)", "$next="},
      {"", R"(Set.paginate("$next").data.map(.p))", R"(["b"])"},
      {"", R"(let d = C.where(.p == "b").first()!; let e = C.where(.p == "a").first()!;
              let old = e.ts; d.update({ n: 3 }); e.ts == old)",
       "true"},
  });
}

// Functions and collections have separate names here.
TEST_F(DocumentsTest, StayWhenAFunctionGetsTheNameOfTheirCollection) {
  run_steps({{"", "1", "1"}});
  const DatabaseId home = database->catalog()->find_database("fauna")->id;
  ASSERT_TRUE(database->create_collection(home, CollectionSpec{.name = "foo"}));
  run_steps({
      {"", "foo.create({ id: 1 }).id", R"("1")"},
      {"", R"q(Function.create({ name: "foo", body: "x => x" }); foo.all().count())q", "1"},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
