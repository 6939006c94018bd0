// Case47 to Case51: records, and the form of failures.
#include "base/crypto/crypto.h"
#include "db/purge/purge_log.h"
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliRecordsTest : public CentraliTest {
 protected:
  CentraliRecordsTest() { make_structures(); }
};

TEST_F(CentraliRecordsTest, Case47StrictStructuresValidateTheirRecords) {
  const auto create = [&](const std::string& structure, const std::string& data) {
    return post(D + "/records", R"({"structureId":")" + structure + R"(","data":)" + data + "}");
  };
  EXPECT_EQ(create("S", R"({"userId":"u","other":1})").at({"details[0].field"}), "400 other");
  EXPECT_EQ(create("S", R"({"token":"t"})").at({"error", "details[0].field", "details[0].message"}),
            "400 Validation Failed userId is required");
  EXPECT_EQ(create("S", R"({"token":1})").at({"details[0].field", "details[1].field"}),
            "400 userId token");
  post(D + "/structures", R"({"name":"Free","schemaDiscoveryMode":"schemaless"})");
  EXPECT_EQ(create("free", R"({"anything":[1,{"a":null}]})").status(), 201);
  post(D + "/structures", R"({"name":"Grows","schemaDiscoveryMode":"auto-evolving",)"
                          R"("properties":[{"name":"n","type":"number"}]})");
  EXPECT_EQ(create("grows", R"({"n":1,"more":2})").status(), 201);
  EXPECT_EQ(create("grows", R"({"n":"x"})").at({"details[0].field"}), "400 n");
}

TEST_F(CentraliRecordsTest, Case48ARecordNeedsAStructureThatExists) {
  EXPECT_EQ(
      post(D + "/records", R"({"structureId":"none","data":{}})").at({"error", "details[0].field"}),
      "404 Not Found structureId");
  EXPECT_EQ(post(D + "/records", R"({"data":{}})").at({"details[0].field"}), "400 structureId");
  EXPECT_EQ(post(D + "/records", R"({"structureId":"S"})").at({"details[0].field"}), "400 data");
  EXPECT_EQ(post(D + "/records", R"({"structureId":"S","data":[]})").at({"details[0].field"}),
            "400 data");
  EXPECT_EQ(post(D + "/records", "{").status(), 400);
  EXPECT_EQ(
      post("/data/workspace/nowhere/api/v1/records", R"({"structureId":"S","data":{}})").status(),
      404);
}

TEST_F(CentraliRecordsTest, Case49APatchMergesOneLevel) {
  post(D + "/structures", R"({"name":"Free"})");
  const std::string id = make_record("", "free", R"({"a":1,"b":{"c":1},"d":2})");
  pass(5);
  EXPECT_EQ(patch(D + "/records/" + id, R"({"data":{"b":{"e":1},"d":null}})")
                .at({"data", "version", "createdAt", "updatedAt"}),
            R"(200 {"a":1,"b":{"e":1},"d":null} 2 2026-02-27T10:00:00Z 2026-02-27T10:00:05Z)");
  EXPECT_EQ(patch(D + "/records/" + id, "{}").at({"details[0].field"}), "400 data");
  EXPECT_EQ(send("PUT", D + "/records/" + id, R"({"data":{"z":1}})").at({"data", "version"}),
            R"(200 {"z":1} 3)");
}

TEST_F(CentraliRecordsTest, Case50ADeletedRecordIsArchivedAndAHardDeleteIsFinal) {
  const std::string id = make_record();
  const Reply gone = send("DELETE", D + "/records/" + id);
  EXPECT_EQ(gone.status(), 204);
  EXPECT_EQ(gone.response.body, "");
  EXPECT_EQ(get(D + "/records/" + id).status(), 404);
  EXPECT_EQ(send("DELETE", D + "/records/" + id).status(), 404);
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").at({"status", "id"}),
            "200 archived " + id);
  EXPECT_EQ(send("DELETE", D + "/records/" + id + "?hard=true").status(), 204);
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").status(), 404);
  const std::string other = make_record();
  EXPECT_EQ(send("DELETE", D + "/records/" + other + "?hard=true").status(), 204);
  EXPECT_EQ(get(D + "/records/" + other + "?includeArchived=true").status(), 404);
  EXPECT_EQ(send("DELETE", D + "/records/" + other + "?hard=true").status(), 404);
}

