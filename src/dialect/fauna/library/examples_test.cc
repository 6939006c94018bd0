// Runs every example of the library's rows as a query of a client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "db/database.h"
#include "dialect/common/page_token.h"
#include "dialect/fauna/fauna.h"
#include "dialect/fauna/library/method.h"
#include "net/requests/testing.h"
#include "store/memory/memory_store.h"
#include "store/wrappers/checked.h"
#include "value/json/json.h"

namespace mayfly::fauna {
namespace {

// The dialect on a database in memory, with the documents that the examples need.
class ExampleServer {
 public:
  ExampleServer()
      : database_(std::move(
            *Database::open(std::make_unique<store::CheckedStore>(store::open_memory()), clock_))),
        dialect_(make_fauna({.database = *database_,
                             .random = random_,
                             .credentials = credentials_,
                             .page_tokens = page_tokens_})) {
    secret_ = "secret";
    run(R"(Database.create({ name: "app" }))");
    secret_ = "secret:app:admin";
    run(R"(Collection.create({ name: "Customer" }))");
    run(R"(Function.create({ name: "double", body: "x => x * 2" }))");
    run(R"(Customer.create({ id: 1, name: "Ann" }); Customer.create({ id: 2, name: "Bob" }))");
  }

  // The result in the decorated format, on one line, or the error.
  std::string run(std::string_view fql) {
    std::string body = R"({"query":)";
    render_json_text(fql, body);
    const net::Request request{
        .method = "POST",
        .target = "/query/1",
        .path = "/query/1",
        .headers = {{"authorization", "Bearer " + secret_}, {"x-format", "decorated"}},
        .body = body + "}"};
    const net::Response response = net::PendingRequest(*dialect_, request)->answer();
    const Value answer = *parse_json(response.body);
    if (response.status != 200) return response.body;
    const std::string data = answer.member("data").text();
    const std::string closed = std::regex_replace(data, std::regex(R"(\n *([\]}]))"), " $1");
    const std::string line = std::regex_replace(closed, std::regex(R"(\n *)"), " ");
    return std::regex_replace(std::regex_replace(line, std::regex(R"(\[ )"), "["),
                              std::regex(R"( \])"), "]");
  }

 private:
  ManualClock clock_{Instant::from_seconds(1'800'000'000)};
  Random random_{7};
  Credentials credentials_;
  const PageTokens page_tokens_{"secret"};
  std::unique_ptr<Database> database_;
  std::unique_ptr<Dialect> dialect_;
  std::string secret_;
};

bool needs_documents(std::string_view example) {
  for (const char* name : {"Customer", "double", "create("}) {
    if (example.find(name) != example.npos) return true;
  }
  return false;
}

TEST(FqlExamplesTest, EachExampleHasTheValueInItsRow) {
  ExampleServer server;
  for (const Method& method : all_methods()) {
    ASSERT_FALSE(method.example.empty()) << method.of << ' ' << method.name;
    const std::string result = needs_documents(method.example) ? ExampleServer().run(method.example)
                                                               : server.run(method.example);
    EXPECT_EQ(result, method.example_value) << method.example;
  }
}

TEST(FqlExamplesTest, ArraysThatAreFoldedIntoEachOtherEndTheQueryAndNotTheServer) {
  ExampleServer server;
  const std::string deep = "Value too large: nested deeper than 1000";
  EXPECT_THAT(server.run("Array.sequence(0, 2000).fold([], (a, i) => [a])"),
              ::testing::HasSubstr(deep));
  EXPECT_THAT(server.run("Array.sequence(0, 2000).fold({}, (a, i) => ({ a: a }))"),
              ::testing::HasSubstr(deep));
}

}  // namespace
}  // namespace mayfly::fauna
