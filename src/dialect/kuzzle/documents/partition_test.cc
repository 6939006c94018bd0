// Documents of a collection with partitions, created by another API: an id names one document here,
// whatever its partition.
#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;

// With a collection named "parts", partitioned by /pk.
std::unique_ptr<Server> with_partitions(bool may_lack = false) {
  auto s = Server::with_collection();
  CollectionChange policy;
  policy.keep_trash_for = Span::infinite();
  policy.body = BodyRules{.partition = {Path::of("pk")}, .may_lack_partition = may_lack};
  const auto index = s->database->catalog()->find_database("idx")->id;
  EXPECT_TRUE(s->database->create_collection(index, {"parts", policy}));
  s->collection = "parts";
  return s;
}

std::size_t count(Server& s) {
  View view = s.database->view();
  const auto index = s.database->catalog()->find_database("idx")->id;
  const auto page =
      view.scan(*view.catalog().find_collection(index, "parts"), DocumentRange(), view.live());
  return page ? page->documents.size() : 0;
}
// The bodies in the trashcan.
std::string in_trashcan(Server& s) {
  View view = s.database->view();
  const auto index = s.database->catalog()->find_database("idx")->id;
  const auto page = view.scan_trash(*view.catalog().find_collection(index, "parts"), {}, 100);
  std::string bodies;
  for (const Document& document : page->documents) bodies += document.body.json();
  return bodies;
}

struct Rewrite {
  const char* action;
  const char* body;
  bool is_of_many = false;
};
constexpr Rewrite rewrites[] = {
    {"document:update", R"({"pk":"b"})"},
    {"document:replace", R"({"pk":"b"})"},
    {"document:createOrReplace", R"({"pk":"b"})"},
    {"document:upsert", R"({"changes":{"pk":"b"}})"},
    {"bulk:write", R"({"pk":"b"})"},
    {"document:mUpdate", R"({"documents":[{"_id":"n1","body":{"pk":"b"}}]})", true},
    {"document:mReplace", R"({"documents":[{"_id":"n1","body":{"pk":"b"}}]})", true},
    {"document:mCreateOrReplace", R"({"documents":[{"_id":"n1","body":{"pk":"b"}}]})", true},
    {"document:mUpsert", R"({"documents":[{"_id":"n1","changes":{"pk":"b"}}]})", true},
    {"bulk:mWrite", R"({"documents":[{"_id":"n1","body":{"pk":"b"}}]})", true},
    {"bulk:import", R"({"bulkData":[{"index":{"_id":"n1"}},{"pk":"b"}]})", true},
    {"bulk:import", R"({"bulkData":[{"update":{"_id":"n1"}},{"doc":{"pk":"b"}}]})", true},
};

void expect_refusals(Server& s) {
  for (const Rewrite& one : rewrites) {
    const Answer answer = s.of(one.action, "n1", one.body);
    if (!one.is_of_many) {
      EXPECT_EQ(answer.status, 400) << one.action << answer.error();
    }
    EXPECT_EQ(count(s), 1U) << one.action;
    EXPECT_EQ(s.of("document:get", "n1").text("result._source.n"), "1") << one.action;
  }
  s.call("bulk:updateByQuery", R"("body":{"query":{"match_all":{}},"changes":{"pk":"b"}})");
  s.call("document:updateByQuery", R"("body":{"query":{"match_all":{}},"changes":{"pk":"b"}})");
  EXPECT_EQ(count(s), 1U);
}

TEST(KuzzlePartitionTest, AWriteDoesNotMoveADocumentToAnotherPartition) {
  const auto s = with_partitions();
  ASSERT_EQ(s->of("document:create", "n1", R"({"pk":"a","n":1})").status, 200);
  expect_refusals(*s);
  EXPECT_EQ(s->of("document:update", "n1", R"({"m":2})").status, 200);
  EXPECT_EQ(s->of("document:createOrReplace", "n1", R"({"pk":"a","n":3})").status, 200);
  EXPECT_EQ(s->of("document:get", "n1").text("result._source"), R"({"pk":"a","n":3})");
  EXPECT_EQ(s->of("document:create", "n2", R"({"pk":"b"})").status, 200);
  EXPECT_EQ(count(*s), 2U);
}

TEST(KuzzlePartitionTest, NorOneInTheTrashcan) {
  const auto s = with_partitions();
  ASSERT_EQ(s->of("document:create", "n1", R"({"pk":"a","n":1})").status, 200);
  ASSERT_EQ(s->of("document:delete", "n1").status, 200);
  for (const Rewrite& one : rewrites) {
    const Answer answer = s->of(one.action, "n1", one.body);
    if (!one.is_of_many) {
      EXPECT_EQ(answer.status, 400) << one.action << answer.error();
    }
    EXPECT_EQ(count(*s), 0U) << one.action;
    EXPECT_EQ(s->trashed("n1").text("result._source"), R"({"pk":"a","n":1})") << one.action;
  }
  EXPECT_EQ(s->of("document:update", "n1", R"({"m":2})").status, 200);
  EXPECT_EQ(s->of("document:get", "n1").text("result._source"), R"({"pk":"a","n":1,"m":2})");
}

TEST(KuzzlePartitionTest, NorOneThatHasNone) {
  const auto s = with_partitions(true);
  ASSERT_EQ(s->of("document:create", "n1", R"({"n":1})").status, 200);
  expect_refusals(*s);
}

