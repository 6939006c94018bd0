// Cases E06 to E08, and H1, H4, H5 and H8.
#include "dialect/fauna/events/testing.h"

namespace mayfly::fauna::testing {
namespace {

class FqlFeedTest : public EventsTest {
 protected:
  void create(std::initializer_list<const char*> values) {
    for (const char* v : values) make("Foo.create({v: " + std::string(v) + "})");
  }
  static std::string behind(const Reply& page) {
    return R"(,"cursor":")" + page.text("cursor") + "\"";
  }
};

TEST_F(FqlFeedTest, E06AFeedHasPages) {
  const std::string source = token("Foo.all().map(.v).eventSource()");
  create({"1", "2", "3"});
  const Reply first = feed(source, R"(,"page_size":2)");
  EXPECT_EQ(shown(first), "add 1, add 2 …");
  const Reply second = feed(source, R"(,"page_size":2)" + behind(first));
  EXPECT_EQ(shown(second), "add 3");
  const std::string start = R"(,"start_ts":)" + first.text("events[0].txn_ts");
  EXPECT_EQ(shown(feed(source, start)), "add 2, add 3");
  for (const char* member :
       {"read_ops", "storage_bytes_read", "compute_ops", "processing_time_ms", "rate_limits_hit"}) {
    EXPECT_NE(first.text("stats." + std::string(member)), "") << member;
    EXPECT_NE(first.text("events[0].stats." + std::string(member)), "") << member;
  }
}

TEST_F(FqlFeedTest, H4HasNextIsExact) {
  const std::string source = token("Foo.where(.v > 0).map(.v).eventSource()");
  create({"1", "0", "2", "0", "3", "0"});
  Reply page = feed(source, R"(,"page_size":1)");
  EXPECT_EQ(shown(page), "add 1 …");
  page = feed(source, R"(,"page_size":1)" + behind(page));
  EXPECT_EQ(shown(page), "add 2 …");
  page = feed(source, R"(,"page_size":1)" + behind(page));
  EXPECT_EQ(shown(page), "add 3");
  page = feed(source, R"(,"page_size":1)" + behind(page));
  EXPECT_EQ(shown(page), "");
  create({"4"});
  EXPECT_EQ(shown(feed(source, behind(page))), "add 4");
}

TEST_F(FqlFeedTest, H4APollerNeverFallsBehindInAQuietCollection) {
  const std::string source = token("Foo.all().map(.v).eventSource()");
  Reply page = feed(source);
  for (int i = 0; i < 4; ++i) {
    advance_clock(10 * 60);
    page = feed(source, behind(page));
    EXPECT_EQ(shown(page), "");
  }
}

TEST_F(FqlFeedTest, E07ADeadlineThatIsTooShortIsTheClients) {
  const Reply page = feed(token("Foo.all().eventSource()"), "", {{"x-query-timeout-ms", "1"}});
  EXPECT_EQ(page.status(), 440);
  EXPECT_EQ(page.code(), "time_out");
  EXPECT_NE(page.message().find("aggressive deadline"), std::string::npos);
}

TEST_F(FqlFeedTest, E08AFailureEndsItsPageAndIsSkippedByTheNext) {
  const std::string source =
      token(R"(Foo.all().map(d => if (d.v == 2) abort({why: "two"}) else d.v).eventSource())");
  create({"1", "2"});
  Reply page = feed(source);
  EXPECT_EQ(shown(page), R"(add 1, error abort: Query aborted. {"why":"two"})");
  EXPECT_EQ(shown(feed(source, behind(page))), "");
  create({"3"});
  page = feed(source);
  EXPECT_EQ(shown(page), R"(add 1, error abort: Query aborted. {"why":"two"} …)");
  page = feed(source, behind(page));
  EXPECT_EQ(shown(page), "add 3");
}

TEST_F(FqlFeedTest, E09TransitionsOfAPredicateArePublished) {
  const std::string source = token("Foo.where(.v > 1).map(.v).eventSource()");
  make("Foo.create({id: 1, v: 0})");
  make("Foo.byId(1)!.update({v: 2})");
  make("Foo.byId(1)!.update({v: 1})");
  EXPECT_EQ(shown(feed(source)), "add 2, remove 2");
}

TEST_F(FqlFeedTest, H5TheEventsOfATransactionAreDividedBetweenPages) {
  const std::string source = token("Foo.all().map(.v).eventSource()");
  const Reply made = query("[1, 2, 3].forEach(i => Foo.create({id: i, v: i}))");
  Reply page = feed(source, R"(,"page_size":2)");
  EXPECT_EQ(shown(page), "add 1, add 2 …");
  EXPECT_EQ(shown(feed(source, behind(page))), "add 3");
  // The transaction at the start position is skipped completely.
  EXPECT_EQ(shown(feed(source, R"(,"start_ts":)" + made.text("txn_ts"))), "");
}

TEST_F(FqlFeedTest, A18AnEventShowsItsDocumentAsItWasThen) {
  const std::string source = token("Foo.all().eventSource()");
  make(R"(Foo.create({id: 1, v: 1, ttl: Time.now().add(5, "seconds")}))");
  advance_clock(60);
  const Reply page = feed(source);
  EXPECT_EQ(shown(page).substr(0, 40), R"(add {"@doc":{"id":"1","coll":{"@mod":"Fo)");
}

TEST_F(FqlFeedTest, H1MissingMembersOfABodyAreReported) {
  const std::string source = token("Foo.all().eventSource()");
  const std::string start = "invalid_request: Invalid request body: ";
  const std::string cursor = feed(source).text("cursor");
  const auto message_of = [&](const std::string& path, const std::string& text) {
    return send("POST", path, text).result();
  };
  const std::string both = R"(,"start_ts":1,"cursor":")" + cursor + "\"";
  for (const auto& [path, stop] : {std::pair("/feed/1", "."), std::pair("/stream/1", "")}) {
    EXPECT_EQ(message_of(path, "{}"), start + "Value for key token not found.");
    EXPECT_EQ(message_of(path, body("2")), start + "invalid event source provided" + stop);
    EXPECT_EQ(message_of(path, body(source, R"(,"cursor":"x")")),
              start + "invalid event cursor provided" + stop);
    EXPECT_EQ(message_of(path, body(source, R"(,"start_ts":"x")")),
              start + "Unexpected string value 'x'.");
    EXPECT_EQ(message_of(path, body(source, both)),
              start + "can not provide both `start_ts` and `cursor`" + stop);
  }
  EXPECT_EQ(message_of("/feed/1", body(source, R"(,"page_size":0)")),
            start + "page size must be greater than zero.");
  EXPECT_EQ(message_of("/feed/1", body(source, R"(,"page_size":16001)")),
            start + "page size can not be greater than 16000.");
}

