// Bulk writes: metadata from the request, no specification, no notifications.
#include <gtest/gtest.h>

#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::start_millis;
using testing::v6;
using testing::v7;

const std::string given =
    R"({"author":"old","createdAt":1000000000000,"updatedAt":1100000000000,"updater":"older"})";
const std::string doc = R"({"a":1,"_kuzzle_info":)" + given + "}";

std::string found(Server& s, const std::string& query) {
  return testing::ids_of(s.call("document:search", R"("body":{"query":)" + query + "}"));
}

TEST(KuzzleBulkTest, ADocumentIsWrittenWithItsOwnMetadata) {
  const auto s = Server::with_collection();
  const Answer written = s->of("bulk:write", "d1", doc);
  EXPECT_EQ(written.text("result._source"), R"({"a":1})");
  EXPECT_EQ(written.text("result._meta"), given);
  EXPECT_EQ(written.text("result.created"), "true");
  EXPECT_EQ(s->of("document:get", "d1").text("result._meta"), given);
  s->client = v7;
  EXPECT_EQ(s->of("bulk:write", "d1", doc).result(),
            R"({"_id":"d1","_version":2,"_source":{"a":1,"_kuzzle_info":)" + given + "}}");
  EXPECT_EQ(s->of("document:get", "d1").text("result._source._kuzzle_info"), given);
  s->client = v6;
  const Answer late = s->call("document:search", R"("body":{"_source":["a"]})");
  EXPECT_EQ(late.text("result.hits[0]._meta"), given);
  EXPECT_EQ(late.text("result.hits[0]._source.a"), "1");
  s->client.clear();
  EXPECT_EQ(s->call("bulk:write", R"("body":{})")["result._id"].text().size(), 20U);
  EXPECT_EQ(s->of("bulk:write", "_no", "{}").status, 400);
}

