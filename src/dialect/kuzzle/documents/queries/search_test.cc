// Searches in requests; the query language is tested in search/.
#include <gtest/gtest.h>

#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::ids_of;
using testing::Server;
using testing::start_millis;
using testing::v7;

// a1 to a4, created a second apart, with n equal to their number; a4 is in the trashcan.
std::unique_ptr<Server> with_documents() {
  auto s = Server::with_collection();
  for (int i = 1; i <= 4; ++i) {
    s->of("document:create", "a" + std::to_string(i), R"({"n":)" + std::to_string(i) + "}");
    s->advance(1'000);
  }
  s->of("document:delete", "a4");
  return s;
}
std::string search(Server& s, const std::string& body, const std::string& more = "") {
  return ids_of(s.call("document:search", R"("body":)" + body + (more.empty() ? "" : "," + more)));
}
const std::string including_trash = R"("includeTrash":true)";

TEST(KuzzleSearchTest, AHitHasItsCollectionAndMetadata) {
  const auto s = with_documents();
  const Answer found = s->call("document:search", R"("body":{"query":{"term":{"n":1}}})");
  EXPECT_EQ(found.result(),
            R"({"took":0,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},)"
            R"("hits":[{"_index":"idx","_type":"col","_id":"a1","_version":1,"_score":1,)"
            R"("_source":{"n":1},"_meta":{"author":"-1","createdAt":1800000000000,)"
            R"("updatedAt":null,"updater":null,"active":true,"deletedAt":null}}],)"
            R"("total":1,"max_score":1})");
  s->client = v7;
  const Answer late = s->call("document:search", R"("body":{"query":{"term":{"n":1}}})");
  EXPECT_EQ(late.text("result.total"), "1");
  EXPECT_TRUE(late["result._shards"].is_missing());
  EXPECT_EQ(late.text("result.hits[0]._source._kuzzle_info.author"), R"("-1")");
}

TEST(KuzzleSearchTest, TheBestHitsComeFirstWithTheirScores) {
  const auto s = Server::with_collection();
  s->of("document:create", "d1", R"({"t":"a dog that sleeps"})");
  s->of("document:create", "d2", R"({"t":"dog"})");
  const std::string query = R"("query":{"match":{"t":"dog"}})";
  const Answer found = s->call("document:search", R"("body":{)" + query + "}");
  EXPECT_EQ(ids_of(found), "d2 d1");
  EXPECT_GT(found["result.hits[0]._score"].number(), found["result.hits[1]._score"].number());
  EXPECT_EQ(found.text("result.max_score"), found.text("result.hits[0]._score"));
  const Answer sorted = s->call("document:search", R"("body":{"sort":"_id",)" + query + "}");
  EXPECT_EQ(ids_of(sorted), "d1 d2");
  EXPECT_EQ(sorted.text("result.hits[0]._score"), "null");
  EXPECT_EQ(sorted.text("result.max_score"), "null");
  EXPECT_EQ(s->call("document:search", R"("body":{"collapse":{"field":"t"}})").status, 501);
}

TEST(KuzzleSearchTest, MetadataCanBeQueriedLikeAnyOtherProperty) {
  const auto s = with_documents();
  const std::string then = std::to_string(start_millis + 1'500);
  for (const char* name : {"_meta", "_kuzzle_info"}) {
    const std::string range =
        std::string(R"({"query":{"range":{")") + name + R"(.createdAt":{"lte":)" + then + "}}}}";
    EXPECT_EQ(search(*s, range), "a1 a2") << name;
    EXPECT_EQ(search(*s, std::string(R"({"sort":[{")") + name + R"(.createdAt":"desc"}]})"),
              "a3 a2 a1");
  }
  for (const char* fact : {"updatedAt", "updater", "deletedAt"}) {
    EXPECT_EQ(search(*s, R"({"query":{"exists":{"field":"_meta.)" + std::string(fact) + R"("}}})"),
              "")
        << fact;
  }
  s->of("document:update", "a2", "{}");
  s->of("document:createOrReplace", "a5", "{}");
  EXPECT_EQ(search(*s, R"({"query":{"exists":{"field":"_meta.updatedAt"}}})"), "a2 a5");
  EXPECT_EQ(search(*s, R"({"query":{"exists":{"field":"_meta.updater"}}})"), "a2 a5");
  EXPECT_EQ(search(*s, R"({"query":{"term":{"_meta.updater":"-1"}}})", including_trash),
            "a2 a4 a5");
  EXPECT_EQ(search(*s, R"({"query":{"term":{"_meta.author":"-1"}}})"), "a1 a2 a3 a5");
}

TEST(KuzzleSearchTest, TheTrashIsLeftOutUnlessRequested) {
  const auto s = with_documents();
  EXPECT_EQ(search(*s, "{}"), "a1 a2 a3");
  EXPECT_EQ(s->call("document:search", R"("body":{})").text("result.total"), "3");
  EXPECT_EQ(search(*s, "{}", including_trash), "a1 a2 a3 a4");
  const Answer all = s->call("document:search", R"("body":{},)" + including_trash);
  EXPECT_EQ(all.text("result.total"), "4");
  EXPECT_EQ(all.text("result.hits[2]._meta.active"), "true");
  EXPECT_EQ(all.text("result.hits[3]._meta.active"), "false");
  const std::string only_trash = R"({"query":{"term":{"_meta.active":false}}})";
  EXPECT_EQ(search(*s, only_trash), "");
  EXPECT_EQ(search(*s, only_trash, including_trash), "a4");
  const Answer hits = s->call("document:search", R"("body":)" + only_trash + "," + including_trash);
  EXPECT_EQ(hits.text("result.hits[0]._meta.active"), "false");
  EXPECT_EQ(hits.text("result.total"), "1");
  EXPECT_EQ(s->call("document:count", R"("body":{})").text("result.count"), "3");
  EXPECT_EQ(s->call("document:count", R"("body":{},)" + including_trash).text("result.count"), "4");
  const std::string sum = R"("body":{"aggs":{"s":{"sum":{"field":"n"}}}})";
  EXPECT_EQ(s->call("document:search", sum).text("result.aggregations.s.value"), "6");
  EXPECT_EQ(
      s->call("document:search", sum + "," + including_trash).text("result.aggregations.s.value"),
      "10");
  EXPECT_EQ(ids_of(s->http("POST", "/idx/col/_search?includeTrash&from=2&size=9")), "a3 a4");
}

TEST(KuzzleSearchTest, DeletingByQueryReturnsLivingDocumentsWithOneDate) {
  const auto s = with_documents();
  s->advance(70);
  const Answer gone =
      s->call("document:deleteByQuery", R"("body":{"query":{"range":{"n":{"gte":2}}}})");
  EXPECT_EQ(gone.result(), R"({"ids":["a2","a3"]})");
  const std::string gone_at = std::to_string(to_millis(s->clock.now()));
  EXPECT_EQ(s->trashed("a2").text("result._meta.deletedAt"), gone_at);
  EXPECT_EQ(s->trashed("a3").text("result._meta.deletedAt"), gone_at);
  EXPECT_NE(s->trashed("a4").text("result._meta.deletedAt"), gone_at);
  EXPECT_EQ(search(*s, "{}"), "a1");
  const Answer without = s->call("document:deleteByQuery", R"("body":{})");
  EXPECT_EQ(without.status, 400);
  EXPECT_EQ(without.error(), R"("The request must specify a body attribute \"query\".")");
  const Answer untyped = s->call("document:deleteByQuery", R"("body":{"query":"x"})");
  EXPECT_EQ(untyped.status, 400);
  EXPECT_EQ(untyped.error(),
            R"("The request must specify the body attribute \"query\" of type \"object\".")");
  s->client = v7;
  EXPECT_EQ(
      s->call("document:updateByQuery", R"("body":{"query":{"match_all":{}},"changes":{"k":1}})")
          .text("result.successes[0]._id"),
      R"("a1")");
  EXPECT_EQ(s->call("document:deleteByQuery", R"("body":{"query":{}},"source":true)")
                .text("result.documents[0]._source.k"),
            "1");
}

TEST(KuzzleSearchTest, AScrollShowsWhatItsFirstPageDid) {
  const auto s = with_documents();
  s->of("document:create", "a0", R"({"n":0})");
  s->of("document:delete", "a0");
  Answer page = s->call("document:search", R"("body":{},"scroll":"30s","size":1)");
  EXPECT_EQ(ids_of(page), "a1");
  // What was in the trash already stays hidden; later removals and restorations change nothing.
  s->of("document:delete", "a2");
  s->of("document:update", "a4", "{}");
  const auto next = [&] {
    const std::string id = page["result._scroll_id"].text();
    page = s->call("document:scroll", R"("scrollId":")" + id + R"(","scroll":"30s")");
    EXPECT_EQ(page.text("result.total"), "3");
    return ids_of(page);
  };
  EXPECT_EQ(next(), "a2");
  EXPECT_EQ(page.text("result.hits[0]._source"), R"({"n":2})");
  EXPECT_EQ(next(), "a3");
  EXPECT_EQ(next(), "");
  EXPECT_EQ(search(*s, "{}"), "a1 a3 a4");
}

TEST(KuzzleSearchTest, AnExpiredScrollIsLikeAnUnknownOne) {
  const auto s = with_documents();
  const Answer page = s->call("document:search", R"("body":{},"scroll":"30s","size":1)");
  const std::string id = page["result._scroll_id"].text();
  s->advance(29'000);
  EXPECT_EQ(s->http("GET", "/_scroll/" + id + "?scroll=30s").status, 200);
  s->advance(31'000);
  for (const std::string& gone : {id, std::string("none")}) {
    const Answer reply = s->call("document:scroll", R"("scrollId":")" + gone + '"');
    for (const Answer& late : {reply, s->http("GET", "/_scroll/" + gone)}) {
      EXPECT_EQ(late.status, 404) << gone;
      EXPECT_EQ(late.error(), R"("Non-existing or expired scroll identifier")");
    }
  }
  s->client = v7;
  const Answer late = s->call("document:scroll", R"("scrollId":")" + id + '"');
  EXPECT_EQ(late.status, 404);
  EXPECT_EQ(late.text("error.id"), R"("services.storage.unknown_scroll_id")");
}

TEST(KuzzleSearchTest, AfterTheLastHitOfASortedPageComesTheNext) {
  const auto s = with_documents();
  const std::string sorted = R"({"sort":[{"n":"asc"}],"size":2)";
  EXPECT_EQ(search(*s, sorted + "}"), "a1 a2");
  EXPECT_EQ(search(*s, sorted + R"(,"search_after":[2]})"), "a3");
  EXPECT_EQ(s->call("document:search", R"("body":)" + sorted + "}").text("result.hits[1].sort"),
            "[2]");
}

TEST(KuzzleSearchTest, AMappingThatNoSearchCouldReadIsNotStored) {
  const auto s = Server::with_documents({{"d1", R"({"a":1})"}});
  const char* update = "collection:updateMapping";
  s->client = testing::v7;
  EXPECT_EQ(s->call(update, R"("body":{"properties":{"a":{"type":"long"}}})").status, 200);
  for (const char* wrong : {R"({"a":5})", R"({"a":{"type":5}})", R"({"a":{"properties":5}})",
                            R"({"b":{"fields":{"c":[]}}})"}) {
    const auto refused = s->call(update, std::string(R"("body":{"properties":)") + wrong + "}");
    EXPECT_EQ(refused.status, 400) << wrong;
    EXPECT_EQ(refused.text("error.id"), R"("services.storage.invalid_mapping")") << wrong;
  }
  EXPECT_EQ(s->call("collection:getMapping").text("result.properties"), R"({"a":{"type":"long"}})");
  EXPECT_EQ(ids_of(s->call("document:search")), "d1");
  s->collection = "other";
  EXPECT_EQ(s->call("collection:create", R"("body":{"mappings":{"properties":{"a":5}}})").status,
            400);
  EXPECT_EQ(s->call("collection:exists").result(), "false");
}

TEST(KuzzleSearchTest, QueriesMayBeInKoncorde) {
  const auto s = with_documents();
  const std::string koncorde = R"("lang":"koncorde")";
  EXPECT_EQ(search(*s, R"({"query":{"range":{"n":{"gte":2}}},"sort":[{"n":"desc"}]})", koncorde),
            "a3 a2");
  EXPECT_EQ(search(*s, R"({"query":{"not":{"equals":{"n":2}}}})", koncorde), "a1 a3");
  EXPECT_EQ(search(*s, R"({"query":{"ids":{"values":["a1","a4"]}}})", koncorde), "a1");
  for (const char* query :
       {R"({"equals":{"n":"2"}})", R"({"not":{"not":{"equals":{"n":"2.0"}}}})",
        R"({"and":[{"exists":"n"},{"or":[{"equals":{"n":"2"}},{"equals":{"n":"x"}}]}]})",
        R"({"bool":{"must":[{"equals":{"n":"2"}}]}})"}) {
    EXPECT_EQ(search(*s, R"({"query":)" + std::string(query) + "}", koncorde), "a2") << query;
  }
  EXPECT_EQ(search(*s, R"({"query":{}})", koncorde), "a1 a2 a3");
  EXPECT_EQ(search(*s, "{}", koncorde + "," + including_trash), "a1 a2 a3 a4");
  EXPECT_EQ(s->call("document:count", R"("body":{"query":{"exists":"n"}},)" + koncorde)
                .text("result.count"),
            "3");
  // A keyword that Koncorde does not have is a clause of Elasticsearch.
  EXPECT_EQ(search(*s, R"({"query":{"term":{"n":1}}})", koncorde), "a1");
  EXPECT_EQ(search(*s, R"({"query":{"wildcard":{"_id":"a*"}}})", koncorde), "a1 a2 a3");
  EXPECT_EQ(search(*s,
                   R"({"query":{"and":[{"wildcard":{"_id":"a*"}},{"not":{"prefix":{"_id":"a1"}}},)"
                   R"({"or":[{"equals":{"n":2}},{"match_phrase":{"n":3}}]}]}})",
                   koncorde),
            "a2 a3");
  // An array matches by its items, and a text by its words.
  s->of("document:update", "a2", R"({"tags":["t1","t2"],"list":[5,6],"title":"quick brown fox"})");
  for (const char* query :
       {R"({"equals":{"tags":"t1"}})", R"({"equals":{"list":5}})", R"({"in":{"list":[7,6]}})",
        R"({"match":{"title":"fox"}})", R"({"and":[{"equals":{"tags":"t2"}},{"exists":"n"}]})"}) {
    EXPECT_EQ(search(*s, R"({"query":)" + std::string(query) + "}", koncorde), "a2") << query;
  }
  s->client = v7;
  const Answer wrong =
      s->call("document:search", R"("body":{"query":{"laugh":{"n":1}}},)" + koncorde);
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.text("error.id"), R"("services.storage.invalid_search_query")");
  EXPECT_EQ(s->call("document:search", R"("body":{},"lang":"sql")").status, 400);
  s->of("document:update", "a1", R"({"l":[1,{"x":5}]})");
  EXPECT_EQ(
      search(*s,
             R"({"query":{"select":{"field":"l","index":-1,"query":{"equals":{"value.x":5}}}}})",
             koncorde),
      "a1");
  EXPECT_EQ(s->call("document:updateByQuery",
                    R"("body":{"query":{"equals":{"n":3}},"changes":{"k":1}},)" + koncorde)
                .text("result.successes[0]._id"),
            R"("a3")");
  EXPECT_EQ(s->call("document:deleteByQuery", R"("body":{"query":{"equals":{"k":1}}},)" + koncorde)
                .text("result.ids"),
            R"(["a3"])");
}

TEST(KuzzleSearchTest, OneCollectionIsSearchedAtATimeAndNotTooMuch) {
  const auto s = with_documents();
  const Answer several = s->send(
      R"("controller":"document","action":"search","index":"idx,other","collection":"col")");
  EXPECT_EQ(several.error(), R"("Search on multiple indexes is not available.")");
  EXPECT_EQ(s->call("document:search", R"("size":1001)").status, 413);
  // A negative number must not be read as a huge unsigned one.
  EXPECT_EQ(s->call("document:search", R"("from":-1,"size":2000)").status, 400);
  EXPECT_EQ(s->call("document:search", R"("size":-1)").status, 400);
  s->client = v7;
  const Answer wrong = s->call("document:search", R"("body":{"query":{"nonsense":{}}})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.text("error.id"), R"("services.storage.invalid_search_query")");
}

}  // namespace
}  // namespace mayfly::kuzzle
