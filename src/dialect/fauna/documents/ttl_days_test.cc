// `ttl_days`: the ttl that every write gives to a collection's documents. The numbers are those of
// the cases.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

using TtlDaysTest = FaunaTest;

TEST_F(TtlDaysTest, IsGivenByEachWrite) {
  run_steps({
      {"T40", R"(Collection.create({name: "Col"}))"},
      {"", "Col.create({id: 1})"},
      {"", "Col.definition.update({ttl_days: 1})"},
      {"", "Col.all().first()!.ttl == null", "true"},
      {"T41",
       R"(let doc = Col.all().first()!; doc.update({foo: "baz"});)"
       R"( doc.ttl == Time.now().add(1, "day"))",
       "true"},
      {"T42",
       R"(let d = Col.create({id: 2, fizz: "buzz"}); d.ttl!.difference(Time.now(), "seconds"))",
       "86400"},
      {"T43",
       R"(Col.create({id: 3, ttl: Time.now().add(10, "days")}).ttl)"
       R"( == Time.now().add(10, "days"))",
       "true"},
      {"T44",
       R"(let d = Col.createData({buz: "fizz", ttl: "something else"});)"
       R"( [d.ttl == Time.now().add(1, "day"), d.data.ttl])",
       R"([true,"something else"])"},
      {"T45", "Col.create({id: 4, ttl: null})", R"({"id":"4","coll":"Col","ts":"…"})"},
      {"T46", R"(Col.byId(3)!.update({x: 1}).ttl == Time.now().add(1, "day"))", "true"},
      {"T47", "Col.byId(3)!.ts", "$ts="},
      {"", "wait 60"},
      {"", R"(Col.byId(3)!.update({}).ttl == Time.now().add(1, "day"))", "true"},
      {"", R"(Col.byId(3)!.ts > Time("$ts"))", "true"},
      {"T48", "Col.byId(3)!.update({ttl: null}).ttl", "null"},
      {"", R"(Col.byId(3)!.update({x: 2}).ttl == Time.now().add(1, "day"))", "true"},
      {"T49", R"(Col.byId(3)!.replace({x: 1}).ttl == Time.now().add(1, "day"))", "true"},
      {"T50", "Col.byId(3)!.ttl", "$ttl="},
      {"", "Col.definition.update({ttl_days: null})"},
      {"", "Col.byId(3)!.update({y: 1}).ttl", R"("$ttl")"},
      {"", "Col.create({}).ttl", "null"},
      {"", "wait 86401"},
      {"", "Col.byId(3).exists()", "false"},
  });
}

TEST_F(TtlDaysTest, IsOfTheCollection) {
  run_steps({
      {"T51", R"(Collection.create({name: "C2", ttl_days: 1, document_ttls: false}))"},
      {"", R"(C2.create({id: "0"}).ttl != null)", "true"},
      {"T52", R"(Collection.create({name: "C3", ttl_days: -1}))",
       "constraint_failure: Failed to create Collection. "
       R"([[["ttl_days"]] Non-negative value required.])"},
      {"", R"(Collection.create({name: "C3", ttl_days: 1.5}))",
       R"(…[[["ttl_days"]] Expected Long | Null, provided Double])"},
      {"", R"(Collection.create({name: "C3", history_days: -1}))",
       R"(…[[["history_days"]] Non-negative value required.])"},
      {"T53", R"(Collection.create({name: "C", ttl_days: 0}))"},
      {"", R"(C.create({id: "1"}))", "null"},
      {"", R"(C.byId("1").exists())", "false"},
      {"T54", R"(Collection.create({name: "D"}) { history_days, ttl_days })",
       R"({"history_days":0,"ttl_days":null})"},
      {"E4", R"(Collection.create({name: "E", ttl_days: 9000000000000}))"},
      {"", R"(E.create({id: 1}).exists())", "true"},
  });
}

TEST_F(TtlDaysTest, IsFilledInLaterAsTheSeedDoes) {
  run_steps({
      {"T55", R"(Collection.create({name: "Customer"}))"},
      {"", "Set.sequence(0, 30).forEach(i => Customer.create({id: 100 + i}))"},
      {"", "wait 100"},
      {"", R"(let page = Customer.all().where(.ttl == null).pageSize(20).paginate()
let data = page.data
data.forEach(document => document.update({
// Set `ttl` as the document timestamp (`ts`) + 365 days.
ttl: document.ts.add(365, "days")
}))
page {
after
})",
       R"({"after":"…"})"},
      {"", "Customer.all().where(.ttl != null).count()", "20"},
      {"", "Customer.all().where(.ttl == null).pageSize(20).paginate().data.length", "10"},
  });
}

TEST_F(TtlDaysTest, IsFilledInOverPages) {
  run_steps({
      {"T55", R"(Collection.create({name: "Customer"}))"},
      {"", "Set.sequence(0, 30).forEach(i => Customer.create({id: 100 + i}))"},
      {"", "Customer.byId(129)!.ts", "$ts="},
      {"", "wait 100"},
      {"", R"(let page = Customer.all().where(.ttl == null).pageSize(20).paginate()
page.data.forEach(document => document.update({ ttl: document.ts.add(365, "days") }))
page.after)",
       "$after="},
      {"", "wait 5"},
      {"", R"(let page = Set.paginate("$after")
let data = page.data
data.forEach(document => document.update({
ttl: document.ts.add(365, "days")
}))
page {
after
})",
       R"({"after":null})"},
      {"", "Customer.all().where(.ttl == null).count()", "0"},
      {"", R"(Customer.all().toArray().every(c => c.ttl == Time("$ts").add(365, "days")))", "true"},
      {"T56", R"(let d = Customer.create({}); d.update({ttl: d.ts.add(1, "day")}))",
       "invalid_function_invocation: The function `add` does not exist on `TransactionTime`"},
  });
}

// A policy that another API has set applies to every write.
TEST_F(TtlDaysTest, PoliciesOfOtherApisCount) {
  run_steps({{"", R"(Collection.create({name: "C"}))"}, {"", "C.create({id: 1})"}});
  const CatalogPtr catalog = database->catalog();
  const CollectionPtr c = catalog->find_collection(catalog->find_database("fauna")->id, "C");
  CollectionChange change;
  change.stamp = Stamp{mayfly::Span::seconds(60), Stamp::When::creation};
  ASSERT_TRUE(database->change_collection(c->id, change));
  run_steps({
      {"", R"(C.create({id: 2}); C.byId(2)!.ttl == Time.now().add(60, "seconds"))", "true"},
      {"", "C.create({id: 3, ttl: null}).ttl", "null"},
      {"", "C.byId(1)!.replace({a: 1}).ttl", "null"},
  });
  change.stamp = Stamp{mayfly::Span::seconds(60), Stamp::When::every_write};
  ASSERT_TRUE(database->change_collection(c->id, change));
  run_steps({
      {"", R"(C.byId(1)!.replace({a: 1}); C.byId(1)!.ttl == Time.now().add(60, "seconds"))",
       "true"},
      {"", R"(C.byId(3)!.update({a: 1}); C.byId(3)!.ttl == Time.now().add(60, "seconds"))", "true"},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
