// Case59 and related tests: a bulk writes all records or none, a batch writes each by itself.
#include "base/limits.h"
#include "db/feed/feed.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliManyTest : public CentraliTest {
 protected:
  CentraliManyTest() { make_structures(); }

  Reply bulk(const std::string& method, const std::string& body,
             const std::string& parameters = "") {
    return send(method, D + "/records/bulk" + parameters, body);
  }
  Reply batch(const std::string& method, const std::string& body) {
    return send(method, D + "/records/batch", body);
  }
  std::string count(const std::string& structure = "S") {
    return get(D + "/records/count?structureId=" + structure).at({"count"});
  }
  // How many commits the structure's events have, and how many events there are.
  std::string commits_and_events() {
    const CatalogPtr catalog = database->catalog();
    const auto collection = catalog->find_collection(catalog->find_database("acme")->id, "s");
    const FeedPage page = database->feed().read(*collection, {}, 1'000).value();
    std::size_t commits = 0;
    Instant last = Instant::beginning();
    for (const Event& event : page.events) {
      commits += event.committed_at != last;
      last = event.committed_at;
    }
    return std::to_string(commits) + " " + std::to_string(page.events.size());
  }
  static std::string records(std::size_t n) {
    std::string body = R"({"structureId":"S","records":[)";
    for (std::size_t i = 0; i < n; ++i) {
      body += (i > 0 ? "," : "") + (R"({"data":{"userId":"u)" + std::to_string(i) + R"("}})");
    }
    return body + "]}";
  }
};

TEST_F(CentraliManyTest, Case59ABulkStoresAllOrNone) {
  const Reply refused = bulk("POST", R"({"structureId":"S","records":[{"data":{"userId":"a"}},
    {"data":{"token":"b"}},{"data":{"userId":"c","more":1}}]})");
  EXPECT_EQ(refused.at({"error", "details"}),
            R"(400 Validation Failed [{"field":"records.1.userId","message":"is required"},)"
            R"({"field":"records.2.more","message":"is not a property of this structure"}])");
  EXPECT_EQ(count(), "200 0");
  EXPECT_EQ(commits_and_events(), "0 0");
  const Reply made = bulk("POST", records(3));
  EXPECT_EQ(made.at({"meta.total"}), "201 3");
  EXPECT_EQ(column(made, "data.userId"), "u0 u1 u2");
  EXPECT_EQ(count(), "200 3");
  EXPECT_EQ(commits_and_events(), "1 3");
}

