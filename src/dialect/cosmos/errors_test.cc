// Errors have the service's messages, as far as these are known.
#include "dialect/cosmos/errors.h"

#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

// The message of a refused request, without its prefix and suffix.
std::string words(const Answer& refused, int status = 400) {
  EXPECT_EQ(refused.status, status) << refused.response.body;
  std::string text = refused.message();
  for (const char* begin : {"Message: {\"Errors\":[\"", "Message: "}) {
    if (text.starts_with(begin)) text = text.substr(std::string(begin).size());
  }
  return text.substr(0, text.find_first_of("\"\r"));
}

TEST(CosmosErrors, NameTheHeaderThatIsWrongAsTheServiceDoes) {
  const auto account = Account::with_container();
  const auto refusal = [&](const std::string& name, const std::string& value) {
    return words(account->list({{name, value}}));
  };
  EXPECT_EQ(
      refusal("x-ms-consistency-level", "Strong"),
      "ConsistencyLevel Strong specified in the request is invalid when service is configured "
      "with consistency level Session. Ensure the request consistency level is not stronger "
      "than the service consistency level.");
  EXPECT_EQ(refusal("x-ms-max-item-count", "0"),
            "The input PageSize 0 is invalid. Ensure to pass a valid page size which must be a "
            "positive integer or -1 for a dynamic page size.");
  EXPECT_EQ(refusal("a-im", "all"), "Value 'all' specified for the header 'A-IM' is invalid.");
  EXPECT_EQ(refusal("x-ms-start-epk", "x"),
            "Value 'x' specified for the header 'x-ms-start-epk' is invalid.");
  EXPECT_EQ(refusal("x-ms-documentdb-partitionkey", R"(["a","b"])"),
            "PartitionKey has more components than defined the collection resource.");
  EXPECT_EQ(words(account->list({{"a-im", "Incremental feed"}, {"if-modified-since", "then"}})),
            "Value 'then' specified for the header 'If-Modified-Since' is invalid.");
}

TEST(CosmosErrors, OfOffersScriptsAndTokensAreTheServices) {
  const auto account = Account::with_container();
  EXPECT_EQ(words(account->send("GET", "/offers/no")),
            "Failed to parse the value 'no' as ResourceId.");
  const Answer offers = account->send("GET", "/offers");
  const std::string id = offers.body.member("Offers").array().at(0).member("id").text();
  EXPECT_EQ(words(account->send("PUT", "/offers/" + id, R"({"id":")" + id + "\"}")),
            "The required field Content is missing in Offer version v2.");
  EXPECT_EQ(words(account->send("POST", container + "/sprocs", R"({"id":"s"})")),
            "Script request has invalid body.");
  const Answer malformed = account->send_as_it_is(
      "GET", "/dbs", "", {{"authorization", "nothing"}, {"x-ms-date", date}});
  EXPECT_EQ(words(malformed, 401),
            "Authorization header doesn't confirm to the required format. Please verify and try "
            "again.");
}

TEST(CosmosErrors, OfBoundsOfTheCoreNameNone) {
  const auto account = Account::with_container();
  std::string numbers = "[0";
  for (int i = 1; i < 60; ++i) numbers += "," + std::to_string(i);
  account->create("1", "\"z\":" + numbers + "]");
  const std::string groups =
      R"({"query":"SELECT x, y, z FROM c JOIN x IN c.z JOIN y IN c.z JOIN z IN c.z )"
      R"(GROUP BY x, y, z"})";
  const std::vector<net::Pair> is_query{first_range, {"x-ms-documentdb-isquery", "true"}};
  EXPECT_EQ(words(account->send("POST", documents, groups, is_query)),
            "Query exceeded the maximum allowed memory usage of 64 MB. Please consider adding more "
            "filters to reduce the query response size.");
  account->answer_by = monotonic_now();
  EXPECT_EQ(words(account->send("POST", documents, groups, is_query), 408), "Request timed out.");
  const net::Response raced = render_error({Code::contended, "another has won"}, {}, "id");
  EXPECT_EQ(raced.status, 449);
  EXPECT_NE(raced.body.find(R"("message":"Retry the request.\r\nActivityId: id")"),
            std::string::npos)
      << raced.body;
}

}  // namespace
}  // namespace mayfly::cosmos::testing