TEST_F(CentraliRecordsTest, Case51AnArchivedRecordIsRestored) {
  const std::string id = make_record("?ttlSeconds=60");
  send("DELETE", D + "/records/" + id);
  EXPECT_EQ(
      post(D + "/records/" + id + "/restore", "").at({"id", "status", "expiresAt", "version"}),
      "200 " + id + " active 2026-02-27T10:01:00Z 2");
  EXPECT_EQ(get(D + "/records/" + id).status(), 200);
  EXPECT_EQ(post(D + "/records/" + id + "/restore", "").status(), 404);
  send("DELETE", D + "/records/" + id);
  pass(60);
  EXPECT_EQ(post(D + "/records/" + id + "/restore", "").status(), 404);
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").status(), 404);
}

TEST_F(CentraliRecordsTest, AnArchivedRecordIsNotRestoredBesideALivingOneOfItsId) {
  const auto create = [&](const std::string& structure) {
    return post(D + "/records",
                R"({"structureId":")" + structure + R"(","id":"X","data":{"userId":"u"}})")
        .status();
  };
  EXPECT_EQ(create("S"), 201);
  EXPECT_EQ(send("DELETE", D + "/records/X").status(), 204);
  EXPECT_EQ(create("SD"), 201);
  EXPECT_EQ(post(D + "/records/X/restore", "").at({"error"}), "409 Conflict");
  EXPECT_EQ(post(D + "/records/X/restore?structureId=S", "").at({"error"}), "409 Conflict");
  EXPECT_EQ(get(D + "/records/X?structureId=S").status(), 404);
  pass(3600);  // the other one expires
  EXPECT_EQ(post(D + "/records/X/restore", "").status(), 200);
}

TEST_F(CentraliRecordsTest, TheRecordOfPurgesNamesTheAuthorOfAHardDelete) {
  const auto info = database->catalog()->find_database("acme");
  const auto collection = database->catalog()->find_collection(info->id, "s");
  CollectionChange change;
  change.keep_purges_for = Span::infinite();
  ASSERT_TRUE(database->change_collection(collection->id, change));
  const std::string token =
      sign_jwt(R"({"sub":"ann","exp":1772190000})", options.signing_key).value();
  const auto remove = [&](const std::string& id, const std::string& parameters) {
    return send("DELETE", D + "/records/" + id + parameters, "",
                {{"authorization", "Bearer " + token}})
        .status();
  };
  // One record that is only in the archive, and one that lives and has an archived record of the
  // same id.
  const std::string archived = make_record();
  EXPECT_EQ(remove(archived, ""), 204);
  EXPECT_EQ(remove(archived, "?hard=true"), 204);
  const std::string both = make_record();
  EXPECT_EQ(remove(both, ""), 204);
  EXPECT_EQ(
      post(D + "/records", R"({"structureId":"S","id":")" + both + R"(","data":{"userId":"u"}})")
          .status(),
      201);
  EXPECT_EQ(remove(both, "?hard=true"), 204);
  const auto page = PurgeLog::read(
      database->store(), *database->catalog()->collection(collection->id), database->now(), 0, 10);
  ASSERT_TRUE(page);
  std::string text;
  for (const PurgeRecord& record : page->records) {
    const Value line = parse_json(record.line).value();
    for (const Value& version : line.member("versions").array()) {
      text += version.member("how").text() + ":" + render_json(version.member("by")) + " ";
    }
  }
  EXPECT_EQ(text, R"(erased:"ann" removed:"ann" erased:"ann" )");
}

