// The metadata of a document after each action.
#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::anonymous;
using testing::Answer;
using testing::at_second;
using testing::meta;
using testing::Server;
using testing::v6;
using testing::v7;

TEST(KuzzleMetadataTest, ACreationShowsAuthorAndTime) {
  const auto s = Server::with_collection();
  const Answer made = s->of("document:create", "d1", R"({"message":"Hey! Ho!"})");
  EXPECT_EQ(made.status, 200);
  EXPECT_EQ(made.result(),
            R"({"_index":"idx","_type":"col","_id":"d1","_version":1,"result":"created",)"
            R"("_shards":{"total":1,"successful":1,"failed":0},"created":true,)"
            R"("_source":{"message":"Hey! Ho!"},"_meta":)" +
                meta(anonymous, 0, "null", "null") + "}");
  EXPECT_EQ(s->of("document:get", "d1").result(),
            R"({"_index":"idx","_type":"col","_id":"d1","_version":1,"found":true,)"
            R"("_source":{"message":"Hey! Ho!"},"_meta":)" +
                meta(anonymous, 0, "null", "null") + "}");
}

TEST(KuzzleMetadataTest, AnIdIsGeneratedIfThereIsNone) {
  const auto s = Server::with_collection();
  const Answer one = s->call("document:create", R"("_id":null,"body":{})");
  const Answer two = s->call("document:create", R"("body":{})");
  EXPECT_EQ(one["result._id"].text().size(), 20U);
  EXPECT_NE(one["result._id"].text().front(), '_');
  EXPECT_NE(one["result._id"].text(), two["result._id"].text());
}

TEST(KuzzleMetadataTest, AnUpdateKeepsTheAuthorAndMerges) {
  const auto s = Server::with_documents({{"d1", R"({"message":"m","o":{"x":1},"a":[1,2]})"}});
  s->advance(5'000);
  const Answer updated = s->of("document:update", "d1", R"({"b":2,"o":{"y":2},"a":[3]})");
  EXPECT_EQ(updated.result(),
            R"({"_index":"idx","_type":"col","_id":"d1","_version":2,"result":"updated",)"
            R"("_shards":{"total":1,"successful":1,"failed":0}})");
  const Answer got = s->of("document:get", "d1");
  EXPECT_EQ(got.text("result._source"), R"({"message":"m","o":{"x":1,"y":2},"a":[3],"b":2})");
  EXPECT_EQ(got.text("result._meta"), meta(anonymous, 0, at_second(5), anonymous));
  EXPECT_EQ(s->of("document:update", "none", "{}").status, 404);
}

TEST(KuzzleMetadataTest, AReplacementHasNewMetadataAndAnUpdate) {
  const auto s = Server::with_documents({{"d1", R"({"message":"m"})"}});
  s->advance(1'000);
  const Answer replaced = s->of("document:replace", "d1", R"({"z":1})");
  EXPECT_EQ(replaced.text("result._source"), R"({"z":1})");
  EXPECT_EQ(replaced.text("result._meta"), meta(anonymous, 1, at_second(1), anonymous));
  s->advance(1'000);
  const Answer again = s->of("document:createOrReplace", "d1", R"({"y":1})");
  EXPECT_EQ(again.text("result.created"), "false");
  EXPECT_EQ(again.text("result._version"), "3");
  EXPECT_EQ(again.text("result._meta"), meta(anonymous, 2, at_second(2), anonymous));
  const Answer fresh = s->of("document:createOrReplace", "d2", "{}");
  EXPECT_EQ(fresh.text("result.created"), "true");
  EXPECT_EQ(fresh.text("result._meta"), meta(anonymous, 2, at_second(2), anonymous));
  const Answer missing = s->of("document:replace", "unknown", "{}");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.error(), R"("Document with id \"unknown\" not found.")");
  EXPECT_EQ(s->trashed("unknown").status, 404);
}

TEST(KuzzleMetadataTest, ReplacementsOfSeveralShowNoUpdate) {
  const auto s = Server::with_documents({{"d1", R"({"a":1})"}});
  s->advance(1'000);
  const std::string documents = R"("body":{"documents":[{"_id":"d1","body":{"b":1}}]})";
  for (const char* action : {"document:mReplace", "document:mCreateOrReplace"}) {
    const Answer done = s->call(action, documents);
    EXPECT_EQ(done.status, 200);
    EXPECT_EQ(done.text("result.hits[0]._meta"), meta(anonymous, 1, "null", "null")) << action;
    EXPECT_EQ(done.text("result.total"), "1");
  }
}

TEST(KuzzleMetadataTest, MetadataCannotBeForged) {
  const auto s = Server::with_collection();
  const std::string forged = R"({"_kuzzle_info":{"author":"evil","active":false},"_meta":{"a":1}})";
  const Answer made = s->of("document:create", "d1", forged);
  EXPECT_EQ(made.text("result._source"), R"({"_meta":{"a":1}})");
  EXPECT_EQ(made.text("result._meta.author"), anonymous);
  EXPECT_EQ(s->of("document:get", "d1").status, 200);
  EXPECT_EQ(
      s->call("collection:getMapping").result(),
      R"({"idx":{"mappings":{"col":{"properties":{"_meta":{"properties":{"a":{"type":"long"}}}}}}}})");
}

TEST(KuzzleMetadataTest, EachGenerationOfClientsSeesItWhereItLooks) {
  const auto s = Server::with_documents({{"d1", R"({"a":1})"}});
  s->client = v6;
  const Answer late = s->of("document:get", "d1");
  EXPECT_EQ(late.text("result._source"),
            R"({"a":1,"_kuzzle_info":)" + meta(anonymous, 0, "null", "null") + "}");
  EXPECT_EQ(late.text("result._meta"), meta(anonymous, 0, "null", "null"));
  s->client = v7;
  EXPECT_EQ(s->of("document:get", "d1").result(),
            R"({"_id":"d1","_version":1,"_source":{"a":1,"_kuzzle_info":)" +
                meta(anonymous, 0, "null", "null", "}") + "}}");
  s->advance(1'000);
  EXPECT_EQ(s->of("document:update", "d1", R"({"b":1})").result(),
            R"({"_id":"d1","_version":2,"_source":{"b":1,"_kuzzle_info":{"updatedAt":)" +
                at_second(1) + R"(,"updater":"-1"}}})");
  EXPECT_EQ(s->of("document:createOrReplace", "d3", "{}").text("result.created"), "true");
  EXPECT_EQ(s->of("document:upsert", "d4", R"({"changes":{"a":1},"default":{"b":2}})")
                .text("result.created"),
            "true");
  EXPECT_EQ(s->of("document:get", "d4")["result._source.b"].integer(), 2);
  EXPECT_EQ(s->of("document:delete", "d4").result(), R"({"_id":"d4"})");
  EXPECT_EQ(s->call("document:mGet", R"("body":{"ids":["d1","no"]})").text("result.errors"),
            R"(["no"])");
}

}  // namespace
}  // namespace mayfly::kuzzle
