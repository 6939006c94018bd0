// `at`: earlier versions of documents. The numbers are those of the cases.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

using HistoryTest = FaunaTest;

TEST_F(HistoryTest, ShowsEarlierVersions) {
  run_steps({
      {"T80", R"(Collection.create({name: "User"}))"},
      {"", R"(User.create({id: 1, name: "Alice"}))"},
      {"", "User.byId(1)!.ts", "$ts1="},
      {"", "wait 1"},
      {"", R"(User.byId(1)!.update({name: "Carol"}))"},
      {"", R"(at (Time("$ts1")) { User.byId(1)!.name })", R"("Alice")"},
      {"", R"((at (Time("$ts1")) { User.byId(1) }).name)", R"("Alice")"},
      {"", R"(at (Time("$ts1")) { User.byId(1) }!.ts)", R"("$ts1")"},
      {"", R"(at (Time("$ts1")) { User.all().toArray().map(.name) })", R"(["Alice"])"},
      {"", R"((at (Time("$ts1")) { User.all() }).toArray().map(.name))", R"(["Alice"])"},
      {"", R"(at (Time("$ts1").subtract(1, "second")) { User.byId(1).exists() })", "false"},
      {"", "User.byId(1)!.name", R"("Carol")"},
      {"T81", "User.byId(1)!.delete()", "null"},
      {"", R"(at (Time("$ts1")) { User.byId(1)!.name })", R"("Alice")"},
      {"", "User.byId(1).exists()", "false"},
      {"F5", R"((at (Time("$ts1")) { User.byId(1) }).update({a: 1}))", "document_not_found: …"},
      {"F4", R"(at (Time("$ts1")) { Time.now() > Time("$ts1") })", "true"},
  });
}

TEST_F(HistoryTest, ShowsExpiredDocuments) {
  run_steps({
      {"T82", R"(Collection.create({name: "Foo", indexes: {byA: {terms: [".a"]}}}))"},
      {"", "Foo.create({id: 1, a: 1})"},
      {"", "Foo.byId(1)!.ts", "$ts1="},
      {"", "wait 1"},
      {"", R"(Foo.byId(1)!.update({a: 2, ttl: Time.now().add(1, "second")}))"},
      {"T83", R"(Foo.create({id: 2, a: 3, ttl: Time.now().add(1, "second")}))"},
      {"", "Foo.byId(2)!.ts", "$ts2="},
      {"T82", "wait 2"},
      {"", R"(at (Time("$ts1")) { Foo.byId(1)!.a })", "1"},
      {"", "Foo.byId(1).exists()", "false"},
      {"T83", R"(at (Time("$ts2")) { Foo.byId(2).exists() })", "true"},
      {"", R"(at (Time("$ts2")) { Foo.byA(3).count() })", "1"},
      {"", R"(at (Time("$ts2").add(1, "second")) { Foo.byId(2).exists() })", "false"},
  });
}

TEST_F(HistoryTest, HasItsBounds) {
  run_steps({
      {"T84", R"(at (Time.now().add(1, "day")) { 1 })",
       "invalid_argument: invalid argument `at_time`: cannot evaluate `at` in the future"},
      {"", "at (5) { 1 }", "type_mismatch: expected type: Time, received Int"},
      {"T85", R"(Collection.create({name: "Foo"}))"},
      {"", "Foo.create({id: 1})"},
      {"", R"(at (Time("2001-01-01T00:00:00Z")) { Foo.all().count() })",
       "invalid_request: Requested timestamp 2001-01-01T00:00:00Z less than minimum allowed "
       "timestamp 2026-02-27T09:45:…Z."},
      {"", R"(at (Time("2001-01-01T00:00:00Z")) { Foo.byId(1).exists() })",
       "invalid_request: Requested timestamp 2001-01-01T00:00:00Z less than minimum allowed "
       "timestamp 2026-02-27T09:45:…Z."},
      {"", R"(at (Time("2001-01-01T00:00:00Z")) { 1 })", "1"},
      {"T86", R"(at (Time.now().subtract(1, "second")) { Foo.create({}) })",
       "invalid_write: Cannot write at a snapshot time in the past."},
      {"F3", "at (Time.now()) { Foo.create({id: 3}) { id } }", R"({"id":"3"})"},
  });
}

TEST_F(HistoryTest, OfATransactionHasOneTime) {
  run_steps({{"T87", R"(Collection.create({name: "Foo"}))"}});
  const Reply made = query("[Foo.create({id: 1}), Foo.create({id: 2})]");
  const std::string ts = made.text("data[0].ts");
  EXPECT_EQ(ts, made.text("data[1].ts"));
  const auto instant = parse_rfc3339(ts);
  ASSERT_TRUE(instant) << made.response.body;
  EXPECT_EQ(std::to_string(instant->micros), made.text("txn_ts"));
  EXPECT_EQ(ts, query("Foo.byId(1)!.ts").text("data"));
}

}  // namespace
}  // namespace mayfly::fauna::testing
