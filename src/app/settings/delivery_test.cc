// Which settings of delivery are accepted.
#include "app/settings/delivery.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/settings/table.h"
#include "store/testing.h"

namespace mayfly::app {
namespace {

// "accepted", or the setting that is refused.
std::string outcome_of(const std::vector<Settings::Pair>& flags) {
  const auto settings = Settings::resolve(settings_table(), {.flags = flags});
  if (!settings) return "unresolved: " + settings.error().message;
  const auto checked = check_delivery(*settings);
  return checked ? "accepted" : checked.error().field;
}

TEST(DeliverySettings, ABrokersUrlAndLoginAreChecked) {
  const Settings::Pair url{"nats.url", "nats://localhost:4222"};
  EXPECT_EQ(outcome_of({}), "accepted");
  EXPECT_EQ(outcome_of({url, {"nats.user", "a"}, {"nats.password", "b"}}), "accepted");
  EXPECT_EQ(outcome_of({{"nats.url", "http://localhost:4222"}}), "nats.url");
  EXPECT_EQ(outcome_of({{"nats.url", "nats://a:b@localhost"}}), "nats.url");
  EXPECT_EQ(outcome_of({url, {"nats.user", "a"}}), "nats.user");
  EXPECT_EQ(outcome_of({url, {"nats.user", "a"}, {"nats.password", "b"}, {"nats.token", "c"}}),
            "nats.user");
  EXPECT_EQ(outcome_of({{"nats.token", "c"}}), "nats.url");
  EXPECT_EQ(outcome_of({url, {"nats.stream", "a.b"}}), "nats.stream");
}

TEST(DeliverySettings, AFileThatCannotServeIsRefused) {
  const store::testing::Directory directory;
  std::filesystem::create_directories(directory.path());
  const std::string empty = directory.path() / "empty.pem";
  std::ofstream(empty) << "no certificate";
  const Settings::Pair url{"nats.url", "tls://localhost"};
  EXPECT_EQ(outcome_of({url, {"nats.ca_file", empty}}), "nats.ca_file");
  EXPECT_EQ(outcome_of({url, {"nats.ca_file", empty + ".none"}}), "nats.ca_file");
  EXPECT_EQ(outcome_of({url, {"nats.credentials", empty + ".none"}}), "nats.credentials");
}

}  // namespace
}  // namespace mayfly::app