TEST_F(CentraliRecordsTest, AnArchivedRecordIsKeptForAMonth) {
  const std::string id = make_record();
  send("DELETE", D + "/records/" + id);
  pass(30 * 86'400 - 1);
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").status(), 200);
  pass(2);
  ASSERT_TRUE(database->sweeper().run_due(100));
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").status(), 404);
}

TEST_F(CentraliRecordsTest, PropertiesHaveRulesBeyondTheirType) {
  post(D + "/structures", R"({"name":"P","properties":[
    {"name":"s","type":"string","minLength":2,"maxLength":3,"pattern":"^a"},
    {"name":"mail","type":"string","format":"email"},
    {"name":"n","type":"number","minimum":1,"maximum":5,"multipleOf":0.1},
    {"name":"i","type":"number","integer":true},
    {"name":"e","type":"string","enum":["x","y"]},
    {"name":"must","type":"string","required":true,"nullable":true,"default":"d"},
    {"name":"fixed","type":"string","immutable":true},
    {"name":"when","type":"datetime"},
    {"name":"list","type":"array","maxItems":2,"uniqueItems":true,"items":{"type":"number"}},
    {"name":"o","type":"object","properties":[{"name":"in","type":"boolean","required":true}]}]})");
  const auto outcome = [&](const std::string& data) {
    return post(D + "/records", R"({"structureId":"p","data":)" + data + "}")
        .at({"details[0].field"});
  };
  const std::pair<const char*, const char*> table[] = {
      {R"({"s":"abc"})", "201 -"},
      {R"({"s":"a"})", "400 s"},
      {R"({"s":"aäöü"})", "400 s"},
      {R"({"s":"aäö"})", "201 -"},
      {R"({"s":"ba"})", "400 s"},
      {R"({"s":null})", "201 -"},
      {R"({"mail":"a@b.c"})", "201 -"},
      {R"({"mail":"a b"})", "400 mail"},
      {R"({"n":0.5})", "400 n"},
      {R"({"n":6})", "400 n"},
      {R"({"n":1.3})", "201 -"},
      {R"({"n":1.35})", "400 n"},
      {R"({"i":1.5})", "400 i"},
      {R"({"e":"z"})", "400 e"},
      {R"({"must":null})", "201 -"},
      {R"({"must":1})", "400 must"},
      {R"({"when":"2026-01-01"})", "201 -"},
      {R"({"when":"yesterday"})", "400 when"},
      {R"({"list":[1,2]})", "201 -"},
      {R"({"list":[1,1]})", "400 list"},
      {R"({"list":[1,2,3]})", "400 list"},
      {R"({"list":[1,"x"]})", "400 list.1"},
      {R"({"o":{"in":true}})", "201 -"},
      {R"({"o":{}})", "400 o.in"},
  };
  for (const auto& [data, expected] : table) EXPECT_EQ(outcome(data), expected) << data;
  const Reply made = post(D + "/records", R"({"structureId":"p","data":{"fixed":"a"}})");
  EXPECT_EQ(made.at({"data"}), R"(201 {"fixed":"a","must":"d"})");
  const std::string record = D + "/records/" + made.text("id");
  EXPECT_EQ(patch(record, R"({"data":{"fixed":"b"}})").at({"details[0].field"}), "400 fixed");
  EXPECT_EQ(patch(record, R"({"data":{"fixed":"a","n":2}})").status(), 200);
  EXPECT_EQ(patch(record, R"({"data":{"must":1}})").at({"details[0].field"}), "400 must");
}

TEST_F(CentraliRecordsTest, PropertiesHoldWithinObjectsAndArraysToo) {
  post(D + "/structures", R"({"name":"N","properties":[
    {"name":"o","type":"object","properties":[{"name":"in","type":"boolean"}]},
    {"name":"free","type":"object"},
    {"name":"list","type":"array","minItems":1,"items":{"type":"object","properties":[
      {"name":"n","type":"number","required":true,"minimum":0}]}}]})");
  const auto outcome = [&](const std::string& data) {
    return post(D + "/records", R"({"structureId":"n","data":)" + data + "}")
        .at({"details[0].field"});
  };
  EXPECT_EQ(outcome(R"({"o":{"in":true}})"), "201 -");
  EXPECT_EQ(outcome(R"({"o":{"other":true}})"), "400 o.other");
  EXPECT_EQ(outcome(R"({"free":{"other":true}})"), "201 -");
  EXPECT_EQ(outcome(R"({"list":[]})"), "400 list");
  EXPECT_EQ(outcome(R"({"list":[{"n":1},{"n":-1}]})"), "400 list.1.n");
  EXPECT_EQ(outcome(R"({"list":[{}]})"), "400 list.0.n");
  EXPECT_EQ(outcome(R"({"list":[{"n":1,"m":2}]})"), "400 list.0.m");
}

TEST_F(CentraliRecordsTest, AReplacementGetsDefaultsLikeACreation) {
  post(D + "/structures", R"({"name":"Df","properties":[
    {"name":"a","type":"string","required":true,"default":"x"},{"name":"b","type":"number"}]})");
  const std::string id = make_record("", "df", R"({"a":"y","b":1})");
  EXPECT_EQ(send("PUT", D + "/records/" + id, R"({"data":{"b":2}})").at({"data"}),
            R"(200 {"b":2,"a":"x"})");
}

