// Case60: the record that matches is updated, or one is created.
#include <thread>

#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliUpsertTest : public CentraliTest {
 protected:
  CentraliUpsertTest() { make_structures(); }

  Reply upsert(const std::string& match, const std::string& data,
               const std::string& parameters = "", const std::string& structure = "S") {
    return post(
        D + "/records/upsert" + parameters,
        R"({"structureId":")" + structure + R"(","match":)" + match + R"(,"data":)" + data + "}");
  }
};

TEST_F(CentraliUpsertTest, Case60TheSecondUpsertUpdatesTheRecordOfTheFirst) {
  const Reply first = upsert(R"({"userId":"u"})", R"({"token":"a"})");
  EXPECT_EQ(first.at({"operation", "data.data", "data.version"}),
            R"(201 created {"userId":"u","token":"a"} 1)");
  const Reply second = upsert(R"({"data.userId":"u"})", R"({"token":"b"})");
  EXPECT_EQ(second.at({"operation", "data.data", "data.version"}),
            R"(200 updated {"userId":"u","token":"b"} 2)");
  EXPECT_EQ(first.text("data.id"), second.text("data.id"));
  EXPECT_EQ(get(D + "/records/count?structureId=S").at({"count"}), "200 1");
  EXPECT_EQ(post(D + "/records/slug/s/upsert", R"({"match":{"userId":"u"},"data":{"token":"c"}})")
                .at({"operation", "data.data.token"}),
            "200 updated c");
}

TEST_F(CentraliUpsertTest, ItsLifetimeIsThatOfACreationAndThenOfAPatch) {
  EXPECT_EQ(upsert(R"({"userId":"u"})", "{}", "", "SD").at({"data.expiresAt"}),
            "201 2026-02-27T11:00:00Z");
  pass(60);
  // A default is not applied again, and an end does not slide by itself.
  EXPECT_EQ(upsert(R"({"userId":"u"})", R"({"token":"x"})", "", "SD").at({"data.expiresAt"}),
            "200 2026-02-27T11:00:00Z");
  EXPECT_EQ(upsert(R"({"userId":"u"})", "{}", "?ttlSeconds=60", "SD").at({"data.expiresAt"}),
            "200 2026-02-27T10:02:00Z");
  EXPECT_EQ(upsert(R"({"userId":"u"})", "{}", "?clearTtl=true", "SD").at({"data.expiresAt"}),
            "200 null");
}

TEST_F(CentraliUpsertTest, AnExpiredRecordDoesNotMatch) {
  const Reply first = upsert(R"({"userId":"u"})", "{}", "?expiresAt=2026-02-27T11:00:00Z");
  const Instant death = parse_rfc3339("2026-02-27T11:00:00Z").value();
  clock.set(Instant{death.micros - 2});  // the update itself takes a microsecond
  const Reply updated = upsert(R"({"userId":"u"})", "{}");
  EXPECT_EQ(updated.at({"operation"}), "200 updated");
  EXPECT_EQ(updated.text("data.id"), first.text("data.id"));
  clock.set(death);
  const Reply second = upsert(R"({"userId":"u"})", "{}");
  EXPECT_EQ(second.at({"operation"}), "201 created");
  EXPECT_NE(first.text("data.id"), second.text("data.id"));
}

TEST_F(CentraliUpsertTest, AnInvalidUpsertIsRefusedWithAReason) {
  make_record();
  make_record();
  const std::pair<const char*, const char*> table[] = {
      {R"({"structureId":"S","data":{}})", "400 match"},
      {R"({"structureId":"S","match":{},"data":{}})", "400 match"},
      {R"({"structureId":"S","match":{"userId":"u"}})", "400 data"},
      {R"({"structureId":"S","match":{"userId":"u"},"data":{"token":"x"}})", "409 match"},
      {R"({"structureId":"S","match":{"userId":"new"},"data":{"more":1}})", "400 more"},
      {R"({"match":{"userId":"u"},"data":{}})", "400 structureId"},
      {R"({"structureId":"none","match":{"userId":"u"},"data":{}})", "404 structureId"},
  };
  for (const auto& [body, expected] : table) {
    EXPECT_EQ(post(D + "/records/upsert", body).at({"details[0].field"}), expected) << body;
  }
}

TEST_F(CentraliUpsertTest, ARecordIsMatchedByItsIdOrMadeUnderIt) {
  EXPECT_EQ(upsert(R"({"id":"rec_1"})", R"({"userId":"a"})").at({"operation", "data.id"}),
            "201 created rec_1");
  EXPECT_EQ(upsert(R"({"id":"rec_1"})", R"({"userId":"b"})").at({"operation", "data.data.userId"}),
            "200 updated b");
}

TEST_F(CentraliUpsertTest, ConcurrentUpsertsCreateOneRecord) {
  constexpr int threads = 4, rounds = 25;
  std::atomic<int> created = 0, updated = 0, others = 0;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const std::string match = R"({"userId":"u)" + std::to_string(round) + R"("})";
        const int status = upsert(match, R"({"token":"t"})").status();
        ++(status == 201 ? created : status == 200 ? updated : others);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(created, rounds);
  EXPECT_EQ(updated, rounds * (threads - 1));
  EXPECT_EQ(others, 0);
  EXPECT_EQ(get(D + "/records/count?structureId=S").at({"count"}), "200 " + std::to_string(rounds));
}

}  // namespace
}  // namespace mayfly::centrali::testing
