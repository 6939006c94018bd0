// Users by their rids, their permissions, and lists of them.
#include "dialect/cosmos/testing.h"

#include <set>

namespace mayfly::cosmos::testing {
namespace {

const std::string users = "/dbs/d/users";

std::string permission(const std::string& id, const std::string& resource) {
  return R"({"id":")" + id + R"(","permissionMode":"Read","resource":")" + resource + R"("})";
}

// Numbers derived from the time, cut to the 31 bits of a user's rid, repeat after that long.
TEST(CosmosUserRids, AreSharedByNoTwoUsers) {
  auto account = Account::with_container();
  constexpr Span again_after{(std::int64_t{1} << 31) / 256};
  std::set<std::string> rids;
  for (int i = 0; i < 50; ++i) {
    const std::string user = R"({"id":"u)" + std::to_string(i) + R"("})";
    rids.insert(account->send("POST", users, user).body.member("_rid").text());
    account->clock.advance(again_after);
  }
  EXPECT_EQ(rids.size(), 50U);
  EXPECT_EQ(
      account->send("POST", users + "/u0/permissions", permission("p", "dbs/d/colls/c")).status,
      201);
  EXPECT_EQ(account->send("GET", users + "/u1/permissions").body.member("_count").integer(), 0);
}

TEST(CosmosUserRids, FindTheirUserAgain) {
  auto account = Account::with_container();
  const Answer made = account->send("POST", users, R"({"id":"u"})");
  EXPECT_EQ(account->send("GET", "/" + made.body.member("_self").text()).body.member("id").text(),
            "u");
  const Answer again =
      account->send("POST", users, R"({"id":"u"})", {{"x-ms-documentdb-is-upsert", "true"}});
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body.member("_rid").text(), made.body.member("_rid").text());
}

TEST(CosmosUsers, HaveOnePermissionOnAResourceHoweverItIsSpelled) {
  auto account = Account::with_container();
  account->send("POST", users, R"({"id":"u"})");
  const std::string self = account->send("GET", container).body.member("_self").text();
  const std::string permissions = users + "/u/permissions";
  const auto status = [&](const std::string& id, const std::string& resource) {
    return account->send("POST", permissions, permission(id, resource)).status;
  };
  EXPECT_EQ(status("p", "dbs/d/colls/c"), 201);
  for (const std::string& spelled : {std::string("/dbs/d/colls/c/"), self, '/' + self}) {
    EXPECT_EQ(status("q", spelled), 409) << spelled;
  }
  EXPECT_EQ(status("q", "dbs/d/colls/c/docs"), 201);
  EXPECT_EQ(status("r", self + "docs/"), 409);
  EXPECT_EQ(status("r", "dbs/d/colls/later"), 201);
  EXPECT_EQ(status("s", "/dbs/d/colls/later"), 409);
}

TEST(CosmosUsers, AreListedInPages) {
  auto account = Account::with_container();
  for (const std::string id : {"a", "b", "c"}) {
    account->send("POST", users, R"({"id":")" + id + R"("})");
  }
  std::string ids;
  std::string continuation;
  for (int pages = 0; pages < 3; ++pages) {
    std::vector<net::Pair> headers{{"x-ms-max-item-count", "2"}};
    if (!continuation.empty()) headers.emplace_back("x-ms-continuation", continuation);
    const Answer page = account->send("GET", users, "", std::move(headers));
    ASSERT_EQ(page.status, 200) << page.response.body;
    EXPECT_LE(page.body.member("_count").integer(), 2);
    for (const Value& user : page.body.member("Users").array()) ids += user.member("id").text();
    continuation = page.header("x-ms-continuation");
    if (continuation.empty()) break;
  }
  EXPECT_EQ(ids, "abc");
  EXPECT_EQ(account->send("GET", users, "", {{"x-ms-max-item-count", "0"}}).status, 400);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
