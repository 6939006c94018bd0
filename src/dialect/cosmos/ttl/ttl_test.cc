// TTL, case by case (spec cosmos-cases.md, section A): those of single documents and of containers.
#include "dialect/cosmos/ttl/ttl.h"

#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

std::string ttl(const std::string& value) {
  return R"("ttl":)" + value;
}
std::string default_ttl(const std::string& value) {
  return R"("defaultTtl":)" + value;
}

// The answers to the creation of a container and to reading it.
std::vector<Answer> answers_of(const std::string& more) {
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  const Answer made = account.send("POST", containers, Account::definition(more));
  EXPECT_EQ(made.status, 201) << made.response.body;
  return {made, account.send("GET", container)};
}

TEST(CosmosTtl, A_default_is_shown_and_absent_if_it_is_off) {  // T1, T2, T3, T6
  for (const auto* seconds : {"5", "-1", "2147483647"}) {
    for (const Answer& reported : answers_of(default_ttl(seconds))) {
      EXPECT_EQ(render_json(reported.body.member("defaultTtl")), seconds);
    }
  }
  for (const Answer& reported : answers_of("")) {
    EXPECT_TRUE(reported.body.member("defaultTtl").is_missing());
  }
}

TEST(CosmosTtl, A_default_that_is_no_number_of_seconds_is_refused) {  // T4, T5
  Account account;
  account.send("POST", "/dbs", R"({"id":"d"})");
  for (const auto* bad : {"0", "-10", "2147483648", "1.5", R"("5")", "true", "null"}) {
    const Answer made = account.send("POST", containers, Account::definition(default_ttl(bad)));
    EXPECT_EQ(made.status, 400) << bad;
    EXPECT_EQ(made.body.member("code").text(), "BadRequest");
  }
}

struct Life {
  const char* default_seconds;  // empty: TTL is off
  const char* seconds;          // of the document; empty: it has none
  std::int64_t lives_for;       // seconds; 0: for ever
};

