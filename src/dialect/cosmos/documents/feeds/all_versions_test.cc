// The change feed: where it continues, the changes that it reports, and the size of its pages.
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

const std::string keeps_versions = R"("defaultTtl":-1,"changeFeedPolicy":{"retentionDuration":10})";

class Changes {
 public:
  explicit Changes(std::string mode)
      : account(Account::with_container(keeps_versions)), mode_(std::move(mode)) {}

  Answer read(const std::string& position, std::vector<net::Pair> headers = {}) {
    headers.emplace_back("a-im", mode_);
    if (!position.empty()) headers.emplace_back("if-none-match", position);
    return account->list(std::move(headers));
  }

  std::unique_ptr<Account> account;

 private:
  std::string mode_;
};

TEST(CosmosChanges, OfOnePartitionAreFoundBehindThoseOfOthers) {
  Changes changes("Full-Fidelity Feed");
  const std::string begin = changes.read("*").header("etag");
  for (int i = 0; i < 12; ++i) changes.account->create(std::to_string(i));
  const net::Pair key_rare{"x-ms-documentdb-partitionkey", R"(["rare"])"};
  changes.account->send("POST", documents, R"({"id":"x","pk":"rare"})", {key_rare});
  const std::vector<net::Pair> few{key_rare, {"x-ms-max-item-count", "5"}};
  const Answer found = changes.read(begin, few);
  ASSERT_EQ(found.status, 200);
  ASSERT_EQ(found.body.member("Documents").array().size(), 1U);
  EXPECT_EQ(changes.read(found.header("etag"), few).status, 304);
}

TEST(CosmosChanges, ReportTheVersionThatTheyEnded) {
  Changes changes("Full-Fidelity Feed");
  const std::string begin = changes.read("*").header("etag");
  changes.account->create("1", R"("ttl":10)");
  changes.account->advance(1);
  changes.account->put("1", R"("n":1,"ttl":10)");
  changes.account->advance(10);
  while (changes.account->database->sweeper().run_due(SIZE_MAX).value_or(0) > 0) {
  }
  const Answer reported = changes.read(begin);
  const Value events = reported.body.member("Documents");
  ASSERT_EQ(events.array().size(), 3U) << reported.response.body;
  const auto metadata = [&](std::size_t i) { return events.array()[i].member("metadata"); };
  EXPECT_TRUE(metadata(0).member("previousImageLSN").is_missing());
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(metadata(i).member("previousImageLSN").integer(),
              metadata(i - 1).member("lsn").integer());
  }
  EXPECT_EQ(metadata(1).member("crts").integer(), start.whole_seconds() + 1);
  EXPECT_EQ(events.array()[1].member("current").member("n").integer(), 1);
  EXPECT_TRUE(events.array()[1].member("previous").member("n").is_missing());
  EXPECT_TRUE(metadata(2).member("timeToLiveExpired").is_true());
  EXPECT_EQ(events.array()[2].member("previous").member("n").integer(), 1);
}

TEST(CosmosChanges, ContinueOnlyFromReportedPositions) {
  for (const std::string mode : {"Incremental feed", "Full-Fidelity Feed"}) {
    Changes changes(mode);
    changes.account->create("1");
    for (const std::string position :
         {"\"-5\"", "\"9223372036854775807\"", "\"99999999999999999999\"", "\"x\""}) {
      EXPECT_EQ(changes.read(position).status, 400) << mode << position;
    }
    EXPECT_EQ(changes.read("*").status, 304) << mode;
  }
  Changes junk("junk");
  EXPECT_EQ(junk.read("").status, 400);
}

// In either mode, and for feeds and queries.
TEST(CosmosChanges, OfContainersWithoutVersionsNameTheMissingSetting) {
  auto account = Account::with_container();
  const Answer refused = account->list({{"a-im", "Full-Fidelity Feed"}, {"if-none-match", "*"}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.message().find("set changeFeedPolicy"), std::string::npos);
}

TEST(CosmosPages, EndBeforeTheyAreTooLarge) {
  Changes versions("Full-Fidelity Feed");
  Account& account = *versions.account;
  const std::string begin = versions.read("*").header("etag");
  constexpr std::size_t bytes = 1 << 20;
  for (int i = 0; i < 6; ++i) {
    account.create(std::to_string(i), R"("text":")" + std::string(bytes, 'x') + '"');
  }
  const auto check = [](const Answer& page, std::size_t shown) {
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.body.member("Documents").array().size(), shown);
    EXPECT_LE(page.response.body.size(), limits::feed_page_bytes_max + (2U << 20));
  };
  const net::Pair all{"x-ms-max-item-count", "-1"};
  const Answer feed = account.list({all});
  check(feed, 2);
  check(account.list({all, {"x-ms-continuation", feed.header("x-ms-continuation")}}), 2);
  const Answer query = account.send("POST", documents, R"({"query":"SELECT * FROM c"})",
                                    {all, first_range, {"x-ms-documentdb-isquery", "true"}});
  check(query, 2);
  EXPECT_FALSE(query.header("x-ms-continuation").empty());
  const Answer latest = account.list({all, {"a-im", "Incremental feed"}});
  check(latest, 2);
  check(account.list({all, {"a-im", "Incremental feed"}, {"if-none-match", latest.header("etag")}}),
        2);
  const Answer some = versions.read(begin, {all});
  check(some, 2);
  check(versions.read(some.header("etag"), {all}), 2);
}

TEST(CosmosPages, EndWithTheTimeOfTheirRequest) {
  auto account = Account::with_container();
  account->create("1", R"("z":[1,2,3,4,5,6,7,8,9,10])");
  account->answer_by = monotonic_now();
  std::string text = "SELECT VALUE COUNT(1) FROM c";
  for (int i = 0; i < 10; ++i) text += " JOIN x" + std::to_string(i) + " IN c.z";
  const Answer late = account->send("POST", documents, R"({"query":")" + text + R"("})",
                                    {first_range, {"x-ms-documentdb-isquery", "true"}});
  EXPECT_EQ(late.status, 408) << late.response.body;
}

// A subquery that occurs twice in its query, as does each query that contains it.
TEST(CosmosPages, EndWithTheTimeOfTheirRequestWithinSubqueries) {
  auto account = Account::with_container();
  account->create("1");
  account->answer_by = monotonic_now();
  std::string value = "c.n";
  for (int i = 0; i < 40; ++i) value = "((SELECT VALUE " + value + ") BETWEEN 0 AND true ? 1 : 1)";
  const std::string body = R"({"query":"SELECT VALUE )" + value + R"( FROM c"})";
  const Answer late =
      account->send("POST", documents, body, {first_range, {"x-ms-documentdb-isquery", "true"}});
  EXPECT_EQ(late.status, 408) << late.response.body;
}

}  // namespace
}  // namespace mayfly::cosmos
