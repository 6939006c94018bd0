// The files that an export leaves, whether it finished or not.
#include "app/commands/fauna/export_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "app/commands/fauna/import/export_files.h"

namespace mayfly::app {
namespace {

namespace fs = std::filesystem;

class ExportFolderTest : public ::testing::Test {
 protected:
  ExportFolderTest() {
    std::string name = (fs::temp_directory_path() / "mayfly-export-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~ExportFolderTest() override { fs::remove_all(root_); }

  std::string folder() const { return (root_ / "a" / "b").string(); }
  void add(ExportFolder& to, const std::string& name, const std::string& text) {
    EXPECT_TRUE(to.open(name));
    EXPECT_TRUE(to.write(text));
    EXPECT_TRUE(to.close());
  }
  // All files and folders below the root.
  std::string there() const {
    std::set<std::string> names;
    for (const auto& one : fs::recursive_directory_iterator(root_)) {
      names.insert(one.path().lexically_relative(root_).generic_string());
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
  }

  fs::path root_;
};

TEST_F(ExportFolderTest, AllFilesGetTheirFinalNamesTogether) {
  ExportFolder to(folder());
  add(to, "schema/main.fsl", "collection A {}\n");
  add(to, "documents/A.jsonl", "{}\n");
  EXPECT_EQ(there(),
            "a a/b a/b/documents a/b/documents/A.jsonl.partial a/b/schema "
            "a/b/schema/main.fsl.partial");
  const auto early = find_export_files({folder()});
  ASSERT_FALSE(early);
  EXPECT_NE(early.error().message.find("A.jsonl.partial is of an export that did not end"),
            std::string::npos);
  ASSERT_TRUE(to.finish());
  EXPECT_EQ(there(), "a a/b a/b/documents a/b/documents/A.jsonl a/b/schema a/b/schema/main.fsl");
  const auto found = find_export_files({folder()});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->schema.at(0).name, "main.fsl");
  EXPECT_EQ(found->document_bytes, 3U);
}

TEST_F(ExportFolderTest, FilesOfAnUnfinishedExportAreRemoved) {
  {
    ExportFolder to(folder());
    add(to, "schema/main.fsl", "x");
    EXPECT_TRUE(to.open("documents/A.jsonl"));
    EXPECT_TRUE(to.write("x"));
  }
  EXPECT_EQ(there(), "");
}

TEST_F(ExportFolderTest, IfOneFileCannotBeRenamedNoneKeepsItsFinalName) {
  fs::create_directories(root_ / "a" / "b");
  {
    ExportFolder to(folder());
    add(to, "documents/A.jsonl", "x");
    add(to, "documents/B.jsonl", "x");
    fs::create_directories(root_ / "a/b/documents/B.jsonl/inner");
    EXPECT_FALSE(to.finish());
  }
  EXPECT_EQ(there(), "a a/b a/b/documents a/b/documents/B.jsonl a/b/documents/B.jsonl/inner");
}

TEST_F(ExportFolderTest, OnlyAnEmptyOrANewFolderIsAccepted) {
  EXPECT_FALSE(ExportFolder::check(""));
  EXPECT_TRUE(ExportFolder::check(folder()));
  fs::create_directories(folder());
  EXPECT_TRUE(ExportFolder::check(folder()));
  std::ofstream(folder() + "/.hidden") << "x";
  const auto full = ExportFolder::check(folder());
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().message.find("is not empty"), std::string::npos);
  const auto file = ExportFolder::check(folder() + "/.hidden");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("is no folder"), std::string::npos);
}

TEST(SchemaFileName, StaysWithinTheFolderAndIsNotSkippedByImports) {
  EXPECT_EQ(schema_file_name("main.fsl"), "main.fsl");
  EXPECT_EQ(schema_file_name("shop/carts.fsl"), "shop/carts.fsl");
  EXPECT_EQ(schema_file_name("../up.fsl"), "file-%2E%2E%2Fup.fsl");
  EXPECT_EQ(schema_file_name("a/../up.fsl"), "file-a%2F%2E%2E%2Fup.fsl");
  EXPECT_EQ(schema_file_name("/etc/x.fsl"), "file-%2Fetc%2Fx.fsl");
  EXPECT_EQ(schema_file_name("a//b.fsl"), "file-a%2F%2Fb.fsl");
  EXPECT_EQ(schema_file_name(".x.fsl"), "file-%2Ex.fsl");
  EXPECT_EQ(schema_file_name("a\"b.fsl"), "file-a%22b.fsl");
}

}  // namespace
}  // namespace mayfly::app