TEST(CosmosTtl, Documents_live_as_the_matrix_says) {  // T7 to T16
  for (const Life& life :
       {Life{"5", "", 5}, Life{"5", "-1", 0}, Life{"5", "2", 2}, Life{"5", "8", 8},
        Life{"-1", "", 0}, Life{"-1", "-1", 0}, Life{"-1", "2", 2}, Life{"", "2", 0},
        Life{"", "-1", 0}, Life{"", "", 0}}) {
    auto account =
        Account::with_container(*life.default_seconds ? default_ttl(life.default_seconds) : "");
    ASSERT_EQ(account->create("1", *life.seconds ? ttl(life.seconds) : "").status, 201);
    if (life.lives_for > 0) {
      account->advance(life.lives_for - 1);
      EXPECT_EQ(account->get("1").status, 200);
      account->advance(1);
      EXPECT_EQ(account->get("1").status, 404);
    } else {
      account->advance(1'000);
      EXPECT_EQ(account->get("1").status, 200);
    }
  }
}

TEST(CosmosTtl, A_ttl_is_plain_data_where_TTL_is_off) {  // T15
  auto account = Account::with_container();
  account->create("1", ttl("2"));
  account->advance(1'000);
  EXPECT_EQ(render_json(account->get("1").body.member("ttl")), "2");
}

TEST(CosmosTtl, A_ttl_that_is_no_number_of_seconds_is_refused_with_the_sentence_of_the_service) {
  auto account = Account::with_container(default_ttl("5"));  // T17 to T21
  for (const auto& [sent, shown] : {std::pair{"0", "0"},
                                    {"null", "null"},
                                    {"-10", "-10"},
                                    {"-2", "-2"},
                                    {"2147483648", "2147483648"},
                                    {"1.5", "1.5"},
                                    {R"("60")", "60"},
                                    {"true", "true"},
                                    {"{}", "{}"},
                                    {"[]", "[]"}}) {
    const std::string sentence =
        "The input ttl '" + std::string(shown) +
        "' is invalid. Ensure to provide a nonzero positive integer less than "
        "or equal to '2147483647', or '-1' which means never expire.";
    for (const Answer& answer :
         {account->create("1", ttl(sent)), account->upsert("1", ttl(sent))}) {
      EXPECT_EQ(answer.status, 400) << sent;
      EXPECT_NE(answer.message().find(sentence), std::string::npos) << answer.message();
    }
  }
  EXPECT_EQ(account->create("1", ttl("5.0")).status, 201);
}

// The statuses of two writes in one request; the second has this ttl.
std::string statuses_of_two(Account& account, const std::string& value, bool is_atomic) {
  const std::string of_a = R"({"operationType":"Upsert","partitionKey":"[\"a\"]","resourceBody":)";
  const Answer answer = account.send("POST", documents,
                                     "[" + of_a + Account::document("fine") + "}," + of_a +
                                         Account::document("1", ttl(value)) + "}]",
                                     {key_a,
                                      {"x-ms-cosmos-is-batch-request", "True"},
                                      {"x-ms-cosmos-batch-atomic", is_atomic ? "True" : "False"},
                                      {"x-ms-cosmos-batch-continue-on-error", "True"}});
  EXPECT_EQ(answer.status, 207) << answer.response.body;
  std::string statuses;
  for (const Value& row : answer.body.array()) {
    statuses += std::to_string(row.member("statusCode").integer()) + " ";
  }
  return statuses;
}

TEST(CosmosTtl, A_ttl_that_is_no_number_of_seconds_is_refused_by_every_write) {  // T22
  for (const std::string bad :
       {"0", "null", "-10", "-2", "2147483648", "1.5", R"("60")", "true", "{}", "[]"}) {
    auto account = Account::with_container(default_ttl("5"));
    const std::string before = account->create("1").header("etag");
    const std::string patch = R"([{"op":"set","path":"/ttl","value":)" + bad + "}]";
    EXPECT_EQ(account->put("1", ttl(bad)).status, 400) << bad;
    EXPECT_EQ(account->upsert("1", ttl(bad)).status, 400) << bad;
    EXPECT_EQ(account->send("PATCH", documents + "/1", patch, {key_a}).status, 400) << bad;
    EXPECT_EQ(statuses_of_two(*account, bad, true), "424 400 ") << bad;
    EXPECT_EQ(account->get("fine").status, 404) << bad;
    EXPECT_EQ(statuses_of_two(*account, bad, false), "201 400 ") << bad;
    EXPECT_EQ(account->get("fine").status, 200) << bad;
    EXPECT_EQ(account->get("1").header("etag"), before) << bad;
  }
}

TEST(CosmosTtl, The_longest_ttl_does_not_overflow) {  // T20
  auto account = Account::with_container(default_ttl("5"));
  EXPECT_EQ(account->create("1", ttl("2147483647")).status, 201);
  account->advance(10 * 365 * 86'400LL);
  EXPECT_EQ(account->get("1").status, 200);
}

TEST(CosmosTtl, Every_write_restarts_the_clock_and_no_read_does) {  // T23, T24, T26
  auto account = Account::with_container(default_ttl("5"));
  const Answer made = account->create("1");
  account->create("2");
  account->create("3");
  account->advance(4);
  const Answer replaced = account->put("1");
  EXPECT_GT(replaced.body.member("_ts").integer(), made.body.member("_ts").integer());
  EXPECT_EQ(account->upsert("2").status, 200);
  EXPECT_EQ(account->get("3").status, 200);
  account->advance(2);
  EXPECT_EQ(account->get("1").status, 200);
  EXPECT_EQ(account->get("2").status, 200);
  EXPECT_EQ(account->get("3").status, 404);
  account->advance(3);
  EXPECT_EQ(account->get("1").status, 404);
}

TEST(CosmosTtl, Without_its_own_ttl_a_document_falls_back_to_the_default) {  // T27
  auto account = Account::with_container(default_ttl("5"));
  account->create("1", ttl("100"));
  account->advance(1);
  EXPECT_EQ(account->put("1").status, 200);
  account->clock.advance(Span{4'999'999});
  EXPECT_EQ(account->get("1").status, 200);
  account->clock.advance(Span{1});
  EXPECT_EQ(account->get("1").status, 404);
}

TEST(CosmosTtl, An_expired_document_is_absent_for_every_operation) {  // T29 to T33
  auto account = Account::with_container(default_ttl("5"));
  const Answer made = account->create("1");
  account->create("2");
  account->clock.advance(Span{4'999'999});
  for (const auto* id : {"1", "2"}) EXPECT_EQ(account->get(id).status, 200);
  EXPECT_EQ(account->get("1", {{"if-none-match", made.header("etag")}}).status, 304);
  account->clock.advance(Span{1});
  const net::Pair match{"if-match", made.header("etag")};
  EXPECT_EQ(account->put("1").status, 404);
  EXPECT_EQ(account->put("1", "", {match}).status, 404);
  EXPECT_EQ(account->remove("1").status, 404);
  EXPECT_EQ(account->get("1", {{"if-none-match", made.header("etag")}}).status, 404);
  const Answer again = account->create("1");
  EXPECT_EQ(again.status, 201);
  EXPECT_NE(again.body.member("_rid").text(), made.body.member("_rid").text());
  EXPECT_NE(again.header("etag"), made.header("etag"));
  EXPECT_EQ(account->upsert("2").status, 201);
}

TEST(CosmosTtl, Feeds_leave_expired_documents_out_also_between_pages) {  // T36, T38
  auto account = Account::with_container(default_ttl("-1"));
  account->create("1");
  account->create("2", ttl("5"));
  account->create("3");
  Answer page = account->list({{"x-ms-max-item-count", "1"}});
  EXPECT_EQ(page.body.member("Documents").array().at(0).member("id").text(), "1");
  account->clock.advance(Span{4'999'999});
  EXPECT_EQ(account->list().body.member("_count").integer(), 3);
  account->clock.advance(Span{1});
  page = account->list(
      {{"x-ms-max-item-count", "1"}, {"x-ms-continuation", page.header("x-ms-continuation")}});
  EXPECT_EQ(page.body.member("Documents").array().at(0).member("id").text(), "3");
  page = account->list(
      {{"x-ms-max-item-count", "1"}, {"x-ms-continuation", page.header("x-ms-continuation")}});
  EXPECT_EQ(page.body.member("_count").integer(), 0);
  EXPECT_EQ(page.header("x-ms-continuation"), "");
  EXPECT_EQ(account->list().body.member("_count").integer(), 2);
}

TEST(CosmosTtl, A_unique_value_is_free_once_its_document_has_expired) {  // T40
  auto account = Account::with_container(
      default_ttl("5") + R"(,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email"]}]})");
  EXPECT_EQ(account->create("1", R"("email":"x")").status, 201);
  const Answer taken = account->create("2", R"("email":"x")");
  EXPECT_EQ(taken.status, 409);
  EXPECT_NE(taken.message().find("Unique index constraint violation."), std::string::npos);
  account->advance(5);
  EXPECT_EQ(account->create("2", R"("email":"x")").status, 201);
}

