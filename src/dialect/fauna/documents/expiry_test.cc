// Expired documents in queries. The numbers are those of the cases.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

using ExpiryTest = FaunaTest;

TEST_F(ExpiryTest, ExpiredDocumentsAreMissing) {
  run_steps({
      {"T20", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Foo.create({id: "10", ttl: Time.now().add(2, "seconds")}))"},
      {"T23", R"(Foo.create({id: "10"}))",
       "document_id_exists: Collection `Foo` already contains document with id 10."},
      {"T20", R"(Foo.byId("10").exists())", "true"},
      {"", "wait 3"},
      {"", R"(Foo.byId("10").exists())", "false"},
      {"", R"(Foo.byId("10"))", "null"},
      {"", R"(tagged Foo.byId("10"))",
       R"({"@ref":{"id":"10","coll":{"@mod":"Foo"},"exists":false,"cause":"not found"}})"},
      {"T21", R"(Foo.byId("10")!.a)",
       "document_not_found: Collection `Foo` does not contain document with id 10."},
      {"", R"(Foo.byId("10").a)", "document_not_found: …"},
      {"T22", R"(Foo.byId("10")!.update({ttl: Time.now().add(1, "day")}))",
       "document_not_found: …"},
      {"", R"(Foo.byId("10").update({ttl: Time.now().add(1, "day")}))", "document_not_found: …"},
      {"", R"(Foo.byId("10").replace({}))", "document_not_found: …"},
      {"", R"(Foo.byId("10")!.delete())", "document_not_found: …"},
      {"", R"(Foo.byId("10").delete())", "document_not_found: …"},
      {"T23", R"(Foo.create({id: "10", again: true}) { id, again })",
       R"({"id":"10","again":true})"},
  });
}

TEST_F(ExpiryTest, SetsSkipExpiredDocuments) {
  run_steps({
      {"T24", R"(Collection.create({name: "Foo", indexes: {byA: {terms: [".a"]}}}))"},
      {"", R"(Foo.create({id: "10", a: 1, ttl: Time.now().add(2, "seconds")}))"},
      {"", R"(Foo.create({id: "11", a: 1}); Foo.create({id: "12", a: 2}))"},
      {"", "Foo.byA(1).count()", "2"},
      {"", "wait 3"},
      {"", "Foo.all().count()", "2"},
      {"", R"(Foo.where(.id == "10").isEmpty())", "true"},
      {"", "Foo.byA(1).toArray().map(.id)", R"(["11"])"},
      {"", "Foo.all().reverse().toArray().map(.id)", R"(["12","11"])"},
      {"", "Foo.all().first()!.id", R"("11")"},
  });
}

TEST_F(ExpiryTest, WithATtlInThePast) {
  run_steps({
      {"T25", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Foo.create({id: "11", ttl: Time.now()}))", "null"},
      {"", R"(Foo.byId("11").exists())", "false"},
      {"", R"(tagged Foo.create({id: "11", ttl: Time.now()}))",
       R"({"@ref":{"id":"11","coll":{"@mod":"Foo"},"exists":false,"cause":"not found"}})"},
      {"T26",
       R"(Foo.create({id: "12", ttl: Time("2001-01-01T00:00:00Z")});)"
       R"( Foo.byId("12").exists())",
       "false"},
      {"",
       R"(Foo.create({id: "12", ttl: Time("2001-01-01T00:00:00Z")});)"
       R"( Foo.create({id: "12", a: 1}) { a })",
       R"({"a":1})"},
      {"T27", R"(let d = Foo.create({id: "13", ttl: Time.now().add(1, "second")}); d.ttl != null)",
       "true"},
      {"T29", R"(Foo.create({id: 29, ttl: Time.now().add(1, "second")}).ttl)", "$ttl="},
      {"", R"(let d = Foo.create({id: 30, ttl: Time.now()}); d.exists())", "false"},
  });
  // A document expires exactly at its ttl; a microsecond before, it is alive.
  const Instant death = parse_rfc3339(saved["ttl"]).value();
  clock.advance(mayfly::Span{(death - clock.now()).micros - 2});
  run_steps({{"T29", "[Foo.byId(29).exists(), Time.now() < Time(\"$ttl\")]", "[true,true]"}});
  clock.advance(mayfly::Span{2});
  run_steps({{"T29", "Foo.byId(29).exists()", "false"}});
}

TEST_F(ExpiryTest, OfADocumentThatAnotherRefersTo) {
  run_steps({
      {"T28", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Foo.create({id: "21", x: 1, ttl: Time.now().add(1, "second")}))"},
      {"", R"(Foo.create({id: "20", friend: Foo.byId("21")}))"},
      {"", R"(Foo.byId("20")!.friend?.x ?? "gone")", "1"},
      {"", "wait 2"},
      {"", R"(Foo.byId("20")!.friend == null)", "true"},
      {"", R"(Foo.byId("20")!.friend?.x ?? "gone")", R"("gone")"},
      {"", R"(tagged Foo.byId("20"))",
       R"({"@doc":{"id":"20",…"friend":{"@ref":{"id":"21","coll":{"@mod":"Foo"}}}}})"},
  });
}

TEST_F(ExpiryTest, ComesLaterOrEarlier) {
  run_steps({
      {"T30", R"(Collection.create({name: "Foo"}))"},
      {"", R"(Foo.create({id: 1, ttl: Time.now().add(2, "seconds")}))"},
      {"", R"(Foo.byId(1)!.update({ttl: Time.now().add(1, "hour")}))"},
      {"T31", R"(Foo.create({id: 2, ttl: Time.now().add(1, "hour")}))"},
      {"", R"(Foo.byId(2)!.update({ttl: Time.now().add(1, "second")}))"},
      {"T30", "wait 3"},
      {"", "Foo.byId(1).exists()", "true"},
      {"T31", "Foo.byId(2).exists()", "false"},
  });
}

TEST_F(ExpiryTest, BetweenPages) {
  run_steps({
      {"T32", R"(Collection.create({name: "Foo"}))"},
      {"", "Set.sequence(0, 20).forEach(i => Foo.create({id: 100 + i}))", "null"},
      {"",
       R"(Set.sequence(20, 40).forEach(i =>)"
       R"( Foo.create({id: 100 + i, ttl: Time.now().add(2, "seconds")})))",
       "null"},
      {"", "Foo.all().paginate().after", "$after="},
      {"", "wait 3"},
      {"", R"(Set.paginate("$after").data.map(.id))", R"(["116","117","118","119"])"},
      {"", R"(Set.paginate("$after").after == null)", "true"},
  });
}

TEST_F(ExpiryTest, FreesUniqueValues) {
  run_steps({
      {"T34", R"(Collection.create({name: "U", constraints: [{unique: ["email"]}]}))"},
      {"", R"(U.create({email: "a", ttl: Time.now().add(1, "second")}))"},
      {"", R"(U.create({email: "a"}))", "constraint_failure: Failed unique constraint…"},
      {"", "wait 2"},
      {"", R"(U.create({email: "a"}) { email })", R"({"email":"a"})"},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
