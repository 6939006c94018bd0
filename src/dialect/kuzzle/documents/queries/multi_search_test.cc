// One search in several collections.
#include <gtest/gtest.h>

#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::ids_of;
using testing::Server;

class KuzzleMultiSearchTest : public ::testing::Test {
 protected:
  KuzzleMultiSearchTest() {
    s->client = testing::v7;
    for (const std::string place :
         {R"("idx","collection":"two")", R"("other","collection":"one")"}) {
      send("collection", "create", R"("index":)" + place);
    }
    put(R"("idx","collection":"col")", "a", R"({"n":1,"t":"red"})");
    put(R"("idx","collection":"col")", "b", R"({"n":4,"t":"red red"})");
    put(R"("idx","collection":"two")", "c", R"({"n":2,"t":"blue"})");
    put(R"("other","collection":"one")", "d", R"({"n":3})");
    put(R"("other","collection":"one")", "e", "{}");
  }
  Answer send(const std::string& controller, const std::string& action, const std::string& more) {
    return s->send(R"("controller":")" + controller + R"(","action":")" + action +
                   R"(","volatile":)" + testing::v7 + "," + more);
  }
  void put(const std::string& place, const std::string& id, const std::string& body) {
    const Answer made = send("document", "create",
                             R"("index":)" + place + R"(,"_id":")" + id + R"(","body":)" + body);
    EXPECT_EQ(made.status, 200) << made.error();
  }
  Answer search(const std::string& body, const std::string& more = "",
                const std::string& targets = all) {
    return send(
        "document", "search",
        R"("targets":)" + targets + R"(,"body":)" + body + (more.empty() ? "" : "," + more));
  }
  inline static const std::string all =
      R"([{"index":"idx","collections":["col","two"]},{"index":"other","collections":["one"]}])";
  const std::unique_ptr<Server> s = Server::with_collection();
};

TEST_F(KuzzleMultiSearchTest, HitsOfAllTargetsAreOneListInItsOrder) {
  const Answer found = search(R"({"sort":[{"n":"asc"}]})");
  EXPECT_EQ(ids_of(found), "a c d b e") << found.error();
  EXPECT_EQ(found.text("result.total"), "5");
  EXPECT_EQ(found.text("result.hits[1].index"), R"("idx")");
  EXPECT_EQ(found.text("result.hits[1].collection"), R"("two")");
  EXPECT_EQ(found.text("result.hits[1]._source.n"), "2");
  EXPECT_EQ(ids_of(search(R"({"sort":[{"n":"desc"}]})")), "b d c a e");
  EXPECT_EQ(ids_of(search(R"({"sort":[{"n":{"order":"desc","missing":"_first"}}]})")), "e b d c a");
  // Equal hits are in the order of the targets.
  EXPECT_EQ(ids_of(search("{}")), "a b c d e");
  EXPECT_EQ(ids_of(search(R"({"query":{"range":{"n":{"gte":2}}},"sort":["n"]})")), "c d b");
}

TEST_F(KuzzleMultiSearchTest, PagesAreThoseOfTheWholeList) {
  EXPECT_EQ(ids_of(search(R"({"sort":["n"]})", R"("from":1,"size":2)")), "c d");
  EXPECT_EQ(ids_of(search(R"({"sort":["n"]})", R"("from":4,"size":2)")), "e");
  EXPECT_EQ(ids_of(search(R"({"sort":["n"]})", R"("from":9,"size":2)")), "");
  EXPECT_EQ(ids_of(search(R"({"sort":["n"],"search_after":[2]})")), "d b e");
}

TEST_F(KuzzleMultiSearchTest, TheBestHitsComeFirst) {
  EXPECT_EQ(ids_of(search(R"({"query":{"match":{"t":"red blue"}}})")).substr(0, 1), "c")
      << "which is the only one of its collection";
}

TEST_F(KuzzleMultiSearchTest, KoncordeAndTheTrashcanWorkAsInOneCollection) {
  EXPECT_EQ(ids_of(search(R"({"query":{"equals":{"n":2}}})", R"("lang":"koncorde")")), "c");
  send("document", "delete", R"("index":"other","collection":"one","_id":"d")");
  EXPECT_EQ(ids_of(search(R"({"sort":["n"]})")), "a c b e");
  EXPECT_EQ(ids_of(search(R"({"sort":["n"]})", R"("includeTrash":true)")), "a c d b e");
}

TEST_F(KuzzleMultiSearchTest, AnAddressHasTheTargetsInTheBody) {
  const Answer found = s->http("POST", "/_search", R"({"targets":)" + all + R"(,"sort":["n"]})",
                               {{"x-kuzzle-volatile", testing::v7}});
  EXPECT_EQ(ids_of(found), "a c d b e") << found.error();
}

TEST_F(KuzzleMultiSearchTest, WrongTargetsAreRefused) {
  EXPECT_EQ(search("{}", "", "[]").status, 400);
  EXPECT_EQ(search("{}", "", R"([{"index":"idx"}])").status, 400);
  EXPECT_EQ(search("{}", "", R"([{"index":"idx","collections":[5]}])").status, 400);
  EXPECT_EQ(search("{}", "", R"([{"index":"idx","collections":["none"]}])").status, 412);
  EXPECT_EQ(search("{}", R"("index":"idx","collection":"col")").status, 400);
  EXPECT_EQ(search("{}", R"("scroll":"1m")").status, 501);
  EXPECT_EQ(search(R"({"aggs":{"m":{"max":{"field":"n"}}}})").status, 501);
  std::string many;
  for (std::size_t i = 0; i <= limits::search_targets_max; ++i) {
    many += (i > 0 ? R"(,"c)" : R"("c)") + std::to_string(i) + '"';
  }
  EXPECT_EQ(search("{}", "", R"([{"index":"idx","collections":[)" + many + "]}]").status, 413);
  // If a collection is named twice, each hit appears once.
  const std::string twice = R"([{"index":"idx","collections":["two","two"]}])";
  EXPECT_EQ(ids_of(search("{}", "", twice)), "c");
}

TEST_F(KuzzleMultiSearchTest, RightsAreCheckedInEachOfThem) {
  ASSERT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  const std::string boss = by(s->log_in("boss", "pw"));
  s->of("security:createRole", "reader",
        R"({"controllers":{"document":{"actions":{"search":true}}}})", boss);
  s->of("security:createProfile", "readers",
        R"({"policies":[{"roleId":"reader","restrictedTo":[{"index":"idx"}]}]})", boss);
  s->make_user("ann", "readers", "ann", boss);
  const std::string ann = by(s->log_in("ann", "pw"));
  EXPECT_EQ(search("{}", ann).status, 403);
  EXPECT_EQ(ids_of(search("{}", ann, R"([{"index":"idx","collections":["two"]}])")), "c");
  EXPECT_EQ(ids_of(search(R"({"sort":["n"]})", boss)), "a c d b e");
}

}  // namespace
}  // namespace mayfly::kuzzle
