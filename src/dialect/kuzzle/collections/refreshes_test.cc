// What searches find late with a refresh interval, and what they never find.
#include "dialect/kuzzle/collections/refreshes.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;

const KuzzleOptions a_second_late{.found_after = Span::seconds(1)};

// With d1, which was written long ago; searches find a write a second later.
std::unique_ptr<Server> with_delay() {
  auto s = Server::with_documents({{"d1", R"({"n":1})"}});
  s->advance(60'000);
  s->restart_with(a_second_late);
  s->advance(60'000);
  return s;
}
std::string found_ids(Server& s, const std::string& more = "") {
  return testing::ids_of(s.call("document:search", R"("body":{"sort":["_id"]})" + more));
}
std::string counted(Server& s) {
  return s.call("document:count", R"("body":{})").text("result.count");
}

TEST(KuzzleRefreshTest, AWriteIsReadImmediatelyAndFoundAfterTheInterval) {
  const auto s = with_delay();
  s->of("document:create", "d2", R"({"n":2})");
  EXPECT_EQ(s->of("document:get", "d2").status, 200);
  EXPECT_EQ(found_ids(*s), "d1");
  EXPECT_EQ(counted(*s), "1");
  EXPECT_EQ(s->call("document:search", R"("body":{"aggs":{"s":{"sum":{"field":"n"}}}})")
                .text("result.aggregations.s.value"),
            "1");
  s->advance(999);
  EXPECT_EQ(found_ids(*s), "d1");
  s->advance(2);
  EXPECT_EQ(found_ids(*s), "d1 d2");
  EXPECT_EQ(counted(*s), "2");
  // A deleted document is found for as long.
  s->of("document:delete", "d1");
  EXPECT_EQ(found_ids(*s), "d1 d2");
  s->advance(1'001);
  EXPECT_EQ(found_ids(*s), "d2");
}

TEST(KuzzleRefreshTest, ARefreshShowsWhatWasWrittenBeforeIt) {
  const auto s = with_delay();
  s->of("document:create", "d2", "{}");
  s->call("index:refresh");
  EXPECT_EQ(found_ids(*s), "d1 d2");
  s->of("document:create", "d3", "{}");
  EXPECT_EQ(found_ids(*s), "d1 d2");
  s->call("collection:refresh");
  EXPECT_EQ(found_ids(*s), "d1 d2 d3");
  s->of("document:create", "d4", "{}", R"("refresh":"wait_for")");
  EXPECT_EQ(found_ids(*s), "d1 d2 d3 d4");
  s->of("document:create", "d5", "{}", R"("refresh":"false")");
  EXPECT_EQ(found_ids(*s), "d1 d2 d3 d4");
  EXPECT_EQ(found_ids(*s, R"(,"includeTrash":true)"), "d1 d2 d3 d4 d5");
}

TEST(KuzzleRefreshTest, AnIndexWithAutoRefreshHidesNothing) {
  const auto s = with_delay();
  EXPECT_EQ(s->call("index:getAutoRefresh").result(), "false");
  EXPECT_EQ(s->call("index:setAutoRefresh", R"("body":{"autoRefresh":true})").result(),
            R"({"response":true})");
  EXPECT_EQ(s->http("GET", "/idx/_autoRefresh").result(), "true");
  s->of("document:create", "d2", "{}");
  EXPECT_EQ(found_ids(*s), "d1 d2");
  EXPECT_EQ(s->call("index:setAutoRefresh", R"("body":{"autoRefresh":"yes"})").status, 400);
  EXPECT_EQ(s->call("index:setAutoRefresh", R"("body":{})").status, 400);
  // A new index of that name has the default.
  s->call("index:delete");
  EXPECT_EQ(s->call("index:getAutoRefresh").status, 404);
  s->call("index:create");
  EXPECT_EQ(s->call("index:getAutoRefresh").result(), "false");
}

TEST(KuzzleRefreshTest, AYoungCollectionShowsNothingYet) {
  const auto s = with_delay();
  s->call("index:delete");
  s->call("index:create");
  s->call("collection:create");
  s->of("document:create", "d9", "{}");
  EXPECT_EQ(found_ids(*s), "");
  s->advance(1'001);
  EXPECT_EQ(found_ids(*s), "d9");
}

TEST(KuzzleRefreshTest, AScrollShowsWhatItsSearchDid) {
  const auto s = with_delay();
  s->of("document:create", "d0", "{}");
  s->advance(2'000);
  s->of("document:create", "d2", "{}");
  Answer page = s->call("document:search", R"("body":{"sort":["_id"]},"size":1,"scroll":"30s")");
  EXPECT_EQ(page.text("result.total"), "2");
  EXPECT_EQ(page.text("result.hits[0]._id"), R"("d0")");
  s->advance(2'000);
  const std::string id = R"("scrollId":)" + page.text("result._scroll_id");
  page = s->call("document:scroll", id + R"(,"scroll":"30s")");
  EXPECT_EQ(page.text("result.hits[0]._id"), R"("d1")");
  page = s->call("document:scroll", id + R"(,"scroll":"30s")");
  EXPECT_EQ(page.text("result.hits"), "[]");
}

TEST(KuzzleRefreshTest, ExpiredDocumentsAreNotFoundByALateSearch) {
  const auto s = with_delay();
  const CatalogPtr catalog = s->database->catalog();
  const auto collection = catalog->find_collection(catalog->find_database("idx")->id, "col");
  const Instant death = s->clock.now() + Span::millis(5'500);
  ASSERT_TRUE(s->database->transact([&](Transaction& transaction) -> Result<void> {
    TRY(transaction.put(collection, DocumentKey::of("brief"), *pack(Object{{"n", 5}}),
                        {.lifetime = Lifetime{At{death}}}));
    return {};
  }));
  s->advance(5'000);
  EXPECT_EQ(found_ids(*s), "brief d1");
  s->advance(500);
  EXPECT_EQ(found_ids(*s), "d1");
  EXPECT_EQ(counted(*s), "1");
  // A rewrite that searches do not find yet does not bring back the replaced version after its
  // expiration.
  ASSERT_TRUE(s->database->transact([&](Transaction& transaction) -> Result<void> {
    TRY(transaction.put(collection, DocumentKey::of("brief"), *pack(Object{{"n", 6}}),
                        {.lifetime = Lifetime{Never{}}}));
    return {};
  }));
  EXPECT_EQ(found_ids(*s), "d1");
  s->advance(1'001);
  EXPECT_EQ(found_ids(*s), "brief d1");
}

}  // namespace
}  // namespace mayfly::kuzzle
