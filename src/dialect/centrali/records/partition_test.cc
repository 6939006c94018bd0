// Collections with partitions, made by another API: their documents are records, too.
#include "db/rows/partition.h"
#include "db/expiry/sweeper.h"
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliPartitionTest : public CentraliTest {
 protected:
  CentraliPartitionTest() { make_structures(); }

  // A collection on /pk that keeps removed documents. Its name sorts before those of the
  // structures.
  CollectionPtr make_parts(bool may_lack = false, bool expires_to_trash = false) {
    CollectionChange policy;
    policy.expires_to_trash = expires_to_trash;
    policy.keep_trash_for = Span::infinite();
    policy.body = BodyRules{.partition = {Path::of("pk")}, .may_lack_partition = may_lack};
    const auto info = database->catalog()->find_database("acme");
    return database->create_collection(info->id, {"parts", policy}).value();
  }
  void put(const CollectionPtr& collection, const std::string& id, const Object& body,
           const PutOptions& options = {}) {
    EXPECT_TRUE(database->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(collection, DocumentKey::of(id), TRY(pack(body)), options));
      return {};
    }));
  }
  // Puts a document that lives for a second.
  void put_dying(const CollectionPtr& collection, const std::string& id, const Object& body) {
    put(collection, id, body, {.lifetime = Lifetime{At{clock.now() + Span::seconds(1)}}});
  }
  // More partitions than an id is searched in.
  void fill(const CollectionPtr& collection) {
    EXPECT_TRUE(database->transact([&](Transaction& transaction) -> Result<void> {
      for (std::size_t n = 0; n <= limits::searched_partitions_max; ++n) {
        const Object body{{"pk", std::to_string(n)}};
        TRY(transaction.put(collection, DocumentKey::of("one"), TRY(pack(body)), {}));
      }
      return {};
    }));
  }

  int create(const std::string& structure, const std::string& id, const std::string& data) {
    return post(D + "/records", R"({"structureId":")" + structure + R"(","id":")" + id +
                                    R"(","data":)" + data + "}")
        .status();
  }
  int remove(const std::string& id) { return send("DELETE", D + "/records/" + id).status(); }
  // "ID/restore", with parameters behind it.
  Reply restore(const std::string& path) { return post(D + "/records/" + path, ""); }
};

constexpr const char* user = R"({"userId":"u"})";

TEST_F(CentraliPartitionTest, ACollectionOfManyPartitionsHidesNoOtherRecord) {
  fill(make_parts());
  EXPECT_EQ(create("S", "X", user), 201);
  for (const std::string& id : {std::string("X"), make_record()}) {
    for (const std::string parameters : {"", "?structureId=S"}) {
      EXPECT_EQ(remove(id + parameters), 204);
      EXPECT_EQ(get(D + "/records/" + id).status(), 404);
      EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").status(), 200);
      EXPECT_EQ(restore(id + "/restore" + parameters).at({"id"}), "200 " + id);
      EXPECT_EQ(get(D + "/records/" + id).at({"id"}), "200 " + id);
    }
    EXPECT_EQ(remove(id), 204);
    EXPECT_EQ(remove(id + "?hard=true"), 204);
    EXPECT_EQ(restore(id + "/restore").status(), 404);
  }
  EXPECT_EQ(get(D + "/records/one").status(), 404);
  EXPECT_EQ(get(D + "/records/one?includeArchived=true").status(), 404);
  EXPECT_EQ(remove("one?hard=true"), 404);
}

TEST_F(CentraliPartitionTest, AnArchiveOfManyPartitionsHidesNoOtherRecord) {
  const CollectionPtr parts = make_parts();
  fill(parts);
  EXPECT_TRUE(database->transact([&](Transaction& transaction) -> Result<void> {
    for (std::size_t n = 0; n <= limits::searched_partitions_max; ++n) {
      const Bytes routing = routing_of({Value(std::to_string(n))}, false);
      TRY(transaction.remove(parts, {routing, "one"}, {}));
    }
    return {};
  }));
  EXPECT_EQ(create("S", "X", user), 201);
  EXPECT_EQ(remove("X"), 204);
  EXPECT_EQ(restore("X/restore").status(), 200);
  EXPECT_EQ(restore("one/restore").status(), 404);
}

TEST_F(CentraliPartitionTest, AnIdAloneFindsNoDocumentWithAPartitionKey) {
  const CollectionPtr parts = make_parts();
  for (const char* pk : {"a", "b"}) put(parts, "X", Object{{"pk", pk}});
  put(parts, "Y", Object{{"pk", "a"}});
  EXPECT_EQ(get(D + "/records/X").status(), 404);
  EXPECT_EQ(get(D + "/records/Y").status(), 404);
  EXPECT_EQ(get(D + "/records/Y?includeArchived=true").status(), 404);
  EXPECT_EQ(get(D + "/records/Y?structureId=parts").at({"data.pk"}), "200 a");
  EXPECT_EQ(post(D + "/records/by-ids", R"({"ids":["X","Y"]})").at({"meta.total"}), "200 0");
  EXPECT_EQ(
      post(D + "/records/by-ids", R"({"structureId":"parts","ids":["Y"]})").at({"meta.total"}),
      "200 1");
  // So a record of a structure may have that id, and the id then finds the record.
  EXPECT_EQ(create("S", "X", user), 201);
  EXPECT_EQ(remove("X"), 204);
  EXPECT_EQ(restore("X/restore").status(), 200);
  EXPECT_EQ(get(D + "/records/X").at({"structureId"}), "200 S");
  EXPECT_EQ(create("SD", "X", user), 409);
}

