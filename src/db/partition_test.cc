// Partitions that bodies name, and documents that are named by their ids alone.
#include "db/partition.h"

#include "db/testing.h"
#include "value/json.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

CollectionChange by_pk() {
  return {.keep_history_for = Span::seconds(1'000),
          .keep_trash_for = Span::infinite(),
          .body = BodyRules{.partition = {Path::of("pk")}}};
}

// The code and field of a failure; empty where there is none.
template <class T>
std::string failure(const Result<T>& result) {
  return result ? "" : result.error().field + (result.error().code == Code::invalid ? "!" : "?");
}

TEST(Partitions, AreReadFromBodiesAndToldByTheirValues) {
  BodyRules rules{.partition = {Path::of("t"), Path::of("u")}};
  const std::pair<const char*, const char*> rows[] = {{R"({"t":"a","u":1.5})", R"(["a",1.5])"},
                                                      {R"({"t":null,"u":true})", "[null,true]"},
                                                      {R"({"t":[1],"u":{}})", "[{},{}]"},
                                                      {R"({"u":2.0})", "[{},2]"}};
  for (const auto& [body, told] : rows) {
    const Bytes packed = must(pack_json(body));
    const Bytes routing =
        must(key_in_partition(rules, DocumentKey::of("x"), Packed(packed))).routing;
    EXPECT_EQ(render_partition(routing), told);
    EXPECT_EQ(must(parse_partition(rules, must(parse_json(told)))), routing);
  }
  const Bytes longer = must(pack_json(R"({"t":")" + std::string(400, 'x') + R"(","u":1})"));
  const Bytes digest = must(key_in_partition(rules, DocumentKey::of("x"), Packed(longer))).routing;
  EXPECT_EQ(must(parse_partition(rules, must(parse_json(render_partition(digest))))), digest);
  for (const char* wrong :
       {"1", "[1]", "[1,2,3]", "[[1],2]", R"([{"a":1},2])", R"([{"sha256":"ab"},2])"}) {
    EXPECT_EQ(failure(parse_partition(rules, must(parse_json(wrong)))), "partition!") << wrong;
  }
  EXPECT_EQ(failure(parse_partition({}, must(parse_json("[1]")))), "partition!");
  rules.may_lack_partition = true;
  EXPECT_EQ(must(parse_partition(rules, must(parse_json("[]")))), Bytes());
}

TEST(Partitions, AWriteGoesWhereItsBodySaysAndNowhereElse) {
  World w;
  const auto c = w.collection("c", by_pk());
  must(w.put(c, "x", R"({"pk":"a"})"));
  EXPECT_EQ(w.get(c, "x"), R"({"pk":"a"})");
  const Bytes a = routing_of({Value("a")}, false);
  const auto in_a = w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.put(c, {a, "x"}, TRY(pack_json(R"({"pk":"b"})")), {}));
    return {};
  });
  EXPECT_EQ(failure(in_a), "partition!");
  must(w.put(c, "x", R"({"pk":"b"})"));
  EXPECT_EQ(w.list(c), "x x");
}

TEST(Partitions, AnIdAloneNamesADocumentUnlessSeveralHaveIt) {
  World w;
  const auto c = w.collection("c", by_pk());
  for (int i = 0; i < 20; ++i) {
    must(w.put(c, "d" + std::to_string(i), R"({"pk":)" + std::to_string(i % 7) + "}"));
  }
  EXPECT_EQ(w.get(c, "d8"), R"({"pk":1})");
  EXPECT_EQ(w.get(c, "d"), "-");
  must(w.put(c, "d8", R"({"pk":"other"})"));
  EXPECT_EQ(failure(w.remove(c, "d8")), "partition!");
  must(w.remove(c, "d9"));
  EXPECT_EQ(w.get(c, "d9"), "-");
  must(w.restore(c, "d9"));
  EXPECT_EQ(w.get(c, "d9"), R"({"pk":2})");
  // Within one transaction, what it has removed is found as well.
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.remove(c, DocumentKey::of("d3"), {}));
    TRY(t.restore(c, DocumentKey::of("d3"), {}));
    return t.hold(c, DocumentKey::of("d3"), {.reason = "r"});
  }));
  EXPECT_EQ(failure(w.remove(c, "d3")), "id?");
  View view = w.database->view();
  EXPECT_EQ(must(view.history(*c, DocumentKey::of("d3"))).size(), 2U);
}

