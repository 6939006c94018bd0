// Cases E01 to E05, E09, E10 and T33, and H2 to H9 of streams.
#include "db/expiry/sweeper.h"
#include "dialect/fauna/events/testing.h"

namespace mayfly::fauna::testing {
namespace {

class FqlStreamTest : public EventsTest {};

TEST_F(FqlStreamTest, E01AStreamBeginsWithItsStatus) {
  const Reply made = query("Foo.all().toStream()", {{"x-format", "tagged"}});
  const mayfly::Value token = made.at("data").member("@stream");
  ASSERT_TRUE(token.is(Kind::text)) << made.response.body;
  const auto stream = follow(token.text());
  const auto event_values = values(*stream);
  ASSERT_EQ(shown(*stream), "status");
  EXPECT_EQ(render_json(event_values[0].member("txn_ts")), made.text("txn_ts"));
  EXPECT_TRUE(event_values[0].member("cursor").is(Kind::text));
  EXPECT_TRUE(event_values[0].member("stats").member("read_ops").is(Kind::integer));
}

TEST_F(FqlStreamTest, E02CreationsUpdatesAndDeletionsArePublished) {
  const auto stream = follow(token("Foo.all().eventSource()"));
  make("Foo.create({id: 1, v: 0})");
  const Reply second = query("Foo.byId(1)!.update({v: 1})");
  make("Foo.byId(1)!.delete()");
  run_hub();
  const auto events = values(*stream);
  ASSERT_EQ(events.size(), 4U) << stream->text();
  const std::string fields = R"({"id":"1","coll":{"@mod":"Foo"},"ts":{"@time":")";
  std::string all;
  for (const mayfly::Value& event : events) {
    const mayfly::Value v = event.member("data").member("@doc").member("v");
    all += event.member("type").text() + (v.is_missing() ? "" : render_json(v)) + " ";
  }
  EXPECT_EQ(all, R"(status add{"@int":"0"} update{"@int":"1"} remove{"@int":"1"} )");
  EXPECT_TRUE(render_json(events[1].member("data").member("@doc")).starts_with(fields))
      << stream->text();
  EXPECT_EQ(render_json(events[2].member("txn_ts")), second.text("txn_ts"));
  EXPECT_TRUE(stream->text().ends_with("}\r\n"));
  EXPECT_TRUE(stream->is_open());
}

TEST_F(FqlStreamTest, E03AnAbortEndsTheStream) {
  const auto stream = follow(token(R"(Foo.all().map(doc => abort("oops")).toStream())"));
  make("Foo.create({})");
  make("Foo.create({})");
  run_hub();
  EXPECT_EQ(shown(*stream), R"(status, error abort: Query aborted. "oops")");
  EXPECT_FALSE(stream->is_open());
}

TEST_F(FqlStreamTest, E04AMissingFunctionEndsTheStream) {
  const auto stream = follow(token("Foo.all().map(doc => notARealFn(doc)).toStream()"));
  make("Foo.create({})");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, error unbound_variable: Unbound variable `notARealFn`");
  EXPECT_FALSE(stream->is_open());
}

TEST_F(FqlStreamTest, E05AStreamContinuesAfterItsCursor) {
  const std::string source = token("Foo.all().map(.v).eventSource()");
  for (const char* v : {"1", "2", "3"}) make("Foo.create({v: " + std::string(v) + "})");
  const auto first = follow(source);
  ASSERT_EQ(shown(*first), "status, add 1, add 2, add 3");
  const auto events = values(*first);
  const auto second = follow(source, R"(,"cursor":")" + events[1].member("cursor").text() + "\"");
  EXPECT_EQ(shown(*second), "status, add 2, add 3");
  const auto third = follow(source, R"(,"start_ts":)" + render_json(events[2].member("txn_ts")));
  EXPECT_EQ(shown(*third), "status, add 3");
}

