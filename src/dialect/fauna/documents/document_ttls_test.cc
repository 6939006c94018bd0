// `document_ttls`: whether `ttl` can be written, and checks on it. The numbers are those of the
// cases.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

using DocumentTtlsTest = FaunaTest;

TEST_F(DocumentTtlsTest, DecidesWhetherTtlCanBeWritten) {
  run_steps({
      {"T60", R"(Collection.create({name: "A0", fields: {name: {signature: "String"}}}))"},
      {"", "A0.definition.document_ttls", "null"},
      {"", "typechecked A0.create({name: \"Bob\", ttl: Time.now()})",
       "summary: …Type `{ name: \"Bob\", ttl: Time }` contains extra field `ttl`…"},
      {"", "typechecked A0.create({ttl: Time.now()})", "invalid_query: …"},
      {"", "typechecked A0.create({ttl: Time.now()})", "summary: …contains extra field `ttl`…"},
      {"T61", R"(Collection.create({name: "A1"}))"},
      {"", "typechecked A1.create({ttl: Time.now()})", "null"},
      {"T62", R"(Collection.create({name: "A2", fields: {name: {signature: "String"}},)"
              R"( document_ttls: true}))"},
      {"", "A2.definition.document_ttls", "true"},
      {"", "typechecked A2.create({name: 'Bob', ttl: Time.now()})", "null"},
      {"T63", R"(Collection.create({name: "A3", document_ttls: false}))"},
      {"", "typechecked A3.create({ttl: Time.now()})", "invalid_query: …"},
      {"", "typechecked A3.create({ttl: Time.now()})",
       "summary: …Type `Time` is not a subtype of `Null`…"},
      {"T65", "A3.create({ttl: Time.now()})", R"(constraint_failure: …[[["ttl"]] …)"},
      {"", "A3.create({ttl: null}).ttl", "null"},
      {"T66", R"(Collection.create({name: "W", wildcard: "Any"}))"},
      {"", R"(typechecked W.create({ttl: Time.now().add(1, "day")}).ttl != null)", "true"},
      {"T67", R"(Collection.create({name: "X", computed_fields: {one: {body: "_ => 1"}},)"
              R"( indexes: {byA: {terms: [".a"]}}}))"},
      {"", R"(typechecked X.create({ttl: Time.now().add(1, "day")}).ttl != null)", "true"},
      {"T68", R"(Collection.create({name: "F", fields: {ttl: {signature: "Number"}}}))",
       "constraint_failure: …The name 'ttl' is reserved…"},
  });
}

TEST_F(DocumentTtlsTest, DoesNotChangeExistingDocuments) {
  run_steps({
      {"T64", R"(Collection.create({name: "A", document_ttls: true}))"},
      {"", R"(A.create({id: 0, ttl: Time.now().add(10, "seconds")}).ttl)", "$ttl="},
      {"", "A.definition.update({document_ttls: false})"},
      {"", "typechecked A.create({ttl: Time.now()})", "invalid_query: …"},
      {"", "typechecked A.byId(0)!.update({ttl: Time.now()})", "invalid_query: …"},
      {"", "typechecked A.byId(0)!.replace({ttl: Time.now()})", "invalid_query: …"},
      {"", "A.byId(0)!.ttl", R"("$ttl")"},
      {"", "A.byId(0)!.update({a: 1}).ttl", R"("$ttl")"},
      {"", "wait 11"},
      {"", "A.byId(0).exists()", "false"},
  });
}

class ChecksTest : public FaunaTest {
 protected:
  // A collection `C` with these checks, in the order of the JSON.
  void make(const std::string& checks, const std::string& rest = "") {
    (void)query("Collection.byName(\"C\")?.delete()");
    const Reply made =
        query(R"(Collection.create({name: "C", constraints: [)" + checks + "]" + rest + "})");
    ASSERT_EQ(made.status(), 200) << made.response.body;
  }
};

TEST_F(ChecksTest, OfTheTtl) {
  make(R"({check: {name: "ttlPolicy", body: "(doc) => doc.ttl != null"}})");
  run_steps({
      {"T70", "C.create({})",
       "constraint_failure: Failed to create document in collection `C`. "
       "[[] Document failed check constraint `ttlPolicy`]"},
      {"", R"(C.create({id: 1, ttl: Time.now().add(1, "day")}) { id })", R"({"id":"1"})"},
      {"", "C.byId(1)!.update({ttl: null})", "constraint_failure: …ttlPolicy`]"},
      {"", "C.byId(1)!.replace({a: 1})", "constraint_failure: …ttlPolicy`]"},
      {"", "C.byId(1)!.ttl != null", "true"},
      {"E6", R"(C.create({id: 2, ttl: Time("2001-01-01T00:00:00Z")}))", "null"},
      {"", R"(C.create({id: 2, ttl: Time.now()}))", "null"},
  });
  make(R"q({check: {name: "ttlPolicy", body: "(.ttl?.difference(Time.now(), 'days') <= 30)"}})q");
  run_steps({
      {"T71", "C.create({})", "constraint_failure: …ttlPolicy`]"},
      {"", R"(C.create({ttl: Time.now().add(10, "days")}))"},
      {"", R"(C.create({ttl: Time.now().add(60, "days")}))", "constraint_failure: …"},
      {"", R"(C.create({ttl: Time.now().add(30, "days")}))"},
  });
  make(R"({check: {name: "ttlPolicy",)"
       R"q( body: "(.ttl == null || .ttl?.difference(Time.now(), 'days') <= 30)"}})q");
  run_steps({
      {"T72", "C.create({})"},
      {"", R"(C.create({ttl: Time.now().add(60, "days")}))", "constraint_failure: …"},
  });
  make(R"({check: {name: "ttlPolicy", body: "(doc) => doc.ttl != null"}})", ", ttl_days: 1");
  run_steps({{"T73", "C.create({}).ttl != null", "true"}});
}

TEST_F(ChecksTest, WithoutABooleanResultFail) {
  make(R"({check: {name: "n", body: "doc => 1"}})");
  run_steps({{"T74", "C.create({})",
              "constraint_failure: …[[] Error evaluating check constraint `n`: function returned a "
              "non-boolean value]"}});
  make(R"({check: {name: "n", body: "doc => doc.foo + 1 > 0"}})");
  run_steps({
      {"T75", "C.create({})",
       "invalid_function_invocation: The function `+` does not exist on `Null`"},
      {"", "C.create({})", "summary: …*check_constraint:n*…"},
  });
  make(R"({check: {name: "n", body: "doc => { C.create({}); true }"}})");
  run_steps({{"T76", "C.create({})",
              "invalid_effect: `create` performs a write, which is not allowed in check "
              "constraints."}});
  make(R"q({check: {name: "n", body: "doc => abort(0)"}})q");
  run_steps({{"T77", "C.create({})", "abort: …"}, {"", "C.all().count()", "0"}});
  EXPECT_EQ(query("C.create({})").text("error.abort"), "0");
  make(R"({check: {name: "b", body: "doc => false"}}, {check: {name: "a", body: "doc => null"}})");
  run_steps(
      {{"T78", "C.create({})",
        "…[[] Document failed check constraint `b`] [[] Document failed check constraint `a`]"}});
}

}  // namespace
}  // namespace mayfly::fauna::testing