TEST_F(FqlFeedTest, H1AnUnknownSecretIsRefused) {
  const std::string source = token("Foo.all().eventSource()");
  secret = "other";
  const std::string refused = "401 unauthorized: Invalid token, unable to authenticate request";
  EXPECT_EQ(feed(source).result(), refused);
  EXPECT_EQ(send("POST", "/stream/1", body(source)).result(), refused);
  EXPECT_EQ(query("1").result(), "401 unauthorized: Access token required");
}

TEST_F(FqlFeedTest, H8SomeSetsCannotBeFollowed) {
  make(R"(Collection.create({name: "Bar", indexes: {
      byName: {terms: [{field: ".name"}], values: [{field: ".n"}]}}}))");
  const auto no = [](const std::string& method, const std::string& why) {
    return "invalid_receiver: can't call `." + method + "()` because " + why;
  };
  const std::string no_ranges =
      "range queries are not supported yet, use `.where()` method instead.";
  const std::string no_stream = "streaming is not supported on ";
  const std::string no_system = "only collections and user defined indexes are streamable.";
  run_steps({
      {"H8", R"(at (Time.now().subtract(1, "second")) { Foo.all() }.eventSource())",
       no("eventSource",
          "streaming is not supported for sets created within an `at()` expression.")},
      {"", R"(Bar.byName("a", {from: 1}).toStream())", no("toStream", no_ranges)},
      {"", "Foo.all().reverse().eventSource()",
       no("eventSource", no_stream + "sets that have been reversed.")},
      {"", "Foo.all().take(1).eventSource()",
       no("eventSource", no_stream + "sets returned from `.take()`.")},
      {"", "Foo.all().drop(1).where(.a == 1).eventSource()",
       no("eventSource", no_stream + "sets returned from `.drop()`.")},
      {"", "Foo.all().order(.a).eventSource()",
       no("eventSource", no_stream + "sets returned from `.order()`.")},
      {"", "Foo.all().distinct().eventSource()", no("eventSource", no_stream + "distinct sets.")},
      {"", "Foo.all().flatMap(_ => Foo.all()).eventSource()",
       no("eventSource", no_stream + "`.flatMap()` sets.")},
      {"", "Foo.all().concat(Foo.all()).changesOn(.a)",
       no("changesOn", no_stream + "concatenated sets.")},
      {"", "[1].toSet().eventSource()", no("eventSource", no_stream + "array sets.")},
      {"", "Set.sequence(1, 2).eventSource()",
       no("eventSource", no_stream + "sets created from `Set.sequence()`.")},
      {"", "Set.single(10).eventSource()",
       no("eventSource",
          "streaming on `Set.single()` is only supported if its element is a document.")},
      {"", "Database.all().eventSource()", no("eventSource", no_system)},
      {"", "Foo.where(.a == 1).changesOn(.a)",
       no("changesOn", "it was not called on the source set.")},
      {"", "Foo.all().map(.a).eventsOn(.a)",
       no("eventsOn", "it was not called on the source set.")},
      {"", R"(Bar.byName("a").eventsOn(.x))",
       "invalid_argument: invalid argument `fields`: `.x` not covered by the `byName` index."},
      {"", "Foo.all().changesOn()",
       "invalid_argument: invalid argument `0`: invalid field path given"},
      {"", "Foo.all().changesOn(.a, 1)",
       "invalid_argument: invalid argument `1`: invalid field path given"},
      {"", R"(Bar.byName("a").eventsOn(.n, .name))", "\"…\""},
      {"", "tagged Foo.all().eventsOn(.a.b).where(.a.b == 1).map(.a)", R"({"@stream":"…"})"},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
