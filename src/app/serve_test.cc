// Tests of what serving refuses before it begins.
#include "app/serve.h"

#include <gtest/gtest.h>

#include "app/settings_table.h"

namespace mayfly::app {
namespace {

TEST(ServeTest, AnAccountsKeyThatIsNoKeyIsRefusedByTheNameOfItsSetting) {
  for (const std::string name : {"cosmos.key", "cosmos.read_key"}) {
    for (const std::string key : {"not base64!", "AAA", "===="}) {
      const auto settings = Settings::resolve(settings_table(), {.flags = {{name, key}}});
      ASSERT_TRUE(settings) << settings.error().message;
      const auto served = serve(*settings, stdout);
      ASSERT_FALSE(served) << name << ' ' << key;
      EXPECT_EQ(served.error().field, name);
      EXPECT_EQ(served.error().message, name + " takes a key in base64");
    }
  }
}

TEST(ServeTest, AServiceAccountWithoutASecretIsRefused) {
  for (const std::string pair : {"id", ":secret", "id:"}) {
    const auto settings =
        Settings::resolve(settings_table(), {.flags = {{"centrali.clients", pair}}});
    const auto served = serve(*settings, stdout);
    ASSERT_FALSE(served) << pair;
    EXPECT_EQ(served.error().message, "centrali.clients takes pairs ID:SECRET");
  }
}

// Each dialect says why.
TEST(ServeTest, AnOpenServerIsNotStartedWhereOthersReachIt) {
  struct Case {
    std::vector<Settings::Pair> flags;
    std::string why;
  };
  const Case cases[] = {
      {{}, " lets other machines in, and no keys are configured: set auth.keys"},
      {{{"native.port", "off"}},
       " with the Cosmos DB API, which accepts the key that all emulators have: set cosmos.key, "
       "set cosmos.port to off,"},
      {{{"centrali.clients", "id:secret"}},
       " with the Kuzzle API, which accepts every request until its role anonymous is restricted: "
       "set auth.keys, set kuzzle.port to off,"},
      {{{"native.port", "off"}, {"cosmos.key", "AAAA"}},
       " with the Kuzzle API, which accepts every request until its role anonymous is restricted: "
       "set auth.keys, set kuzzle.port to off,"},
  };
  for (Case one : cases) {
    one.flags.insert(one.flags.end(), {{"host", "0.0.0.0"}, {"data", ":memory:"}});
    const auto settings = Settings::resolve(settings_table(), {.flags = one.flags});
    const auto served = serve(*settings, stdout);
    ASSERT_FALSE(served) << one.why;
    EXPECT_EQ(served.error().message, "listening on 0.0.0.0" + one.why + " or pass --insecure");
    EXPECT_EQ(served.error().field, "host");
  }
}

}  // namespace
}  // namespace mayfly::app
