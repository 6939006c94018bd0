// Triggers of other writes than plain ones: patches run them, batches do not.
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

constexpr const char* before = "x-ms-documentdb-pre-trigger-include";
constexpr const char* after = "x-ms-documentdb-post-trigger-include";

class CosmosTriggers : public ::testing::Test {
 protected:
  CosmosTriggers() { account->create("1", R"("n":1)"); }

  void define(const std::string& id, const std::string& type, const std::string& operation,
              const std::string& body) {
    std::string trigger = R"({"id":")" + id + R"(","triggerType":")" + type +
                          R"(","triggerOperation":")" + operation + R"(","body":)";
    render_json_text(body, trigger);
    EXPECT_EQ(account->send("POST", container + "/triggers", trigger + "}").status, 201);
  }
  Answer patch(const std::string& header, const std::string& trigger) {
    return account->send("PATCH", documents + "/1",
                         R"({"operations":[{"op":"set","path":"/n","value":2}]})",
                         {key_a, {header, trigger}});
  }
  std::string kept() { return render_json(account->get("1").body.member("n")); }

  std::unique_ptr<Account> account = Account::with_container();
};

TEST_F(CosmosTriggers, ChangeTheResultOfAPatch) {
  define("t", "Pre", "Replace",
         "function () { const r = getContext().getRequest(), b = r.getBody();"
         "  b.n = 10 * b.n; r.setBody(b); }");
  const Answer done = patch(before, "t");
  EXPECT_EQ(done.status, 200) << done.response.body;
  EXPECT_EQ(kept(), "20");
}

TEST_F(CosmosTriggers, UndoAPatchThatTheyThrowAt) {
  define("t", "Post", "All", "function () { throw new Error('no'); }");
  EXPECT_EQ(patch(after, "t").status, 400);
  EXPECT_EQ(kept(), "1");
}

TEST_F(CosmosTriggers, MoveNoDocumentElsewhereByAPatch) {
  define("t", "Pre", "All",
         "function () { const r = getContext().getRequest(), b = r.getBody();"
         "  b.id = '2'; r.setBody(b); }");
  EXPECT_EQ(patch(before, "t").status, 400);
  EXPECT_EQ(account->get("2").status, 404);
}

TEST_F(CosmosTriggers, MustBeForReplacingToRunAtAPatch) {
  define("t", "Pre", "Delete", "function () {}");
  EXPECT_EQ(patch(before, "t").status, 400);
  EXPECT_EQ(patch(before, "nobody").status, 400);
  EXPECT_EQ(kept(), "1");
}

TEST_F(CosmosTriggers, AreRefusedByBatches) {
  const std::string operations = R"([{"operationType":"Read","id":"1","partitionKey":"[\"a\"]"}])";
  for (const std::string atomic : {"True", "False"}) {
    std::vector<net::Pair> headers{
        key_a, {"x-ms-cosmos-is-batch-request", "True"}, {"x-ms-cosmos-batch-atomic", atomic}};
    EXPECT_EQ(account->send("POST", documents, operations, headers).status, 200);
    headers.emplace_back(before, "t");
    EXPECT_EQ(account->send("POST", documents, operations, headers).status, 400);
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