TEST_F(CentraliRecordsTest, AUniqueFieldIsUniqueAmongLivingRecords) {
  post(D + "/structures",
       R"({"name":"U","properties":[{"name":"mail","type":"string","isUnique":true}]})");
  const std::string first = make_record("?ttlSeconds=1", "u", R"({"mail":"a"})");
  const std::string second = make_record("", "u", R"({"mail":"b"})");
  const std::string again = R"({"structureId":"u","data":{"mail":"a"}})";
  EXPECT_EQ(post(D + "/records", again).at({"error", "details[0].field"}), "409 Conflict mail");
  EXPECT_EQ(patch(D + "/records/" + second, R"({"data":{"mail":"a"}})").status(), 409);
  pass(1);
  EXPECT_EQ(post(D + "/records", again).status(), 201);
}

TEST_F(CentraliRecordsTest, UniquenessComesAndGoesWithTheProperty) {
  post(D + "/structures", R"({"name":"U","properties":[{"name":"mail","type":"string"}]})");
  make_record("", "u", R"({"mail":"a"})");
  const std::string unique = R"({"properties":[{"name":"mail","type":"string","isUnique":true}]})";
  EXPECT_EQ(send("PUT", D + "/structures/u", unique).status(), 200);
  const std::string again = R"({"structureId":"u","data":{"mail":"a"}})";
  EXPECT_EQ(post(D + "/records", again).status(), 409);
  send("PUT", D + "/structures/u", R"({"properties":[{"name":"mail","type":"string"}]})");
  EXPECT_EQ(post(D + "/records", again).status(), 201);
  EXPECT_EQ(send("PUT", D + "/structures/u", unique).at({"details[0].field"}), "409 mail");
}

TEST_F(CentraliRecordsTest, ARecordKeepsMetadataBesideItsData) {
  const Reply made = post(
      D + "/records", R"({"structureId":"S","data":{"userId":"u"},"metadata":{"from":"here"}})");
  EXPECT_EQ(made.at({"metadata"}), R"(201 {"from":"here"})");
  const std::string record = D + "/records/" + made.text("id");
  EXPECT_EQ(patch(record, R"({"data":{"token":"x"}})").at({"metadata"}), R"(200 {"from":"here"})");
  EXPECT_EQ(patch(record, R"({"metadata":{"to":1}})").at({"metadata", "data.token"}),
            R"(200 {"to":1} x)");
  EXPECT_EQ(get(D + "/records/" + make_record()).at({"metadata"}), "200 -");
}

TEST_F(CentraliRecordsTest, AnIdThatAClientChoosesIsFreeInTheWholeWorkspace) {
  const auto create = [&](const std::string& structure) {
    return post(D + "/records",
                R"({"id":"rec_1","structureId":")" + structure + R"(","data":{"userId":"u"}})");
  };
  EXPECT_EQ(create("S").at({"id", "structureId"}), "201 rec_1 S");
  EXPECT_EQ(create("SD").at({"error", "details[0].field"}), "409 Conflict id");
  EXPECT_EQ(get(D + "/records/rec_1").at({"structureId"}), "200 S");
  EXPECT_EQ(get(D + "/records/rec_1?structureId=SD").status(), 404);
  patch(D + "/records/rec_1?ttlSeconds=1");
  pass(1);
  EXPECT_EQ(create("SD").at({"structureId"}), "201 SD");
  EXPECT_EQ(get(D + "/records/rec_1").at({"structureId"}), "200 SD");
}

TEST_F(CentraliRecordsTest, ARecordIsCreatedByTheSlugOrTheNameOfItsStructure) {
  post(D + "/structures", R"({"name":"Blog Posts"})");
  for (const char* called : {"blog-posts", "Blog%20Posts"}) {
    EXPECT_EQ(post(D + "/records/slug/" + called + "?ttlSeconds=60", R"({"data":{"a":1}})")
                  .at({"recordSlug", "expiresAt"}),
              "201 blog-posts 2026-02-27T10:01:00Z");
  }
}

