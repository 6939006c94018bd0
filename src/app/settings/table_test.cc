// Tests of the table of settings and of the page that is generated from it.
#include "app/settings/table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace mayfly::app {
namespace {

TEST(SettingsTableTest, EveryDefaultIsAllowed) {
  const auto settings = Settings::resolve(settings_table(), {});
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->text("data"), "./mayfly-data");
  EXPECT_EQ(settings->port("native.port"), 7007);
  EXPECT_EQ(settings->list("cors.origins"), std::vector<std::string>{"loopback"});
  EXPECT_FALSE(settings->flag("insecure"));
}

TEST(SettingsTableTest, EveryRowHasHelp) {
  for (const SettingRow& row : settings_table()) EXPECT_NE(row.help, "") << row.name;
}

// MAYFLY_REWRITE=1 in the environment generates the page again.
TEST(SettingsTableTest, ThePageSaysWhatTheTableSays) {
  const std::string path = MAYFLY_SOURCE_DIR "/docs/settings.md";
  const std::string page = render_settings_markdown(settings_table());
  if (std::getenv("MAYFLY_REWRITE") != nullptr) std::ofstream(path) << page;
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), page) << "write it again: MAYFLY_REWRITE=1 ./dev test -R SettingsTable";
}

}  // namespace
}  // namespace mayfly::app