TEST(KuzzleBulkTest, NoMetadataAreAddedToThoseInTheRequest) {
  const auto s = Server::with_collection();
  const auto meta = [&](const std::string& id) {
    return s->of("document:get", id).text("result._meta");
  };
  const std::string odd = R"({"author":"old","own":[1],"createdAt":null})";
  EXPECT_EQ(s->of("bulk:write", "odd", R"({"a":1,"_kuzzle_info":)" + odd + "}").status, 200);
  EXPECT_EQ(meta("odd"), odd);
  EXPECT_EQ(found(*s, R"({"exists":{"field":"_meta.createdAt"}})"), "");
  // The request had no metadata, so there is none.
  for (const char* body : {R"({"a":1})", R"({"a":1,"_kuzzle_info":"x"})"}) {
    const Answer written = s->of("bulk:write", "none", body);
    EXPECT_EQ(written.text("result._meta"), "");
    EXPECT_EQ(written.text("result._source"), R"({"a":1})");
  }
  EXPECT_EQ(found(*s, R"({"range":{"_meta.createdAt":{"gt":0}}})"), "");
  s->client = v7;
  EXPECT_EQ(s->of("document:get", "none").text("result._source"), R"({"a":1})");
  s->client = v6;
  EXPECT_EQ(s->of("document:get", "none").text("result._source"), R"({"a":1})");
  // An update adds its updater.
  s->client.clear();
  s->advance(5'000);
  const std::string updated =
      R"("updatedAt":)" + std::to_string(start_millis + 5'000) + R"(,"updater":"-1"})";
  s->of("document:update", "none", R"({"b":1})");
  EXPECT_EQ(meta("none"), "{" + updated);
  s->of("document:deleteFields", "odd", R"({"fields":["a"]})");
  EXPECT_EQ(meta("odd"), R"({"author":"old","own":[1],"createdAt":null,)" + updated);
  EXPECT_EQ(found(*s, R"({"exists":{"field":"_meta.updatedAt"}})"), "none odd");
  // The trashcan shows that they are removed.
  s->of("document:delete", "none");
  EXPECT_EQ(s->trashed("none").text("result._meta.active"), "false");
  EXPECT_EQ(s->trashed("none").text("result._meta.deletedAt"),
            std::to_string(start_millis + 5'000));
  s->of("document:update", "none", R"({"b":2})");
  EXPECT_EQ(meta("none"), "{" + updated);
  // A whole body has no metadata, so the document starts again.
  s->of("document:replace", "none", "{}");
  EXPECT_EQ(s->of("document:get", "none").text("result._meta.author"), R"("-1")");
}

TEST(KuzzleBulkTest, StoredMetadataAreFoundAndALaterUpdateIsShown) {
  const auto s = Server::with_collection();
  s->of("bulk:write", "d1", doc);
  s->of("document:create", "d2", R"({"a":2})");
  EXPECT_EQ(found(*s, R"({"term":{"_meta.author":"old"}})"), "d1");
  EXPECT_EQ(found(*s, R"({"range":{"_kuzzle_info.createdAt":{"lt":1200000000000}}})"), "d1");
  EXPECT_EQ(found(*s, R"({"exists":{"field":"_meta.updatedAt"}})"), "d1");
  const Answer sorted =
      s->call("document:search", R"("body":{"sort":[{"_meta.createdAt":"asc"}]})");
  EXPECT_EQ(sorted.text("result.hits[0]._id"), R"("d1")");
  EXPECT_EQ(sorted.text("result.hits[0].sort"), "[1000000000000]");
  s->advance(5'000);
  s->of("document:update", "d1", R"({"b":1})");
  const Answer updated = s->of("document:get", "d1");
  EXPECT_EQ(updated.text("result._source"), R"({"a":1,"b":1})");
  EXPECT_EQ(updated.text("result._meta"),
            R"({"author":"old","createdAt":1000000000000,"updatedAt":)" +
                std::to_string(start_millis + 5'000) + R"(,"updater":"-1"})");
  s->of("document:replace", "d1", "{}");
  EXPECT_EQ(s->of("document:get", "d1").text("result._meta.author"), R"("-1")");
}

TEST(KuzzleBulkTest, SeveralAreWrittenAndFailuresAreListed) {
  const auto s = Server::with_collection();
  const std::string documents =
      R"("body":{"documents":[{"_id":"d1","body":)" + doc + R"(},{"body":{"b":2}},{"_id":"d3"}]})";
  const Answer written = s->call("bulk:mWrite", documents);
  EXPECT_EQ(written.status, 206);
  EXPECT_EQ(written.text("result.total"), "2");
  EXPECT_EQ(written.text("result.hits[0]._meta"), given);
  EXPECT_EQ(written.text("result.hits[1]._meta"), "");
  EXPECT_EQ(written.text("error.errors[0]._id"), R"("d3")");
  s->client = v7;
  const Answer late = s->call("bulk:mWrite", documents);
  EXPECT_EQ(late.status, 200);
  EXPECT_EQ(late.text("result.successes[0]._source._kuzzle_info"), given);
  EXPECT_EQ(late.text("result.errors[0].reason"), R"("document body must be an object")");
  EXPECT_EQ(s->call("bulk:mWrite", documents + R"(,"strict":true)").text("error.id"),
            R"("api.process.incomplete_multiple_request")");
}

TEST(KuzzleBulkTest, ANumberThatAnImportNamesIsTheIdWithItsText) {
  const auto s = Server::with_collection();
  const Answer done = s->call("bulk:import", R"("body":{"bulkData":[{"index":{"_id":15}},{"a":1},)"
                                             R"({"update":{"_id":15}},{"doc":{"b":2}}]})");
  EXPECT_EQ(done.text("result.items[0].index._id"), R"("15")") << done.error();
  EXPECT_EQ(s->of("document:get", "15").text("result._source"), R"({"a":1,"b":2})");
  EXPECT_EQ(s->call("bulk:import", R"("body":{"bulkData":[{"index":{"_id":true}},{}]})").status,
            400);
}

TEST(KuzzleBulkTest, TheLinesOfAllFixturesAreBoundedTogether) {
  const auto s = Server::with_collection();
  s->send(R"("controller":"collection","action":"create","index":"idx","collection":"other")");
  const auto lines_of = [](std::size_t documents) {
    std::string lines = R"({"index":{"_id":"first"}},{})";
    for (std::size_t i = 1; i < documents; ++i) lines += R"(,{"index":{}},{})";
    return lines;
  };
  const std::string half = lines_of(limits::bulk_lines_max / 4);
  const auto load = [&](const std::string& others) {
    return s->send(R"("controller":"admin","action":"loadFixtures","body":{"idx":{"col":[)" + half +
                   R"(],"other":[)" + others + "]}}");
  };
  const Answer refused = load(half + R"(,{"delete":{"_id":"first"}})");
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.error(),
            R"w("Number of documents exceeds the server configured value (20000)")w");
  EXPECT_EQ(s->call("document:count").text("result.count"), "0");
  EXPECT_EQ(load(half).status, 200);
  EXPECT_EQ(s->call("document:count").text("result.count"), "5000");
}

TEST(KuzzleBulkTest, NoSpecificationHoldsBulkWrites) {
  const auto s = Server::with_collection();
  s->send(R"("controller":"collection","action":"updateSpecifications","body":{"idx":{"col":)"
          R"({"strict":true,"fields":{"a":{"type":"string"}}}}})");
  EXPECT_EQ(s->of("document:create", "d1", R"({"b":1})").status, 400);
  EXPECT_EQ(s->of("bulk:write", "d1", R"({"b":1})").status, 200);
  EXPECT_EQ(s->of("document:update", "d1", R"({"a":"x"})").status, 400);
  // Metadata in the request is no field of the document.
  EXPECT_EQ(s->of("bulk:write", "d2", R"({"a":"x","_kuzzle_info":{"author":"u"}})").status, 200);
  EXPECT_EQ(s->of("document:update", "d2", R"({"a":"y"})").status, 200);
  EXPECT_EQ(s->of("document:get", "d2").text("result._meta.author"), R"("u")");
}

TEST(KuzzleBulkTest, ChangesByQueryReachEveryDocumentAndReturnTheirNumber) {
  const auto s = Server::with_collection();
  s->client = v7;
  s->call("bulk:mWrite", testing::numbered_documents(2'500));
  EXPECT_EQ(s->call("bulk:updateByQuery",
                    R"("body":{"query":{"range":{"n":{"gte":100}}},"changes":{"k":1}})")
                .result(),
            R"({"updated":2400})");
  EXPECT_EQ(s->call("document:count", R"("body":{"query":{"term":{"k":1}}})").text("result.count"),
            "2400");
  // No updater is recorded.
  EXPECT_EQ(found(*s, R"({"exists":{"field":"_meta.updatedAt"}})"), "");
  EXPECT_EQ(s->http("DELETE", "/idx/col/_bulk/_query", R"({"query":{"term":{"k":1}}})").result(),
            R"({"deleted":2400})");
  EXPECT_EQ(s->call("document:count", R"("body":{})").text("result.count"), "100");
  EXPECT_EQ(s->call("bulk:deleteByQuery", R"("body":{})").status, 400);
  EXPECT_EQ(s->call("bulk:updateByQuery", R"("body":{"query":{}})").status, 400);
}

TEST(KuzzleBulkTest, ABodyFromAnotherDialectHasNoMetadataTwice) {
  const auto s = Server::with_collection();
  const auto catalog = s->database->catalog();
  const auto collection = catalog->find_collection(catalog->find_database("idx")->id, "col");
  ASSERT_TRUE(s->database
                  ->transact([&](Transaction& transaction) -> Result<void> {
                    TRY(transaction.put(collection, DocumentKey::of("d"),
                                        *pack_json(R"({"_kuzzle_info":"x","a":1})"), {}));
                    return {};
                  })
                  .has_value());
  EXPECT_EQ(s->of("document:get", "d").text("result._source"), R"({"a":1})");
  s->client = v7;
  EXPECT_EQ(s->of("document:get", "d").text("result._source._kuzzle_info.author"), "null");
}

}  // namespace
}  // namespace mayfly::kuzzle