TEST_F(CentraliRecordsTest, ADocumentOfTheCoreIsARecordWithTheSameEndAndTheOtherWayRound) {
  const auto info = database->catalog()->find_database("acme");
  const auto collection = database->create_collection(info->id, {.name = "made elsewhere"}).value();
  ASSERT_TRUE(database->transact([&](Transaction& transaction) -> Result<void> {
    const PutOptions options{.lifetime = Lifetime{After{Span::seconds(60)}}, .author = "someone"};
    TRY(transaction.put(collection, DocumentKey::of("d1"), TRY(pack_json(R"({"a":1})")), options));
    return {};
  }));
  const std::string record = D + "/records/d1";
  EXPECT_EQ(get(record).at({"structureId", "recordSlug", "data", "expiresAt", "createdBy"}),
            R"(200 str_made elsewhere made elsewhere {"a":1} null someone)");
  // The document has a lifetime of a minute, which holds once the collection has a default at all.
  CollectionChange change;
  change.default_lifetime = Never{};
  ASSERT_TRUE(database->change_collection(collection->id, change));
  EXPECT_EQ(get(record).at({"expiresAt"}), "200 2026-02-27T10:01:00Z");
  EXPECT_EQ(get(D + "/structures/made%20elsewhere").at({"schemaDiscoveryMode", "isStrict"}),
            "200 schemaless false");
  pass(60);
  EXPECT_EQ(get(record).status(), 404);

  const std::string id = make_record("?ttlSeconds=60");
  const auto sessions = database->catalog()->find_collection(info->id, "s");
  const auto document = database->get(sessions, DocumentKey::of(id)).value();
  ASSERT_TRUE(document);
  EXPECT_EQ(render_rfc3339(document->death), "2026-02-27T10:02:00Z");
  EXPECT_EQ(document->body.json(), R"({"userId":"u","token":"t"})");
}

TEST_F(CentraliRecordsTest, DocumentsWithAPartitionKeyAreListedButNotFoundByIdAlone) {
  const auto info = database->catalog()->find_database("acme");
  const auto collection = database->create_collection(info->id, {.name = "parts"}).value();
  ASSERT_TRUE(database->transact([&](Transaction& transaction) -> Result<void> {
    for (const char* routing : {"a", "b"}) {
      TRY(transaction.put(collection, {routing, "same"}, TRY(pack_json(R"({"n":1})")), {}));
    }
    return {};
  }));
  EXPECT_EQ(column(get(D + "/records/slug/parts"), "id"), "same same");
  EXPECT_EQ(get(D + "/records/count?structureId=parts&data.n=1").at({"count"}), "200 2");
  EXPECT_EQ(get(D + "/records/same").status(), 404);
}

TEST_F(CentraliRecordsTest, TheFacetOfAnotherDialectIsUnchanged) {
  const auto info = database->catalog()->find_database("acme");
  const auto collection = database->create_collection(info->id, {.name = "beside"}).value();
  ASSERT_TRUE(database->transact([&](Transaction& transaction) -> Result<void> {
    const PutOptions options{.facet = Bytes("theirs")};
    TRY(transaction.put(collection, DocumentKey::of("d"), TRY(pack_json("{}")), options));
    return {};
  }));
  EXPECT_EQ(patch(D + "/records/d", R"({"data":{"a":1}})").at({"metadata"}), "200 -");
  EXPECT_EQ(database->get(collection, DocumentKey::of("d")).value()->facet, "theirs");
}

TEST_F(CentraliRecordsTest, ADefaultThatHoldsForAllDocumentsIsShownAndEndsWithNull) {
  const auto info = database->catalog()->find_database("acme");
  CollectionSpec spec{.name = "live"};
  spec.promises.default_lifetime = After{Span::seconds(60)};
  ASSERT_TRUE(database->create_collection(info->id, spec));
  EXPECT_EQ(get(D + "/structures/live").at({"defaultTtlSeconds"}), "200 60");
  const std::string id = make_record("", "live");
  EXPECT_EQ(get(D + "/records/" + id).at({"expiresAt"}), "200 2026-02-27T10:01:00Z");
  EXPECT_EQ(send("PUT", D + "/structures/live", R"({"defaultTtlSeconds":null})")
                .at({"defaultTtlSeconds"}),
            "200 null");
  EXPECT_EQ(get(D + "/records/" + id).at({"expiresAt"}), "200 null");
}

}  // namespace
}  // namespace mayfly::centrali::testing