TEST_F(CentraliPartitionTest, ABulkFindsThemInTheStructureThatItsBodyNames) {
  put(make_parts(), "Y", Object{{"pk", "a"}});
  const std::string records = R"("records":[{"id":"Y","data":{"n":1}}])";
  EXPECT_EQ(patch(D + "/records/bulk", "{" + records + "}").status(), 404);
  EXPECT_EQ(patch(D + "/records/bulk", R"({"structureId":"parts",)" + records + "}").status(), 200);
  EXPECT_EQ(get(D + "/records/Y?structureId=parts").at({"data.n"}), "200 1");
  const std::string ids = R"({"structureId":"parts","ids":["Y"]})";
  EXPECT_LT(send("DELETE", D + "/records/bulk", ids).status(), 300);
  EXPECT_EQ(get(D + "/records/Y?structureId=parts").status(), 404);
}

TEST_F(CentraliPartitionTest, ABulkDeletesRecordsOfOneIdInSeveralStructures) {
  put(make_parts(), "Y", Object{{"pk", "a"}});
  EXPECT_EQ(create("S", "Y", user), 201);
  const std::string both = R"({"records":[{"id":"Y","structureId":"S"},)"
                           R"({"id":"Y","structureId":"parts"},{"id":"Y","structureId":"s"}]})";
  EXPECT_EQ(send("DELETE", D + "/records/bulk", both).at({"data"}), R"(200 ["Y","Y"])");
  EXPECT_EQ(get(D + "/records/Y?structureId=S").status(), 404);
  EXPECT_EQ(get(D + "/records/Y?structureId=parts").status(), 404);
}

TEST_F(CentraliPartitionTest, AnIdThatTheServerMakesNamesItsCollection) {
  make_parts();
  const std::string id = make_record("", "parts", R"({"pk":"a"})");
  EXPECT_EQ(get(D + "/records/" + id).at({"data.pk"}), "200 a");
  EXPECT_EQ(create("S", id, user), 409);
  EXPECT_EQ(remove(id), 204);
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").at({"data.pk"}), "200 a");
  EXPECT_EQ(restore(id + "/restore").at({"data.pk"}), "200 a");
}

TEST_F(CentraliPartitionTest, TwoPartitionsOfACollectionGetDifferentIdsHere) {
  const CollectionPtr parts = make_parts();
  EXPECT_EQ(create("parts", "Y", R"({"pk":"a"})"), 201);
  EXPECT_EQ(create("parts", "Y", R"({"pk":"b"})"), 409);
  EXPECT_EQ(remove("Y?structureId=parts"), 204);
  EXPECT_EQ(create("parts", "Y", R"({"pk":"b"})"), 201);
  EXPECT_EQ(restore("Y/restore").status(), 404);
  EXPECT_EQ(restore("Y/restore?structureId=parts").at({"error"}), "409 Conflict");
  EXPECT_EQ(get(D + "/records/Y?structureId=parts").at({"data.pk"}), "200 b");
  EXPECT_EQ(create("S", "Z", user), 201);
  EXPECT_EQ(create("parts", "Z", R"({"pk":"b"})"), 409);
}

TEST_F(CentraliPartitionTest, ADocumentWithoutAPartitionKeyIsFoundByItsId) {
  const CollectionPtr parts = make_parts(true);
  put(parts, "Y", Object{{"pk", "a"}});
  EXPECT_EQ(get(D + "/records/Y").status(), 404);
  put(parts, "Y", Object{{"n", 1}});
  EXPECT_EQ(get(D + "/records/Y").at({"data.n"}), "200 1");
  EXPECT_EQ(create("S", "Y", user), 409);
  EXPECT_EQ(remove("Y"), 204);
  EXPECT_EQ(get(D + "/records/Y?includeArchived=true").at({"data.n"}), "200 1");
  EXPECT_EQ(create("S", "Y", user), 201);
  EXPECT_EQ(restore("Y/restore").at({"error"}), "409 Conflict");
}

TEST_F(CentraliPartitionTest, SuchADocumentIsFoundInTheTrashWithoutASweep) {
  const CollectionPtr parts = make_parts(true, true);
  const auto make_expired = [&](const std::string& id) {
    put_dying(parts, id, Object{{"n", 1}});
    pass(1);
  };
  make_expired("X");
  EXPECT_EQ(restore("X/restore").at({"data.n"}), "200 1");
  make_expired("Y");
  EXPECT_EQ(remove("Y?hard=true"), 204);
  make_expired("Z");
  EXPECT_EQ(get(D + "/records/Z?includeArchived=true").at({"data.n"}), "200 1");
}

TEST_F(CentraliPartitionTest, AnIdThatIsNotFoundWaitsForNoExpirations) {
  put_dying(make_parts(false, true), "Y", Object{{"pk", "a"}});
  EXPECT_EQ(create("S", "X", user), 201);
  EXPECT_EQ(remove("X"), 204);
  pass(1);
  EXPECT_EQ(get(D + "/records/X?includeArchived=true").status(), 200);
  EXPECT_EQ(restore("X/restore").status(), 200);
  EXPECT_EQ(database->sweeper().state().expired, 0U);
  EXPECT_EQ(get(D + "/records/Y?includeArchived=true&structureId=parts").at({"data.pk"}), "200 a");
  EXPECT_EQ(database->sweeper().state().expired, 1U);
}

}  // namespace
}  // namespace mayfly::centrali::testing
