// Session tokens and the header `lsn`: their numbers, and refused tokens.
#include "dialect/cosmos/headers/session.h"

#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

const net::Pair as_batch{"x-ms-cosmos-is-batch-request", "true"};
const net::Pair as_one{"x-ms-cosmos-batch-atomic", "true"};

std::int64_t number_of(const Answer& answer) {
  const std::string token = answer.header("x-ms-session-token");
  EXPECT_TRUE(token.starts_with("0:-1#")) << token;
  EXPECT_EQ(token.substr(5), answer.header("lsn"));
  return std::stoll(token.substr(5));
}
net::Pair session(const std::string& token) {
  return {"x-ms-session-token", token};
}

TEST(CosmosSession, MovesByOneWithEachWriteAndNotWithReads) {
  auto account = Account::with_container();
  const std::int64_t began = number_of(account->create("1"));
  account->advance(60);
  for (const std::string& path : {documents + "/1", container, documents}) {
    EXPECT_EQ(number_of(account->send("GET", path, "", {key_a})), began) << path;
  }
  EXPECT_EQ(number_of(account->put("1")), began + 1);
  EXPECT_EQ(account->create("1").status, 409);
  EXPECT_EQ(number_of(account->get("1")), began + 1);
  EXPECT_EQ(number_of(account->remove("1")), began + 2);
}

TEST(CosmosSession, MovesByOneWithABatch) {
  auto account = Account::with_container();
  const std::int64_t began = number_of(account->create("1"));
  const std::string operations =
      R"([{"operationType":"Create","resourceBody":{"id":"2","pk":"a"}},)"
      R"({"operationType":"Create","resourceBody":{"id":"3","pk":"a"}},)"
      R"({"operationType":"Delete","id":"1"}])";
  const Answer done = account->send("POST", documents, operations, {key_a, as_batch, as_one});
  EXPECT_EQ(done.status, 200) << done.response.body;
  EXPECT_EQ(number_of(done), began + 1);
}

TEST(CosmosSession, IsOfOneContainer) {
  auto account = Account::with_container();
  account->send("POST", containers, R"({"id":"other","partitionKey":{"paths":["/pk"]}})");
  const std::int64_t began = number_of(account->create("1"));
  account->send("POST", "/dbs/d/colls/other/docs", Account::document("1"), {key_a});
  EXPECT_EQ(number_of(account->get("1")), began);
}

TEST(CosmosSession, OfTheFutureIsNotAvailable) {
  auto account = Account::with_container();
  const std::int64_t now = number_of(account->create("1"));
  const auto read = [&](std::int64_t number) {
    return account->get("1", {session("0:-1#" + std::to_string(number))});
  };
  EXPECT_EQ(read(now).status, 200);
  const Answer ahead = read(now + 1);
  EXPECT_EQ(ahead.status, 404);
  EXPECT_EQ(ahead.header("x-ms-substatus"), "1002");
  EXPECT_NE(ahead.message().find("The read session is not available"), std::string::npos);
  EXPECT_EQ(account->list({session("0:-1#" + std::to_string(now + 2'000))}).status, 404);
  // A write does not check the session.
  EXPECT_EQ(account->put("1", "", {session("0:-1#" + std::to_string(now + 2'000))}).status, 200);
}

TEST(CosmosSession, IsReadInAllItsForms) {
  auto account = Account::with_container();
  const std::string number = std::to_string(number_of(account->create("1")));
  const auto status = [&](const std::string& token) {
    return account->get("1", {session(token)}).status;
  };
  for (const std::string& token :
       {"0:" + number, "0:1#" + number, "0:-1#" + number + "#1=7#2=-1", "0:-1#1,1:-1#" + number}) {
    EXPECT_EQ(status(token), 200) << token;
  }
  for (const char* token : {"x", "0:", "0:x", ":1", "0:-1#", "0:-1#x", "0:-1#1#2",
                            "0:-1#1#2=", "0:-1#99999999999999999999", "0:1,x"}) {
    EXPECT_EQ(status(token), 400) << token;
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
