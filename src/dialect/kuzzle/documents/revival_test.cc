// What a refused write leaves unchanged, and which actions overwrite documents in the trashcan.
#include <gtest/gtest.h>

#include "db/feed/feed.h"
#include "dialect/kuzzle/testing.h"
#include "value/packed/packed.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;

struct Case {
  const char* action;
  const char* body;  // writes {"u":2} to d1
  bool creates = true;
};

const Case rows[] = {
    {"document:create", R"({"u":2})"},
    {"document:createOrReplace", R"({"u":2})"},
    {"document:replace", R"({"u":2})", false},
    {"document:update", R"({"u":2})", false},
    {"document:upsert", R"({"changes":{"u":2}})"},
    {"document:mCreate", R"({"documents":[{"_id":"d1","body":{"u":2}}]})"},
    {"document:mCreateOrReplace", R"({"documents":[{"_id":"d1","body":{"u":2}}]})"},
    {"document:mReplace", R"({"documents":[{"_id":"d1","body":{"u":2}}]})", false},
    {"document:mUpdate", R"({"documents":[{"_id":"d1","body":{"u":2}}]})", false},
    {"document:mUpsert", R"({"documents":[{"_id":"d1","changes":{"u":2}}]})"},
    {"bulk:write", R"({"u":2})"},
    {"bulk:mWrite", R"({"documents":[{"_id":"d1","body":{"u":2}}]})"},
    {"bulk:import", R"({"bulkData":[{"index":{"_id":"d1"}},{"u":2}]})"},
    {"bulk:import", R"({"bulkData":[{"create":{"_id":"d1"}},{"u":2}]})"},
    {"bulk:import", R"({"bulkData":[{"update":{"_id":"d1"}},{"doc":{"u":2}}]})", false},
    {"bulk:import", R"({"bulkData":[{"update":{"_id":"d1"}},{"doc":{"u":2},"upsert":{}}]})"},
};

// A collection with a unique `u` whose expired and removed documents go to a trash that keeps them.
struct World {
  World() : server(Server::with_collection()) {
    CollectionChange policy;
    policy.keep_trash_for = Span::infinite();
    policy.keep_feed_for = Span::infinite();
    policy.expires_to_trash = true;
    const auto index = server->database->catalog()->find_database("idx")->id;
    EXPECT_TRUE(server->database->create_collection(
        index, {"unique", policy, {{"u", {{Field::body("u")}}, Uniqueness::of_complete}}}));
    server->collection = "unique";
  }

  CollectionPtr collection() const {
    const CatalogPtr catalog = server->database->catalog();
    return catalog->find_collection(catalog->find_database("idx")->id, "unique");
  }
  // {"u":1}, which expires a second later.
  void put_mortal(const std::string& id) const {
    const auto put = server->database->transact([&](Transaction& transaction) -> Result<void> {
      PutOptions options;
      options.lifetime = Lifetime(At{server->database->now() + Span::seconds(1)});
      TRY(transaction.put(collection(), DocumentKey::of(id), TRY(pack(Object{{"u", 1}})), options));
      return {};
    });
    EXPECT_TRUE(put.has_value());
  }
  void hold(const std::string& id) const {
    const auto held = server->database->transact([&](Transaction& transaction) {
      return transaction.hold(collection(), DocumentKey::of(id), {.by = "law", .reason = "case"});
    });
    EXPECT_TRUE(held.has_value());
  }
  std::string events() const {
    const auto page =
        server->database->feed().read(*collection(), {}, 1000, server->database->feed().flush());
    std::string text;
    for (const Event& event : page->events) {
      const bool is_restoration = event.kind == Event::Kind::restored;
      text += (is_restoration ? "restored:" : "-:") + event.key.id + " ";
    }
    return text;
  }
  Answer run(const Case& row) const { return server->of(row.action, "d1", row.body); }

  std::unique_ptr<Server> server;
};

bool is_refused(const Answer& answer) {
  return answer.status >= 400 || (answer.status == 206 && !answer.error().empty());
}

