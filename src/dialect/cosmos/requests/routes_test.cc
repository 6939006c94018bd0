// Whether the columns of the routes are true, row by row.
#include "dialect/cosmos/requests/routes.h"

#include "base/crypto/crypto.h"
#include "dialect/cosmos/testing.h"
#include "net/router.h"

namespace mayfly::cosmos::testing {
namespace {

// The path of a resource or feed of that kind: each resource is named x.
std::string path_of(ResourceKind kind, bool is_feed) {
  const KindRow& row = row_of(kind);
  if (row.segment.empty()) return {};
  const std::string path = path_of(row.owner, false) + '/' + std::string(row.segment);
  return is_feed ? path : path + "/x";
}

std::string path_of(const Route& route) {
  const std::string path = path_of(route.kind, route.is_feed);
  if (route.form == Form::removal) return path + "/operations/partitionkeydelete";
  return path.empty() ? "/" : path;
}

// The headers that give a request its form.
std::vector<net::Pair> headers_of(Form form) {
  const net::Pair batch{"x-ms-cosmos-is-batch-request", "true"};
  switch (form) {
    case Form::query: return {{"x-ms-documentdb-isquery", "true"}};
    case Form::plan: return {{"x-ms-cosmos-is-query-plan-request", "true"}};
    case Form::batch: return {batch, {"x-ms-cosmos-batch-atomic", "true"}};
    case Form::bulk: return {batch};
    case Form::changes: return {{"a-im", "Incremental feed"}};
    default: return {};
  }
}

TEST(CosmosRoutesTest, AReadOnlyKeyIsRefusedByEveryRouteThatWritesAndByNoOther) {
  const Bytes read_key = "a key for reading";
  Account account({}, {.read_key = encode_base64(read_key)});
  for (const Route& route : routes()) {
    const std::string path = path_of(route);
    const Address address = *parse_address(path);
    const std::string text =
        text_to_sign(route.method, row_of(address.kind).segment, address.link(), date, "");
    std::string signature = "type%3Dmaster%26ver%3D1.0%26sig%3D";
    for (const char c : encode_base64(hmac_sha256(read_key, text))) {
      signature += c == '+' ? "%2B" : std::string(1, c);
    }
    std::vector<net::Pair> headers = headers_of(route.form);
    headers.emplace_back("x-ms-date", date);
    headers.emplace_back("authorization", signature);
    const Answer answer = account.send_as_it_is(std::string(route.method), path, "{}", headers);
    EXPECT_NE(answer.status, 401) << answer.message();
    EXPECT_EQ(answer.status == 403, route.effect >= RouteEffect::write)
        << route.method << " " << path << " " << answer.response.body;
  }
}

TEST(CosmosRoutesTest, AGetChangesNothing) {
  for (const Route& route : routes()) {
    // Reading a permission issues a token.
    if (route.method != "GET" || route.kind == ResourceKind::permission) continue;
    EXPECT_EQ(route.effect, RouteEffect::read) << path_of(route);
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
