// Staged schemas: their status, commit and abandonment.
#include "dialect/fauna/push/http/testing.h"

namespace mayfly::fauna {
namespace {

class Stage : public testing::SchemaTest {
 protected:
  void stage(const std::string& text) {
    const testing::Reply reply = post("update?force=true&staged=true", {{"main.fsl", text}});
    EXPECT_EQ(reply.status(), 200) << reply.response.body;
  }
  std::string status() {
    const testing::Reply reply = get("staged/status?format=summary");
    return reply.text("status") + "\n" + reply.text("pending_summary");
  }
  testing::Reply commit() { return send("POST", "/schema/1/staged/commit?force=true"); }
};

TEST_F(Stage, BuildsItsIndexesAtTheCommit) {
  EXPECT_EQ(pushed("collection C {}"), "");
  run_steps({{"", "[1, 2, 2].forEach(n => C.create({ n: n }))"}});
  stage("collection C { index byN { terms [.n] } }");
  EXPECT_EQ(status(), "ready\n");
  run_steps({{"the active schema", "C.byN(2)", "invalid_function_invocation: …"}});
  EXPECT_EQ(commit().status(), 200);
  run_steps({{"", "C.byN(2).count()", "2"}});
  EXPECT_EQ(status(), "none\n");
  EXPECT_EQ(get("staged/status").text("pending_summary"), "");
}

TEST_F(Stage, WithAViolatedConstraintIsNotCommitted) {
  EXPECT_EQ(pushed("collection C {}\ncollection D { unique [.n] }"), "");
  run_steps({{"", "[1, 2].forEach(n => C.create({ id: n, n: n, tags: [1] }))"}});
  stage("collection C { unique [.n]\n unique [mva(.tags)] }\ncollection D { unique [.n] }");
  EXPECT_EQ(status(), "failed\n* Collection C:\n  ! unique constraint [mva(.tags)]: failed\n");
  const testing::Reply refused = commit();
  EXPECT_EQ(refused.status(), 400);
  EXPECT_EQ(refused.message(),
            "Cannot commit schema before it is in the `ready` state. Check schema status for "
            "details.");
  run_steps({{"", "C.definition.constraints", "[]"}, {"", "C.byId(2)!.update({ tags: [2] }).n"}});
  EXPECT_EQ(status(), "ready\n") << "documents have been changed";
  EXPECT_EQ(commit().status(), 200);
  run_steps({{"", "C.definition.constraints.map(.status)", R"(["active","active"])"},
             {"", "C.create({ tags: [2] })", "constraint_failure: …"}});
}

TEST_F(Stage, WithAMigrationThatNoLongerFitsIsNotCommitted) {
  EXPECT_EQ(pushed("collection C { a: Int | String }"), "");
  stage("collection C { a: Int }");
  EXPECT_EQ(status(), "ready\n");
  run_steps({{"", "C.create({ id: 1, a: 'x' }).a", "\"x\""}});
  EXPECT_NE(status().find("does not fit type `Int`"), std::string::npos) << status();
  EXPECT_EQ(commit().status(), 400);
  run_steps({{"", "C.byId(1)!.update({ a: 1 }).a", "1"}});
  EXPECT_EQ(commit().status(), 200);
}

TEST_F(Stage, IsNotCommittedIfTheSchemaHasChangedSince) {
  EXPECT_EQ(pushed("collection C {}"), "");
  stage("collection C { index byN { terms [.n] } }");
  EXPECT_EQ(status(), "ready\n");
  run_steps({{"", "Collection.create({ name: \"Made\" }).name", "\"Made\""},
             {"", "Made.create({ id: 1 }).id", "\"1\""}});
  EXPECT_EQ(status(),
            "failed\nThe schema has been changed since this one was staged. Push it again, or "
            "abandon it.\n");
  EXPECT_EQ(commit().status(), 400);
  run_steps({{"", "Made.byId(1).exists()", "true"}});
  stage("collection C { index byN { terms [.n] } }\ncollection Made {}");
  EXPECT_EQ(commit().status(), 200);
  run_steps({{"", "Made.byId(1).exists()", "true"}});
}

TEST_F(Stage, IsReplacedByTheNextAndAbandoned) {
  stage("collection A {}");
  stage("collection B {}");
  EXPECT_EQ(get("files/main.fsl?staged=true").text("content"), "collection B {}");
  EXPECT_EQ(get("files/main.fsl").status(), 404) << "M5";
  EXPECT_EQ(get("staged/status?diff=true").text("diff"),
            "* Adding collection `B` to main.fsl:1:1\n\n");
  EXPECT_EQ(send("POST", "/schema/1/abandon?force=true").status(), 200);
  EXPECT_EQ(commit().message(), "There is no staged schema to commit");
  EXPECT_EQ(query("Collection.all().count()").data(), "0");
  EXPECT_EQ(post("update?staged=true", {{"main.fsl", "collection"}}).status(), 400)
      << "what is wrong is refused at once";
  EXPECT_EQ(status(), "none\n");
}

TEST_F(Stage, ShowsSingleItems) {
  EXPECT_EQ(pushed("collection A {}"), "");
  EXPECT_EQ(
      send("POST", "/schema/1/items/collections?staged=true", "collection B { a: Int }").status(),
      200);
  EXPECT_EQ(get("items/collections/B").status(), 404);
  const testing::Reply staged = get("items/collections/B?staged=true");
  EXPECT_EQ(staged.text("content"), "collection B { a: Int }");
  EXPECT_EQ(staged.text("definition"), R"({"name":"B","fields":{"a":{"signature":"Int"}}})");
}

}  // namespace
}  // namespace mayfly::fauna
