// The document that a path names: paths have either names or rids throughout.
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

const net::Pair other_key{key_a.first, R"(["b"])"};

std::string rid_of(const Answer& answer) {
  return answer.body.member("_rid").text();
}

// The path of a document by its rid and that of its container.
std::string path_by_rids(Account& account, const Answer& document) {
  const std::string self = account.send("GET", container).body.member("_self").text();
  return "/" + self + "docs/" + rid_of(document);
}

TEST(CosmosAddresses, OfNamesTreatAnIdThatLooksLikeARidAsAnId) {
  auto account = Account::with_container();
  const Answer a = account->create("A");
  const std::string rid = rid_of(a);
  const std::string body = R"({"id":")" + rid + R"(","pk":"b","who":"B"})";
  ASSERT_EQ(account->send("POST", documents, body, {other_key}).status, 201);
  const std::string path = documents + "/" + rid;
  EXPECT_EQ(account->send("GET", path, "", {other_key}).body.member("who").text(), "B");
  const std::string patch = R"({"operations":[{"op":"set","path":"/n","value":1}]})";
  EXPECT_EQ(account->send("PATCH", path, patch, {other_key}).body.member("who").text(), "B");
  EXPECT_EQ(account->send("PUT", path, body, {other_key}).status, 200);
  EXPECT_EQ(account->send("DELETE", path, "", {other_key}).status, 204);
  EXPECT_EQ(account->get("A").status, 200);
  EXPECT_EQ(account->get(rid).status, 404);
}

TEST(CosmosAddresses, OfRidsFindNoneWhereTheDocumentHasEnded) {
  auto account = Account::with_container(R"("defaultTtl":-1)");
  const std::string path = path_by_rids(*account, account->create("1", R"("ttl":2)"));
  EXPECT_EQ(account->send("GET", path, "", {key_a}).status, 200);
  for (const std::string method : {"GET", "DELETE"}) {
    EXPECT_EQ(account->send(method, path, "", {other_key}).status, 404) << method;
    EXPECT_EQ(account->send(method, path).status, 400) << method;
  }
  account->advance(2);
  const std::string patch = R"({"operations":[{"op":"set","path":"/n","value":1}]})";
  for (const auto& [method, body] :
       std::vector<std::pair<std::string, std::string>>{{"GET", ""},
                                                        {"HEAD", ""},
                                                        {"PUT", account->document("1")},
                                                        {"PATCH", patch},
                                                        {"DELETE", ""}}) {
    EXPECT_EQ(account->send(method, path, body).status, 400) << method;
    EXPECT_EQ(account->send(method, path, body, {key_a}).status, 404) << method;
  }
}

TEST(CosmosAddresses, MayHoldAnyIdButThoseThatCutAPath) {
  auto account = Account::with_container();
  EXPECT_EQ(account->create("a?b").status, 201);
  EXPECT_EQ(account->get("a%3Fb").body.member("id").text(), "a?b");
  for (const std::string id : {"a/b", R"(a\\b)", "a#b"}) {
    EXPECT_EQ(account->create(id).status, 400) << id;
  }
}

}  // namespace
}  // namespace mayfly::cosmos
