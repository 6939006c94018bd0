// Tests of the settings that serve() refuses before it starts.
#include "app/server/serve.h"

#include <gtest/gtest.h>

#include "app/settings/table.h"

namespace mayfly::app {
namespace {

TEST(ServeTest, AMalformedAccountKeyIsRefusedWithTheNameOfItsSetting) {
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

// Each dialect reports why.
TEST(ServeTest, AnOpenServerDoesNotStartIfOtherMachinesCanReachIt) {
  struct Case {
    std::vector<Settings::Pair> flags;
    std::string why;
  };
  const Case cases[] = {
      {{},
       " with the native API, which needs no key while none is configured: set auth.keys, set "
       "native.port to off,"},
      {{{"kuzzle.port", "off"}, {"cosmos.key", "AAAA"}},
       " with the native API, which needs no key while none is configured: set auth.keys, set "
       "native.port to off,"},
      {{{"native.port", "off"}},
       " with the Cosmos DB API, which accepts the key that all emulators have: set cosmos.key, "
       "set cosmos.port to off,"},
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

// The error is not the one about other machines.
TEST(ServeTest, AnUnknownHostIsRefusedAsSuch) {
  const auto settings = Settings::resolve(
      settings_table(), {.flags = {{"host", "nosuch.invalid"}, {"data", ":memory:"}}});
  const auto served = serve(*settings, stdout);
  ASSERT_FALSE(served);
  EXPECT_TRUE(served.error().message.starts_with("host: 'nosuch.invalid' cannot be resolved: "))
      << served.error().message;
  EXPECT_EQ(served.error().code, Code::invalid);
}

TEST(ServeTest, AnUnusableBackupDirectoryIsRefused) {
  for (const std::string place : {"/dev/null", "/proc/nope", "/dev/null/below"}) {
    const auto settings =
        Settings::resolve(settings_table(), {.flags = {{"backup.directory", place},
                                                       {"native.port", "0"},
                                                       {"cosmos.port", "off"},
                                                       {"kuzzle.port", "off"},
                                                       {"fauna.port", "off"},
                                                       {"data", ":memory:"}}});
    const auto served = serve(*settings, stdout);
    ASSERT_FALSE(served) << place;
    EXPECT_TRUE(
        served.error().message.starts_with("backup.directory: " + place + " cannot hold backups: "))
        << served.error().message;
    EXPECT_EQ(served.error().code, Code::invalid);
    EXPECT_EQ(served.error().field, "backup.directory");
  }
}

// For example from a variable that was not filled in: the server would be open.
TEST(ServeTest, AnEmptySecretIsRefusedWithTheNameOfItsSetting) {
  for (const SettingRow& row : settings_table()) {
    if (!row.secret) continue;
    for (const Settings::Sources& sources :
         {Settings::Sources{.flags = {{std::string(row.name), ""}}},
          Settings::Sources{.environment = {{variable_of(row), ""}}}}) {
      const auto settings = Settings::resolve(settings_table(), sources);
      ASSERT_FALSE(settings) << row.name;
      EXPECT_EQ(settings.error().code, Code::invalid);
      EXPECT_EQ(settings.error().field, row.name);
    }
  }
}

}  // namespace
}  // namespace mayfly::app
