// Backups as directories: complete or absent, verified, restored only to an empty directory.
#include "store/backups.h"

#include <gtest/gtest.h>

#include <fstream>

#include "store/open.h"
#include "store/testing.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;
using testing::everything;
using testing::put;

class BackupsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store_ = open_at(data_.text());
    put(*store_, {{"a", "1"}, {"b", "2"}});
  }
  static std::unique_ptr<Store> open_at(const std::string& directory) {
    auto opened = open({.data = directory, .free_disk_bytes_min = 0});
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  BackupInfo make(const std::string& name) {
    const auto made = make_backup(*store_, backups_.text(), name);
    EXPECT_TRUE(made) << made.error().message;
    return made.value_or(BackupInfo{});
  }
  std::string error_of(const std::string& name) {
    const auto made = make_backup(*store_, backups_.text(), name);
    return made ? "done" : std::string(name_of(made.error().code)) + " " + made.error().field;
  }
  std::string names() {
    const auto found = list_backups(backups_.text());
    EXPECT_TRUE(found) << found.error().message;
    std::string all;
    for (const BackupInfo& info : *found) {
      all += (all.empty() ? "" : " ") + info.name + "@" + std::to_string(info.version);
    }
    return all;
  }
  std::string path_of(const std::string& name) { return backups_.path() / name; }
  std::string restored(const std::string& name) {
    const auto done = restore_backup(path_of(name), target_.text());
    return done ? "done" : name_of(done.error().code);
  }

  const testing::Directory data_;
  const testing::Directory backups_{"backups"};
  const testing::Directory target_{"target"};
  std::unique_ptr<Store> store_;
};

TEST_F(BackupsTest, ABackupIsMadeListedAndRestored) {
  EXPECT_EQ(names(), "");
  const BackupInfo first = make("monday");
  EXPECT_EQ(first.version, 1u);
  EXPECT_GT(first.bytes, 0u);
  put(*store_, {{"b", ""}, {"c", "3"}});
  make("tuesday");
  EXPECT_EQ(names(), "monday@1 tuesday@2");
  EXPECT_EQ(error_of("monday"), "exists name");
  store_.reset();
  EXPECT_EQ(restored("monday"), "done");
  EXPECT_EQ(everything(*open_at(target_.text())), "a=1@1 b=2@1");
  // Changes in the restored directory have not changed the backup.
  EXPECT_EQ(verify_backup(path_of("monday")).value().bytes, first.bytes);
  fs::remove_all(target_.path());
  EXPECT_EQ(restored("tuesday"), "done");
  EXPECT_EQ(everything(*open_at(target_.text())), "a=1@1 c=3@2");
}

TEST_F(BackupsTest, MissingParentsOfADirectoryAreCreated) {
  const std::string deep = backups_.path() / "of" / "the" / "week";
  ASSERT_TRUE(make_backup(*store_, deep, "monday"));
  store_.reset();
  const std::string data = target_.path() / "more" / "data";
  ASSERT_TRUE(restore_backup(deep + "/monday", data));
  EXPECT_EQ(everything(*open_at(data)), "a=1@1 b=2@1");
  const std::string below_a_file = deep + "/monday/MAYFLY/data";
  EXPECT_EQ(restore_backup(deep + "/monday", below_a_file).error().code, Code::invalid);
  const fs::path dangling = target_.path() / "dangling";
  fs::create_symlink(target_.path() / "nowhere", dangling);
  for (const std::string& wrong :
       {dangling.string(), (dangling / "below").string(), std::string()}) {
    EXPECT_EQ(restore_backup(deep + "/monday", wrong).error().code, Code::invalid) << wrong;
  }
  EXPECT_TRUE(restore_backup(deep + "/monday", target_.text() + "/with/slash/"));
}

TEST_F(BackupsTest, ANameCannotLeadToAnotherDirectory) {
  for (const char* name :
       {"", ".", "..", ".hidden", "a/b", "../a", "/a", "a\\b", "a b", "ä", "a\n"}) {
    EXPECT_EQ(error_of(name), "invalid name") << name;
  }
  EXPECT_EQ(error_of(std::string(limits::backup_name_bytes_max + 1, 'a')), "invalid name");
  EXPECT_EQ(error_of(std::string(limits::backup_name_bytes_max, 'a')), "done");
  EXPECT_EQ(error_of("2026-02-27_10.00"), "done");
}

