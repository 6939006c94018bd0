// Applying a schema: Mayfly's collections, their indexes, and failures.
#include "dialect/fauna/schema/apply.h"

#include <atomic>
#include <thread>

#include "dialect/fauna/push/http/testing.h"
#include "store/wrappers/forward.h"

namespace mayfly::fauna {
namespace {

std::atomic<int> commits_left{-1};  // before the store refuses commits; negative: never

class RefusingStore final : public store::Forward {
 public:
  using Forward::Forward;
  Result<void> commit(const store::CommitBatch& batch) override {
    if (commits_left == 0) return fail(Code::no_space, "the disk is full");
    if (commits_left > 0) --commits_left;
    return inner().commit(batch);
  }
};

class ApplyTest : public testing::SchemaTest {
 protected:
  ApplyTest() {
    commits_left = -1;
    auto store = store::open({.data = ":memory:"});
    EXPECT_TRUE(store);
    dialect.reset();
    events.reset();
    auto opened = Database::open(std::make_unique<RefusingStore>(std::move(*store)), clock);
    EXPECT_TRUE(opened);
    database = std::move(*opened);
    events = std::make_unique<EventHub>(*database);
    restart();
    run_steps({{"setup", "Collection.create({ name: 'First' }).name", "\"First\""}});
  }
  ~ApplyTest() override { commits_left = -1; }

