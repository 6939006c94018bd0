// The default policy includes every path. A path gets its index when a query has requested it.
#include <algorithm>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

constexpr std::size_t filler_documents = limits::index_requested_documents_min + 200;
constexpr std::size_t rows_of_page = 100;

std::size_t documents_loaded(const Answer& answer) {
  const std::string metrics = answer.header("x-ms-documentdb-query-metrics");
  const std::string word = "retrievedDocumentCount=";
  return std::stoull(metrics.substr(metrics.find(word) + word.size()));
}

// All pages of a query, and the documents that they have read.
struct Pages {
  std::vector<std::int64_t> rows;
  std::size_t loaded_max = 0;  // by a page after the first
  std::size_t loaded_first = 0;
  std::size_t loaded = 0;  // by all pages
};

class IndexRequestsTest : public ::testing::Test {
 protected:
  void make(const std::string& more = "") {
    account = Account::with_container(more);
    for (std::size_t i = 0; i < filler_documents; ++i) {
      const std::string n = std::to_string(i * 7'919 % filler_documents);
      const std::string front(i % 3 == 0 ? 600 : 3, 'x');
      std::string members = R"("n":)" + n + R"(,"m":)" + n + R"(,"t":")" + front + n + '"';
      if (i % 100 == 0) members += R"(,"rare":)" + n;
      ASSERT_EQ(account->create("d" + std::to_string(i), members).status, 201);
    }
  }

  void run_jobs() {
    while (account->database->jobs().run_due(JobLane::lengthy) > 0) {
    }
  }

  std::string indexes() const {
    std::string names;
    for (const auto& [id, collection] : account->database->catalog()->all_collections()) {
      for (const Index& index : collection->indexes) {
        if (index.name.starts_with("policy")) names += index.name + ";";
      }
    }
    return names;
  }

  Answer page(const std::string& text, const std::string& continuation) {
    std::string body = R"({"query":)";
    render_json_text(text, body);
    std::vector<net::Pair> headers{first_range,
                                   {"x-ms-documentdb-isquery", "True"},
                                   {"x-ms-max-item-count", std::to_string(page_rows)},
                                   {"x-ms-documentdb-populatequerymetrics", "True"}};
    if (!continuation.empty()) headers.emplace_back("x-ms-continuation", continuation);
    return account->send("POST", documents, body + "}", std::move(headers));
  }

  Pages pages(const std::string& text, const std::function<void()>& behind_first = [] {}) {
    Pages all;
    std::string continuation;
    do {
      const Answer answer = page(text, continuation);
      EXPECT_EQ(answer.status, 200) << answer.response.body;
      if (answer.status != 200) return all;
      for (const Value& row : answer.body.member("Documents").array()) {
        all.rows.push_back(row.integer());
      }
      const std::size_t loaded = documents_loaded(answer);
      all.loaded += loaded;
      if (continuation.empty()) {
        all.loaded_first = loaded;
        behind_first();
      } else {
        all.loaded_max = std::max(all.loaded_max, loaded);
      }
      continuation = answer.header("x-ms-continuation");
    } while (!continuation.empty() && all.rows.size() <= filler_documents);
    return all;
  }

  std::unique_ptr<Account> account;
  std::size_t page_rows = rows_of_page;
};

std::vector<std::int64_t> all_numbers() {
  std::vector<std::int64_t> all(filler_documents);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  return all;
}

TEST_F(IndexRequestsTest, AnOrderIsServedFromItsSecondPageOn) {
  make();
  std::vector<std::int64_t> expected = all_numbers();
  const Pages up = pages("SELECT VALUE c.n FROM c ORDER BY c.n", [this] { run_jobs(); });
  EXPECT_EQ(up.rows, expected);
  EXPECT_EQ(up.loaded_first, filler_documents);
  EXPECT_LE(up.loaded_max, rows_of_page + 2);
  EXPECT_EQ(indexes(), "policy .n;");
  std::reverse(expected.begin(), expected.end());
  const Pages down = pages("SELECT VALUE c.n FROM c ORDER BY c.n DESC");
  EXPECT_EQ(down.rows, expected);
  EXPECT_LE(std::max(down.loaded_first, down.loaded_max), rows_of_page + 2);
}