TEST(CosmosTtl, A_document_without_a_part_of_a_unique_key_is_held_to_it_until_it_expires) {
  auto account = Account::with_container(
      default_ttl("5") + R"(,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email","/a/b"]}]})");
  EXPECT_EQ(account->create("1", R"("email":"x")").status, 201);
  EXPECT_EQ(account->create("2", R"("email":"x","a":{})").status, 409);
  EXPECT_EQ(account->create("2", R"("email":"x","a":{"b":null})").status, 409);
  EXPECT_EQ(account->create("2", R"("email":"x","a":{"b":1})").status, 201);
  EXPECT_EQ(account->create("3").status, 201);
  EXPECT_EQ(account->create("4").status, 409);
  EXPECT_EQ(account->upsert("4").status, 409);
  EXPECT_EQ(account->put("2").status, 409);
  const net::Pair other_key{key_a.first, R"(["b"])"};
  EXPECT_EQ(account->send("POST", documents, R"({"id":"4","pk":"b"})", {other_key}).status, 201);
  account->advance(5);
  EXPECT_EQ(account->create("4").status, 201);
  EXPECT_EQ(account->create("5", R"("email":"x")").status, 201);
  EXPECT_EQ(account->create("3").status, 409);
}

TEST(CosmosTtl, A_shorter_default_is_retroactive) {  // T41
  auto account = Account::with_container(default_ttl("3600"));
  account->create("1");
  account->advance(10);
  EXPECT_EQ(account->get("1").status, 200);
  EXPECT_EQ(account->send("PUT", container, Account::definition(default_ttl("5"))).status, 200);
  EXPECT_EQ(account->get("1").status, 404);
}

TEST(CosmosTtl, Turning_TTL_on_is_retroactive) {  // T42
  auto account = Account::with_container();
  account->create("1", ttl("2"));
  account->create("2");
  account->advance(10);
  EXPECT_EQ(account->get("1").status, 200);
  account->send("PUT", container, Account::definition(default_ttl("-1")));
  EXPECT_EQ(account->get("1").status, 404);
  EXPECT_EQ(account->get("2").status, 200);
}