  DatabaseId database_id() const { return database->catalog()->find_database("fauna")->id; }
  CollectionPtr core(const std::string& name) const {
    return database->catalog()->find_collection(database_id(), name);
  }
  void in_core(const std::function<Result<void>(Transaction&)>& work) {
    const auto done = database->transact(work);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
  }
  void hold(const std::string& collection, const std::string& id) {
    in_core([&](Transaction& t) -> Result<void> {
      return t.hold(core(collection), DocumentKey::of(id), {.by = "ann", .reason = "case 7"});
    });
  }
};

TEST_F(ApplyTest, ALateApplicationUndoesNothing) {
  run_steps({{"", "Collection.create({ name: 'A' }).name", "\"A\""}});
  View view = database->view();
  const auto version = schema_version(view, database_id());
  ASSERT_TRUE(version);
  run_steps({{"", "Collection.create({ name: 'B' }).name", "\"B\""}});
  const CollectionPtr before = core("B");
  // As if the thread with the first schema had reported last that it has finished.
  const CollectionPtr table = database->catalog()->find_internal(database_id(), "#fauna");
  CollectionChange late;
  late.facets["fauna applied"] = std::to_string(version->micros);
  ASSERT_TRUE(database->change_collection(table->id, late));
  ASSERT_TRUE(apply_schema(*database, database_id()));
  ASSERT_TRUE(core("B"));
  EXPECT_EQ(core("B")->id, before->id);
  run_steps({{"", "B.create({ a: 1 }).a", "1"}, {"", "A.create({ a: 1 }).a", "1"}});
}

TEST_F(ApplyTest, SchemasWrittenAtOnceAreAllApplied) {
  constexpr int each = 6;
  std::vector<std::thread> writers;
  for (const std::string principal : {"A", "B", "C"}) {
    writers.emplace_back([this, principal] {
      for (int i = 0; i < each; ++i) {
        const std::string name = principal + std::to_string(i);
        for (int attempt = 0; attempt < 100; ++attempt) {
          if (query("Collection.create({ name: '" + name + "' }).name").status() != 409) break;
        }
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  run_steps({{"", "Collection.all().count()", std::to_string(3 * each + 1)}});
  EXPECT_EQ(database->catalog()->collections(database_id()).size(), std::size_t{3 * each + 1});
}

TEST_F(ApplyTest, ACommittedQueryIsAnsweredBeforeItsSchemaIsApplied) {
  commits_left = 1;
  EXPECT_EQ(query("Collection.create({ name: 'Late' }).name").result(), "\"Late\"");
  EXPECT_EQ(commits_left, 0);
  EXPECT_FALSE(core("Late"));
  commits_left = -1;
  run_steps({{"", "Late.create({ a: 1 }).a", "1"}});
  commits_left = 1;
  const testing::Reply reply =
      post("update?force=true", {{"main.fsl",
                                  "collection First {}\ncollection Late {}\n"
                                  "collection Later {}"}});
  EXPECT_EQ(reply.status(), 200) << reply.response.body;
  EXPECT_FALSE(core("Later"));
  commits_left = -1;
  run_steps({{"", "Later.create({ a: 1 }).a", "1"}});
}

TEST_F(ApplyTest, ACollectionThatAnotherApiDropsIsMadeAgain) {
  run_steps({{"", "Collection.create({ name: 'A', constraints: [{ unique: ['a'] }] }).name"},
             {"", "A.create({ a: 1 }).a", "1"}});
  ASSERT_TRUE(database->drop_collection(core("A")->id));
  run_steps({{"", "secret secret:client"},
             {"", "A.create({ a: 1 })", "permission_denied: …"},
             {"", "secret secret"}});
  EXPECT_FALSE(core("A"));
  run_steps({{"", "A.all().count()", "0"},
             {"", "A.create({ a: 1 }).a", "1"},
             {"", "A.create({ a: 1 })", "constraint_failure: …"},
             {"", "A.all().count()", "1"}});
}

TEST_F(ApplyTest, ADatabaseThatAnotherApiDropsCanBeMadeAgain) {
  run_steps({{"", "Database.create({ name: 'app' }).name", "\"app\""},
             {"", "secret secret:app:admin"},
             {"", "Collection.create({ name: 'A' }).name"}});
  ASSERT_TRUE(database->drop({.databases = {database->catalog()->find_database("app")->id}}));
  EXPECT_EQ(query("1").status(), 401);
  run_steps({{"", "secret secret"},
             {"", "Database.byName('app')!.delete()", "null"},
             {"", "Database.create({ name: 'app' }).name", "\"app\""},
             {"", "secret secret:app:admin"},
             {"", "Collection.all().count()", "0"}});
}

TEST_F(ApplyTest, ACollectionWithHeldDocumentsIsNotDeleted) {
  run_steps({{"", "First.create({ id: 1, a: 1 }).a", "1"}});
  hold("First", "1");
  run_steps({
      {"", "First.definition.delete()",
       "constraint_failure: Failed to delete Collection `First`. [[] It has documents under "
       "hold.]"},
      {"", "First.byId(1)!.a", "1"},
      {"", "First.definition.name", "\"First\""},
  });
  EXPECT_NE(pushed("collection Other {}").find("It has documents under hold."), std::string::npos);
  in_core([&](Transaction& t) -> Result<void> {
    return t.release(core("First"), DocumentKey::of("1"), "ann");
  });
  run_steps({{"", "First.definition.delete().exists()", "false"}});
  EXPECT_FALSE(core("First"));
}

TEST_F(ApplyTest, ADatabaseWithHeldDocumentsIsNotDeleted) {
  run_steps({{"", "Database.create({ name: 'd' }).name", "\"d\""}});
  secret = "secret:d:admin";
  run_steps({{"", "Database.create({ name: 'sub' }).name", "\"sub\""}});
  secret = "secret:d/sub:admin";
  run_steps({{"", "Collection.create({ name: 'C' }).name", "\"C\""},
             {"", "C.create({ id: 1 }).id", "\"1\""}});
  const DatabaseId sub = database->catalog()->find_database("d.sub")->id;
  in_core([&](Transaction& t) -> Result<void> {
    return t.hold(database->catalog()->find_collection(sub, "C"), DocumentKey::of("1"),
                  {.by = "ann", .reason = "case 7"});
  });
  secret = "secret";
  run_steps({{"", "Database.byName('d')!.delete()",
              "constraint_failure: Failed to delete Database `d`. [[] It has documents under "
              "hold.]"},
             {"", "Database.byName('d').exists()", "true"}});
}

// A hold that is set between the commit and applying the schema.
TEST_F(ApplyTest, AHoldDoesNotKeepTheRestOfASchemaFromBeingApplied) {
  run_steps({{"", "First.create({ id: 1, a: 1 }).a", "1"}});
  commits_left = 1;
  run_steps(
      {{"", "First.definition.delete(); Collection.create({ name: 'Next' }).name", "\"Next\""}});
  commits_left = -1;
  hold("First", "1");
  run_steps({{"", "Next.create({ a: 1 }).a", "1"},
             {"", "Collection.all().map(.name).toArray()", R"(["Next"])"},
             {"", "Collection.create({ name: 'More' }).name", "\"More\""},
             {"", "More.create({ a: 1 }).a", "1"}});
  EXPECT_TRUE(core("First")) << "what is held is kept";
}

// A document that is written between the commit and the creation of the index.
TEST_F(ApplyTest, AConstraintWhoseIndexCannotBeBuiltFails) {
  commits_left = 1;
  run_steps({{"", R"(First.definition.update({ constraints: [{ unique: ["a"] }],
                       indexes: { byB: { terms: [".b"] } } }).constraints)",
              R"([{"unique":["a"],"status":"active"}])"}});
  commits_left = -1;
  in_core([&](Transaction& t) -> Result<void> {
    for (const char* id : {"1", "2"}) {
      TRY(t.put(core("First"), DocumentKey::of(id), TRY(pack_json(R"({"a":1,"b":5})")), {}));
    }
    return {};
  });
  run_steps({{"", "First.definition.constraints", R"([{"unique":["a"],"status":"failed"}])"},
             {"", "First.byB(5).count()", "2"},
             {"", "First.create({ a: 1 }).a", "1"},
             {"", "Collection.create({ name: 'Next' }).name", "\"Next\""},
             {"", "First.definition.constraints", R"([{"unique":["a"],"status":"failed"}])"},
             {"", "First.all().forEach(.delete()); First.definition.update({ data: { a: 1 } })"},
             {"", "First.definition.constraints", R"([{"unique":["a"],"status":"active"}])"},
             {"", "First.create({ a: 1 }).a", "1"},
             {"", "First.create({ a: 1 }).a", "constraint_failure: …"}});
}

// An existing document has a value that is too long for an index.
TEST_F(ApplyTest, AnIndexThatCannotBeBuiltFails) {
  const std::string big(5'000, 'x');
  run_steps(
      {{"", "First.create({ id: 1, a: '" + big + "' }).id", "\"1\""},
       {"", "First.definition.update({ indexes: { byA: { terms: ['.a'] } } }).name"},
       {"", "First.definition.indexes.byA.status", "\"failed\""},
       {"", "First.byA('x')", "invalid_index_invocation: The index `First.byA` is not queryable."},
       {"", "First.create({ a: '" + big + "' }).exists()", "true"},
       {"", "First.all().forEach(.delete()); First.definition.update({ data: { a: 1 } })"},
       {"", "First.definition.indexes.byA.status", "\"complete\""},
       {"", "First.byA('x').count()", "0"}});
}

TEST_F(ApplyTest, AnIndexMayHaveTheNameOfTheIdIndex) {
  run_steps({{"", "Collection.create({ name: 'C', indexes: { ids: { terms: ['.a'] } } }).name"},
             {"", "[3, 1, 2].forEach(n => C.create({ id: n, a: n }))"},
             {"", "C.ids(2).map(.a).toArray()", "[2]"},
             {"", "C.all().map(.a).toArray()", "[1,2,3]"}});
}

}  // namespace
}  // namespace mayfly::fauna
