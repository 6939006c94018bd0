// The past of a record: versions, changes, and how long they are kept.
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliVersionsTest : public CentraliTest {
 protected:
  CentraliVersionsTest() {
    make_structures();
    record = D + "/records/" + make_record();
    pass(60);
    patch(record, R"({"data":{"token":"x"}})");
    pass(60);
    patch(record + "?ttlSeconds=3600");
  }
  std::string record;
};

TEST_F(CentraliVersionsTest, TheVersionsOfARecordAreListedNewestFirst) {
  const Reply all = get(record + "/versions");
  EXPECT_EQ(column(all, "version"), "3 2 1");
  EXPECT_EQ(column(all, "data.token"), "x x t");
  EXPECT_EQ(column(all, "updatedAt"),
            "2026-02-27T10:02:00Z 2026-02-27T10:01:00Z 2026-02-27T10:00:00Z");
  EXPECT_EQ(column(all, "expiresAt"), "2026-02-27T11:02:00Z null null");
  EXPECT_EQ(all.at({"meta"}), R"(200 {"page":1,"pageSize":100,"total":3,"hasMore":false})");
  EXPECT_EQ(column(get(record + "/versions?page=2&pageSize=2"), "version"), "1");
  EXPECT_EQ(get(record + "/versions/1").at({"data.token"}), "200 t");
  EXPECT_EQ(get(record + "/versions/4").status(), 404);
  EXPECT_EQ(get(record + "/versions/x").at({"details[0].field"}), "400 version");
}

TEST_F(CentraliVersionsTest, ChangesSayWhatEachVersionChanged) {
  const Reply all = get(record + "/changes");
  EXPECT_EQ(column(all, "operation"), "updated updated created");
  EXPECT_EQ(
      column(all, "changes"),
      R"({} {"token":{"before":"t","after":"x"}} {"userId":{"after":"u"},"token":{"after":"t"}})");
  EXPECT_EQ(column(all, "changedAt"),
            "2026-02-27T10:02:00Z 2026-02-27T10:01:00Z 2026-02-27T10:00:00Z");
}

TEST_F(CentraliVersionsTest, ExpiredAndArchivedRecordsShowNoVersionsUnlessRequested) {
  send("DELETE", record);
  EXPECT_EQ(get(record + "/versions").status(), 404);
  EXPECT_EQ(column(get(record + "/versions?includeArchived=true"), "version"), "3 2 1");
  post(record + "/restore", "");
  EXPECT_EQ(column(get(record + "/versions"), "version"), "4 3 2 1");
  pass(3'600);
  EXPECT_EQ(get(record + "/versions").status(), 404);
  EXPECT_EQ(get(record + "/versions?includeArchived=true").status(), 404);
}

TEST_F(CentraliVersionsTest, ANewRecordOfAnOldIdHasNoHistory) {
  const auto make = [&](const std::string& parameters) {
    return post(D + "/records" + parameters,
                R"({"structureId":"S","id":"r","data":{"userId":"u"}})");
  };
  EXPECT_EQ(make("?ttlSeconds=60").status(), 201);
  EXPECT_EQ(patch(D + "/records/r", R"({"data":{"token":"x"}})").status(), 200);
  pass(59);
  EXPECT_EQ(column(get(D + "/records/r/versions"), "version"), "2 1");
  pass(1);
  EXPECT_EQ(make("").status(), 201);
  EXPECT_EQ(column(get(D + "/records/r/versions"), "version"), "1");
}

TEST_F(CentraliVersionsTest, VersionsAreKeptForADayOrAMonthOrAsSet) {
  const auto kept_after = [&](const std::string& members, std::int64_t seconds) {
    static int number = 0;
    const std::string name = "k" + std::to_string(++number);
    EXPECT_EQ(post(D + "/structures", R"({"name":")" + name + R"(")" + members + "}").status(),
              201);
    const std::string kept = D + "/records/" + make_record("", name, R"({"n":1})");
    pass(1);
    patch(kept, R"({"data":{"n":2}})");
    pass(seconds);
    return column(get(kept + "/versions"), "version");
  };
  EXPECT_EQ(kept_after("", 86'399), "2 1");
  EXPECT_EQ(kept_after("", 86'401), "2");
  EXPECT_EQ(kept_after(R"(,"enableVersioning":true)", 30 * 86'400 - 1), "2 1");
  EXPECT_EQ(kept_after(R"(,"enableVersioning":true)", 30 * 86'400 + 1), "2");
  EXPECT_EQ(kept_after(R"(,"retentionPolicy":{"historySeconds":60})", 59), "2 1");
  EXPECT_EQ(kept_after(R"(,"retentionPolicy":{"historySeconds":60})", 61), "2");
  EXPECT_EQ(kept_after(R"(,"retentionPolicy":{"historySeconds":0})", 0), "2");
}

TEST_F(CentraliVersionsTest, RetentionIsChangedAndChecked) {
  EXPECT_EQ(send("PUT", D + "/structures/S", R"({"retentionPolicy":{"historySeconds":-1}})")
                .at({"details[0].field"}),
            "400 retentionPolicy.historySeconds");
  EXPECT_EQ(send("PUT", D + "/structures/S", R"({"retentionPolicy":5})").at({"details[0].field"}),
            "400 retentionPolicy");
  EXPECT_EQ(send("PUT", D + "/structures/S", R"({"retentionPolicy":{"archiveSeconds":60}})")
                .at({"retentionPolicy"}),
            R"(200 {"archiveSeconds":60})");
  send("DELETE", record);
  pass(61);
  EXPECT_EQ(post(record + "/restore", "").status(), 404);
}

TEST_F(CentraliVersionsTest, TheCurrentVersionIsShownIfNoneIsKept) {
  post(D + "/structures", R"({"name":"bare","retentionPolicy":{"historySeconds":0}})");
  const std::string bare = D + "/records/" + make_record("", "bare", R"({"n":1})");
  patch(bare, R"({"data":{"n":2}})");
  EXPECT_EQ(column(get(bare + "/changes"), "changes"), "null");
}

}  // namespace
}  // namespace mayfly::centrali::testing
