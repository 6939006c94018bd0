// Actions on several documents in version 2.
#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::v7;

// A collection with the documents d1 and d2, and a client of version 2.
std::unique_ptr<Server> with_two() {
  auto s = Server::with_documents({{"d1", R"({"a":1})"}, {"d2", R"({"a":2})"}});
  s->client = v7;
  return s;
}

// The reasons of the errors in their order.
std::string reasons_of(const Answer& answer) {
  std::string reasons;
  for (const Value& error : answer["result.errors"].array()) {
    reasons += (reasons.empty() ? "" : "; ") + error.member("reason").text();
  }
  return reasons;
}

TEST(KuzzleManyTest, MalformedDocumentsAreListedFirstWithTheReason) {
  const auto s = with_two();
  const Answer updated =
      s->call("document:mUpdate", R"("body":{"documents":[{"_id":"none","body":{}},)"
                                  R"({"_id":"d1","body":5},{"_id":3,"body":{}},{"body":{}}]})");
  EXPECT_EQ(reasons_of(updated),
            "document body must be an object; document _id must be a string; "
            "document _id must be a string; document not found");
  EXPECT_EQ(updated.text("result.errors[0].document"), R"({"_id":"d1","body":5})");
  EXPECT_EQ(updated.text("result.errors[0].status"), "400");
  EXPECT_EQ(updated.text("result.errors[3].status"), "404");
  EXPECT_EQ(reasons_of(s->call("document:mUpsert", R"("body":{"documents":[{"changes":{}},)"
                                                   R"({"_id":"d1","changes":{},"default":"x"},)"
                                                   R"({"_id":"d2","changes":"x"}]})")),
            "document _id must be a string; document default must be an object; "
            "document changes must be an object");
  EXPECT_EQ(reasons_of(s->call("document:mCreate", R"("body":{"documents":[)"
                                                   R"({"_id":"d1","body":{}},{"_id":"x"}]})")),
            "document body must be an object; document already exists");
  s->client.clear();
  const Answer early = s->call("document:mCreate", R"("body":{"documents":[)"
                                                   R"({"_id":"d1","body":{}},{"_id":"x"}]})");
  EXPECT_EQ(early.text("error.errors[0].reason"), R"("bad format")");
  EXPECT_EQ(early.text("error.errors[1].reason"), R"("document already exists")");
}

TEST(KuzzleManyTest, OfANewDocumentMUpsertStoresTheDefaultAlone) {
  const auto s = with_two();
  const Answer done =
      s->call("document:mUpsert", R"("body":{"documents":[)"
                                  R"({"_id":"new","changes":{"a":5,"b":1,"o":{"p":1}},)"
                                  R"("default":{"a":6,"o":{"q":1}}},)"
                                  R"({"_id":"d1","changes":{"a":5},"default":{"a":6}},)"
                                  R"({"_id":"empty","changes":{"a":5},"default":{}},)"
                                  R"({"_id":"bare","changes":{"a":5}}]})");
  EXPECT_EQ(done.text("result.successes[0].created"), "true");
  const Answer made = s->of("document:get", "new");
  EXPECT_EQ(made.text("result._source.a"), "6");
  EXPECT_EQ(made.text("result._source.b"), "");
  EXPECT_EQ(made.text("result._source.o"), R"({"q":1})");
  EXPECT_EQ(s->of("document:get", "d1").text("result._source.a"), "5");
  EXPECT_EQ(s->of("document:get", "empty").text("result._source.a"), "");
  EXPECT_EQ(s->of("document:get", "bare").text("result._source.a"), "5");
}

TEST(KuzzleManyTest, AnInvalidIdIsOneErrorAmongOthers) {
  const auto s = with_two();
  const std::string body = R"("body":{"ids":["d1",5,"none"]})";
  for (const char* action : {"document:mGet", "document:mExists"}) {
    const Answer found = s->call(action, body);
    EXPECT_EQ(found.text("result.errors"), R"([5,"none"])") << action;
    EXPECT_EQ(found["result.successes"].array().size(), 1U) << action;
  }
  s->client.clear();
  EXPECT_EQ(s->call("document:mGet", body).status, 400);
}

TEST(KuzzleManyTest, AStrictReadFailsWhereOneIsMissing) {
  const auto s = with_two();
  for (const char* action : {"document:mGet", "document:mExists"}) {
    const Answer refused = s->call(action, R"("body":{"ids":["d1","none"]},"strict":true)");
    EXPECT_EQ(refused.status, 400) << action;
    EXPECT_EQ(refused.text("error.id"), R"("api.process.incomplete_multiple_request")") << action;
    EXPECT_EQ(s->call(action, R"("body":{"ids":["d1","d2"]},"strict":true)").status, 200);
  }
}

TEST(KuzzleManyTest, SourcesAreLeftOutIfNotRequested) {
  const auto s = with_two();
  const auto source = [&](const std::string& more) {
    const Answer written = s->call("document:mCreateOrReplace",
                                   R"("body":{"documents":[{"_id":"d1","body":{"a":7}}]})" + more);
    EXPECT_EQ(written.text("result.successes[0]._id"), R"("d1")");
    return written.text("result.successes[0]._source.a");
  };
  EXPECT_EQ(source(""), "7");
  EXPECT_EQ(source(R"(,"source":true)"), "7");
  EXPECT_EQ(source(R"(,"source":"false")"), "");
  EXPECT_EQ(source(R"(,"source":false)"), "");
}

}  // namespace
}  // namespace mayfly::kuzzle