// The first page and the second read all documents, and each other page its own rows.
TEST_F(IndexRequestsTest, WithoutAnIndexPagesUseTheKeptResultsOfThePreviousOne) {
  make();
  const Pages all = pages("SELECT VALUE c.n FROM c ORDER BY c.n");
  EXPECT_EQ(all.rows, all_numbers());
  EXPECT_LT(all.loaded, 3 * filler_documents + filler_documents / 10);
  const Pages groups = pages("SELECT VALUE COUNT(1) FROM c GROUP BY c.n");
  EXPECT_EQ(groups.rows.size(), filler_documents);
  EXPECT_EQ(groups.loaded, 2 * filler_documents);
}

TEST_F(IndexRequestsTest, TextsThatAreCutAlikeAreStillInOrder) {
  make();
  const std::string text = "SELECT VALUE c.n FROM c ORDER BY c.t";
  const Pages scanned = pages(text);
  EXPECT_EQ(scanned.loaded_max, filler_documents);
  run_jobs();
  EXPECT_EQ(indexes(), "policy .t;");
  const Pages served = pages(text);
  EXPECT_EQ(served.rows, scanned.rows);
  // The 400 long texts are one run.
  EXPECT_LT(served.loaded_max, filler_documents / 2);
}

TEST_F(IndexRequestsTest, DocumentsWithoutTheValueAreNotRead) {
  make();
  const std::string text = "SELECT VALUE c.n FROM c ORDER BY c.rare";
  const Pages scanned = pages(text);
  ASSERT_EQ(scanned.rows.size(), filler_documents / 100);
  run_jobs();
  const Pages served = pages(text);
  EXPECT_EQ(served.rows, scanned.rows);
  EXPECT_EQ(served.loaded_first, scanned.rows.size());
  EXPECT_EQ(pages(text + " DESC").loaded_first, scanned.rows.size());
}

TEST_F(IndexRequestsTest, AFilterThatFindsFewGetsOneAndOneThatFindsManyDoesNot) {
  make();
  EXPECT_EQ(pages("SELECT VALUE c.n FROM c WHERE c.m > 5").rows.size(), filler_documents - 6);
  run_jobs();
  EXPECT_EQ(indexes(), "");
  EXPECT_EQ(pages("SELECT VALUE c.n FROM c WHERE c.m = 5").loaded_first, filler_documents);
  run_jobs();
  EXPECT_EQ(indexes(), "policy .m;");
  EXPECT_EQ(pages("SELECT VALUE c.n FROM c WHERE c.m = 5").loaded_first, 1U);
}

