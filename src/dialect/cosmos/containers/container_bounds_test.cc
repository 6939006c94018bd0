// The bounds of the definitions of containers, and of lists of them.
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

// A definition with about the most bytes that it may have.
std::string large_definition(const std::string& id) {
  const std::string path(limits::container_definition_bytes_max * 9 / 10, 'p');
  return R"({"id":")" + id +
         R"(","partitionKey":{"paths":["/pk"]},"indexingPolicy":)"
         R"({"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/)" +
         path + R"(/?"}]}})";
}

TEST(CosmosContainerBounds, AreRenderedForTheirPageOnlyAndInTheTimeOfTheRequest) {
  auto account = Account::with_container();
  for (const std::string id : {"d", "e"}) {
    EXPECT_EQ(account->send("POST", containers, large_definition(id)).status, 201);
  }
  const net::Pair one{"x-ms-max-item-count", "1"};
  const net::Pair is_query{"x-ms-documentdb-isquery", "true"};
  const std::string query = R"({"query":"SELECT VALUE c.id FROM c"})";
  const std::string next = account->send("GET", containers, "", {one}).header("x-ms-continuation");
  account->answer_by = monotonic_now();
  const Answer first = account->send("GET", containers, "", {one});
  EXPECT_EQ(first.status, 200) << first.response.body;
  EXPECT_EQ(first.body.member("_count").integer(), 1);
  EXPECT_EQ(account->send("GET", containers, "", {one, {"x-ms-continuation", next}}).status, 408);
  EXPECT_EQ(account->send("GET", containers).status, 408);
  EXPECT_EQ(account->send("POST", containers, query, {is_query}).status, 408);
  account->answer_by = Instant::never();
  EXPECT_EQ(account->send("GET", containers).body.member("_count").integer(), 3);
  EXPECT_EQ(account->send("POST", containers, query, {is_query}).body.member("_count").integer(),
            3);
}

TEST(CosmosContainerBounds, AListEndsItsPageByBytes) {
  auto account = Account::with_container();
  for (int i = 1; i < 12; ++i) {
    EXPECT_EQ(account->send("POST", containers, large_definition(std::to_string(i))).status, 201);
  }
  const Answer page = account->send("GET", containers);
  EXPECT_LT(page.response.body.size(),
            limits::feed_page_bytes_max + 2 * limits::container_definition_bytes_max);
  EXPECT_LT(page.body.member("_count").integer(), 12);
  const Answer rest = account->send("GET", containers, "",
                                    {{"x-ms-continuation", page.header("x-ms-continuation")}});
  EXPECT_EQ(page.body.member("_count").integer() + rest.body.member("_count").integer(), 12);
  EXPECT_EQ(rest.header("x-ms-continuation"), "");
}

TEST(CosmosContainerBounds, HaveDefinitionsWithinBounds) {
  auto account = Account::with_container();
  const auto status = [&](const std::string& more) {
    const int made = account
                         ->send("POST", containers,
                                R"({"id":"e","partitionKey":{"paths":["/pk"]},)" + more + "}")
                         .status;
    const int replaced = account->send("PUT", container, Account::definition(more)).status;
    account->send("DELETE", containers + "/e");
    return std::to_string(made) + ' ' + std::to_string(replaced);
  };
  const auto rows = [](std::size_t count, const auto& row) {
    std::string all = row(0);
    for (std::size_t i = 1; i < count; ++i) all += "," + row(i);
    return "[" + all + "]";
  };
  const auto paths = [](std::size_t i) { return R"({"path":"/p)" + std::to_string(i) + R"(/?"})"; };
  const auto pairs = [](std::size_t i) {
    return R"([{"path":"/a"},{"path":"/p)" + std::to_string(i) + R"("}])";
  };
  const auto policy = [](const std::string& more) {
    return R"("indexingPolicy":{"includedPaths":[{"path":"/*"}],)" + more + "}";
  };
  // The policy itself excludes one more path.
  const std::size_t most = limits::policy_paths_max;
  EXPECT_EQ(status(policy(R"("excludedPaths":)" + rows(most - 1, paths))), "201 200");
  EXPECT_EQ(status(policy(R"("excludedPaths":)" + rows(most, paths))), "400 400");
  EXPECT_EQ(status(policy(R"("spatialIndexes":)" + rows(most + 1, paths))), "400 400");
  EXPECT_EQ(status(policy(R"("compositeIndexes":)" + rows(most + 1, pairs))), "400 400");
  const std::string text(limits::container_definition_bytes_max, 'x');
  EXPECT_EQ(status(R"("fullTextPolicy":{"note":")" + text.substr(1'000) + "\"}"), "201 200");
  EXPECT_EQ(status(R"("fullTextPolicy":{"note":")" + text + "\"}"), "400 400");
}

TEST(CosmosContainerBounds, VectorsHaveDimensionsWithinBounds) {
  auto account = Account::with_container();
  const auto status = [&](const std::string& dimensions) {
    const std::string row = R"({"path":"/v","dataType":"float32","distanceFunction":"cosine")";
    return account
        ->send("PUT", container,
               Account::definition(R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[)" + row +
                                   dimensions + "}]}"))
        .status;
  };
  for (const std::string wrong : {"-1", "0", "1.5", R"("3")", "null", "4097", "1e9"}) {
    EXPECT_EQ(status(R"(,"dimensions":)" + wrong), 400) << wrong;
  }
  EXPECT_EQ(status(""), 400);
  EXPECT_EQ(status(R"(,"dimensions":1)"), 200);
  EXPECT_EQ(status(R"(,"dimensions":4096)"), 200);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
