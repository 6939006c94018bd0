// The field `ttl`: writing and reading it. The numbers are those of the cases.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

using TtlFieldTest = FaunaTest;

TEST_F(TtlFieldTest, IsWrittenAndRead) {
  run_steps({
      {"T01", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Foo.create({id: "1", a: 1, ttl: Time("3000-01-01T12:00:00Z")}))",
       R"({"id":"1","coll":"Foo","ts":"…","ttl":"3000-01-01T12:00:00Z","a":1})"},
      {"T02", "Foo.create({a: 1}).ttl", "null"},
      {"", R"(Foo.create({id: 100, a: 1}))", R"({"id":"100","coll":"Foo","ts":"…","a":1})"},
      {"T03", R"(Foo.create({f: "v", ttl: "is time even real??"}))",
       "constraint_failure: Failed to create document in collection `Foo`. "
       R"([[["ttl"]] Expected Time | Null, provided String])"},
      {"", R"(Foo.create({f: "v", ttl: "is time even real??"}))",
       "summary: error: Failed to create document in collection `Foo`.\nconstraint failures:\n"
       "  ttl: Expected Time | Null, provided String…"},
      {"T04", "Foo.create({ttl: 5})", R"(…[[["ttl"]] Expected Time | Null, provided Int])"},
      {"", R"(Foo.create({ttl: Date("2030-01-01")}))", "…provided Date]"},
      {"", "Foo.create({ttl: true})", "…provided Boolean]"},
      {"", R"(Foo.byId("1")!.update({ttl: 5}))",
       "constraint_failure: Failed to update document with id 1 in collection `Foo`. "
       R"([[["ttl"]] Expected Time | Null, provided Int])"},
      {"T05", R"(Foo.byId("1")!.ts)", "$ts="},
      {"", R"(Foo.byId("1")!.update({ttl: Time("3001-01-01T00:00:00Z")}))",
       R"({"id":"1","coll":"Foo","ts":"…","ttl":"3001-01-01T00:00:00Z","a":1})"},
      {"", R"(Foo.byId("1")!.ts > Time("$ts"))", "true"},
      {"T06", R"(Foo.byId("1")!.update({b: 2}) { ttl, a, b })",
       R"({"ttl":"3001-01-01T00:00:00Z","a":1,"b":2})"},
      {"T12", R"(tagged Foo.byId("1"))",
       R"({"@doc":{"id":"1","coll":{"@mod":"Foo"},"ts":{"@time":"…"},)"
       R"("ttl":{"@time":"3001-01-01T00:00:00Z"},"a":{"@int":"1"},"b":{"@int":"2"}}})"},
      {"T07", R"(Foo.byId("1")!.update({ttl: null}))",
       R"({"id":"1","coll":"Foo","ts":"…","a":1,"b":2})"},
      {"", R"(Foo.byId("1")!.ttl == null)", "true"},
      {"T08", R"(Foo.create({id: 2, ttl: Time("3000-01-01T00:00:00Z")}))"},
      {"", R"(Foo.byId("2")!.replace({a: 9}))", R"({"id":"2","coll":"Foo","ts":"…","a":9})"},
      {"T09", R"(Foo.byId("2")!.replace({a: 9, ttl: Time("3000-01-01T00:00:00Z")}) { ttl, a })",
       R"({"ttl":"3000-01-01T00:00:00Z","a":9})"},
  });
}

TEST_F(TtlFieldTest, DataOfThatNameIsNoTtl) {
  run_steps({
      {"T10", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Foo.create({id: "3", ttl: Time("2200-01-01T01:01:01Z")}))"},
      {"", R"(Foo.byId("3")!.updateData({ttl: Time("2300-01-01T01:01:01Z")}))",
       R"({"id":"3","coll":"Foo","ts":"…","ttl":"2200-01-01T01:01:01Z",)"
       R"("data":{"ttl":"2300-01-01T01:01:01Z"}})"},
      {"", R"(Foo.byId("3")!.data.ttl)", R"("2300-01-01T01:01:01Z")"},
      {"T11", R"(Foo.byId("3")!.replaceData({x: 1}))", R"({"id":"3","coll":"Foo","ts":"…","x":1})"},
  });
}