TEST_F(FqlStreamTest, E09WhatMovesAcrossThePredicateIsAddedAndRemoved) {
  const auto stream = follow(token("Foo.where(.v > 1).map(.v).eventSource()"));
  make("Foo.create({id: 1, v: 0})");
  make("Foo.byId(1)!.update({v: 2})");
  make("Foo.byId(1)!.update({v: 3})");
  make("Foo.byId(1)!.update({v: 1})");
  make("Foo.byId(1)!.delete()");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 2, update 3, remove 3");
}

TEST_F(FqlStreamTest, EventSourcesHaveWhereAndMap) {
  const auto stream = follow(
      token("let least = 1; Foo.all().eventSource().where(.v > least).map(d => d.v + least)"));
  make("Foo.create({v: 1})");
  make("Foo.create({v: 5})");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 6");
}

TEST_F(FqlStreamTest, E10ATokenIsValidWithAnotherSecretOfItsDatabase) {
  const std::string source = token("Foo.all().map(.v).eventSource()");
  make(R"(Database.create({name: "child"}))");
  secret = "secret:server";
  const auto stream = follow(source);
  make("Foo.create({v: 1})");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1");
  secret = "secret:child:admin";
  EXPECT_EQ(send("POST", "/stream/1", body(source)).result(),
            "invalid_request: Invalid request body: invalid event source provided");
}

TEST_F(FqlStreamTest, T33TheEndOfADocumentByItsTtlIsNotPublished) {
  const std::string source = token("Foo.all().map(.v).eventSource()");
  const auto stream = follow(source);
  make(R"(Foo.create({id: 1, v: 1, ttl: Time.now().add(10, "seconds")}))");
  advance_clock(60);
  while (*database->sweeper().run_due(1'000) > 0) {
  }
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1");
  EXPECT_EQ(shown(feed(source)), "add 1");
  make("Foo.create({id: 1, v: 2})");  // H9: the earlier version was not visible
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1, add 2");
}

TEST_F(FqlStreamTest, H2AStreamCannotBeginBeforeItsToken) {
  const Reply before = query("Foo.create({v: 0})");
  make("Foo.create({v: 1})");
  const std::string source = token("Foo.all().map(.v).eventSource()");
  const std::string start = R"(,"start_ts":)" + before.text("txn_ts");
  EXPECT_EQ(send("POST", "/stream/1", body(source, start)).result(),
            "invalid_request: Invalid stream start time: Stream start time can not be before the "
            "stream create time.");
  EXPECT_EQ(shown(feed(source, start)), "add 1");
}

TEST_F(FqlStreamTest, H3ATokenThatIsTooOldIsRefused) {
  const std::string source = token("Foo.all().eventSource()");
  advance_clock(16 * 60);
  const std::string expected =
      "error invalid_stream_start_time: Stream start time 2026-02-27T10:00:00";
  const auto stream = follow(source);
  EXPECT_TRUE(shown(*stream).starts_with("status, " + expected)) << stream->text();
  EXPECT_TRUE(
      shown(*stream).ends_with("is too far in the past. Recreate the stream and try again."));
  EXPECT_FALSE(stream->is_open());
  const Reply page = feed(source);
  EXPECT_TRUE(shown(page).starts_with(expected)) << page.response.body;
  EXPECT_EQ(page.text("has_next"), "false");
}

TEST_F(FqlStreamTest, H5EventsOfOneTransactionAreOrderedByDocument) {
  const auto stream = follow(token("Foo.all().map(.v).eventSource()"));
  make("[3, 1, 2].forEach(i => Foo.create({id: i, v: i}))");
  make("Foo.byId(1)!.update({v: 10}); Foo.byId(1)!.update({v: 11})");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1, add 2, add 3, update 11");
}

TEST_F(FqlStreamTest, H6OnlyChangesOfTheFieldsArePublished) {
  const auto stream = follow(token("Foo.all().eventsOn(.v, .deep.w).map(.n)"));
  make("Foo.create({id: 1, v: 1, n: 1})");
  make("Foo.byId(1)!.update({n: 2})");
  make("Foo.byId(1)!.update({n: 3, v: 2})");
  make("Foo.byId(1)!.update({n: 4, deep: {w: 1, x: 1}})");
  make("Foo.byId(1)!.update({n: 5, deep: {x: 2}})");
  make("Foo.create({id: 2, n: 6})");
  make("Foo.byId(2)!.delete()");
  make("Foo.byId(1)!.delete()");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1, update 3, update 4, add 6, remove 5");
}

TEST_F(FqlStreamTest, IndexesReportOnlyCoveredFields) {
  make(R"(Collection.create({name: "Bar", indexes: {
      byKind: {terms: [{field: ".kind"}], values: [{field: ".n"}]}}}))");
  const auto stream = follow(token(R"(Bar.byKind("a").map(.v).eventSource())"));
  make(R"(Bar.create({id: 1, kind: "a", n: 1, v: 1}))");
  make(R"(Bar.create({id: 2, kind: "b", n: 1, v: 2}))");
  make("Bar.byId(1)!.update({v: 3})");
  make("Bar.byId(1)!.update({v: 4, n: 2})");
  make(R"(Bar.byId(2)!.update({kind: "a"}))");
  make(R"(Bar.byId(1)!.update({kind: "b"}))");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1, update 4, add 2, remove 4");
}

