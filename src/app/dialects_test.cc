// Tests of the rows of dialects, and of dialects that share a port.
#include "app/dialects.h"

#include <gtest/gtest.h>

#include <set>

#include "db/database.h"
#include "dialect/centrali/centrali.h"
#include "dialect/common/page_token.h"
#include "dialect/native/native.h"
#include "net/test_client.h"
#include "store/memory/memory_store.h"

namespace mayfly::app {
namespace {

class SharedPortTest : public net::ServerTest {
 protected:
  SharedPortTest() {
    shared.add(make_native(services));
    shared.add(make_centrali(services));
    options.listeners = {{.name = "test", .host = "127.0.0.1", .handler = &shared}};
    server = std::move(*net::Server::start(options));
    port = server->ports().at(0);
  }

  std::string ask(const std::string& method, const std::string& path,
                  const std::string& more_headers) {
    net::Client client(port);
    client.send(method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" +
                more_headers + "\r\n");
    const std::string answer = client.read();
    id = client.id;
    return answer;
  }

  std::string id;  // request id of the last answer

  ManualClock clock{Instant::from_seconds(1'800'000'000)};
  Random random{1};
  Credentials credentials;
  std::unique_ptr<Database> database = std::move(*Database::open(store::open_memory(), clock));
  const PageTokens page_tokens{"secret"};
  const Services services{.database = *database,
                          .random = random,
                          .credentials = credentials,
                          .page_tokens = page_tokens};
  SharedPort shared;
};

TEST(DialectsTest, AGuestComesAfterItsHost) {
  std::set<std::string_view> hosts;
  for (const DialectRow& row : dialects()) {
    EXPECT_NE(row.port.empty(), row.guest_of.empty()) << row.name;
    EXPECT_TRUE(row.guest_of.empty() || hosts.contains(row.guest_of)) << row.name;
    if (row.guest_of.empty()) hosts.insert(row.name);
  }
}

TEST(DialectsTest, RowsOfADialectHaveItsNameAsPrefix) {
  for (const DialectRow& row : dialects()) {
    const std::string name(row.name);
    for (const SettingRow& setting : row.settings) {
      EXPECT_TRUE(setting.name.starts_with(name + '.')) << setting.name;
    }
    for (const MetricRow& metric : row.metrics) {
      EXPECT_TRUE(metric.name.starts_with("mayfly_" + name + '_')) << metric.name;
    }
  }
}

TEST(DialectsTest, EnumeratesAsInASentence) {
  EXPECT_EQ(enumerate({}, "or"), "");
  EXPECT_EQ(enumerate({"a"}, "or"), "a");
  EXPECT_EQ(enumerate({"a", "b"}, "and"), "a and b");
  EXPECT_EQ(enumerate({"a", "b", "c"}, "or"), "a, b or c");
}

bool has(const std::string& answer, const std::string& part) {
  return answer.find(part) != std::string::npos;
}

TEST_F(SharedPortTest, ARefusalHasTheFormatOfTheDialectThatClaimsThePath) {
  const std::string page = "Origin: http://evil.example\r\nX-Request-Id: mine\r\n";
  const std::string centrali = ask("GET", "/workspace/w/api/v1/structures", page);
  EXPECT_TRUE(centrali.starts_with("HTTP/1.1 403 ")) << centrali;
  EXPECT_TRUE(has(centrali, R"("requestId":"mine")")) << centrali;
  EXPECT_TRUE(has(centrali, "cors.origins")) << centrali;
  const std::string native = ask("GET", "/v1/databases", page);
  EXPECT_TRUE(native.starts_with("HTTP/1.1 403 ")) << native;
  EXPECT_TRUE(has(native, R"({"error":{"code":)")) << native;
}

TEST_F(SharedPortTest, ARefusalHasTheIdThatTheClientGaveItsRequest) {
  const std::string page = "Origin: http://evil.example\r\nX-Request-Id: mine\r\n";
  for (const char* path : {"/workspace/w/api/v1/structures", "/v1/databases"}) {
    const std::string answer = ask("GET", path, page);
    EXPECT_TRUE(id == "mine" || has(answer, "x-request-id: mine\r\n")) << answer;
  }
}

}  // namespace
}  // namespace mayfly::app
