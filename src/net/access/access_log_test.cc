// What the log contains about requests, and what it must not contain.
#include "net/access/access_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "net/requests/limits.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(AccessLogTest, SecretsAreLeftOut) {
  const struct {
    const char* target;
    const char* logged;
  } rows[] = {
      {"/a/b", "/a/b"},
      {"/a?b=c&d", "/a?b=c&d"},
      {"/i/c/_export?jwt=eyJ.abc", "/i/c/_export?jwt=(hidden)"},
      {"/a?x=1&JWT=abc&y=2", "/a?x=1&JWT=(hidden)&y=2"},
      {"/a?%6Awt=abc", "/a?%6Awt=(hidden)"},
      {"/a?refresh_token=abc&id_token=d", "/a?refresh_token=(hidden)&id_token=(hidden)"},
      {"/a?sig=&password=p&secretly=no", "/a?sig=(hidden)&password=(hidden)&secretly=no"},
      {"/a?jwt", "/a?jwt"},
      {"/a?", "/a?"},
  };
  for (const auto& row : rows) EXPECT_EQ(without_secrets(row.target), row.logged);
}

class AccessLogServerTest : public ServerTest {};

TEST_F(AccessLogServerTest, EachRequestIsLoggedIfEnabled) {
  options.logs_access = true;
  testing::internal::CaptureStderr();
  start();
  Client(port).ask(get("/a?jwt=abc", "X-Request-Id: mine\r\n"));
  Client(port).ask(get("/none?slow"));
  server->stop();
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("answered api=test method=GET target=\"/a?jwt=(hidden)\" status=200"));
  EXPECT_THAT(log, HasSubstr("request=mine"));
  EXPECT_THAT(log, HasSubstr("status=204"));
}

TEST_F(AccessLogServerTest, RefusalsAreLoggedButNotWithoutBound) {
  testing::internal::CaptureStderr();
  start();
  Client client(port);
  for (int i = 0; i < 1'000; ++i) {
    client.ask(get("/a?jwt=hush", "Origin: http://evil.example\r\n"));
  }
  client.ask(get("/a"));
  server->stop();
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("value=http://evil.example"));
  EXPECT_THAT(log, HasSubstr("setting=cors.origins"));
  EXPECT_THAT(log, Not(HasSubstr("hush")));
  EXPECT_THAT(log, Not(HasSubstr("answered")));
  const auto lines = static_cast<std::uint64_t>(std::count(log.begin(), log.end(), '\n'));
  EXPECT_LT(lines, 1'000U);
  EXPECT_GE(lines, 1U);
}

}  // namespace
}  // namespace mayfly::net
