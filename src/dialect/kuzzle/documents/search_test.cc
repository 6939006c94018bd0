// Finding documents, as requests ask for it; what searches mean is tested in search/.
#include <gtest/gtest.h>

#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::start_millis;
using testing::v7;

// a1 to a4, a second apart, with n as their numbers say; a4 lies in the trashcan.
std::unique_ptr<Server> with_documents() {
  auto s = Server::with_collection();
  for (int i = 1; i <= 4; ++i) {
    s->of("document:create", "a" + std::to_string(i), R"({"n":)" + std::to_string(i) + "}");
    s->advance(1'000);
  }
  s->of("document:delete", "a4");
  return s;
}
std::string ids_of(const Answer& answer) {
  std::string ids;
  const Value hits = answer["result.hits"];
  if (!hits.is(Kind::array)) return "error: " + answer.error();
  for (const Value& hit : hits.array()) {
    ids += (ids.empty() ? "" : " ") + hit.member("_id").text();
  }
  return ids;
}
std::string search(Server& s, const std::string& body, const std::string& more = "") {
  return ids_of(s.call("document:search", R"("body":)" + body + (more.empty() ? "" : "," + more)));
}
const std::string with_trash = R"("includeTrash":true)";

TEST(KuzzleSearchTest, AHitTellsWhereItIsAndItsMetadata) {
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
  EXPECT_EQ(search(*s, R"({"query":{"exists":{"field":"_meta.updatedAt"}}})"), "");
  s->of("document:update", "a2", "{}");
  s->of("document:createOrReplace", "a5", "{}");
  EXPECT_EQ(search(*s, R"({"query":{"exists":{"field":"_meta.updatedAt"}}})"), "a2 a5");
  EXPECT_EQ(search(*s, R"({"query":{"term":{"_meta.author":"-1"}}})"), "a1 a2 a3 a5");
}

TEST(KuzzleSearchTest, TheTrashIsLeftOutUnlessItIsAskedFor) {
  const auto s = with_documents();
  EXPECT_EQ(search(*s, "{}"), "a1 a2 a3");
  EXPECT_EQ(search(*s, "{}", with_trash), "a1 a2 a3 a4");
  const std::string only_trash = R"({"query":{"term":{"_meta.active":false}}})";
  EXPECT_EQ(search(*s, only_trash), "");
  EXPECT_EQ(search(*s, only_trash, with_trash), "a4");
  const Answer hits = s->call("document:search", R"("body":)" + only_trash + "," + with_trash);
  EXPECT_EQ(hits.text("result.hits[0]._meta.active"), "false");
  EXPECT_EQ(hits.text("result.total"), "1");
  EXPECT_EQ(s->call("document:count", R"("body":{})").text("result.count"), "3");
  EXPECT_EQ(s->call("document:count", R"("body":{},)" + with_trash).text("result.count"), "4");
  const std::string sum = R"("body":{"aggs":{"s":{"sum":{"field":"n"}}}})";
  EXPECT_EQ(s->call("document:search", sum).text("result.aggregations.s.value"), "6");
  EXPECT_EQ(s->call("document:search", sum + "," + with_trash).text("result.aggregations.s.value"),
            "10");
  EXPECT_EQ(ids_of(s->http("POST", "/idx/col/_search?includeTrash&from=2&size=9")), "a3 a4");
}

TEST(KuzzleSearchTest, DeletingByQueryTellsOfTheLivingAndStampsThemAlike) {
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
  EXPECT_EQ(s->call("document:deleteByQuery", R"("body":{"query":"x"})").status, 400);
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
  Answer page = s->call("document:search", R"("body":{},"scroll":"30s","size":1)");
  EXPECT_EQ(ids_of(page), "a1");
  s->of("document:delete", "a2");
  const auto next = [&] {
    const std::string id = page["result._scroll_id"].text();
    page = s->call("document:scroll", R"("scrollId":")" + id + R"(","scroll":"30s")");
    return ids_of(page);
  };
  EXPECT_EQ(next(), "a2");
  EXPECT_EQ(next(), "a3");
  EXPECT_EQ(next(), "");
  EXPECT_EQ(page.text("result.total"), "3");
  s->advance(31'000);
  const std::string id = page["result._scroll_id"].text();
  const Answer late = s->http("GET", "/_scroll/" + id);
  EXPECT_EQ(late.status, 404);
  EXPECT_EQ(late.error(), R"("Non-existing or expired scroll identifier")");
  EXPECT_EQ(s->call("document:scroll", R"("scrollId":"none")").status, 404);
}

TEST(KuzzleSearchTest, AfterTheLastHitOfASortedPageComesTheNext) {
  const auto s = with_documents();
  const std::string sorted = R"({"sort":[{"n":"asc"}],"size":2)";
  EXPECT_EQ(search(*s, sorted + "}"), "a1 a2");
  EXPECT_EQ(search(*s, sorted + R"(,"search_after":[2]})"), "a3");
  EXPECT_EQ(s->call("document:search", R"("body":)" + sorted + "}").text("result.hits[1].sort"),
            "[2]");
}

TEST(KuzzleSearchTest, QueriesMayBeAskedInKoncorde) {
  const auto s = with_documents();
  const std::string koncorde = R"("lang":"koncorde")";
  EXPECT_EQ(search(*s, R"({"query":{"range":{"n":{"gte":2}}},"sort":[{"n":"desc"}]})", koncorde),
            "a3 a2");
  EXPECT_EQ(search(*s, R"({"query":{"not":{"equals":{"n":2}}}})", koncorde), "a1 a3");
  EXPECT_EQ(search(*s, R"({"query":{"ids":{"values":["a1","a4"]}}})", koncorde), "a1");
  EXPECT_EQ(search(*s, R"({"query":{}})", koncorde), "a1 a2 a3");
  EXPECT_EQ(search(*s, "{}", koncorde + "," + with_trash), "a1 a2 a3 a4");
  EXPECT_EQ(s->call("document:count", R"("body":{"query":{"exists":"n"}},)" + koncorde)
                .text("result.count"),
            "3");
  // Each language has its own words.
  s->client = v7;
  const Answer wrong =
      s->call("document:search", R"("body":{"query":{"term":{"n":1}}},)" + koncorde);
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
  const Answer several =
      s->say(R"("controller":"document","action":"search","index":"idx,other","collection":"col")");
  EXPECT_EQ(several.error(), R"("Search on multiple indexes is not available.")");
  EXPECT_EQ(s->call("document:search", R"("size":1001)").status, 413);
  // What is below zero would else be far beyond all there is.
  EXPECT_EQ(s->call("document:search", R"("from":-1,"size":2000)").status, 400);
  EXPECT_EQ(s->call("document:search", R"("size":-1)").status, 400);
  s->client = v7;
  const Answer wrong = s->call("document:search", R"("body":{"query":{"nonsense":{}}})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.text("error.id"), R"("services.storage.invalid_search_query")");
}

}  // namespace
}  // namespace mayfly::kuzzle
