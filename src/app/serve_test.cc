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

}  // namespace
}  // namespace mayfly::app
