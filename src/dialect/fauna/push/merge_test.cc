// Concurrent updates of a schema: an update changes only the version that it has read.
#include <thread>

#include "dialect/fauna/push/http/testing.h"
#include "dialect/fauna/wire/wire_limits.h"

namespace mayfly::fauna {
namespace {

using SchemaMerge = testing::SchemaTest;

TEST_F(SchemaMerge, TheSecondOfTwoUpdatesWithOneVersionIsStale) {
  EXPECT_EQ(pushed("collection A {}"), "");
  const std::string version = get("files").text("version");
  for (const std::string rest : {"override=false&version=", "version="}) {
    const std::string version = get("files").text("version");
    EXPECT_EQ(post("update?" + rest + version, {{"b.fsl", "collection B {}"}}).status(), 200)
        << rest;
    const testing::Reply second = post("update?" + rest + version, {{"c.fsl", "collection C {}"}});
    EXPECT_EQ(second.status(), 409) << rest;
    EXPECT_EQ(second.message(), "Stale schema version provided");
    EXPECT_EQ(query("Collection.byName('C').exists()").data(), "false") << rest;
  }
  EXPECT_EQ(
      send("POST", "/schema/1/items/functions?version=" + version, "function f() { 1 }").status(),
      409);
  EXPECT_EQ(post("diff?version=" + version, {{"b.fsl", ""}}).status(), 409);
  EXPECT_EQ(send("GET", "/schema/1/status?version=" + version).status(), 409);
  EXPECT_EQ(post("update?force=true&version=" + version, {{"b.fsl", ""}}).status(), 200);
}

TEST_F(SchemaMerge, FilesThatAreMergedAtOnceAllStay) {
  constexpr int each = 6;
  const auto until_done = [](const auto& ask) {
    for (int attempt = 0; attempt < 100 && ask().status() == 409; ++attempt) {
    }
  };
  std::vector<std::thread> writers;
  for (const std::string principal : {"A", "B"}) {
    writers.emplace_back([&, principal] {
      for (int i = 0; i < each; ++i) {
        const std::string name = principal + std::to_string(i);
        until_done([&] {
          return post("update?override=false", {{name + ".fsl", "collection " + name + " {}"}});
        });
      }
    });
  }
  writers.emplace_back([&] {
    for (int i = 0; i < each; ++i) {
      const std::string text = "function f" + std::to_string(i) + "() { 1 }";
      until_done([&] { return send("POST", "/schema/1/items/functions", text); });
    }
  });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(query("[Collection.all().count(), Function.all().count()]").data(),
            "[" + std::to_string(2 * each) + "," + std::to_string(each) + "]");
  EXPECT_EQ(get("files").at("files").array().size(), std::size_t{2 * each + 1});
}

TEST_F(SchemaMerge, FilesThatAreMergedHaveTheBoundOfAllFiles) {
  testing::Files many;
  for (std::size_t i = 0; i < limits::schema_files_max; ++i) {
    many.emplace_back("f" + std::to_string(i) + ".fsl", "");
  }
  EXPECT_EQ(post("update", many).status(), 200);
  const testing::Reply refused = post("update?override=false", {{"one.fsl", ""}});
  EXPECT_EQ(refused.status(), 400);
  EXPECT_EQ(refused.message(), "Too many files");
  EXPECT_EQ(post("update?override=false", {{"f0.fsl", "collection A {}"}}).status(), 200);
}

TEST_F(SchemaMerge, StagedFilesAreMergedIntoTheStage) {
  EXPECT_EQ(pushed("collection A {}"), "");
  EXPECT_EQ(post("update?staged=true&override=false", {{"b.fsl", "collection B {}"}}).status(),
            200);
  EXPECT_EQ(post("update?staged=true&override=false", {{"c.fsl", "collection C {}"}}).status(),
            200);
  EXPECT_EQ(get("files?staged=true").text("files"),
            R"([{"filename":"b.fsl"},{"filename":"c.fsl"},{"filename":"main.fsl"}])");
  EXPECT_EQ(post("update?override=false", {{"d.fsl", "collection D {}"}}).status(), 200);
  EXPECT_EQ(get("files").text("files"), R"([{"filename":"d.fsl"},{"filename":"main.fsl"}])");
}

}  // namespace
}  // namespace mayfly::fauna