TEST_F(BackupsTest, AnUnfinishedBackupIsNotListedAndIsRemoved) {
  fs::create_directories(backups_.path() / ".a.partial");
  fs::create_directories(backups_.path() / ".a.partial.tmp");
  std::ofstream(backups_.path() / ".a.partial" / "000004.sst") << "half";
  fs::create_directories(backups_.path() / "strange");
  EXPECT_EQ(names(), "");
  EXPECT_EQ(restored("strange"), "invalid");
  make("a");
  EXPECT_EQ(names(), "a@1");
  EXPECT_FALSE(fs::exists(backups_.path() / ".a.partial"));
  EXPECT_FALSE(fs::exists(backups_.path() / ".a.partial.tmp"));
}

TEST_F(BackupsTest, ADamagedBackupIsNotRestored) {
  make("a");
  std::size_t damaged = 0;
  for (const auto& entry : fs::directory_iterator(path_of("a"))) {
    const fs::path file = entry.path();
    if (file.filename() == "BACKUP" || fs::file_size(file) == 0) continue;
    const fs::path kept = file.string() + ".kept";
    fs::rename(file, kept);
    EXPECT_EQ(restored("a"), "corrupt") << file << " missing";
    fs::copy_file(kept, file);
    fs::resize_file(file, fs::file_size(file) - 1);
    EXPECT_EQ(restored("a"), "corrupt") << file << " cut short";
    fs::rename(kept, file);
    ++damaged;
  }
  EXPECT_GE(damaged, 4u);
  EXPECT_FALSE(fs::exists(target_.path()));
  const std::string manifest = path_of("a") + "/BACKUP";
  std::string text;
  std::getline(std::ifstream(manifest), text, '\0');
  for (std::size_t i = 0; i < text.size(); i += 7) {
    std::string altered = text;
    altered[i] = altered[i] == '0' ? '1' : '0';
    std::ofstream(manifest, std::ios::trunc) << altered;
    EXPECT_EQ(restored("a"), "invalid") << i;
    std::ofstream(manifest, std::ios::trunc) << text.substr(0, i);
    EXPECT_EQ(restored("a"), "invalid") << i;
  }
  EXPECT_EQ(names(), "");
  std::ofstream(manifest, std::ios::trunc) << text;
  EXPECT_EQ(restored("a"), "done");
}

TEST_F(BackupsTest, ABackupIsRestoredOnlyToAnEmptyDirectory) {
  make("a");
  fs::create_directories(target_.path());
  std::ofstream(target_.path() / "mine") << "x";
  EXPECT_EQ(restored("a"), "exists");
  fs::remove(target_.path() / "mine");
  EXPECT_EQ(restored("a"), "done");
  EXPECT_EQ(restored("a"), "exists");
}

TEST_F(BackupsTest, AnInterruptedRestoreIsRefusedAsDamaged) {
  make("a");
  EXPECT_EQ(restored("a"), "done");
  // Without the file that is written last, and at each step before that.
  fs::remove(target_.path() / "CURRENT");
  const auto refused = [&] {
    const auto opened = open({.data = target_.text(), .free_disk_bytes_min = 0});
    return opened ? "opened" : name_of(opened.error().code);
  };
  EXPECT_STREQ(refused(), "corrupt");
  for (const auto& entry : fs::directory_iterator(target_.path())) {
    if (entry.path().filename() == "MAYFLY") continue;
    fs::remove(entry.path());
    EXPECT_STREQ(refused(), "corrupt");
  }
}

TEST_F(BackupsTest, ABackupIsNotOpenedAsAStore) {
  make("a");
  const auto opened = open({.data = path_of("a"), .free_disk_bytes_min = 0});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::invalid);
  EXPECT_NE(opened.error().message.find("mayfly restore"), std::string::npos);
  EXPECT_TRUE(verify_backup(path_of("a")).has_value());
}

}  // namespace
}  // namespace mayfly::store
