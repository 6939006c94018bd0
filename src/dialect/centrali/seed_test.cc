// The requests of the published page, as printed except for the host, with the answers that it
// describes.
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliSeedTest : public CentraliTest {
 protected:
  CentraliSeedTest() {
    EXPECT_EQ(post(D + "/structures", R"({"id":"str_sessions","name":"Sessions"})").status(), 201);
    EXPECT_EQ(post(D + "/structures", R"({"id":"str_promotions","name":"Promotions"})").status(),
              201);
  }
  Reply curl(std::string method, const std::string& target, std::string body) {
    return send(std::move(method), target, std::move(body),
                {{"authorization", "Bearer YOUR_API_KEY"}, {"content-type", "application/json"}});
  }
};

TEST_F(CentraliSeedTest, SettingADefaultOnAStructure) {
  EXPECT_EQ(curl("PUT", "/workspace/acme/api/v1/structures/str_sessions", R"({
"defaultTtlSeconds": 86400
})")
                .at({"id", "defaultTtlSeconds"}),
            "200 str_sessions 86400");
}

TEST_F(CentraliSeedTest, CreatingARecordWithSecondsToLive) {
  const Reply made = curl("POST", "/data/workspace/acme/api/v1/records?ttlSeconds=3600", R"({
"structureId": "str_sessions",
"data": {
"userId": "user-123",
"token": "abc-xyz"
}
})");
  EXPECT_EQ(made.at({"structureId", "data", "expiresAt", "createdAt", "updatedAt"}),
            R"(201 str_sessions {"userId":"user-123","token":"abc-xyz"} 2026-02-27T11:00:00Z )"
            "2026-02-27T10:00:00Z 2026-02-27T10:00:00Z");
}

TEST_F(CentraliSeedTest, CreatingARecordWithAnInstant) {
  const std::string path = "/data/workspace/acme/api/v1/records?expiresAt=2026-09-01T00:00:00Z";
  const std::string body = R"({
"structureId": "str_promotions",
"data": {
"code": "SUMMER2026",
"discount": 20
}
})";
  const Reply made = curl("POST", path, body);
  EXPECT_EQ(made.at({"expiresAt", "data.discount"}), "201 2026-09-01T00:00:00Z 20");
  // The printed date passes: from then on the request still succeeds, and the record has expired
  // immediately.
  clock.set(parse_rfc3339("2026-09-01T00:00:00Z").value());
  const Reply late = curl("POST", path, body);
  EXPECT_EQ(late.at({"expiresAt"}), "201 2026-09-01T00:00:00Z");
  EXPECT_NE(late.header("x-mayfly-hint"), nullptr);
  EXPECT_EQ(get(D + "/records/" + made.text("id")).status(), 404);
  EXPECT_EQ(get(D + "/records/" + late.text("id")).status(), 404);
}

TEST_F(CentraliSeedTest, ExtendingAndRemovingAnEnd) {
  const std::string path = "/data/workspace/acme/api/v1/records";
  curl("POST", path, R"({"id":"rec_xyz789","structureId":"str_sessions","data":{"a":1}})");
  EXPECT_EQ(curl("PATCH", path + "/rec_xyz789?ttlSeconds=7200", R"({ "data": {} })")
                .at({"id", "data", "expiresAt"}),
            R"(200 rec_xyz789 {"a":1} 2026-02-27T12:00:00Z)");
  EXPECT_EQ(curl("PATCH", path + "/rec_xyz789?clearTtl=true", R"({ "data": {} })")
                .at({"id", "data", "expiresAt"}),
            R"(200 rec_xyz789 {"a":1} null)");
}

TEST_F(CentraliSeedTest, TheResponseHasTheMembersOfTheExampleAmongItsOwn) {
  curl("POST", "/data/workspace/acme/api/v1/records?ttlSeconds=3600",
       R"({"id":"rec_xyz789","structureId":"str_sessions","data":{"userId":"user-123"}})");
  EXPECT_EQ(get(D + "/records/rec_xyz789").response.body,
            R"({"id":"rec_xyz789","structureId":"str_sessions","collectionId":"str_sessions",)"
            R"("workspaceSlug":"acme","recordSlug":"sessions","data":{"userId":"user-123"},)"
            R"("version":1,"status":"active","expiresAt":"2026-02-27T11:00:00Z",)"
            R"("createdAt":"2026-02-27T10:00:00Z","updatedAt":"2026-02-27T10:00:00Z",)"
            R"("createdBy":null,"updatedBy":null})");
}

}  // namespace
}  // namespace mayfly::centrali::testing