TEST(KuzzlePartitionTest, NothingIsRestoredBesideALivingDocumentOfItsId) {
  const auto s = with_partitions();
  ASSERT_EQ(s->of("document:create", "n1", R"({"pk":"a"})").status, 200);
  EXPECT_EQ(s->of("trash:restore", "n1").status, 404);  // no trash has it
  ASSERT_EQ(s->of("document:delete", "n1").status, 200);
  ASSERT_EQ(s->of("document:create", "n1", R"({"pk":"b"})").status, 200);
  const Answer refused = s->of("trash:restore", "n1");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.error(), R"("Document already exists")");
  EXPECT_EQ(s->http("PUT", "/idx/parts/n1/_restore").status, 400);
  EXPECT_EQ(count(*s), 1U);
  EXPECT_EQ(in_trashcan(*s), R"({"pk":"a"})");
  EXPECT_EQ(s->of("document:update", "n1", R"({"m":2})").status, 200);
  EXPECT_EQ(s->of("document:get", "n1").text("result._source"), R"({"pk":"b","m":2})");
  EXPECT_EQ(s->of("bulk:import", "", R"({"bulkData":[{"delete":{"_id":"n1"}}]})").status, 200);
  EXPECT_EQ(s->of("trash:restore", "n1").text("result._source"), R"({"pk":"a"})");
}

// Whole bodies, in the partition a.
constexpr Rewrite whole_writes[] = {
    {"document:create", R"({"pk":"a","n":3})"},
    {"document:createOrReplace", R"({"pk":"a","n":3})"},
    {"document:replace", R"({"pk":"a","n":3})"},
    {"bulk:write", R"({"pk":"a","n":3})"},
    {"document:mCreate", R"({"documents":[{"_id":"n1","body":{"pk":"a","n":3}}]})"},
    {"document:mCreateOrReplace", R"({"documents":[{"_id":"n1","body":{"pk":"a","n":3}}]})"},
    {"document:mReplace", R"({"documents":[{"_id":"n1","body":{"pk":"a","n":3}}]})"},
    {"bulk:mWrite", R"({"documents":[{"_id":"n1","body":{"pk":"a","n":3}}]})"},
    {"bulk:import", R"({"bulkData":[{"index":{"_id":"n1"}},{"pk":"a","n":3}]})"},
    {"bulk:import", R"({"bulkData":[{"create":{"_id":"n1"}},{"pk":"a","n":3}]})"},
};

// Without a living one, and with these two in the trashcan.
void bury(Server& s, const std::string& first, const std::string& second) {
  for (const std::string& body : {first, second}) {
    ASSERT_EQ(s.of("document:create", "n1", body).status, 200) << body;
    s.advance(1'000);
    ASSERT_EQ(s.of("document:delete", "n1").status, 200) << body;
    s.advance(1'000);
  }
}

TEST(KuzzlePartitionTest, OfSeveralInTheTrashcanAWholeBodyNamesTheOneItIsWrittenOver) {
  for (const Rewrite& one : whole_writes) {
    SCOPED_TRACE(std::string(one.action) + " " + one.body);
    const auto s = with_partitions();
    bury(*s, R"({"pk":"a"})", R"({"pk":"b"})");
    const Answer answer = s->of(one.action, "n1", one.body);
    EXPECT_EQ(answer.status, 200) << answer.error();
    const Answer got = s->of("document:get", "n1");
    EXPECT_EQ(got.text("result._source"), R"({"pk":"a","n":3})");
    EXPECT_EQ(got.text("result._version"), "2");
    EXPECT_EQ(in_trashcan(*s), R"({"pk":"b"})");
  }
}

TEST(KuzzlePartitionTest, ACreationMayNameAnyOtherPartition) {
  const auto s = with_partitions();
  bury(*s, R"({"pk":"a"})", R"({"pk":"b"})");
  EXPECT_EQ(s->of("document:createOrReplace", "n1", R"({"pk":"c"})").status, 400);
  EXPECT_EQ(s->of("document:replace", "n1", R"({"pk":"c"})").status, 400);
  EXPECT_EQ(s->of("document:update", "n1", R"({"pk":"a"})").status, 400);
  EXPECT_EQ(count(*s), 0U);
  const Answer made = s->of("document:create", "n1", R"({"pk":"c"})");
  EXPECT_EQ(made.status, 200) << made.error();
  EXPECT_EQ(made.text("result._version"), "1");
  EXPECT_EQ(s->of("document:get", "n1").text("result._source"), R"({"pk":"c"})");
  EXPECT_EQ(in_trashcan(*s), R"({"pk":"a"}{"pk":"b"})");
}

TEST(KuzzlePartitionTest, ThatOfDocumentsWithoutAPartitionKeyIsOneOfThem) {
  const auto s = with_partitions(true);
  bury(*s, R"({"pk":"a"})", R"({"pk":"b"})");
  EXPECT_EQ(s->of("document:create", "n1", R"({"n":1})").text("result._version"), "1");
  EXPECT_EQ(s->of("document:delete", "n1").status, 200);
  EXPECT_EQ(s->of("document:create", "n1", R"({"n":2})").text("result._version"), "2");
  EXPECT_EQ(in_trashcan(*s), R"({"pk":"a"}{"pk":"b"})");
}

}  // namespace
}  // namespace mayfly::kuzzle