TEST_F(CentraliManyTest, Case59ABulkTakesAThousandRecordsAndNoMore) {
  EXPECT_EQ(bulk("POST", records(1'001)).at({"details[0].field"}), "400 records");
  EXPECT_EQ(count(), "200 0");
  EXPECT_EQ(bulk("POST", records(1'000)).status(), 201);
  EXPECT_EQ(count(), "200 1000");
  EXPECT_EQ(bulk("POST", records(0)).at({"details[0].field"}), "400 records");
  EXPECT_EQ(bulk("POST", "").at({"details[0].field"}), "400 records");
  EXPECT_EQ(bulk("POST", "3").status(), 400);
}

TEST_F(CentraliManyTest, ABulkMayBeLargerThanOneRecordMayBe) {
  std::string large = R"({"structureId":"S","records":[)";
  const std::string token(1 << 20, 'x');
  for (int i = 0; i < 6; ++i) {
    large += (i > 0 ? "," : "") + (R"({"data":{"userId":"u","token":")" + token + R"("}})");
  }
  large += "]}";
  ASSERT_GT(large.size(), limits::request_body_bytes_max);
  EXPECT_EQ(bulk("POST", large).status(), 201);
  EXPECT_EQ(post(D + "/records", large).status(), 413);
}

TEST_F(CentraliManyTest, ABulkIsWrittenInTheWaysThatClientsWriteIt) {
  EXPECT_EQ(column(send("POST", D + "/records/slug/s/bulk", R"([{"userId":"a"},{"userId":"b"}])"),
                   "data.userId"),
            "a b");
  // Each record may name a structure of its own.
  const Reply both = bulk("POST", R"({"records":[{"structureId":"S","data":{"userId":"c"}},
    {"collectionId":"SD","data":{"userId":"d"}}]})");
  EXPECT_EQ(column(both, "recordSlug"), "s sd");
  EXPECT_EQ(bulk("POST", R"({"records":[{"data":{"userId":"c"}}]})").at({"details[0].field"}),
            "400 records.0.structureId");
  EXPECT_EQ(
      bulk("POST", R"({"structureId":"none","records":[{"data":{}}]})").at({"details[0].field"}),
      "404 records.0.structureId");
  EXPECT_EQ(bulk("POST", R"({"structureId":"S","records":[1]})").at({"details[0].field"}),
            "400 records.0");
}

TEST_F(CentraliManyTest, LifetimesAreSetForAllAndForEach) {
  const Reply made = bulk("POST",
                          R"({"structureId":"SD","records":[{"data":{"userId":"a"}},
    {"data":{"userId":"b"},"ttlSeconds":120},
    {"data":{"userId":"c"},"expiresAt":"2026-02-27T12:00:00Z"},
    {"data":{"userId":"d"},"clearTtl":true}]})",
                          "?ttlSeconds=60");
  EXPECT_EQ(column(made, "expiresAt"),
            "2026-02-27T10:01:00Z 2026-02-27T10:02:00Z 2026-02-27T12:00:00Z null");
  EXPECT_EQ(column(bulk("POST", R"({"structureId":"SD","records":[{"data":{"userId":"a"}}]})"),
                   "expiresAt"),
            "2026-02-27T11:00:00Z");
  EXPECT_EQ(
      bulk("POST", R"({"structureId":"S","records":[{"data":{"userId":"a"},"ttlSeconds":0}]})")
          .at({"details[0].field"}),
      "400 records.0.ttlSeconds");
  EXPECT_EQ(bulk("POST", records(1), "?ttlSeconds=x").at({"details[0].field"}), "400 ttlSeconds");
}

TEST_F(CentraliManyTest, ABulkPatchChangesAllOrNone) {
  const std::string a = make_record(), b = make_record();
  const auto change = [&](const std::string& second) {
    return bulk("PATCH", R"({"records":[{"id":")" + a + R"(","data":{"token":"x"}},{"id":")" +
                             second + R"(","data":{"token":"y"},"ttlSeconds":60}]})");
  };
  EXPECT_EQ(change("nobody").at({"details[0].field"}), "404 records.1");
  EXPECT_EQ(get(D + "/records/" + a).at({"data.token", "version"}), "200 t 1");
  const Reply changed = change(b);
  EXPECT_EQ(column(changed, "data.token"), "x y");
  EXPECT_EQ(column(changed, "expiresAt"), "null 2026-02-27T10:01:00Z");
  EXPECT_EQ(commits_and_events(), "3 4");
  // The same change for several.
  EXPECT_EQ(column(bulk("PATCH", R"({"ids":[")" + a + R"(",")" + b + R"("],"data":{"token":"z"}})"),
                   "data.token"),
            "z z");
  EXPECT_EQ(bulk("PATCH", R"({"records":[{"data":{"token":"x"}}]})").at({"details[0].field"}),
            "400 records.0.id");
  EXPECT_EQ(bulk("PATCH", R"({"records":[{"id":"x"}]})").at({"details[0].field"}),
            "400 records.0.data");
}

TEST_F(CentraliManyTest, ABulkDeleteArchivesAllOrNone) {
  const std::string a = make_record(), b = make_record();
  EXPECT_EQ(bulk("DELETE", R"({"ids":[")" + a + R"(","nobody"]})").at({"details[0].field"}),
            "404 records.1");
  EXPECT_EQ(count(), "200 2");
  EXPECT_EQ(bulk("DELETE", R"({"ids":[")" + a + R"(",")" + a + R"("]})").at({"data"}),
            "200 [\"" + a + "\"]");
  EXPECT_EQ(post(D + "/records/" + a + "/restore", "").status(), 200);
  EXPECT_EQ(bulk("DELETE", "", "?hard=true&ids=" + a + "," + b).at({"meta.total"}), "200 2");
  EXPECT_EQ(get(D + "/records/" + a + "?includeArchived=true").status(), 404);
  EXPECT_EQ(count(), "200 0");
  EXPECT_EQ(bulk("DELETE", "{}").at({"details[0].field"}), "400 ids");
}

