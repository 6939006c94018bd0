// Constraints, indexes and computed fields. The numbers are those of the cases.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

using ConstraintsTest = FaunaTest;

TEST_F(ConstraintsTest, Unique) {
  run_steps({
      {"C01", R"(Collection.create({name: "U", constraints: [{unique: ["name"]}]}))"},
      {"", R"(U.create({id: 1, name: "a"}))"},
      {"", R"(U.create({name: "a"}))",
       R"(constraint_failure: Failed unique constraint. [[["name"]] Failed unique constraint])"},
      {"", R"(U.create({name: "b"}); U.byId(1)!.update({name: "b"}))",
       "constraint_failure: Failed unique constraint…"},
      {"", "U.create({}); U.create({}); U.all().count()", "3"},
      {"", R"(U.byId(1)!.delete(); U.create({name: "a"}) { name })", R"({"name":"a"})"},
      {"several terms",
       R"(Collection.create({name: "V", constraints: [{unique: ["b"]}, {unique: [".a", ".b.c"]}]}))"},
      {"", "V.create({a: 1, b: {c: 1}})"},
      {"", "V.create({a: 1, b: {c: 2}}) { a }", R"({"a":1})"},
      {"", "V.create({a: 2, b: {c: 1, d: 1}}) { a }", R"({"a":2})"},
      {"", "V.create({a: 1, b: {c: 1, e: 5}})", R"(…[[["a"],["b","c"]] Failed unique constraint])"},
      {"",
       R"(Collection.create({name: "X", constraints: [{unique: ["a", "b"]}, {unique: ["a"]}]}))"},
      {"", "X.create({a: 1, b: 1})"},
      {"", "X.create({a: 1, b: 2})", R"(…[[["a"]] Failed unique constraint])"},
  });
}

TEST_F(ConstraintsTest, Indexes) {
  run_steps({
      {"C02", R"(Collection.create({name: "Books", indexes: {byGenre: {terms: [".genre"],)"
              R"( values: [{field: ".year", order: "desc"}]}}}))"},
      {"", R"(Books.create({genre: "sci-fi", title: "b", year: 1980}))"},
      {"", R"(Books.create({genre: "sci-fi", title: "c", year: 2000}))"},
      {"", R"(Books.create({genre: "sci-fi", title: "a"}))"},
      {"", R"(Books.create({genre: "other", title: "d", year: 1990}))"},
      {"", R"(Books.byGenre("sci-fi").toArray() { title })",
       R"([{"title":"a"},{"title":"c"},{"title":"b"}])"},
      {"C03", R"(Collection.create({name: "C", indexes: {byAge: {values: [".age"]},)"
              R"( byTag: {terms: [{field: ".tags", mva: true}]}}}))"},
      {"", "[0, 1, 2, 3, 4].forEach(n => C.create({age: n}))"},
      {"", "C.byAge({from: 1, to: 3}).toArray().map(.age)", "[1,2,3]"},
      {"", "C.byAge({from: 3}).toArray().map(.age)", "[3,4]"},
      {"", "C.byAge({to: 1}).toArray().map(.age)", "[0,1]"},
      {"", "C.byAge({from: null}).count()", "0"},
      {"", "C.byAge({other: 1})",
       "invalid_argument: invalid argument `range`: should be an object contining `{ from }`, "
       "`{ to }`, or `{ from, to }` fields"},
      {"", "C.byAge({from: [1, 2]})",
       "invalid_argument: invalid argument `range`: The field `from` can have at most 1 values"},
      {"C04", R"(C.create({id: 9, tags: ["x", "y"]}))"},
      {"", R"([C.byTag("x").count(), C.byTag("y").count(), C.byTag("z").count()])", "[1,1,0]"},
  });
}

TEST_F(ConstraintsTest, Fields) {
  run_steps({
      {"C05", R"(Collection.create({name: "F", fields: {name: {signature: "String"},)"
              R"( age: {signature: "Number?"}}}))"},
      {"", "F.create({age: 1})", R"(…[[["name"]] Missing required field of type String])"},
      {"", R"(F.create({name: "a", x: 1}))", R"(…[[["x"]] Unexpected field provided])"},
      {"", "F.create({name: 5})", R"(…[[["name"]] Expected String, provided Int])"},
      {"", R"(F.createData({name: "a", ttl: 1}))",
       R"(…[[["data","ttl"]] Unexpected field provided])"},
      {"", R"(F.create({name: "a", age: 1.5}) { name, age })", R"({"name":"a","age":1.5})"},
      {"C06",
       R"(Collection.create({name: "G", fields: {n: {signature: "String", default: "\"0\""},)"
       R"( m: {signature: "Int?"}}}))"},
      {"", "G.create({id: 1}).n", R"("0")"},
      {"", "G.byId(1)!.replace({m: 1}).n", R"("0")"},
      {"", "G.byId(1)!.update({n: null})", R"(…[[["n"]] Missing required field of type String])"},
      {"C07",
       R"(Collection.create({name: "H", computed_fields: {twice: {body: "doc => doc.n * 2"},)"
       R"q( sum: {body: "(.n + .twice)"}}}))q"},
      {"", "H.create({id: 1, n: 2})", R"({"id":"1","coll":"H","ts":"…","n":2,"twice":4,"sum":6})"},
      {"", "H.byId(1)!.twice", "4"},
      {"", "H.where(.twice == 4).count()", "1"},
      {"", "H.create({twice: 1})", R"(…[[["twice"]] Cannot write to a computed field])"},
  });
}

TEST_F(ConstraintsTest, CollectionsAndFunctions) {
  run_steps({
      {"C09", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Collection.create({name: "Bar"}))"},
      {"", "Bar.create({id: 2, foo: Foo.create({id: 1, a: 1})})"},
      {"", "Foo.definition.delete()"},
      {"", R"(tagged Bar.byId(2)!.foo)",
       R"({"@ref":{"id":"1","coll":{"@mod":…},"exists":false,"cause":"collection deleted"}})"},
      {"", R"(Bar.byId(2)!.foo!)",
       "document_not_found: Document with id 1 does not exist because the collection was deleted."},
      {"", R"(Bar.byId(2)!.foo.a)", "invalid_null_access: Cannot access `a` on null."},
      {"", R"(Bar.byId(2)!.foo?.a)", "null"},
      {"", R"(Collection.create({name: "Foo"}))"},
      {"", "Foo.all().count()", "0"},
      {"C10", R"(Function.create({name: "d", body: "x => x * 2"}))"},
      {"", "d(3)", "6"},
      {"", R"(d("a"))", "summary: …*udf:d*…"},
      {"C11", R"(Collection.create({name: "New"}); Collection("New").create({}))",
       "invalid_argument: invalid argument `collection`: No such user collection `New`."},
      {"", R"(Collection.create({name: "New"}); Collection("New").create({}))",
       "summary: …hint: A collection cannot be created and used in the same query.…"},
      {"", R"(Collection("X"))",
       "invalid_argument: invalid argument `collection`: No such user collection `X`."},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