TEST(CosmosTtl, A_default_may_go_or_grow_before_the_deadline) {  // T43, T44
  auto off = Account::with_container(default_ttl("5"));
  off->create("1");
  off->advance(3);
  off->send("PUT", container, Account::definition());
  off->advance(97);
  EXPECT_EQ(off->get("1").status, 200);

  auto longer = Account::with_container(default_ttl("5"));
  longer->create("1");
  longer->advance(3);
  longer->send("PUT", container, Account::definition(default_ttl("100")));
  longer->advance(47);
  EXPECT_EQ(longer->get("1").status, 200);
  longer->advance(50);
  EXPECT_EQ(longer->get("1").status, 404);
}

TEST(CosmosTtl, A_hint_says_where_a_ttl_does_nothing) {
  auto off = Account::with_container();
  EXPECT_NE(off->create("1", ttl("5")).header("x-mayfly-hint").find("TTL is off"),
            std::string::npos);
  EXPECT_EQ(off->create("2").header("x-mayfly-hint"), "");
  auto on = Account::with_container(default_ttl("-1"));
  EXPECT_EQ(on->create("1", ttl("5")).header("x-mayfly-hint"), "");
  EXPECT_NE(on->put("1", R"("timeToLive":5)").header("x-mayfly-hint").find("spelled"),
            std::string::npos);
}

TEST(CosmosTtl, No_expired_document_comes_back) {  // the first of the spec's own choices
  auto account = Account::with_container(default_ttl("5"));
  account->create("1");
  account->clock.advance(Span{4'999'999});
  EXPECT_EQ(account->get("1").status, 200);
  account->clock.advance(Span{1});
  EXPECT_EQ(account->get("1").status, 404);
  account->send("PUT", container, Account::definition(default_ttl("100")));
  EXPECT_EQ(account->get("1").status, 404);
  account->send("PUT", container, Account::definition());
  EXPECT_EQ(account->get("1").status, 404);
}

TEST(CosmosTtl, TTL_needs_an_index) {  // T45 to T49
  const std::string none = R"("indexingPolicy":{"indexingMode":"none","automatic":false})";
  const std::string sentence =
      "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection";
  auto account = Account::with_container(default_ttl("5"));
  for (const Answer& refused :
       {account->send("PUT", container, Account::definition(none + "," + default_ttl("5"))),
        account->send("POST", containers, Account::definition(none + "," + default_ttl("-1")))}) {
    EXPECT_EQ(refused.status, 400);
    EXPECT_NE(refused.message().find(sentence), std::string::npos) << refused.message();
  }
  auto unindexed = Account::with_container(none);
  const Answer refused =
      unindexed->send("PUT", container, Account::definition(none + "," + default_ttl("5")));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.message().find(sentence), std::string::npos) << refused.message();
  Account::with_container(R"("indexingPolicy":{"indexingMode":"lazy"},)" + default_ttl("5"));
}

TEST(CosmosTtl, A_property_may_start_the_clock) {  // T50 to T52
  const std::string path = R"("ttlPropertyPath":"/creationDate")";
  Account bare;
  bare.send("POST", "/dbs", R"({"id":"d"})");
  EXPECT_EQ(bare.send("POST", containers, Account::definition(path)).status, 400);

  auto account = Account::with_container(default_ttl("10") + "," + path);
  const std::int64_t now = start.whole_seconds();
  EXPECT_EQ(account->create("old", R"("creationDate":)" + std::to_string(now - 20)).status, 201);
  account->create("new", R"("creationDate":)" + std::to_string(now));
  account->create("none");
  EXPECT_EQ(account->get("old").status, 404);
  EXPECT_EQ(account->get("new").status, 200);
  account->advance(10);
  EXPECT_EQ(account->get("new").status, 404);
  EXPECT_EQ(account->get("none").status, 200);
  const Answer changed = account->send("PUT", container, Account::definition(default_ttl("10")));
  EXPECT_EQ(changed.status, 200);
  EXPECT_TRUE(changed.body.member("ttlPropertyPath").is_missing());
  // From now on `_ts` counts for new documents. A replaced document keeps the start of the
  // property.
  EXPECT_EQ(account->put("none", R"("creationDate":1)").status, 200);
  account->create("fresh", R"("creationDate":1)");
  account->advance(9);
  EXPECT_EQ(account->get("fresh").status, 200);
  account->advance(1);
  EXPECT_EQ(account->get("fresh").status, 404);
  EXPECT_EQ(account->get("none").status, 200);
}