TEST_F(IndexRequestsTest, AFilterThatFindsFewIsServedBeforeAnOrder) {
  make();
  pages("SELECT VALUE c.n FROM c ORDER BY c.n");
  run_jobs();
  const std::string text = "SELECT VALUE c.n FROM c WHERE c.m >= 7 AND c.m < 17 ORDER BY c.n";
  const std::vector<std::int64_t> expected{7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  EXPECT_EQ(pages(text).rows, expected);
  run_jobs();
  EXPECT_EQ(indexes(), "policy .n;policy .m;");
  EXPECT_EQ(pages("SELECT VALUE c.n FROM c WHERE c.m = 7 ORDER BY c.n").loaded_first, 1U);
  EXPECT_EQ(pages(text).rows, expected);
}

TEST_F(IndexRequestsTest, ADistinctInOrderReadsSomeOfEachValue) {
  account = Account::with_container();
  constexpr std::size_t kinds = 5;
  for (std::size_t i = 0; i < filler_documents; ++i) {
    const std::string kind = std::to_string(i % kinds);
    ASSERT_EQ(account->create("d" + std::to_string(i), R"("kind":)" + kind).status, 201);
  }
  const std::string text = "SELECT DISTINCT VALUE c.kind FROM c ORDER BY c.kind";
  EXPECT_EQ(pages(text).loaded_first, filler_documents);
  run_jobs();
  EXPECT_EQ(indexes(), "policy .kind;");
  const Pages up = pages(text);
  EXPECT_EQ(up.rows, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_LT(up.loaded_first, filler_documents / 2);
  const Pages down = pages(text + " DESC");
  EXPECT_EQ(down.rows, (std::vector<std::int64_t>{4, 3, 2, 1, 0}));
  EXPECT_LT(down.loaded_first, filler_documents / 2);
}

// A page continues in the order of the previous one, whichever indexes there are by then.
TEST_F(IndexRequestsTest, ADistinctWithoutAnOrderReadsSomeOfEachValueOnceItMay) {
  account = Account::with_container();
  constexpr std::size_t kinds = 5;
  for (std::size_t i = 0; i < filler_documents; ++i) {
    const std::string kind = std::to_string((i + 3) % kinds);
    ASSERT_EQ(account->create("d" + std::to_string(i), R"("kind":)" + kind).status, 201);
  }
  const std::string text = "SELECT DISTINCT VALUE c.kind FROM c";
  page_rows = 2;
  const Answer first = page(text, "");
  EXPECT_EQ(pages(text).rows, (std::vector<std::int64_t>{3, 4, 0, 1, 2}));
  run_jobs();
  EXPECT_EQ(indexes(), "policy .kind;");
  const Answer second = page(text, first.header("x-ms-continuation"));
  EXPECT_EQ(render_json(second.body.member("Documents")), "[0,1]");
  const Pages after = pages(text);
  EXPECT_EQ(after.rows, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_LT(after.loaded_first + after.loaded_max, filler_documents / 2);
  EXPECT_LT(documents_loaded(page("SELECT DISTINCT c.kind FROM c", "")), filler_documents / 2);
}

TEST_F(IndexRequestsTest, ExcludedPathsGetNoIndex) {
  make(R"("indexingPolicy":{"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/m/?"}]})");
  EXPECT_EQ(pages("SELECT VALUE c.n FROM c WHERE c.m = 5").rows.size(), 1U);
  EXPECT_EQ(pages("SELECT VALUE c.n FROM c ORDER BY c._ts").rows.size(), filler_documents);
  run_jobs();
  EXPECT_EQ(indexes(), "");
}

TEST_F(IndexRequestsTest, AReplacedPolicyKeepsThoseThatItIncludes) {
  make();
  pages("SELECT VALUE c.n FROM c ORDER BY c.n");
  pages("SELECT VALUE c.n FROM c ORDER BY c.m");
  run_jobs();
  EXPECT_EQ(indexes(), "policy .n;policy .m;");
  const auto replace = [&](const std::string& more) {
    EXPECT_EQ(account->send("PUT", "/dbs/d/colls/c", Account::definition(more)).status, 200);
  };
  replace(
      R"("indexingPolicy":{"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/m/*"}]})");
  EXPECT_EQ(indexes(), "policy .n;");
  replace(R"("indexingPolicy":{"indexingMode":"none","automatic":false})");
  EXPECT_EQ(indexes(), "");
}

TEST_F(IndexRequestsTest, APolicyThatNamesThePathOfOneBeingFilledIsAnsweredOnceThatIsReady) {
  make();
  const CatalogPtr catalog = account->database->catalog();
  const auto collection = catalog->find_collection(catalog->find_database("d")->id, "c");
  const IndexSpec requested{.name = "policy .n",
                            .fields = {{Field::body("n")}, {Field::metadata("created_at")}},
                            .entries = Entries::cut};
  const auto index = [&] {
    return *account->database->catalog()->collection(collection->id)->find_index("policy .n");
  };
  int commits = 0;
  const auto replace_meanwhile = [&] {
    if (++commits != 3) return true;
    EXPECT_FALSE(index().is_ready);
    const std::string policy =
        R"("indexingPolicy":{"includedPaths":[{"path":"/n/?"},{"path":"/*"}]})";
    EXPECT_EQ(account->send("PUT", container, Account::definition(policy)).status, 200);
    EXPECT_TRUE(index().is_ready);
    EXPECT_TRUE(index().is_of_definition);
    return true;
  };
  ASSERT_TRUE(account->database->create_index(collection->id, requested, replace_meanwhile));
  EXPECT_TRUE(index().is_of_definition);
  const Pages served = pages("SELECT VALUE c.n FROM c ORDER BY c.n");
  EXPECT_EQ(served.rows, all_numbers());
  EXPECT_LE(served.loaded_first, rows_of_page + 2);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