TEST_F(FqlStreamTest, ASingleDocumentIsFollowed) {
  const auto stream =
      follow(token("let d = Foo.create({id: 7, v: 1}); Set.single(d).map(.v).eventSource()"));
  make("Foo.create({id: 8, v: 9})");
  make("Foo.byId(7)!.update({v: 2})");
  make("Foo.byId(7)!.delete()");
  run_hub();
  // The token has the instant of its query, so the query's own writes are no events.
  EXPECT_EQ(shown(*stream), "status, update 2, remove 2");
}

TEST_F(FqlStreamTest, EventsAreReadAsOfTheirOwnInstants) {
  make("Foo.create({id: 9, v: 1})");
  const std::string source =
      token("Foo.where(.id == ID(1)).map(_ => Foo.byId(9)!.v).eventSource()");
  make("Foo.create({id: 1})");
  make("Foo.byId(9)!.update({v: 2})");
  make("Foo.byId(1)!.update({v: 0})");
  make("Foo.byId(9)!.update({v: 3})");
  EXPECT_EQ(shown(*follow(source)), "status, add 1, update 2");
}

TEST_F(FqlStreamTest, H7AnIdleStreamSendsItsPosition) {
  const auto stream = follow(token("Foo.where(.v > 1).eventSource()"));
  advance_hub_clock(299);
  EXPECT_EQ(shown(*stream), "status");
  advance_clock(60);
  make("Foo.create({v: 1})");  // filtered out
  advance_hub_clock(2);
  EXPECT_EQ(shown(*stream), "status, status");
  const auto events = values(*stream);
  EXPECT_GT(events[1].member("txn_ts").integer(), events[0].member("txn_ts").integer());
  advance_hub_clock(300);
  EXPECT_EQ(shown(*stream), "status, status, status");
}

TEST_F(FqlStreamTest, H7AStreamOfAKeyEndsWithIt) {
  const std::string loss = "error permission_loss: Stream authentication is no longer valid.";
  const std::string source = token("Foo.all().map(.v).eventSource()");
  const Reply mortal =
      query(R"(Key.create({role: "server", ttl: Time.now().add(60, "seconds")}) { secret })");
  const Reply other = query(R"(Key.create({role: "server"}) { id, secret })");
  secret = mortal.text("data.secret");
  const auto of_mortal = follow(source);
  secret = other.text("data.secret");
  const auto of_other = follow(source);
  secret = "secret";
  make("Foo.create({v: 1})");
  run_hub();
  EXPECT_EQ(shown(*of_mortal), "status, add 1");
  advance_clock(61);
  advance_hub_clock(2);
  EXPECT_EQ(shown(*of_mortal), "status, add 1, " + loss);
  EXPECT_FALSE(of_mortal->is_open());
  make("Key.byId(\"" + other.text("data.id") + "\")!.delete()");
  make("Foo.create({v: 2})");
  run_hub();
  EXPECT_EQ(shown(*of_other), "status, add 1, " + loss);
  EXPECT_FALSE(of_other->is_open());
}

