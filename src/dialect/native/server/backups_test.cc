// Backups over the native API: where they are stored, and what is refused.
#include <fmt/format.h>

#include <fstream>

#include "base/limits.h"
#include "dialect/native/testing.h"
#include "store/backups.h"
#include "store/open.h"
#include "store/testing.h"

namespace mayfly::native::testing {
namespace {

class NativeBackupsTest : public ::testing::Test {
 protected:
  static std::unique_ptr<store::Store> open_at(const std::string& directory) {
    auto opened = store::open({.data = directory, .free_disk_bytes_min = 0});
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }

  const store::testing::Directory data_;
  const store::testing::Directory backups_{"backups"};
  const store::testing::Directory target_{"target"};
  Api api_{open_at(data_.text()), backups_.text()};
};

TEST_F(NativeBackupsTest, ABackupIsOfAnInstantAfterAllThatWasAnswered) {
  EXPECT_EQ(api_.ask("GET", "/v1/backups"), R"(200 {"backups":[]})");
  api_.send("PUT", "/v1/databases/d");
  api_.send("PUT", place);
  api_.send("PUT", place + "/documents/a", R"({"n":1})");
  api_.advance(100);
  const Instant before = api_.now();
  const net::Response made = api_.send("POST", "/v1/backups", R"({"name":"monday"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const Value told = *parse_json(made.body);
  EXPECT_EQ(told.member("name").text(), "monday");
  EXPECT_GT(told.member("bytes").integer(), 0);
  EXPECT_GT(told.member("files").integer(), 3);
  const Instant instant = *parse_rfc3339(told.member("instant").text());
  EXPECT_GE(instant, before);
  EXPECT_LE(instant, api_.now());
  EXPECT_EQ(api_.ask("GET", "/v1/backups"), fmt::format(R"(200 {{"backups":[{}]}})", made.body));

  api_.send("PUT", place + "/documents/a", R"({"n":2})");
  ASSERT_TRUE(store::restore_backup(backups_.text() + "/monday", target_.text()));
  Api then(open_at(target_.text()), "");
  EXPECT_EQ(then.get("a"), R"({"n":1})");
  // The clock does not go back before instants that were answered before the backup.
  EXPECT_GE(then.now(), instant);
}

TEST_F(NativeBackupsTest, BadNamesAreRefused) {
  const auto error = [&](const std::string& body) {
    const net::Response answer = api_.send("POST", "/v1/backups", body);
    return std::to_string(answer.status) + " " + Api::error_of(answer);
  };
  EXPECT_EQ(error(""), "400 invalid");
  EXPECT_EQ(error("[]"), "400 invalid");
  EXPECT_EQ(error("{}"), "400 invalid name");
  EXPECT_EQ(error(R"({"name":5})"), "400 invalid name");
  EXPECT_EQ(error(R"({"name":null})"), "400 invalid name");
  EXPECT_EQ(error(R"({"name":"a","path":"/x"})"), "400 invalid path");
  for (const char* name :
       {"", ".", "..", ".a", "../a", "a/b", "/etc", "a\\\\b", "a\\u0000b", "a b"}) {
    EXPECT_EQ(error(fmt::format(R"({{"name":"{}"}})", name)), "400 invalid name") << name;
  }
  const std::string long_name(limits::backup_name_bytes_max + 1, 'n');
  EXPECT_EQ(error(fmt::format(R"({{"name":"{}"}})", long_name)), "400 invalid name");
  EXPECT_EQ(api_.status("POST", "/v1/backups", R"({"name":"a"})"), 201);
  EXPECT_EQ(error(R"({"name":"a"})"), "409 exists name");
  EXPECT_EQ(Api::error_of(api_.send("GET", "/v1/backups?limit=5")), "invalid limit");
}

TEST_F(NativeBackupsTest, ThePathOfBackupsIsNotRevealed) {
  std::ofstream(backups_.path()) << "a file where the directory should be";
  const net::Response answer = api_.send("POST", "/v1/backups", R"({"name":"a"})");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body.find(backups_.text()), std::string::npos) << answer.body;
  EXPECT_EQ(api_.status("GET", "/v1/backups"), 500);
}

TEST_F(NativeBackupsTest, AServerWithoutADirectoryOrADiskMakesNone) {
  Api none(store::open_memory(), "");
  EXPECT_EQ(Api::error_of(none.send("POST", "/v1/backups", R"({"name":"a"})")), "unsupported");
  EXPECT_EQ(Api::error_of(none.send("GET", "/v1/backups")), "unsupported");
  Api memory(store::open_memory(), backups_.text());
  EXPECT_EQ(Api::error_of(memory.send("POST", "/v1/backups", R"({"name":"a"})")), "unsupported");
  EXPECT_EQ(memory.ask("GET", "/v1/backups"), R"(200 {"backups":[]})");
}

}  // namespace
}  // namespace mayfly::native::testing
