// Batches and bulk requests: the reads and results of their operations.
#include <thread>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

const net::Pair is_batch{"x-ms-cosmos-is-batch-request", "True"};
const net::Pair is_atomic{"x-ms-cosmos-batch-atomic", "True"};
const net::Pair goes_on{"x-ms-cosmos-batch-continue-on-error", "True"};

Answer run(Account& account, const std::string& operations, std::vector<net::Pair> headers) {
  headers.push_back(is_batch);
  return account.send("POST", documents, "[" + operations + "]", std::move(headers));
}
Answer run_all(Account& account, const std::string& operations,
               std::vector<net::Pair> headers = {}) {
  headers.push_back(is_atomic);
  headers.push_back(key_a);
  return run(account, operations, std::move(headers));
}
std::string on(const std::string& type, const std::string& id, const std::string& more = "") {
  return R"({"operationType":")" + type + R"(","partitionKey":"[\"a\"]","id":")" + id + '"' +
         (more.empty() ? "" : "," + more) + "}";
}
std::string set_n(const std::string& id, int n) {
  return on("Patch", id,
            R"("resourceBody":{"operations":[{"op":"set","path":"/n","value":)" +
                std::to_string(n) + "}]}");
}
Value outcome(const Answer& answer, std::size_t i) {
  return answer.body.array().at(i);
}

TEST(CosmosBatch, ReadsWhatIsThereBeforeItsLaterOperations) {
  auto account = Account::with_container();
  const std::string before = account->create("1", R"("n":1)").header("etag");
  const Answer answer =
      run_all(*account, on("Read", "1") + "," + set_n("1", 2) + "," + on("Read", "1"));
  ASSERT_EQ(answer.status, 200) << answer.response.body;
  const std::string after = account->get("1").header("etag");
  EXPECT_EQ(outcome(answer, 0).member("resourceBody").member("n").integer(), 1);
  EXPECT_EQ(outcome(answer, 0).member("eTag").text(), before);
  EXPECT_EQ(outcome(answer, 0).member("resourceBody").member("_etag").text(), before);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(outcome(answer, i).member("resourceBody").member("n").integer(), 2);
    EXPECT_EQ(outcome(answer, i).member("eTag").text(), after);
  }
}

TEST(CosmosBatch, ReadsNothingThatTheClientHas) {
  auto account = Account::with_container();
  account->create("1");
  const Answer answer = run(*account, on("Read", "1", R"("ifNoneMatch":"*")"), {goes_on});
  EXPECT_EQ(outcome(answer, 0).member("statusCode").integer(), 304) << answer.response.body;
}

TEST(CosmosBatch, ShowsNoBodiesIfMinimalAnswersAreRequested) {
  auto account = Account::with_container();
  const auto has_body = [](const Value& one) { return !one.member("resourceBody").is_missing(); };
  account->create("1");
  const std::string operations =
      on("Upsert", "2", R"("resourceBody":{"id":"2","pk":"a"})") + "," + on("Read", "1");
  const Answer minimal = run_all(*account, operations, {{"prefer", "return=minimal"}});
  EXPECT_FALSE(has_body(outcome(minimal, 0)));
  EXPECT_TRUE(has_body(outcome(minimal, 1)));
  EXPECT_FALSE(outcome(minimal, 0).member("eTag").text().empty());
  const Answer own = run_all(
      *account,
      on("Upsert", "2", R"("minimalReturnPreference":true,"resourceBody":{"id":"2","pk":"a"})"));
  EXPECT_FALSE(has_body(outcome(own, 0)));
  EXPECT_TRUE(has_body(outcome(run_all(*account, operations), 0)));
}

TEST(CosmosBatch, RefusesAConditionThatIsNoTag) {
  auto account = Account::with_container();
  account->create("1", R"("n":1)");
  const std::string replace =
      on("Replace", "1", R"("ifMatch":5,"resourceBody":{"id":"1","pk":"a","n":2})");
  EXPECT_EQ(run_all(*account, replace).status, 400);
  EXPECT_EQ(account->get("1").body.member("n").integer(), 1);
}

TEST(CosmosBatch, HintsAtATtlThatDoesNothing) {
  auto account = Account::with_container();
  const auto hint = [&](const std::string& members) {
    return run_all(*account,
                   on("Upsert", "1", R"("resourceBody":{"id":"1","pk":"a")" + members + "}"))
        .header("x-mayfly-hint");
  };
  EXPECT_NE(hint(R"(,"ttl":7)"), "");
  EXPECT_EQ(hint(""), "");
}

TEST(CosmosBatch, AnswersNoMoreThanItsBoundOfWhatItReads) {
  auto account = Account::with_container();
  const std::size_t bytes = limits::batch_answer_bytes_max / 3;
  account->create("1", R"("text":")" + std::string(bytes, 'x') + '"');
  account->create("2");
  const std::string two = on("Read", "1") + "," + on("Read", "1");
  EXPECT_EQ(run_all(*account, two).status, 200);
  const Answer batch = run_all(*account, two + "," + on("Read", "1"));
  EXPECT_EQ(batch.status, 207);
  EXPECT_EQ(outcome(batch, 0).member("statusCode").integer(), 424);
  EXPECT_EQ(outcome(batch, 2).member("statusCode").integer(), 413);
  EXPECT_EQ(outcome(batch, 2).member("subStatusCode").integer(), 3402);
  const Answer bulk = run(*account, two + "," + on("Read", "1") + "," + set_n("2", 1), {goes_on});
  EXPECT_EQ(outcome(bulk, 1).member("statusCode").integer(), 200);
  EXPECT_EQ(outcome(bulk, 2).member("statusCode").integer(), 413);
  EXPECT_EQ(outcome(bulk, 3).member("statusCode").integer(), 200);
}

// A batch that loses a race for a document runs again, as single requests do.
TEST(CosmosBatch, LosesNothingInARace) {
  auto account = Account::with_container();
  account->create("1", R"("n":0)");
  const std::string increment =
      on("Patch", "1", R"("resourceBody":{"operations":[{"op":"incr","path":"/n","value":1}]})");
  constexpr int rounds = 40;
  std::vector<std::thread> threads;
  for (const bool is_batch_of_all : {true, false, true, false}) {
    threads.emplace_back([&, is_batch_of_all] {
      for (int i = 0; i < rounds; ++i) {
        const Answer answer =
            is_batch_of_all ? run_all(*account, increment) : run(*account, increment, {goes_on});
        EXPECT_EQ(answer.status, 200) << answer.response.body;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(account->get("1").body.member("n").integer(), 4 * rounds);
}

TEST(CosmosBatches, HaveOperations) {  // addendum 4b.9
  auto account = Account::with_container();
  const auto refused = account->send(
      "POST", documents, "[]",
      {key_a, {"x-ms-cosmos-is-batch-request", "true"}, {"x-ms-cosmos-batch-atomic", "true"}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.message().find("Batch request has no operations."), std::string::npos);
}

}  // namespace
}  // namespace mayfly::cosmos