TEST_F(FqlStreamTest, H7AStreamEndsWithTheRoleOfItsKey) {
  make(R"(Role.create({
      name: "reader", privileges: [{resource: "Foo", actions: {read: true}}]}))");
  const std::string source = token("Foo.all().map(.v).eventSource()");
  secret = query(R"(Key.create({role: "reader"}) { secret })").text("data.secret");
  const auto stream = follow(source);
  secret = "secret";
  make("Foo.create({v: 1})");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1");
  make(R"(Key.all().forEach(key => key.update({role: "client"})))");
  make(R"(Role.byName("reader")!.delete())");
  advance_hub_clock(301);  // there was no event to send
  EXPECT_EQ(shown(*stream),
            "status, add 1, error permission_loss: Stream authentication is no longer valid.");
  EXPECT_FALSE(stream->is_open());
}

TEST_F(FqlStreamTest, LambdasOfStreamsReadOnly) {
  const auto stream = follow(token("Foo.all().map(_ => Foo.create({})).eventSource()"));
  make("Foo.create({})");
  run_hub();
  EXPECT_EQ(shown(*stream),
            "status, error invalid_effect: `create` performs a write, which is not allowed in "
            "stream requests.");
}

TEST_F(FqlStreamTest, ALambdaThatTakesTooLongEndsItsStreamAlone) {
  const auto slow =
      follow(token("Foo.all().map(_ => Set.sequence(0, 1000000000).count()).eventSource()"));
  const auto beside = follow(token("Foo.all().map(.v).eventSource()"));
  make("Foo.create({v: 1})");
  run_hub();
  EXPECT_EQ(shown(*slow), "status, error internal_error: An event takes too long to be made.");
  EXPECT_FALSE(slow->is_open());
  EXPECT_EQ(shown(*beside), "status, add 1");
}

TEST_F(FqlStreamTest, LongLambdasDoNotBlockOtherStreams) {
  const auto slow =
      follow(token("Foo.all().map(d => Set.sequence(0, 200000).count() * 0 + d.v).eventSource()"));
  const auto beside = follow(token("Foo.all().map(.v).eventSource()"));
  std::string expected = "status";
  for (int v = 0; v < 10; ++v) {
    make("Foo.create({v: " + std::to_string(v) + "})");
    expected += ", add " + std::to_string(v);
  }
  while (values(*slow).size() == 1) ASSERT_TRUE(run_once());
  ASSERT_TRUE(run_once());  // now the other stream must have run
  EXPECT_LT(values(*slow).size(), 10U);
  EXPECT_EQ(shown(*beside), expected);
  run_hub();
  EXPECT_EQ(shown(*slow), expected);
}

TEST_F(FqlStreamTest, StreamsWithoutFunctionsDoNotWaitForOthers) {
  const auto stream = follow(token("Foo.all().map(.v).eventSource()"));
  make("Foo.create({v: 1})");
  while (database->jobs().run_due(JobLane::events) > 0) {
  }
  EXPECT_EQ(shown(*stream), "status");
  run_hub();
  EXPECT_EQ(shown(*stream), "status, add 1");
}

TEST_F(FqlStreamTest, ACollectionThatIsDeletedEndsItsStreams) {
  const auto stream = follow(token("Foo.all().eventSource()"));
  make("Foo.definition.delete()");
  run_hub();
  EXPECT_EQ(shown(*stream),
            "status, error internal_error: The collection of the event source is gone.");
  EXPECT_FALSE(stream->is_open());
}

}  // namespace
}  // namespace mayfly::fauna::testing
