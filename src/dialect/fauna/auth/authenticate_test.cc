// Reasons why a secret is refused, which only the log shows.
#include "dialect/fauna/auth/authenticate.h"

#include "dialect/fauna/testing.h"

namespace mayfly::fauna {
namespace {

class AuthenticateTest : public testing::FaunaTest {
 protected:
  std::string reason(const std::string& authorization) {
    const RootSecret root(credentials, options);
    net::Request request;
    if (!authorization.empty()) request.headers = {{"authorization", authorization}};
    const auto principal = authenticate(request, root, *database);
    if (principal) return "let in";
    EXPECT_EQ(principal.error().code, Code::unauthenticated);
    return principal.error().message;
  }
};

TEST_F(AuthenticateTest, ARefusedSecretHasAReason) {
  run_steps({{"", "Database.create({ name: 'app' }).name"},
             {"", "Collection.create({ name: 'User' }).name"}});
  const std::string unknown =
      "no key or token has this secret: it never had one, was deleted, or its ttl has passed";
  const std::string roles =
      " is no role: it is admin, server, server-readonly, client, @role/NAME or "
      "@doc/COLLECTION/ID";
  const struct {
    const char* secret;
    std::string reason;
  } rows[] = {
      {"secret", "let in"},
      {"secret:app:admin", "let in"},
      {"wrong", unknown},
      {"wrong:app:admin", unknown},
      {"secret:ap:admin", "there is no database `ap`"},
      {"secret:app/staging:admin", "there is no database `app.staging`"},
      {"secret::admin", "the scope has an empty path of a database"},
      {"secret:app:owner", "`owner`" + roles},
      {"secret:@doc/User", "`@doc/User`" + roles},
      {"secret:app:@role/owner", "there is no role `owner` in the database `app`"},
      {"secret:@doc/User/1", "there is no document `User/1` in the database `fauna`"},
      {"secret:@doc/None/1", "there is no document `None/1` in the database `fauna`"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(reason(std::string("Bearer ") + row.secret), row.reason) << row.secret;
  }
  EXPECT_EQ(reason(""), "the header Authorization has no Bearer or Basic secret");
  EXPECT_EQ(reason("Digest x"), "the header Authorization has no Bearer or Basic secret");
  const std::string longer(300, 'x');
  EXPECT_EQ(reason("Bearer secret:" + longer + ":admin"),
            "there is no database `" + longer.substr(0, 64) + "`");
}

TEST_F(AuthenticateTest, ASecretThatIsNoAdministratorsHasNoScope) {
  const std::string key = query("Key.create({ role: 'server' }).secret").data();
  EXPECT_EQ(reason("Bearer " + key.substr(1, key.size() - 2) + ":client"),
            "a scope (`:ROLE`, `:PATH:ROLE`) needs a secret of the role admin");
}

TEST_F(AuthenticateTest, AClosedServerReportsTheReason) {
  credentials.keys = {"k"};
  const std::string result = reason("Bearer secret");
  EXPECT_NE(result.find("fauna.secret is not set"), result.npos) << result;
}

}  // namespace
}  // namespace mayfly::fauna
