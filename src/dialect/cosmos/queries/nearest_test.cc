// The nearest vectors: an index proposes candidates, and the answer is the same as without it.
#include <gtest/gtest.h>

#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

constexpr int placed = 60;

class NearestTest : public ::testing::Test {
 protected:
  void make(const std::string& type, const std::string& more = "") {
    account = Account::with_container(
        R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dataType":"float32",)"
        R"("dimensions":2,"distanceFunction":"euclidean"}]},"indexingPolicy":{"includedPaths":)"
        R"([{"path":"/*"}],"vectorIndexes":[{"path":"/v","type":")" +
        type + R"("}]})" + more);
    for (int i = 0; i < placed; ++i) place(i);
  }
  void place(int i, const std::string& more = "") {
    const std::string members = R"("v":[)" + std::to_string(i) + R"(,0],"n":)" + std::to_string(i);
    EXPECT_EQ(account->create(std::to_string(i), members + more).status, 201);
  }
  void build() {
    for (int runs = 0; account->database->jobs().run_due(JobLane::lengthy) > 0 && runs < 50;)
      ++runs;
  }
  Answer ask(const std::string& text, std::vector<net::Pair> headers = {}) {
    headers.emplace_back("x-ms-documentdb-isquery", "True");
    headers.emplace_back("x-ms-documentdb-populatequerymetrics", "True");
    headers.push_back(first_range);
    return account->send("POST", documents, R"({"query":")" + text + "\"}", std::move(headers));
  }
  // The three farthest of all 62 from [1, 0].
  std::string farthest_three(const std::string& distance) {
    const Answer answer =
        ask("SELECT VALUE c.n FROM c ORDER BY VectorDistance(c.v, [1, 0], false, "
            "{distanceFunction: '" +
            distance + "'}) OFFSET 59 LIMIT 3");
    return render_json(answer.body.member("Documents"));
  }
  // The rows, and "few" or "all" by the number of documents read.
  std::string nearest(const std::string& text) {
    const Answer answer = ask(text);
    if (answer.status != 200) return answer.message();
    const std::string metrics = answer.header("x-ms-documentdb-query-metrics");
    const std::string word = "retrievedDocumentCount=";
    const int read = std::stoi(metrics.substr(metrics.find(word) + word.size()));
    return render_json(answer.body.member("Documents")) + (read < placed / 2 ? " few" : " all");
  }

  std::unique_ptr<Account> account;
  const std::string top_three =
      "SELECT TOP 3 VALUE c.n FROM c ORDER BY VectorDistance(c.v, [10.2, 0])";
};

TEST_F(NearestTest, OnceItIsBuiltTheIndexProposesThem) {
  for (const char* type : {"diskANN", "quantizedFlat"}) {
    make(type);
    EXPECT_EQ(nearest(top_three), "[10,11,9] all");
    build();
    EXPECT_EQ(nearest(top_three), "[10,11,9] few");
    EXPECT_EQ(nearest("SELECT VALUE c.n FROM c ORDER BY VectorDistance(c.v, [10.2, 0]) "
                      "OFFSET 1 LIMIT 2"),
              "[11,9] few");
  }
}

TEST_F(NearestTest, FlatAndByBruteForceAllDocumentsAreRead) {
  make("flat");
  nearest(top_three);
  build();
  EXPECT_EQ(nearest(top_three), "[10,11,9] all");
  make("diskANN");
  nearest(top_three);
  build();
  EXPECT_EQ(nearest("SELECT TOP 3 VALUE c.n FROM c ORDER BY VectorDistance(c.v, [10.2, 0], true)"),
            "[10,11,9] all");
  EXPECT_EQ(nearest("SELECT TOP 3 VALUE c.n FROM c ORDER BY VectorDistance(c.v, [10.2, 0], false)"),
            "[10,11,9] few");
  EXPECT_EQ(nearest("SELECT TOP 2 VALUE c.n FROM c ORDER BY VectorDistance(c.v, [10.2, 0]) DESC"),
            "[59,58] all");
}

TEST_F(NearestTest, ExpiredDocumentsAreNotShownAndAreReplaced) {
  make("diskANN", R"(,"defaultTtl":-1)");
  for (int i = 100; i < 120; ++i) {
    EXPECT_EQ(account->create(std::to_string(i), R"("v":[10.2,0],"n":0,"ttl":60)").status, 201);
  }
  nearest(top_three);
  build();
  EXPECT_EQ(nearest(top_three), "[0,0,0] few");
  account->clock.advance(Span::seconds(61));
  EXPECT_EQ(nearest(top_three), "[10,11,9] all");
  build();
  EXPECT_EQ(nearest(top_three), "[10,11,9] few");
}

TEST_F(NearestTest, LaterWritesAndRemovalsAreVisible) {
  make("diskANN");
  nearest(top_three);
  build();
  EXPECT_EQ(account->put("59", R"("v":[10.2,0],"n":59)").status, 200);
  EXPECT_EQ(account->remove("10").status, 204);
  EXPECT_EQ(nearest(top_three), "[59,11,9] few");
}

TEST_F(NearestTest, IfAFilterLeavesTooFewAllDocumentsAreRead) {
  make("diskANN");
  nearest(top_three);
  build();
  EXPECT_EQ(nearest("SELECT TOP 3 VALUE c.n FROM c WHERE c.n != 10 "
                    "ORDER BY VectorDistance(c.v, [10.2, 0])"),
            "[11,9,12] few");
  EXPECT_EQ(nearest("SELECT TOP 3 VALUE c.n FROM c WHERE c.n > 50 "
                    "ORDER BY VectorDistance(c.v, [10.2, 0])"),
            "[51,52,53] all");
}

TEST_F(NearestTest, PagesGoOnBehindTheFirst) {
  make("diskANN");
  nearest(top_three);
  build();
  std::string rows;
  std::vector<net::Pair> headers{{"x-ms-max-item-count", "2"}};
  const std::string text = "SELECT TOP 5 VALUE c.n FROM c ORDER BY VectorDistance(c.v, [10.2, 0])";
  for (int pages = 0; pages < 5; ++pages) {
    const Answer page = ask(text, headers);
    ASSERT_EQ(page.status, 200) << page.message();
    rows += render_json(page.body.member("Documents"));
    const std::string next = page.header("x-ms-continuation");
    if (next.empty()) break;
    headers = {{"x-ms-max-item-count", "2"}, {"x-ms-continuation", next}};
  }
  EXPECT_EQ(rows, "[10,11][9,12][8]");
}

TEST_F(NearestTest, RowsWithoutADistanceAreKeptFirstForEuclidean) {
  make("diskANN");
  EXPECT_EQ(account->create("bare", R"("v":[1],"n":-1)").status, 201);
  EXPECT_EQ(account->create("none", R"("n":-2)").status, 201);
  EXPECT_EQ(nearest(top_three), "[-1,-2,10] all");
  build();
  EXPECT_EQ(nearest(top_three), "[-1,-2,10] few");
  // A vector of length 0 has no cosine.
  EXPECT_EQ(farthest_three("cosine"), "[-2,-1,0]");
  EXPECT_TRUE(farthest_three("dotproduct").ends_with(",-2,-1]"));
}

TEST_F(NearestTest, AnotherProcessBuildsItAgain) {
  make("diskANN");
  nearest(top_three);
  build();
  account->restart({});
  EXPECT_EQ(nearest(top_three), "[10,11,9] all");
  build();
  EXPECT_EQ(nearest(top_three), "[10,11,9] few");
}

}  // namespace
}  // namespace mayfly::cosmos::testing
