// The trashcan: what each action does to the documents in it, and how it is emptied.
#include <gtest/gtest.h>

#include "db/jobs/jobs.h"
#include "dialect/kuzzle/testing.h"
#include "dialect/kuzzle/trash/collector.h"
#include "value/packed/packed.h"

namespace mayfly::kuzzle {
namespace {

using testing::anonymous;
using testing::Answer;
using testing::at_second;
using testing::ids_of;
using testing::meta;
using testing::Server;
using testing::start_millis;

// With d1, written at the start and deleted a second later; d2 is living. Now is two seconds after
// the start.
std::unique_ptr<Server> with_trash(TrashCollectorOptions collector = {}) {
  auto s = Server::with_documents({{"d1", R"({"a":1})"}, {"d2", R"({"a":2})"}}, collector);
  s->advance(1'000);
  EXPECT_EQ(s->of("document:delete", "d1").status, 200);
  s->advance(1'000);
  return s;
}

TEST(KuzzleTrashTest, ADeletionAnswersWithTheIdAndNoBody) {
  const auto s = with_trash();
  const Answer gone = s->of("document:delete", "d2");
  EXPECT_EQ(gone.status, 200);
  EXPECT_EQ(gone.text("result._id"), R"("d2")");
  EXPECT_EQ(gone.text("result._source"), "");
}

TEST(KuzzleTrashTest, ADeletionLeavesTheDateOfTheLastUpdate) {
  const auto s = with_trash();
  EXPECT_EQ(s->of("document:update", "d2", R"({"a":3})").status, 200);
  s->advance(500);
  EXPECT_EQ(s->of("document:delete", "d2").status, 200);
  EXPECT_EQ(s->trashed("d2").text("result._meta.updatedAt"), std::to_string(start_millis + 2'000));
  EXPECT_EQ(s->trashed("d2").text("result._meta.deletedAt"), std::to_string(start_millis + 2'500));
}

TEST(KuzzleTrashTest, ADeletedDocumentIsMissingUnlessTheTrashIsIncluded) {
  const auto s = with_trash();
  const Answer got = s->of("document:get", "d1");
  EXPECT_EQ(got.status, 404);
  EXPECT_EQ(got.error(), R"("Document not found")");
  EXPECT_EQ(got.result(), "null");
  const Answer trashed = s->trashed("d1");
  EXPECT_EQ(trashed.status, 200);
  EXPECT_EQ(trashed.text("result._source"), R"({"a":1})");
  EXPECT_EQ(trashed.text("result._meta"),
            meta(anonymous, 0, "null", anonymous, testing::trashed_at_second(1)));
  const Answer exists = s->of("document:exists", "d1");
  EXPECT_EQ(exists.status, 200);
  EXPECT_EQ(exists.result(), "false");
  EXPECT_EQ(s->of("document:exists", "d1", "", R"("includeTrash":true)").result(), "true");
  const std::string both = R"("body":{"ids":["d1","d2"]})";
  EXPECT_EQ(s->call("document:mGet", both).text("result.total"), "1");
  EXPECT_EQ(s->call("document:mGet", both).text("result.hits[0]._id"), R"("d2")");
  EXPECT_EQ(s->call("document:mGet", both + R"(,"includeTrash":true)").text("result.total"), "2");
  EXPECT_EQ(s->http("GET", "/idx/col/d1?includeTrash").status, 200);
  EXPECT_EQ(s->http("GET", "/idx/col/d1?includeTrash=false").status, 404);
}

TEST(KuzzleTrashTest, ASecondDeletionFailsAndTheDateStays) {
  const auto s = with_trash();
  const Answer again = s->of("document:delete", "d1");
  EXPECT_EQ(again.status, 404);
  EXPECT_EQ(again.error(), R"("Document d1 does not exist")");
  EXPECT_EQ(s->trashed("d1").text("result._meta.deletedAt"), std::to_string(start_millis + 1'000));
}

TEST(KuzzleTrashTest, DeletingSeveralRenewsTheDateAndReportsMissingOnes) {
  const auto s = with_trash();
  const Answer again = s->call("document:mDelete", R"("body":{"ids":["d1"]})");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.result(), R"(["d1"])");
  EXPECT_EQ(s->trashed("d1").text("result._meta.deletedAt"), std::to_string(start_millis + 2'000));
  const Answer partial = s->call("document:mDelete", R"("body":{"ids":["d2","nope"]})");
  EXPECT_EQ(partial.status, 206);
  EXPECT_EQ(partial.result(), R"(["d2"])");
  EXPECT_EQ(partial.text("error.count"), "1");
  EXPECT_EQ(partial.text("error.errors[0]._id"), R"("nope")");
  EXPECT_EQ(partial.text("error.status"), "206");
}

TEST(KuzzleTrashTest, ACreationReplacesARemovedDocument) {
  const auto s = with_trash();
  const Answer made = s->of("document:create", "d1", R"({"n":1})");
  EXPECT_EQ(made.status, 200);
  EXPECT_EQ(made.text("result.created"), "true");
  EXPECT_EQ(made.text("result._source"), R"({"n":1})");
  EXPECT_EQ(made.text("result._version"), "2");
  EXPECT_EQ(made.text("result._meta"), meta(anonymous, 2, "null", "null"));
  const Answer again = s->of("document:create", "d1", "{}");
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(again.error(), R"("Document already exists")");
}

TEST(KuzzleTrashTest, AnUpdateBringsTheDocumentBackWithWhatItHad) {
  for (const bool is_many : {false, true}) {
    const auto s = with_trash();
    if (is_many) {
      const Answer done =
          s->call("document:mUpdate", R"("body":{"documents":[{"_id":"d1","body":{"k":1}}]})");
      EXPECT_EQ(done.status, 200);
    } else {
      EXPECT_EQ(s->of("document:update", "d1", R"({"k":1})").status, 200);
    }
    const Answer got = s->of("document:get", "d1");
    EXPECT_EQ(got.text("result._source"), R"({"a":1,"k":1})");
    EXPECT_EQ(got.text("result._meta.active"), "true");
    EXPECT_EQ(got.text("result._meta.deletedAt"), "null");
    EXPECT_EQ(got.text("result._meta.createdAt"), std::to_string(start_millis));
    EXPECT_EQ(got.text("result._meta.updatedAt"), std::to_string(start_millis + 2'000));
    EXPECT_EQ(s->trashed("d1").text("result._meta.active"), "true");
  }
}

TEST(KuzzleTrashTest, ReplacementsRestoreTheIdWithNewMetadata) {
  for (const char* action : {"document:replace", "document:createOrReplace"}) {
    const auto s = with_trash();
    const Answer back = s->of(action, "d1", R"({"z":1})");
    EXPECT_EQ(back.status, 200) << action;
    EXPECT_EQ(back.text("result.created"), "false");
    EXPECT_EQ(back.text("result.result"), R"("updated")");
    const Answer got = s->of("document:get", "d1");
    EXPECT_EQ(got.text("result._source"), R"({"z":1})");
    EXPECT_EQ(got.text("result._meta"), meta(anonymous, 2, at_second(2), anonymous)) << action;
    EXPECT_EQ(back.text("result._meta"), got.text("result._meta"));
    EXPECT_EQ(ids_of(s->call("document:search", R"("body":{})")), "d1 d2");
  }
}

TEST(KuzzleTrashTest, OneOfSeveralCreationsTakesThePlaceOfWhatLiesThere) {
  const auto s = with_trash();
  const std::string documents = R"("body":{"documents":[{"_id":"d1","body":{"n":1}}]})";
  EXPECT_EQ(s->call("document:mCreate", documents).status, 200);
  const Answer got = s->of("document:get", "d1");
  EXPECT_EQ(got.text("result._source"), R"({"n":1})");
  EXPECT_EQ(got.text("result._meta"), meta(anonymous, 2, "null", "null"));
  const Answer living = s->call("document:mCreate", documents);
  EXPECT_EQ(living.status, 206);
  EXPECT_EQ(living.text("error.message"), R"("Some document creations failed")");
  EXPECT_EQ(living.text("error.errors[0].reason"), R"("document already exists")");
}

TEST(KuzzleTrashTest, TruncatingReturnsTheLivingAndKeepsTheMapping) {
  const auto s = with_trash();
  s->call("collection:updateMapping", R"("body":{"properties":{"a":{"type":"integer"}}})");
  EXPECT_EQ(s->call("collection:truncate").result(), R"({"ids":["d2"]})");
  EXPECT_EQ(s->of("document:get", "d2").status, 404);
  EXPECT_EQ(s->trashed("d2").status, 200);
  EXPECT_EQ(s->call("collection:getMapping").text("result.idx.mappings.col.properties"),
            R"({"a":{"type":"integer"}})");
}

TEST(KuzzleTrashTest, AnIndexTakesItsTrashWithIt) {
  const auto s = with_trash();
  EXPECT_EQ(s->call("index:delete").result(), R"({"acknowledged":true})");
  EXPECT_EQ(s->call("index:create").status, 200);
  EXPECT_EQ(s->call("collection:create").status, 200);
  EXPECT_EQ(s->trashed("d1").status, 404);
  EXPECT_EQ(s->of("document:create", "d1", "{}").text("result._version"), "1");
}

TEST(KuzzleTrashTest, ABulkDeletionIsPermanent) {
  const auto s = with_trash();
  const Answer done =
      s->call("bulk:import",
              R"("body":{"bulkData":[{"delete":{"_id":"d2"}},{"index":{"_id":"d3"}},{"b":1},)"
              R"({"update":{"_id":"d3"}},{"doc":{"c":1}},{"create":{"_id":"d3"}},{}]})");
  EXPECT_EQ(done.status, 206);
  EXPECT_EQ(done.text("result.items[0].delete.result"), R"("deleted")");
  EXPECT_EQ(done.text("result.items[2].update.status"), "200");
  EXPECT_EQ(done.text("error.message"), R"("Some data was not imported.")");
  EXPECT_EQ(s->trashed("d2").status, 404);
  EXPECT_EQ(s->of("document:get", "d3").text("result._source"), R"({"b":1,"c":1})");
}

TEST(KuzzleTrashTest, RemovedDocumentsCanBeRestoredOrPurged) {
  const auto s = with_trash();
  const Answer back = s->of("trash:restore", "d1");
  EXPECT_EQ(back.text("result._source"), R"({"a":1})");
  EXPECT_EQ(back.text("result._meta.active"), "true");
  EXPECT_EQ(s->of("trash:restore", "d1").status, 400);
  EXPECT_EQ(s->of("trash:restore", "no").status, 404);
  s->of("document:delete", "d1");
  EXPECT_EQ(s->http("DELETE", "/idx/col/_trash").result(), R"({"deleted":1})");
  EXPECT_EQ(s->trashed("d1").status, 404);
  EXPECT_EQ(s->of("document:get", "d2").status, 200);
}

TEST(KuzzleTrashTest, ARestorationThatAUniqueIndexRefusesNamesTheIndex) {
  const auto s = Server::with_collection();
  const auto index = s->database->catalog()->find_database("idx")->id;
  ASSERT_TRUE(s->database->create_collection(
      index,
      {.name = "theirs",
       .promises = {.keep_trash_for = Span::infinite()},
       .indexes = {
           {.name = "by_a", .fields = {{Field::body("a")}}, .unique = Uniqueness::of_complete}}}));
  s->collection = "theirs";
  s->of("document:create", "d1", R"({"a":1})");
  s->of("document:delete", "d1");
  EXPECT_EQ(s->of("document:create", "d2", R"({"a":1})").status, 200);
  const Answer refused = s->of("trash:restore", "d1");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.error(), s->of("document:create", "d3", R"({"a":1})").error());
  EXPECT_NE(refused.error().find("unique index 'by_a'"), std::string::npos) << refused.error();
}

TEST(KuzzleTrashTest, AnExpiredDocumentIsInTheTrashcanBeforeTheSweeperRuns) {
  const auto s = Server::with_collection();
  CollectionChange policy;
  policy.keep_trash_for = Span::infinite();
  policy.expires_to_trash = true;
  const auto index = s->database->catalog()->find_database("idx")->id;
  const auto native = s->database->create_collection(index, {"native", policy, {}});
  ASSERT_TRUE(native.has_value());
  const auto put = s->database->transact([&](Transaction& transaction) -> Result<void> {
    PutOptions options;
    options.lifetime = Lifetime(At{s->database->now() + Span::seconds(1)});
    TRY(transaction.put(*native, DocumentKey::of("d1"), TRY(pack(Object{{"a", 1}})), options));
    return {};
  });
  ASSERT_TRUE(put.has_value());
  s->advance(2'000);
  s->collection = "native";
  EXPECT_EQ(s->trashed("d1").text("result._source"), R"({"a":1})");
  EXPECT_EQ(s->of("document:update", "d1", R"({"b":2})").status, 404);
  EXPECT_EQ(s->of("document:create", "d1", R"({"b":2})").status, 200);
  EXPECT_EQ(s->of("document:get", "d1").text("result._source"), R"({"b":2})");
}

// --- the garbage collector ---

TEST(KuzzleCollectorTest, TheFirstPassComesAnIntervalAfterTheStart) {
  const auto s = with_trash({.every = Span::seconds(10)});
  s->advance(7'999);
  EXPECT_EQ(s->trashed("d1").status, 200);
  s->advance(1);
  EXPECT_EQ(s->trashed("d1").status, 404);
  EXPECT_EQ(s->of("document:get", "d2").status, 200);
  // A new document with the id starts with version 1.
  EXPECT_EQ(s->of("document:create", "d1", "{}").text("result._version"), "1");
}

TEST(KuzzleCollectorTest, ARestartDoesNotBringThePassForward) {
  const auto s = with_trash({.every = Span::seconds(10)});
  s->advance(7'000);
  s->restart();
  s->advance(5'000);
  EXPECT_EQ(s->trashed("d1").status, 200);
  s->advance(5'000);
  EXPECT_EQ(s->trashed("d1").status, 404);
}

TEST(KuzzleCollectorTest, EachPassTakesTheOldestOfEachCollectionUpToABound) {
  const auto s = Server::with_collection({.every = Span::seconds(100), .documents_max = 2});
  s->collection = "other";
  s->call("collection:create");
  const auto trash = [&](const std::string& collection, std::initializer_list<const char*> ids) {
    s->collection = collection;
    for (const char* id : ids) {
      s->of("document:create", id, "{}");
      s->of("document:delete", id);
      s->advance(1);
    }
  };
  const auto left = [&](const std::string& collection) {
    s->collection = collection;
    std::string ids;
    for (const char* id : {"a", "b", "c", "d", "e"}) {
      if (s->trashed(id).status == 200) ids += id;
    }
    return ids;
  };
  trash("col", {"d", "a", "e", "b", "c"});
  trash("other", {"c", "e", "a", "d", "b"});
  EXPECT_EQ(left("col"), "abcde");
  EXPECT_EQ(left("other"), "abcde");
  s->advance(100'000);
  EXPECT_EQ(left("col"), "bce");
  EXPECT_EQ(left("other"), "abd");
  // The interval starts at the end of a pass; a restored document stays.
  s->collection = "col";
  s->of("document:update", "e", "{}");
  s->advance(99'999);
  EXPECT_EQ(left("col"), "bce");
  s->advance(2);  // the pass itself took microseconds
  EXPECT_EQ(left("col"), "e");
  EXPECT_EQ(left("other"), "b");
}

// A request for the trash would run the pass that is due; this reads without it.
std::string lies_in_trash(Server& s, const std::string& name = "col") {
  const CatalogPtr catalog = s.database->catalog();
  const auto collection = catalog->find_collection(catalog->find_database("idx")->id, name);
  View view = s.database->view();
  const auto page = view.scan_trash(*collection, {}, 100);
  std::string ids;
  for (const Document& document : page->documents) {
    ids += (ids.empty() ? "" : " ") + std::string(document.id);
  }
  return ids;
}

TEST(KuzzleCollectorTest, ItsJobRunsThePassWithoutARequest) {
  const auto s = Server::with_documents({{"d1", "{}"}, {"d2", "{}"}, {"d3", "{}"}},
                                        {.every = Span::seconds(2)});
  for (const char* id : {"d1", "d2", "d3"}) s->of("document:delete", id);
  s->advance(1'000);
  s->database->jobs().run_due();
  for (const char* id : {"d1", "d2", "d3"}) EXPECT_EQ(s->trashed(id).status, 200) << id;
  EXPECT_EQ(lies_in_trash(*s), "d1 d2 d3");
  s->advance(1'001);
  s->database->jobs().run_due();
  EXPECT_EQ(lies_in_trash(*s), "");
  for (const char* id : {"d1", "d2", "d3"}) EXPECT_EQ(s->trashed(id).status, 404) << id;
}

TEST(KuzzleCollectorTest, TheNextPassComesAnIntervalAfterTheEndOfTheOneBefore) {
  const auto s = Server::with_documents({{"d1", "{}"}, {"d2", "{}"}}, {.every = Span::seconds(60)});
  s->collection = "other";
  s->call("collection:create");
  s->collection = "col";
  // A pass of half a minute: time advances between its two collections.
  int asked = 0;
  Collector collector(*s->services, s->options.collector, [&] {
    if (++asked == 3) s->advance(30'000);
    return false;
  });
  s->of("document:delete", "d1");
  s->advance(60'001);
  EXPECT_EQ(collector.run_due(), 1U);
  ASSERT_EQ(asked, 3);
  s->of("document:delete", "d2");
  s->advance(59'999);
  EXPECT_EQ(collector.run_due(), 0U) << "a minute and a half after the start of the pass";
  EXPECT_EQ(lies_in_trash(*s), "d2");
  s->advance(2);
  EXPECT_EQ(collector.run_due(), 1U);
  EXPECT_EQ(lies_in_trash(*s), "");
}

TEST(KuzzleCollectorTest, OneByOneTheyGoInTheOrderOfTheirDeletions) {
  const auto s = Server::with_collection({.every = Span::seconds(100), .documents_max = 1});
  for (const char* id : {"d1", "d2", "d3"}) s->of("document:create", id, "{}");
  for (const char* id : {"d3", "d1", "d2"}) {
    EXPECT_EQ(s->of("document:delete", id).status, 200);
    s->advance(1);
  }
  std::string went;
  for (int pass = 0; pass < 3; ++pass) {
    s->advance(100'001);
    std::string left;
    for (const char* id : {"d1", "d2", "d3"}) {
      if (s->trashed(id).status == 200) left += id;
    }
    went += left + ";";
  }
  EXPECT_EQ(went, "d1d2;d2;;");
}

TEST(KuzzleCollectorTest, DocumentsOfOtherApisStayToo) {
  const auto s = with_trash({.every = Span::seconds(10)});
  s->call("bulk:import", R"("body":{"bulkData":[{"index":{"_id":"b1"}},{"n":1}]})");
  const auto index = s->database->catalog()->find_database("idx");
  const auto collection = s->database->catalog()->find_collection(index->id, "col");
  ASSERT_TRUE(s->database->transact([&](Transaction& transaction) -> Result<void> {
    TRY(transaction.put(collection, DocumentKey::of("c1"), TRY(pack_json(R"({"n":2})")), {}));
    return {};
  }));
  s->advance(20'000);
  EXPECT_EQ(s->trashed("d1").status, 404);
  for (const char* id : {"d2", "b1", "c1"}) EXPECT_EQ(s->of("document:get", id).status, 200) << id;
}

TEST(KuzzleCollectorTest, AnOverloadedServerPutsThePassOff) {
  const auto s = with_trash({.every = Span::seconds(10), .retry_after = Span::seconds(60)});
  s->database->jobs().give_way(true);
  s->advance(10'000);
  EXPECT_EQ(s->trashed("d1").status, 200);
  s->database->jobs().give_way(false);
  s->advance(59'999);
  EXPECT_EQ(s->trashed("d1").status, 200);
  s->advance(1);
  EXPECT_EQ(s->trashed("d1").status, 404);
}

TEST(KuzzleCollectorTest, TheTrashOfOtherDialectsIsNotCollected) {
  Server s({.every = Span::seconds(10)});
  const auto index = *s.database->create_database("idx");
  const auto collection = *s.database->create_collection(
      index->id, {.name = "col", .promises = {.keep_trash_for = Span::seconds(1'000)}});
  s.of("document:create", "d1", "{}");
  s.of("document:delete", "d1");
  s.advance(999'000);
  EXPECT_EQ(s.trashed("d1").status, 200);
  s.advance(1'001);
  EXPECT_EQ(s.trashed("d1").status, 404);
}

TEST(KuzzleCollectorTest, NorWhereAClientHasGivenTheCollectionAMapping) {
  const std::string mapping = R"({"properties":{"a":{"type":"keyword"}}})";
  for (const std::string action : {"create", "updateMapping"}) {
    SCOPED_TRACE(action);
    Server s({.every = Span::seconds(10)});
    const auto index = *s.database->create_database("idx");
    ASSERT_TRUE(s.database->create_collection(
        index->id, {.name = "col", .promises = {.keep_trash_for = Span::seconds(1'000)}}));
    EXPECT_EQ(s.call("collection:" + action, R"("body":)" + mapping).status, 200);
    EXPECT_EQ(s.call("admin:loadMappings", R"("body":{"idx":{"col":)" + mapping + "}}").status,
              200);
    EXPECT_EQ(s.call("collection:getMapping").text("result.idx.mappings.col"), mapping);
    s.of("document:create", "d1", "{}");
    s.of("document:delete", "d1");
    s.advance(999'000);
    EXPECT_EQ(s.trashed("d1").status, 200);
  }
}

}  // namespace
}  // namespace mayfly::kuzzle
