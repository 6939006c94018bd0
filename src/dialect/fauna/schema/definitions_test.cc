// Documents that define collections, functions, roles …: errors, and their stored form.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna {
namespace {

using Definitions = testing::FaunaTest;

TEST_F(Definitions, NamesAreRefused) {
  run_steps({
      {"I reserved", R"(Collection.create({name: "Time"}))",
       R"(constraint_failure: Failed to create Collection. [[["name"]] The identifier `Time` is reserved.])"},
      {"", R"(Collection.create({name: "false"}))", "…The identifier `false` is reserved.]"},
      {"", R"(Collection.create({name: "Collection"}))",
       "…The identifier `Collection` is reserved.]"},
      {"I identifier", R"(Collection.create({name: "a b"}))",
       R"(…[[["name"]] Invalid identifier.])"},
      {"", R"(Collection.create({name: "Foo", alias: "FooAlias"}))"},
      {"I taken", R"(Collection.create({name: "Foo"}))",
       R"(…[[["name"]] A Collection already exists with the name `Foo`])"},
      {"", R"(Collection.create({name: "FooAlias"}))",
       R"(…[[["name"]] A Collection already exists with the alias `FooAlias`])"},
      {"", R"(Function.create({name: "Foo", body: "x => x"}))",
       R"(…[[["name"]] A Collection already exists with the name `Foo`])"},
      {"", R"(Collection.create({name: "Bar", alias: "Foo"}))",
       R"(…[[["alias"]] A Collection already exists with the name `Foo`])"},
      {"", R"(Function.create({name: "f", body: "x => x"}))"},
      {"", R"(Collection.create({name: "f"}))",
       R"(…[[["name"]] A Function already exists with the name `f`])"},
      {"I role", R"(Role.create({name: "admin"}))", "…The identifier `admin` is reserved.]"},
      {"", R"(Role.create({name: "r"}))"},
      {"", R"(Role.create({name: "r"}))", R"(…[[["name"]] Failed unique constraint])"},
      {"", R"(FooAlias.create({ a: 1 }).a)", "1"},
  });
}

TEST_F(Definitions, MembersOfCollectionsAreChecked) {
  run_steps({
      {"T68", R"(Collection.create({name: "C", fields: { ttl: { signature: "Number" } }}))",
       R"(constraint_failure: Failed to create Collection. [[["fields"]] The name 'ttl' is reserved.])"},
      {"I index", R"(Collection.create({name: "C", indexes: { all: { terms: [".a"] } }}))",
       R"(…[[["indexes"]] The name 'all' is reserved.])"},
      {"I collides",
       R"q(Collection.create({name: "C", fields: { x: { signature: "Int" } }, computed_fields: { x: { body: "(.y)" } }}))q",
       R"(…[[["computed_fields"]] Computed field 'x' collides with a defined field])"},
      {"I signature", R"(Collection.create({name: "C", fields: { x: { signature: "Int |" } }}))",
       R"(…[[["fields","x","signature"]] Failed parsing user-provided signature.…)"},
      {"", R"(Collection.create({name: "C", fields: { x: { signature: "Set<Int>" } }}))",
       R"(…[[["fields","x","signature"]] Field `x` is not persistable])"},
      {"",
       R"q(Collection.create({name: "Sets", computed_fields: { all: { body: "_ => Sets.all()", signature: "Set<Sets>" } }}).name)q",
       R"("Sets")"},
      {"I unique", R"(Collection.create({name: "C", constraints: [{ unique: [] }]}))",
       R"(…[[["constraints"]] Unique constraints must have at least one term])"},
      {"",
       R"(Collection.create({name: "C", constraints: [{ unique: ["foo", ".bar"] }, { unique: [".foo", "bar"] }]}))",
       R"(…[[["constraints"]] Duplicate unique constraint on path [.foo, .bar]])"},
      {"C08",
       R"(Collection.create({name: "C", constraints: [{ check: { name: "n", body: "() => true" } }]}))",
       "…Expected exactly 1 argument, but the function was defined with 0 arguments]"},
      {"",
       R"q(Collection.create({name: "C", constraints: [{ check: { name: "ok", body: "(.a == 1)" } }, { check: { name: "ok", body: "(.a == 2)" } }]}))q",
       "…Duplicate check constraint name 'ok']"},
      {"unknown", R"(Collection.create({name: "C", foo: 1}))",
       R"(…[[["foo"]] Unexpected field provided])"},
      {"T52", R"(Collection.create({name: "C", ttl_days: -1}))",
       R"(…[[["ttl_days"]] Non-negative value required.])"},
      {"", R"(Collection.create({name: "C", ttl_days: 1.5}))",
       R"(…[[["ttl_days"]] Expected Long | Null, provided Double])"},
      {"", R"(Collection.create({name: "C", history_days: -1}))",
       R"(…[[["history_days"]] Non-negative value required.])"},
      {"I body", R"(Function.create({name: "f", body: "1"}))",
       R"(constraint_failure: Failed to create Function. [[["body"]] error: Body must be a lambda expression.…)"},
      {"J2",
       R"(Role.create({name: "r", privileges: [{ resource: "C", actions: { read: "1 +" } }]}))",
       R"(…[[["privileges",0,"actions","read"]] …)"},
  });
}

TEST_F(Definitions, AreStoredInNormalForm) {
  run_steps({
      {"T54", R"(Collection.create({name: "D"}))"},
      {"", R"([D.definition.history_days, D.definition.ttl_days])", "[0,null]"},
      {"13",
       R"(Collection.create({name: "C", indexes: { byA: { terms: [".a"], values: [{ field: "b" }] } }, constraints: [{ unique: ["a"] }]}))"},
      {"", "C.definition.indexes",
       R"({"byA":{"terms":[{"field":".a","mva":false}],"values":[{"field":"b","order":"asc","mva":false}],"queryable":true,"status":"complete"}})"},
      {"", "C.definition.constraints", R"([{"unique":["a"],"status":"active"}])"},
      {"I null", R"(C.definition.update({ indexes: { byA: null } }))"},
      {"", "C.definition.indexes", "{}"},
      {"rename", R"(C.definition.update({ name: "E" }))",
       R"(constraint_failure: Failed to update Collection `C`. [[["name"]] A Collection cannot be renamed: documents refer to it by its name. Set `alias` for a second one.])"},
      {"", R"(Function.create({name: "f", body: "x => x * 2"}))"},
      {"", R"(Function.byName("f")!.update({ name: "g" }).name)", R"("g")"},
      {"", "g(2)", "4"},
      {"E9", R"(Role.create({name: "r"}))"},
      {"", R"(Function.create({name: "h", body: "x => x", role: "r"}))"},
      {"", R"(Role.byName("r")!.delete())",
       R"(constraint_failure: Failed to delete Role `r`. [[["name"]] The function `h` refers to this document by its previous identifier `r`.])"},
  });
}

TEST_F(Definitions, ProtectedDatabasesKeepDocuments) {
  run_steps({{"T88", R"(Database.create({name: "safe", protected: true}))"}});
  secret = "secret:safe:admin";
  run_steps({
      {"", R"(Collection.create({name: "C", history_days: 5}))"},
      {"", "C.definition.update({ ttl_days: 1 })",
       "…Cannot remove `ttl_days` field: destructive change forbidden because database is in "
       "protected mode.]"},
      {"", "C.definition.update({ history_days: 4 })", "…Cannot decrease `history_days` field…"},
      {"", "C.definition.update({ history_days: 0 })", "…Cannot decrease `history_days` field…"},
      {"", "C.definition.update({ history_days: null })",
       "constraint_failure: Failed to update Collection `C`. [[] Cannot remove `history_days` "
       "field: "
       "destructive change forbidden because database is in protected mode.]"},
      {"", "C.definition.update({ history_days: 6 }).history_days", "6"},
      {"", R"(Collection.create({name: "D", ttl_days: 5}))"},
      {"", "D.definition.update({ ttl_days: 4 })", "…Cannot decrease `ttl_days` field…"},
      {"", "D.definition.update({ ttl_days: 6 }).ttl_days", "6"},
      {"", "D.definition.update({ ttl_days: null }).ttl_days", "null"},
      {"", "D.definition.delete()", "…Cannot delete collection…"},
  });
}

TEST_F(Definitions, CopyingSharedValuesTakesSteps) {
  std::string shared = "let v = { a: 1 }; ";
  for (int i = 0; i < 40; ++i) shared += "let v = { a: v, b: v }; ";
  const testing::Reply created =
      query(shared + "Collection.create({ name: 'C', data: v })", {{"x-query-timeout-ms", "200"}});
  EXPECT_NE(created.status(), 200);
  run_steps({{"", "Collection.create({ name: 'C' }).name", "\"C\""}});
  const testing::Reply updated =
      query(shared + "C.definition.update({ data: v })", {{"x-query-timeout-ms", "200"}});
  EXPECT_NE(updated.status(), 200);
  run_steps({{"", "C.definition.data", "null"}});
}

TEST_F(Definitions, DatabasesAreNotRenamed) {
  run_steps({
      {"", R"(Database.create({ name: "d" }).name)", "\"d\""},
      {"", R"(Database.byName("d")!.update({ name: "e" }))",
       R"(constraint_failure: Failed to update Database `d`. [[["name"]] A Database cannot be renamed.])"},
      {"", R"(Database.byName("d")!.update({ name: "d", priority: 2 }).priority)", "2"},
  });
}

TEST_F(Definitions, UniqueConstraintsThatDoNotHoldFail) {
  run_steps({
      {"13.4", R"(Collection.create({name: "C"}))"},
      {"", "C.create({ a: 1, b: 1 }).a", "1"},
      {"", "C.create({ a: 1, b: 2 }).a", "1"},
      {"",
       R"(C.definition.update({ constraints: [{ unique: ["a"] }, { unique: ["b"] }] }).constraints)",
       R"([{"unique":["a"],"status":"failed"},{"unique":["b"],"status":"active"}])"},
      {"", "C.create({ a: 1, b: 3 }).b", "3"},
      {"", "C.create({ a: 2, b: 3 }).b", "constraint_failure: …"},
  });
}

TEST_F(Definitions, ComputedFieldsThatTheDatabaseCannotComputeAreNotIndexed) {
  const std::string computed =
      "computed_fields: { lower: { body: 'doc => doc.email.casefold()' } }";
  const std::string refused =
      "`lower` is a computed field, and `doc.email.casefold()` in it cannot be indexed here.";
  run_steps({
      {"13.2",
       "Collection.create({ name: 'C', " + computed +
           ", indexes: { byLower: { terms: [{ field: '.lower' }] } } })",
       R"(…[["indexes","byLower","terms",0]] )" + refused + "…"},
      {"",
       "Collection.create({ name: 'C', " + computed +
           ", indexes: { byMail: { values: ['.email', 'lower'] } } })",
       "…" + refused + "…"},
      {"", "Collection.create({ name: 'C', " + computed + " }).name", "\"C\""},
      {"", "C.definition.update({ constraints: [{ unique: ['.lower'] }] })",
       R"(…[["constraints",0]] )" + refused + "…"},
      {"", "fsl collection C { compute lower = (doc => doc.email.casefold())  unique [.lower] }",
       "…" + refused + "…"},
      {"", "C.definition.update({ constraints: [{ unique: ['.email'] }] }).name", "\"C\""},
      {"", "C.definition.update({ computed_fields: { email: { body: '(.a.casefold())' } } })",
       "…`email` is a computed field, and `.a.casefold()` in it cannot be indexed here.…"},
  });
}

TEST_F(Definitions, DocumentsAreMigrated) {
  run_steps({
      {"14.4", R"(Collection.create({name: "C", fields: { a: { signature: "Int" } }}))"},
      {"", "C.create({ a: 1 }).a", "1"},
      {"", R"(C.definition.update({ fields: { b: { signature: "Int" } } }))",
       R"(constraint_failure: Failed to update Collection `C`. [[["fields","b"]] Field `.b` is not present in the live schema…)"},
      {"", R"(C.definition.update({ fields: { b: { signature: "Int?" } } }).name)", R"("C")"},
      {"", R"(C.definition.update({ fields: { c: { signature: "Int", default: "7" } } }).name)",
       R"("C")"},
      {"", "C.all().first()!.c", "7"},
      {"", R"(C.definition.update({ fields: { a: null } }))",
       R"(…Field `.a` is missing from the submitted schema…)"},
      {"",
       R"(C.definition.update({ fields: { a: null, d: { signature: "Int" }, e: { signature: "Int" } }, migrations: [{ move: { field: ".a", to: ".d" } }, { drop: { field: ".c" } }, { add: { field: ".e" } }, { backfill: { field: ".e", value: "9" } }] }))",
       "…Field `.c`…"},
      {"",
       R"(C.definition.update({ fields: { a: null, c: null, d: { signature: "Int" }, e: { signature: "Int" } }, migrations: [{ move: { field: ".a", to: ".d" } }, { drop: { field: ".c" } }, { add: { field: ".e" } }, { backfill: { field: ".e", value: "9" } }] }).name)",
       R"("C")"},
      {"", "C.all().first() { a, c, d, e }", R"({"a":null,"c":null,"d":1,"e":9})"},
      {"", R"(C.definition.update({ fields: { d: { signature: "String" } } }))",
       "…Field `.d` of documents that are there does not fit type `String`]"},
  });
}

}  // namespace
}  // namespace mayfly::fauna