TEST_F(CentraliManyTest, ABulkThatNamesAStructureChangesRecordsOfNoOther) {
  const std::string data = R"(","id":"X","data":{"userId":"u","token":"t"}})";
  EXPECT_EQ(post(D + "/records", R"({"structureId":"S)" + data).status(), 201);
  EXPECT_EQ(send("DELETE", D + "/records/X").status(), 204);
  EXPECT_EQ(post(D + "/records", R"({"structureId":"SD)" + data).status(), 201);
  const std::string ids = R"(","ids":["X"],"data":{"token":"x"}})";
  const auto named = [&](const std::string& structure) {
    return R"({"structureId":")" + structure + ids;
  };
  EXPECT_EQ(bulk("PATCH", named("S")).at({"details[0].field"}), "404 records.0");
  EXPECT_EQ(bulk("DELETE", named("S")).at({"details[0].field"}), "404 records.0");
  EXPECT_EQ(batch("DELETE", named("S")).at({"failures[0].status"}), "200 404");
  for (const std::string method : {"PATCH", "DELETE"}) {
    EXPECT_EQ(bulk(method, named("none")).at({"details[0].field"}), "404 records.0.structureId");
    // The structure that a record names takes precedence.
    const std::string own = R"({"records":[{"id":"X","structureId":"S","data":{"token":"x"}}]})";
    EXPECT_EQ(send(method, D + "/records/slug/sd/bulk", own).status(), 404);
    EXPECT_EQ(bulk(method, own, "?structureId=SD").status(), 404);
  }
  EXPECT_EQ(bulk("DELETE", named("S"), "?hard=true").status(), 200);
  EXPECT_EQ(get(D + "/records/X").at({"structureId", "data.token", "version"}), "200 SD t 1");
  EXPECT_EQ(post(D + "/records/X/restore?structureId=S", "").status(), 404);
  EXPECT_EQ(column(bulk("PATCH", named("sd")), "data.token"), "x");
}

TEST_F(CentraliManyTest, ExpiredRecordsAreNotFoundByABulkEither) {
  const std::string a = make_record(), b = make_record("?expiresAt=2026-02-27T11:00:00Z");
  const Instant death = parse_rfc3339("2026-02-27T11:00:00Z").value();
  clock.set(Instant{death.micros - 1});
  EXPECT_EQ(count(), "200 2");
  clock.set(death);
  EXPECT_EQ(bulk("DELETE", R"({"ids":[")" + a + R"(",")" + b + R"("]})").status(), 404);
  EXPECT_EQ(bulk("PATCH", R"({"ids":[")" + b + R"("],"ttlSeconds":60})").status(), 404);
  EXPECT_EQ(count(), "200 1");
}

TEST_F(CentraliManyTest, TwoOfABulkCannotHaveOneUniqueValue) {
  post(D + "/structures",
       R"({"name":"U","properties":[{"name":"mail","type":"string","isUnique":true}]})");
  EXPECT_EQ(
      bulk("POST", R"({"structureId":"u","records":[{"mail":"a"},{"mail":"b"},{"mail":"a"}]})")
          .at({"error", "details[0].field"}),
      "409 Conflict records.2.mail");
  EXPECT_EQ(count("u"), "200 0");
}