TEST(Partitions, WhatTheTrashNoLongerKeepsIsNotFoundByAnId) {
  World w;
  CollectionChange change = by_pk();
  change.keep_trash_for = Span::seconds(10);
  const auto c = w.collection("c", change);
  must(w.put(c, "d", R"({"pk":"a"})"));
  must(w.remove(c, "d"));
  w.clock.advance(Span::seconds(5));
  must(w.put(c, "d", R"({"pk":"b"})"));
  must(w.remove(c, "d"));
  EXPECT_EQ(failure(w.restore(c, "d")), "partition!");
  w.clock.advance(Span::seconds(6));
  must(w.restore(c, "d"));
  EXPECT_EQ(w.get(c, "d"), R"({"pk":"b"})");
}

Result<Instant> release_hold(World& w, const CollectionPtr& c, const DocumentKey& key,
                             std::optional<Instant> removed_at = {}) {
  return w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.release(c, key, "ann", removed_at); });
}

TEST(Partitions, AHoldIsReleasedByAnIdThatLivesInAnother) {
  World w;
  const auto c = w.collection("c", by_pk());
  const DocumentKey d = DocumentKey::of("d");
  const DocumentKey in_a{routing_of({Value("a")}, false), "d"};
  const DocumentKey in_b{routing_of({Value("b")}, false), "d"};
  const auto hold = [&](const DocumentKey& key) {
    must(w.database->transact([&](Transaction& t) { return t.hold(c, key, {.reason = "r"}); }));
  };
  must(w.put(c, "d", R"({"pk":"a"})"));
  must(w.remove(c, "d"));
  const auto removed = must(w.database->view().get_removed(*c, in_a));
  hold(d);
  must(w.put(c, "d", R"({"pk":"b"})"));
  EXPECT_EQ(failure(release_hold(w, c, in_b)), "id?");
  EXPECT_EQ(failure(release_hold(w, c, d)), "");
  EXPECT_EQ(failure(release_hold(w, c, d)), "id?");
  EXPECT_EQ(w.rows(keys::Table::hold, c), 0U);
  hold(in_a);
  EXPECT_EQ(failure(release_hold(w, c, d, removed->version.removed_at)), "");
  // Where several are held, the partition is needed.
  hold(in_a);
  hold(d);
  EXPECT_EQ(failure(release_hold(w, c, d)), "partition!");
  must(release_hold(w, c, in_a));
  EXPECT_EQ(failure(release_hold(w, c, d)), "");
  EXPECT_EQ(w.rows(keys::Table::hold, c), 0U);
}

TEST(Partitions, AHoldIsReleasedByItsIdInTheTransactionThatSetsOrMovesIt) {
  World w;
  const auto c = w.collection("c", by_pk());
  const DocumentKey d = DocumentKey::of("d");
  must(w.put(c, "d", R"({"pk":"a"})"));
  const auto act = [&](auto&& acts) { must(w.database->transact(acts)); };
  act([&](Transaction& t) -> Result<void> {
    TRY(t.hold(c, d, {}));
    TRY(t.release(c, d, ""));
    EXPECT_FALSE(t.release(c, d, ""));
    TRY(t.remove(c, d, {}));
    return {};
  });
  act([&](Transaction& t) -> Result<void> {
    TRY(t.hold(c, d, {}));
    TRY(t.release(c, d, ""));
    TRY(t.hold(c, d, {}));
    TRY(t.restore(c, d, {}));
    return t.release(c, d, "");
  });
  EXPECT_EQ(w.rows(keys::Table::hold, c), 0U);
  EXPECT_EQ(w.get(c, "d"), R"({"pk":"a"})");
  EXPECT_EQ(w.trash(c), "");
}

TEST(Partitions, AreSearchedForAnIdOnlyWhereTheyAreFew) {
  World w;
  const auto c = w.collection("c", by_pk());
  const auto fill = [&](std::size_t from, std::size_t to) {
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      for (std::size_t i = from; i < to; ++i) {
        TRY(t.put(c, DocumentKey::of("d" + std::to_string(i)),
                  TRY(pack_json(R"({"pk":)" + std::to_string(i) + "}")), {}));
      }
      return {};
    }));
  };
  fill(0, limits::searched_partitions_max);
  EXPECT_EQ(w.get(c, "d7"), R"({"pk":7})");
  fill(limits::searched_partitions_max, limits::searched_partitions_max + 1);
  View view = w.database->view();
  EXPECT_EQ(failure(view.get(*c, DocumentKey::of("d7"), view.live())), "partition!");
}

TEST(Partitions, OfDocumentsThatMayLackThemAnIdAloneIsThatOfOneWithout) {
  World w;
  CollectionChange change = by_pk();
  change.body->may_lack_partition = true;
  const auto c = w.collection("c", change);
  must(w.put(c, "x", "{}"));
  must(w.put(c, "x", R"({"pk":1})"));
  EXPECT_EQ(w.get(c, "x"), "{}");
  must(w.put(c, "y", R"({"pk":1})"));
  EXPECT_EQ(w.get(c, "y"), R"({"pk":1})");
}

}  // namespace
}  // namespace mayfly