TEST(KuzzleRevivalTest, ARefusedWriteLeavesARemovedDocumentInTheTrashcan) {
  for (const Case& row : rows) {
    SCOPED_TRACE(std::string(row.action) + " " + row.body);
    World world;
    Server& s = *world.server;
    EXPECT_EQ(s.of("document:create", "d1", R"({"u":1})").status, 200);
    EXPECT_EQ(s.of("document:delete", "d1").status, 200);
    EXPECT_EQ(s.of("document:create", "d2", R"({"u":2})").status, 200);
    const std::string before = s.trashed("d1").result();
    const std::string events = world.events();
    const Answer refused = world.run(row);
    EXPECT_TRUE(is_refused(refused)) << refused.status << refused.result();
    EXPECT_EQ(s.of("document:get", "d1").status, 404);
    EXPECT_EQ(s.trashed("d1").result(), before);
    EXPECT_EQ(world.events(), events);
  }
}

TEST(KuzzleRevivalTest, ARefusedWriteLeavesAnExpiredDocumentExpired) {
  for (const Case& row : rows) {
    SCOPED_TRACE(std::string(row.action) + " " + row.body);
    World world;
    Server& s = *world.server;
    world.put_mortal("d1");
    s.advance(2'000);
    EXPECT_EQ(s.of("document:create", "d2", R"({"u":2})").status, 200);
    const std::string before = s.trashed("d1").result();
    const Answer refused = world.run(row);
    EXPECT_TRUE(is_refused(refused)) << refused.status << refused.result();
    EXPECT_EQ(s.of("document:get", "d1").status, 404);
    EXPECT_EQ(s.trashed("d1").result(), before);
    EXPECT_EQ(world.events().find("restored"), std::string::npos);
  }
}

TEST(KuzzleRevivalTest, OnlyActionsThatCreateWriteOverAnExpiredDocument) {
  for (const Case& row : rows) {
    SCOPED_TRACE(std::string(row.action) + " " + row.body);
    World world;
    Server& s = *world.server;
    world.put_mortal("d1");
    s.advance(2'000);
    const Answer answer = world.run(row);
    EXPECT_EQ(is_refused(answer), !row.creates) << answer.status << answer.result();
    const Answer got = s.of("document:get", "d1");
    EXPECT_EQ(got.status, row.creates ? 200 : 404);
    if (!row.creates) continue;
    EXPECT_EQ(got.text("result._source"), R"({"u":2})");
    s.advance(100'000);
    EXPECT_EQ(s.of("document:get", "d1").status, 200) << "the lifetime of before came back";
  }
}

TEST(KuzzleRevivalTest, TheUniqueValuesOfARemovedDocumentBlockNoWriteToItsId) {
  for (const Case& row : rows) {
    SCOPED_TRACE(std::string(row.action) + " " + row.body);
    World world;
    Server& s = *world.server;
    EXPECT_EQ(s.of("document:create", "d1", R"({"u":1})").status, 200);
    EXPECT_EQ(s.of("document:delete", "d1").status, 200);
    EXPECT_EQ(s.of("document:create", "d2", R"({"u":1})").status, 200);
    const Answer answer = world.run(row);
    EXPECT_FALSE(is_refused(answer)) << answer.status << answer.error();
    EXPECT_EQ(s.of("document:get", "d1").text("result._source"), R"({"u":2})");
    EXPECT_EQ(s.of("document:get", "d1").text("result._version"), "2");
  }
}

TEST(KuzzleRevivalTest, DeletingARemovedDocumentDependsOnNoLivingDocument) {
  World world;
  Server& s = *world.server;
  EXPECT_EQ(s.of("document:create", "d1", R"({"u":1})").status, 200);
  EXPECT_EQ(s.of("document:delete", "d1").status, 200);
  EXPECT_EQ(s.of("document:create", "d2", R"({"u":1})").status, 200);
  s.advance(1'000);
  const Answer again = s.call("document:mDelete", R"("body":{"ids":["d1"]})");
  EXPECT_EQ(again.result(), R"(["d1"])") << again.error();
  const Answer trashed = s.trashed("d1");
  EXPECT_EQ(trashed.text("result._meta.deletedAt"), testing::at_second(1));
  EXPECT_EQ(trashed.text("result._version"), "1");
}

TEST(KuzzleRevivalTest, ARefusedDeletionOfAHeldDocumentLeavesItInTheTrashcan) {
  World world;
  Server& s = *world.server;
  EXPECT_EQ(s.of("document:create", "d1", R"({"u":1})").status, 200);
  EXPECT_EQ(s.of("document:delete", "d1").status, 200);
  world.hold("d1");
  const Answer refused = s.call("document:mDelete", R"("body":{"ids":["d1"]})");
  EXPECT_EQ(refused.status, 206);
  EXPECT_EQ(refused.text("error.message"), R"("Some document deletions failed")");
  EXPECT_EQ(s.of("document:get", "d1").status, 404);
  EXPECT_EQ(s.trashed("d1").status, 200);
}

// The versions of d1 in the trash: their bodies, with a sign for a hold.
std::string in_trash(const World& world) {
  View view = world.server->database->view();
  const auto page = view.scan_trash(*world.collection(), {}, 100);
  std::string text;
  for (const Document& document : page->documents) {
    text += (document.hold.empty() ? "" : "held") + render_json(document.body.unpack());
  }
  return text;
}
bool is_held(const World& world) {
  View view = world.server->database->view();
  const auto found = view.get(*world.collection(), DocumentKey::of("d1"), view.live());
  return found.has_value() && found->has_value() && !(*found)->hold.empty();
}
bool is_merged(const Case& row) {
  const std::string_view text(row.body);
  return std::string_view(row.action).find("pdate") != std::string_view::npos ||
         text.find("changes") != std::string_view::npos ||
         text.find("update") != std::string_view::npos;
}

TEST(KuzzleRevivalTest, AWriteThatReplacesAHeldDocumentLeavesItInTheTrashcan) {
  for (const Case& row : rows) {
    if (is_merged(row)) continue;
    SCOPED_TRACE(std::string(row.action) + " " + row.body);
    World world;
    Server& s = *world.server;
    EXPECT_EQ(s.of("document:create", "d1", R"({"u":1})").status, 200);
    EXPECT_EQ(s.of("document:delete", "d1").status, 200);
    world.hold("d1");
    const Answer answer = world.run(row);
    EXPECT_FALSE(is_refused(answer)) << answer.status << answer.error();
    EXPECT_EQ(s.of("document:get", "d1").text("result._source"), R"({"u":2})");
    EXPECT_FALSE(is_held(world));
    EXPECT_EQ(in_trash(world), R"(held{"u":1})");
    // It is an ordinary document: it is deleted, and the held version stays.
    EXPECT_EQ(s.of("document:delete", "d1").status, 200);
    EXPECT_NE(in_trash(world).find(R"(held{"u":1})"), std::string::npos);
  }
}

TEST(KuzzleRevivalTest, AWriteThatChangesAHeldDocumentBringsItBackUnderItsHold) {
  for (const Case& row : rows) {
    if (!is_merged(row)) continue;
    SCOPED_TRACE(std::string(row.action) + " " + row.body);
    World world;
    Server& s = *world.server;
    EXPECT_EQ(s.of("document:create", "d1", R"({"u":1,"kept":1})").status, 200);
    EXPECT_EQ(s.of("document:delete", "d1").status, 200);
    world.hold("d1");
    const Answer answer = world.run(row);
    EXPECT_FALSE(is_refused(answer)) << answer.status << answer.error();
    EXPECT_EQ(s.of("document:get", "d1").text("result._source.kept"), "1");
    EXPECT_TRUE(is_held(world));
    EXPECT_EQ(in_trash(world), "");
  }
}

TEST(KuzzleRevivalTest, AWriteOverAnExpiredHeldDocumentLeavesItInTheTrashcan) {
  for (const Case& row : rows) {
    if (!row.creates) continue;
    SCOPED_TRACE(std::string(row.action) + " " + row.body);
    World world;
    Server& s = *world.server;
    world.put_mortal("d1");
    s.advance(2'000);
    world.hold("d1");
    const Answer answer = world.run(row);
    EXPECT_FALSE(is_refused(answer)) << answer.status << answer.error();
    EXPECT_EQ(s.of("document:get", "d1").text("result._source"), R"({"u":2})");
    EXPECT_FALSE(is_held(world));
    EXPECT_EQ(in_trash(world), R"(held{"u":1})");
  }
}

TEST(KuzzleRevivalTest, AnExpiredDocumentCannotBeDeleted) {
  World world;
  world.put_mortal("d1");
  world.server->advance(2'000);
  const Answer refused = world.server->call("document:mDelete", R"("body":{"ids":["d1"]})");
  EXPECT_EQ(refused.status, 206);
  EXPECT_EQ(refused.text("error.errors[0].reason"), R"("Document d1 does not exist")");
}

}  // namespace
}  // namespace mayfly::kuzzle