TEST_F(CentraliManyTest, ABatchReportsEachRecord) {
  const Reply made = batch("POST", R"({"structureId":"S","records":[{"data":{"userId":"a"}},
    {"data":{"token":"b"}},{"data":{"userId":"c"},"ttlSeconds":60}]})");
  EXPECT_EQ(made.at({"meta", "successes[0].index", "successes[1].index",
                     "successes[1].record.expiresAt", "failures[0].index", "failures[0].status",
                     "failures[0].error.error", "failures[0].error.details"}),
            R"(200 {"total":3,"succeeded":2,"failed":1,"skipped":0} 0 2 2026-02-27T10:01:00Z 1 400)"
            R"( Validation Failed [{"field":"userId","message":"is required"}])");
  EXPECT_EQ(count(), "200 2");
  // Each record has an event of its own.
  EXPECT_EQ(commits_and_events(), "2 2");
  const std::string a = made.text("successes[0].id");
  EXPECT_EQ(batch("PATCH", R"({"records":[{"id":")" + a + R"(","data":{"token":"x"}},
    {"id":"nobody","data":{}}]})")
                .at({"successes[0].record.data.token", "failures[0].id", "failures[0].status"}),
            "200 x nobody 404");
  EXPECT_EQ(batch("DELETE", R"({"ids":["nobody",")" + a + R"("]})")
                .at({"successes[0].id", "failures[0].id", "meta.succeeded"}),
            "200 " + a + " nobody 1");
  EXPECT_EQ(batch("POST", records(1'001)).at({"details[0].field"}), "400 records");
}

TEST_F(CentraliManyTest, ABatchEndsWhereItsAnswerIsFull) {
  ASSERT_EQ(post(D + "/structures", R"({"id":"l","name":"l"})").status(), 201);
  const std::string text(1'000'000, 'x');
  constexpr std::size_t fit = limits::batch_answer_bytes / 1'000'000 + 1;
  std::string ids;
  for (std::size_t i = 0; i <= fit; ++i) {
    const std::string id = "r" + std::to_string(i);
    const std::string record = R"({"structureId":"l","id":")" + id + R"(","data":{"t":")" + text;
    ASSERT_EQ(send("POST", D + "/records", record + R"("}})").status(), 201);
    ids += (i > 0 ? ",\"" : "\"") + id + "\"";
  }
  const Reply changed =
      batch("PATCH", R"({"structureId":"l","ids":[)" + ids + R"(],"data":{"n":1}})");
  EXPECT_EQ(changed.at({"meta.succeeded", "meta.failed", "failures[0].status"}),
            "200 " + std::to_string(fit) + " 1 413");
  const std::string last = D + "/records/r" + std::to_string(fit) + "?structureId=l";
  EXPECT_EQ(get(last).at({"data.n"}),
            "200 -");  // records that are not in the answer are not written
}

TEST_F(CentraliManyTest, ABatchStopsAtItsFirstFailureIfRequested) {
  const std::string body = R"("records":[{"userId":"a"},{"token":"b"},{"userId":"c"}]})";
  EXPECT_EQ(batch("POST", R"({"structureId":"S","stopOnError":true,)" + body).at({"meta"}),
            R"(200 {"total":3,"succeeded":1,"failed":1,"skipped":1})");
  EXPECT_EQ(count(), "200 1");
  EXPECT_EQ(send("POST", D + "/records/slug/s/batch?stopOnError=true", "{" + body).at({"meta"}),
            R"(200 {"total":3,"succeeded":1,"failed":1,"skipped":1})");
}

TEST_F(CentraliManyTest, RecordsOfSeveralIdsAreInTheRequestedOrder) {
  const std::string a = make_record(), b = make_record("", "SD"), c = make_record("?ttlSeconds=1");
  pass(1);
  const std::string ids = R"({"ids":[")" + b + R"(","nobody",")" + c + R"(",")" + a + R"("]})";
  EXPECT_EQ(column(post(D + "/records/by-ids", ids), "id"), b + " " + a);
  EXPECT_EQ(column(post(D + "/records/slug/s/by-ids", ids), "id"), a);
  EXPECT_EQ(column(get(D + "/records/slug/s?ids=" + a + "," + b), "id"), a);
  EXPECT_EQ(post(D + "/records/by-ids", "{}").at({"details[0].field"}), "400 ids");
}

}  // namespace
}  // namespace mayfly::centrali::testing