TEST_F(TtlFieldTest, IsComputedFromTheTimeOfTheQuery) {
  run_steps({
      {"T14", R"(Collection.create({name: "Foo"}))"},
      {"",
       R"(Foo.create({x: 1, ttl: Time.now().add(1, "days")}).ttl!)"
       R"(.difference(Time.now(), "hours"))",
       "24"},
      {"",
       R"(Foo.create({x: 1, ttl: Time.now().add(1, "day")}).ttl!)"
       R"(.difference(Time.now(), "hour"))",
       "24"},
      {"T15", R"(Foo.create({ttl: Time.now().add(1, "month")}))",
       "invalid_unit: `month` is not a valid time unit."},
      {"T16", R"(Foo.create({id: 16, ttl: Time("3000-01-01T00:00:00.123456789Z")}).ttl)",
       R"("3000-01-01T00:00:00.123456789Z")"},
      {"", "Foo.byId(16)!.ttl", R"("3000-01-01T00:00:00.123456789Z")"},
      {"", "Foo.byId(16)!.update({a: 1}).ttl", R"("3000-01-01T00:00:00.123456789Z")"},
      {"", "Foo.byId(16)!.replace({a: 1}).ttl", "null"},
      {"T17", R"(Foo.create({ttl: Time("3000-01-01T05:00:00+05:00")}).ttl)",
       R"("3000-01-01T00:00:00Z")"},
  });
}

TEST_F(TtlFieldTest, IsGivenAsTheSeedDoes) {
  run_steps({
      {"seed", R"(Collection.create({name: "Customer"}))"},
      {"", R"(Customer.create({
name: "John Doe",
email: "jdoe@example.com",
address: {
street: "87856 Mendota Court",
city: "Washington",
state: "DC",
postalCode: "20220",
country: "US"
},
// Sets a `ttl` 60 days after the current time.
// After the `ttl` passes, Fauna deletes the document.
ttl: Time.now().add(60, "days")
}).ttl!.difference(Time.now(), "days"))",
       "60"},
      {"", "wait 5183999"},
      {"", "Customer.all().count()", "1"},
      {"", "wait 2"},
      {"", "Customer.all().count()", "0"},
  });
}

TEST_F(TtlFieldTest, OfADocumentThatTheClientRefersTo) {
  run_steps({{"T13", R"(Collection.create({name: "Foo"}))"}, {"", "Foo.create({id: 1})"}});
  const Reply reply =
      query_body(R"q({"query":{"fql":[{"value":{"@ref":{"id":"1","coll":{"@mod":"Foo"}}}},)q"
                 R"q(".update({ ttl: Time.now().add(1, \"day\") })"]}})q",
                 {{"x-format", "tagged"}});
  EXPECT_TRUE(reply.data().starts_with(R"({"@doc":{"id":"1")")) << reply.result();
  EXPECT_TRUE(reply.text("data.@doc.ttl.@time").starts_with("2026-02-28T10:00:00"))
      << reply.result();
}

TEST_F(TtlFieldTest, CanBeIndexed) {
  run_steps({
      {"T18", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Foo.create({id: 1, ttl: Time("3001-01-01T00:00:00Z")}))"},
      {"", R"(Foo.create({id: 2, ttl: Time("3002-01-01T00:00:00Z")}))"},
      {"", "Foo.create({id: 3})"},
      {"", R"(Foo.definition.update({indexes: {byTtl: {terms: [{field: "ttl"}]},)"
           R"( sorted: {values: [{field: "ts"}, {field: "ttl"}]}}}))"},
      {"", R"(Foo.byTtl(Time("3001-01-01T00:00:00Z")).toArray().length)", "1"},
      {"", R"(Foo.sorted().toArray().map(.id))", R"(["1","2","3"])"},
      {"T19", "Foo.all().where(.ttl == null).toArray().map(.id)", R"(["3"])"},
      {"", "Foo.all().where(.ttl != null).toArray().map(.id)", R"(["1","2"])"},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
