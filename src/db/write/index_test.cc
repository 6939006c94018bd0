// Creating an index, and failing to.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "db/testing.h"
#include "store/wrappers/faulty.h"
#include "store/wrappers/forward.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

TEST(UnfinishedIndexTest, AnIndexThatCannotBeFinishedLeavesNothingBehind) {
  auto owned = std::make_unique<store::FaultyStore>(store::open_memory());
  store::FaultyStore& faulty = *owned;
  World w(std::move(owned));
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1})"));
  must(w.put(c, "b", R"({"n":2})"));
  const IndexSpec unique{"by_n", {{Field::body("n")}}, Uniqueness::of_complete};
  // Three commits: it is added to the catalog, filled, and made ready.
  faulty.fail_nth(store::StoreOperation::commit, 3, Code::no_space);
  const auto made = w.database->create_index(c->id, unique);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::no_space);
  EXPECT_EQ(w.now(c)->find_index("by_n"), nullptr);
  must(w.put(c, "c", R"({"n":1})"));
  EXPECT_EQ(w.rows(keys::Table::index, c), 0u);
}

// Does something before one of its reads.
class InterruptedStore final : public store::Forward {
 public:
  using Forward::Forward;
  std::function<void()> before_read;
  Result<store::ReadReply> read(const store::ReadBatch& batch,
                                const store::Snapshot* snapshot) override {
    if (before_read) std::exchange(before_read, nullptr)();
    return Forward::read(batch, snapshot);
  }
};

TEST(UnfinishedIndexTest, AnIndexThatIsDroppedMeanwhileTakesNoneOfItsNameWithIt) {
  auto owned = std::make_unique<InterruptedStore>(store::open_memory());
  InterruptedStore& interrupted = *owned;
  World w(std::move(owned));
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1,"m":1})"));
  interrupted.before_read = [&] {
    must(w.database->drop_index(c->id, "x"));
    must(w.database->create_index(c->id, {"x", {{Field::body("m")}}, Uniqueness::of_complete}));
  };
  const auto made = w.database->create_index(c->id, {"x", {{Field::body("n")}}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::not_found);
  ASSERT_NE(w.now(c)->find_index("x"), nullptr);
  EXPECT_FALSE(w.put(c, "b", R"({"n":2,"m":1})"));
}

TEST(DefinitionIndexTest, AnIndexThatBelongsToADefinitionIsNotDroppedByItself) {
  World w;
  IndexSpec spec{"by_n", {{Field::body("n")}}, Uniqueness::of_complete};
  spec.is_of_definition = true;
  const auto c = w.collection("c", {}, {spec, {"by_m", {{Field::body("m")}}}});
  const auto refused = w.database->drop_index(c->id, "by_n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::forbidden);
  EXPECT_EQ(refused.error().message,
            "the index belongs to the definition of the collection: change that");
  must(w.put(c, "a", R"({"n":1})"));
  EXPECT_FALSE(w.put(c, "b", R"({"n":1})"));
  must(w.database->drop_index(c->id, "by_m"));
  must(w.database->drop_any_index(c->id, "by_n"));
  must(w.put(c, "b", R"({"n":1})"));
}

TEST(DefinitionIndexTest, AChangeTakesOverTheIndexesOfItsDefinitionAsTheyAreSpecified) {
  World w;
  const IndexSpec by_n{"by_n", {{Field::body("n")}}, Uniqueness::of_complete};
  const IndexSpec cut{.name = "cut", .fields = {{Field::body("m")}}, .entries = Entries::cut};
  const auto c = w.collection("c", {}, {by_n});
  const auto change_to = [&](const IndexSpec& spec) {
    CollectionChange change;
    change.facets["definition"] = spec.name;
    change.definition_indexes = {spec};
    const auto changed = w.database->change_collection(c->id, change);
    return changed ? "" : std::string(name_of(changed.error().code));
  };
  const IndexSpec others[] = {{"by_m", by_n.fields, by_n.unique},
                              {"by_n", {{Field::body("m")}}, by_n.unique},
                              {"by_n", by_n.fields}};
  for (const IndexSpec& other : others) EXPECT_EQ(change_to(other), "stale");
  EXPECT_FALSE(w.now(c)->facets.contains("definition"));
  EXPECT_FALSE(w.now(c)->find_index("by_n")->is_of_definition);
  EXPECT_EQ(change_to(cut), "");  // no answer depends on it
  EXPECT_EQ(change_to(by_n), "");
  EXPECT_TRUE(w.now(c)->find_index("by_n")->is_of_definition);
  w.change(c, {.keep_feed_for = Span::seconds(1)});
  EXPECT_FALSE(w.database->drop_index(c->id, "by_n"));
}

// Documents whose routing is the value of `p`, or the byte '?' if there is none.
class UniqueOfRoutingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    c_ = w_.collection("c", {},
                       {{"by_p_a_b",
                         {{Field::body("p")}, {Field::body("a")}, {Field::body("b")}},
                         Uniqueness::of_routing}});
  }

  // "" if the put succeeds.
  std::string put(const std::string& id, const std::string& json, Lifetime lifetime = Never{}) {
    const Value routing = must(parse_json(json)).member("p");
    const auto put = w_.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(w_.now(c_), {routing.is_missing() ? "?" : render_json(routing), id},
                TRY(pack_json(json)), {.lifetime = lifetime}));
      return {};
    });
    return put ? "" : std::string(name_of(put.error().code));
  }

  World w_;
  CollectionPtr c_;
};