TEST(CosmosTtl, A_property_that_starts_the_clock_does_so_when_it_is_written) {
  const std::string with_path = default_ttl("10") + R"(,"ttlPropertyPath":"/from")";
  auto account = Account::with_container(default_ttl("10"));
  const std::int64_t now = start.whole_seconds();
  account->create("before", R"("from":)" + std::to_string(now + 100));
  EXPECT_EQ(account->send("PUT", container, Account::definition(with_path)).status, 200);
  account->create("own", R"("ttl":30,"from":)" + std::to_string(now));
  account->create("never", R"("ttl":-1,"from":)" + std::to_string(now - 100));
  account->create("text", R"("from":"yesterday")");
  account->create("later", R"("from":)" + std::to_string(now + 5));
  account->clock.advance(Span{9'999'999});
  EXPECT_EQ(account->get("before").status, 200);
  account->clock.advance(Span{1});
  EXPECT_EQ(account->get("before").status, 404);
  EXPECT_EQ(account->get("later").status, 200);
  const std::string longer = default_ttl("1000") + R"(,"ttlPropertyPath":"/from")";
  EXPECT_EQ(account->send("PUT", container, Account::definition(longer)).status, 200);
  account->advance(5);
  EXPECT_EQ(account->get("later").status, 404);
  EXPECT_EQ(account->get("own").status, 200);
  account->advance(15);
  EXPECT_EQ(account->get("own").status, 404);
  EXPECT_EQ(account->get("never").status, 200);
  EXPECT_EQ(account->get("text").status, 200);
}

TEST(CosmosTtl, The_analytical_ttl_says_nothing_about_documents) {  // T53
  for (const Answer& reported : answers_of(R"("analyticalStorageTtl":-1)")) {
    EXPECT_EQ(render_json(reported.body.member("analyticalStorageTtl")), "-1");
    EXPECT_TRUE(reported.body.member("defaultTtl").is_missing());
  }
  auto account = Account::with_container(R"("analyticalStorageTtl":-1)");
  account->create("1", ttl("2"));
  account->advance(1'000);
  EXPECT_EQ(account->get("1").status, 200);
}

TEST(CosmosTtl, A_clock_that_steps_back_brings_no_document_back) {  // T61
  auto account = Account::with_container(default_ttl("5"));
  account->create("1");
  account->clock.advance(Span{4'999'999});
  EXPECT_EQ(account->get("1").status, 200);
  account->clock.advance(Span{1});
  EXPECT_EQ(account->get("1").status, 404);
  account->advance(-60);
  EXPECT_EQ(account->get("1").status, 404);
}

TEST(CosmosTtl, A_partition_is_removed_with_living_and_expired_documents) {  // T64, I18
  auto account = Account::with_container(default_ttl("-1"));
  account->create("dead", ttl("1"));
  account->create("living");
  account->send("POST", documents, R"({"id":"other","pk":"b"})");
  account->clock.advance(Span{999'999});
  EXPECT_EQ(account->list().body.member("_count").integer(), 3);
  account->clock.advance(Span{1});
  EXPECT_EQ(account->send("POST", container + "/operations/partitionkeydelete", "", {key_a}).status,
            200);
  EXPECT_EQ(account->get("living").status, 404);
  EXPECT_EQ(account->get("dead").status, 404);
  EXPECT_EQ(account->list().body.member("_count").integer(), 1);
}

// Each is also written for the history and for the trash.
TEST(CosmosTtl, A_partition_of_many_of_the_largest_documents_is_removed) {
  auto account = Account::with_container("");
  const CatalogPtr catalog = account->database->catalog();
  const auto place = catalog->find_collection(catalog->find_database("d")->id, "c");
  CollectionChange change;
  change.keep_history_for = Span::seconds(1'000);
  change.keep_trash_for = Span::seconds(1'000);
  ASSERT_TRUE(account->database->change_collection(place->id, change).has_value());
  const std::string text(limits::document_bytes_max - 10'000, 'x');
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(account->create(std::to_string(i), R"("text":")" + text + '"').status, 201);
  }
  EXPECT_EQ(account->send("POST", container + "/operations/partitionkeydelete", "", {key_a}).status,
            200);
  EXPECT_EQ(account->list().body.member("_count").integer(), 0);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