TEST_F(UniqueOfRoutingTest, WhatIsMissingCountsAsNull) {
  EXPECT_EQ(put("1", R"({"p":1,"a":1})"), "");
  EXPECT_EQ(put("2", R"({"p":1,"a":1})"), "exists");
  EXPECT_EQ(put("2", R"({"p":1,"a":1,"b":null})"), "exists");
  EXPECT_EQ(put("2", R"({"p":1,"a":1,"b":0})"), "");
  EXPECT_EQ(put("3", R"({"p":1})"), "");
  EXPECT_EQ(put("4", R"({"p":1,"a":null})"), "exists");
  EXPECT_EQ(put("3", R"({"p":1,"b":null,"n":1})"), "");
  EXPECT_EQ(put("1", R"({"p":1,"a":2})"), "");
  EXPECT_EQ(put("5", R"({"p":1,"a":1})"), "");
}

TEST_F(UniqueOfRoutingTest, EqualValuesMayHaveAnotherRouting) {
  EXPECT_EQ(put("1", R"({"p":1,"a":1})"), "");
  EXPECT_EQ(put("1", R"({"p":2,"a":1})"), "");
  EXPECT_EQ(put("1", R"({"p":null,"a":1})"), "");
  EXPECT_EQ(put("2", R"({"a":1})"), "");
  EXPECT_EQ(put("3", R"({"a":1})"), "exists");
  EXPECT_EQ(put("3", R"({"p":null,"a":1})"), "exists");
}

TEST_F(UniqueOfRoutingTest, ExpiredDocumentsLeaveTheirValuesFree) {
  EXPECT_EQ(put("1", R"({"p":1,"a":1})", At{second(1'010)}), "");
  EXPECT_EQ(put("2", R"({"p":1,"a":1})"), "exists");
  w_.clock.set(second(1'010));
  EXPECT_EQ(put("2", R"({"p":1,"a":1})"), "");
  EXPECT_EQ(put("1", R"({"p":1,"a":1})"), "exists");
  w_.sweep();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::index, c_), 1u);
}

TEST_F(UniqueOfRoutingTest, ItIsNotMadeOverTwoLivingDocumentsThatLackTheSame) {
  must(w_.database->drop_index(c_->id, "by_p_a_b"));
  EXPECT_EQ(put("1", R"({"p":1})", At{second(1'010)}), "");
  EXPECT_EQ(put("2", R"({"p":1,"a":null})"), "");
  const IndexSpec spec{"by_p_a", {{Field::body("p")}, {Field::body("a")}}, Uniqueness::of_routing};
  EXPECT_EQ(w_.database->create_index(c_->id, spec).error().code, Code::exists);
  w_.clock.set(second(1'010));
  must(w_.database->create_index(c_->id, spec));
  EXPECT_EQ(put("1", R"({"p":1})"), "exists");
}

// An index of truncated values over the maximum number of fields, made over existing documents.
TEST(CutIndexTest, ItTakesAnyDocument) {
  World w;
  const auto c = w.collection("c");
  IndexSpec spec{.name = "by_all", .entries = Entries::cut};
  std::string body;
  for (std::size_t i = 0; i < limits::fields_per_index_max; ++i) {
    const std::string name = "f" + std::to_string(i);
    spec.fields.push_back({Field::body(name), i % 2 == 0});
    const char* const values[] = {R"(",)", R"(","g":{"x":[]},)"};
    body += '"' + name + R"(":")" + std::string(60'000, 'x') + values[i == 0 ? 1 : 0];
  }
  const std::string json = "{" + body.substr(0, body.size() - 1) + "}";
  const DocumentKey longest{Bytes(limits::routing_bytes_max, '\0'),
                            std::string(limits::document_id_bytes_max, 'i')};
  const auto put = [&](const DocumentKey& key, const std::string& text) {
    return w.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(w.now(c), key, TRY(pack_json(text)), {}));
      return {};
    });
  };
  must(put(longest, json));
  must(put(DocumentKey::of("b"), "{}"));
  must(w.database->create_index(c->id, spec));
  must(put(DocumentKey::of("c"), R"({"f0":[1,2],"f1":{"a":1}})"));
  EXPECT_EQ(w.rows(keys::Table::index, c), 3u);
  must(put(longest, R"({"f0":null})"));
  must(put(longest, json));
  must(w.remove(c, "b"));
  EXPECT_EQ(w.rows(keys::Table::index, c), 2u);
}

TEST(CutIndexTest, ItIsNotUnique) {
  World w;
  const auto c = w.collection("c");
  const auto made = w.database->create_index(
      c->id, {"u", {{Field::body("n")}}, Uniqueness::of_complete, Entries::cut});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::invalid);
}

TEST(CutIndexTest, ItsEntriesExpireWithTheirDocuments) {
  World w;
  const auto c =
      w.collection("c", {}, {{"by_n", {{Field::body("n")}}, Uniqueness::none, Entries::cut}});
  must(w.put(c, "a", R"({"n":[1]})", At{second(1'010)}));
  must(w.put(c, "b", R"({"n":")" + std::string(5'000, 'x') + R"("})", At{second(1'020)}));
  EXPECT_EQ(w.list_index(c, "by_n"), "b a");
  w.clock.set(second(1'010));
  EXPECT_EQ(w.list_index(c, "by_n"), "b");
  w.clock.set(second(1'020));
  EXPECT_EQ(w.list_index(c, "by_n"), "");
  w.sweep();
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::index, c), 0u);
}

}  // namespace
}  // namespace mayfly
