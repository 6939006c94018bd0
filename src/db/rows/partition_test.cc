// Partitions that bodies name, and documents found by their ids alone.
#include "db/rows/partition.h"

#include "base/threads/no_wait.h"
#include "base/threads/run_permit.h"
#include "db/limits.h"
#include "db/testing.h"
#include "store/wrappers/forward.h"
#include "value/json/json.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

CollectionChange by_pk() {
  return {.keep_history_for = Span::seconds(1'000),
          .keep_trash_for = Span::infinite(),
          .body = BodyRules{.partition = {Path::of("pk")}}};
}

// The code and field of a failure; empty if there is none.
template <class T>
std::string failure(const Result<T>& result) {
  return result ? "" : result.error().field + (result.error().code == Code::invalid ? "!" : "?");
}

TEST(Partitions, AreReadFromBodiesAndNamedByTheirValues) {
  BodyRules rules{.partition = {Path::of("t"), Path::of("u")}};
  const std::pair<const char*, const char*> rows[] = {{R"({"t":"a","u":1.5})", R"(["a",1.5])"},
                                                      {R"({"t":null,"u":true})", "[null,true]"},
                                                      {R"({"t":[1],"u":{}})", "[{},{}]"},
                                                      {R"({"u":2.0})", "[{},2]"}};
  for (const auto& [body, rendered] : rows) {
    const Bytes packed = must(pack_json(body));
    const Bytes routing =
        must(key_in_partition(rules, DocumentKey::of("x"), Packed(packed))).routing;
    EXPECT_EQ(render_partition(routing), rendered);
    EXPECT_EQ(must(parse_partition(rules, must(parse_json(rendered)))), routing);
    // Whether the routing gives the values: an array and a missing value look alike.
    const auto values = values_in_routing(routing, 2);
    EXPECT_EQ(values.has_value(), std::string_view(rendered).find("{}") == std::string_view::npos);
    EXPECT_EQ(routing_of(values.value_or(PartitionValues{}), false), values ? routing : Bytes());
    EXPECT_FALSE(values_in_routing(routing, 1));
  }
  EXPECT_FALSE(values_in_routing({}, 1));
  const Bytes longer = must(pack_json(R"({"t":")" + std::string(400, 'x') + R"(","u":1})"));
  const Bytes digest = must(key_in_partition(rules, DocumentKey::of("x"), Packed(longer))).routing;
  EXPECT_EQ(must(parse_partition(rules, must(parse_json(render_partition(digest))))), digest);
  EXPECT_FALSE(values_in_routing(digest, 2));
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
  // Within one transaction, a document that it has removed is found as well.
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
  // If several are held, the partition is needed.
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

// Puts documents d0, d1, … each into a partition of its own, from one number to before another.
void fill(World& w, const CollectionPtr& c, std::size_t from, std::size_t to) {
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (std::size_t i = from; i < to; ++i) {
      TRY(t.put(w.now(c), DocumentKey::of("d" + std::to_string(i)),
                TRY(pack_json(R"({"pk":)" + std::to_string(i) + "}")), {}));
    }
    return {};
  }));
}

TEST(Partitions, AreSearchedForAnIdOnlyWhereTheyAreFew) {
  World w;
  const auto c = w.collection("c", by_pk());
  fill(w, c, 0, limits::searched_partitions_max);
  EXPECT_EQ(w.get(c, "d7"), R"({"pk":7})");
  fill(w, c, limits::searched_partitions_max, limits::searched_partitions_max + 1);
  View view = w.database->view();
  EXPECT_EQ(failure(view.get(*c, DocumentKey::of("d7"), view.live())), "partition!");
}

// --- expired documents, which may have been collected already ---

constexpr std::size_t too_many = limits::searched_partitions_max + 1;

TEST(Partitions, OfExpiredDocumentsAreNotSearchedForAnId) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(After{Span::seconds(1)}),
                                    .body = BodyRules{.partition = {Path::of("pk")}}});
  fill(w, c, 0, too_many);
  w.clock.advance(Span::seconds(2));
  for (const bool compacts : {false, true}) {
    if (compacts) w.compact();
    must(w.put(c, "x", R"({"pk":"new"})"));
    View view = w.database->view();
    const auto found = view.get(*c, DocumentKey::of("x"), view.live());
    EXPECT_EQ(failure(found), "");
    EXPECT_TRUE(found && *found);
    EXPECT_EQ(failure(w.remove(c, "x")), "");
    EXPECT_EQ(failure(w.remove(c, "d7")), "id?");
  }
}

TEST(Partitions, OfWhatTheTrashAndTheHistoryNoLongerKeepAreNotSearchedForAnId) {
  World w;
  CollectionChange change = by_pk();
  change.keep_trash_for = change.keep_history_for = Span::seconds(10);
  const auto c = w.collection("c", change);
  fill(w, c, 0, too_many);
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (std::size_t i = 0; i < too_many; ++i) {
      const Bytes routing = routing_of({Value(static_cast<std::int64_t>(i))}, false);
      TRY(t.remove(c, {routing, "d" + std::to_string(i)}, {}));
    }
    return {};
  }));
  EXPECT_EQ(failure(w.restore(c, "d7")), "partition!");
  w.clock.advance(Span::seconds(11));
  EXPECT_EQ(w.rows(keys::Table::trash, c), too_many);
  EXPECT_EQ(w.rows(keys::Table::history, c), too_many);
  const auto put_x = must(w.put(c, "x", R"({"pk":"new"})"));
  must(w.remove(c, "x"));
  View view = w.database->view();
  EXPECT_EQ(must(view.history(*c, DocumentKey::of("x"))).size(), 1U);
  EXPECT_EQ(w.get_as_of(c, "x", put_x), R"({"pk":"new"})");
  EXPECT_EQ(failure(w.restore(c, "x")), "");
  must(w.remove(c, "x"));
  const auto forget = w.database->transact(
      [&](Transaction& t) { return t.forget(c, DocumentKey::of("x"), "ann"); });
  EXPECT_EQ(failure(forget), "");
}

TEST(Partitions, AreSearchedBeyondExpiredDocumentsBeforeTheLiving) {
  World w;
  const auto c = w.collection("c", by_pk());
  const auto fill_one = [&](const std::string& pk) {
    for (int i = 0; i < 10; ++i) {
      must(
          w.put(c, "a" + std::to_string(i), R"({"pk":")" + pk + "\"}", At{testing::second(1'010)}));
    }
  };
  fill_one("p");
  fill_one("q");
  must(w.put(c, "x", R"({"pk":"p"})"));
  must(w.put(c, "y", R"({"pk":"q"})"));
  w.clock.set(testing::second(1'010));
  EXPECT_EQ(w.get(c, "x"), R"({"pk":"p"})");
  EXPECT_EQ(w.get(c, "y"), R"({"pk":"q"})");
  EXPECT_EQ(w.get(c, "a1"), "-");
  must(w.put(c, "a1", R"({"pk":"q"})"));
  EXPECT_EQ(w.get(c, "a1"), R"({"pk":"q"})");
}

class EndedPermit final : public RunPermit {
 public:
  Result<void> renew() override { return fail(Code::timed_out, "the client has gone"); }
  bool is_cancelled() const override { return true; }
  void report_peak(std::size_t) override {}
};

TEST(Partitions, AreSearchedBeyondExpiredDocumentsForAsLongAsTheRequestMayRun) {
  World w;
  const auto c = w.collection("c", by_pk());
  must(w.put(c, "a", R"({"pk":"p"})", At{testing::second(1'010)}));
  must(w.put(c, "x", R"({"pk":"p"})"));
  const auto get = [&] {
    View view = w.database->view();
    return view.get(*c, DocumentKey::of("x"), view.live());
  };
  EndedPermit ended;
  const RunPermitScope scope(ended);
  EXPECT_TRUE(get());
  w.clock.set(testing::second(1'010));
  EXPECT_EQ(get().error().code, Code::timed_out);
  const NoWait no_wait;
  EXPECT_EQ(get().error().code, Code::contended);
  EXPECT_TRUE(no_wait.has_refused());
}

TEST(Partitions, ThatAreManyAreSearchedOffTheLoopAndOnlyWhileTheRequestLasts) {
  World w;
  const auto c = w.collection("c", by_pk());
  const auto get = [&] {
    View view = w.database->view();
    return view.get(*c, DocumentKey::of("d7"), view.live());
  };
  EndedPermit ended;
  const RunPermitScope scope(ended);
  fill(w, c, 0, 16);
  {
    const NoWait no_wait;
    EXPECT_TRUE(get());
    EXPECT_FALSE(no_wait.has_refused());
  }
  fill(w, c, 16, 17);
  EXPECT_EQ(get().error().code, Code::timed_out);
  EXPECT_EQ(w.remove(c, "d7").error().code, Code::timed_out);
  const NoWait no_wait;
  EXPECT_EQ(get().error().code, Code::contended);
  EXPECT_TRUE(no_wait.has_refused());
}

TEST(Partitions, OfTheTrashLoseNothingWhenADocumentWithoutOneIsForgotten) {
  World w;
  CollectionChange change = by_pk();
  change.body->may_lack_partition = true;
  const auto c = w.collection("c", change);
  for (const char* body : {"{}", R"({"pk":"a"})", R"({"pk":"b"})"}) {
    must(w.put(c, "d", body));
    must(w.remove(c, "d"));
  }
  const auto forget = [&](const DocumentKey& key) {
    return w.database->transact([&](Transaction& t) { return t.forget(c, key, "ann"); });
  };
  EXPECT_EQ(failure(forget(DocumentKey::of("d"))), "");
  EXPECT_EQ(w.trash(c), "d d");
  EXPECT_EQ(failure(forget({routing_of({Value("a")}, true), "d"})), "");
  must(w.put(c, "d", "{}"));
  must(w.remove(c, "d"));
  EXPECT_EQ(failure(forget(DocumentKey::of("d"))), "");
  EXPECT_EQ(w.trash(c), "d");
}

TEST(Partitions, OfTheTrashAreSearchedOnceTheDeathsAreRecordedThatFillIt) {
  using Act = Result<void> (*)(Transaction&, const CollectionPtr&);
  const std::pair<const char*, Act> acts[] = {
      {"restore", [](Transaction& t,
                     const CollectionPtr& c) { return t.restore(c, DocumentKey::of("d"), {}); }},
      {"forget", [](Transaction& t,
                    const CollectionPtr& c) { return t.forget(c, DocumentKey::of("d"), "ann"); }},
      {"hold",
       [](Transaction& t, const CollectionPtr& c) { return t.hold(c, DocumentKey::of("d"), {}); }}};
  for (const auto& [name, act] : acts) {
    World w;
    CollectionChange change = by_pk();
    change.expires_to_trash = true;
    change.body->may_lack_partition = true;
    const auto c = w.collection("c", change);
    for (const char* body : {R"({"pk":"a"})", R"({"pk":"b"})"}) {
      must(w.put(c, "d", body));
      must(w.remove(c, "d"));
    }
    must(w.put(c, "d", "{}", At{testing::second(1'010)}));
    w.clock.set(testing::second(1'010));
    const auto done = w.database->transact([&](Transaction& t) { return act(t, c); });
    EXPECT_EQ(failure(done), "") << name;
  }
}

// --- how much one transaction searches ---

// Counts the guards of the last commit.
class GuardCounter final : public store::Forward {
 public:
  GuardCounter(std::unique_ptr<store::Store> below, std::size_t& points, std::size_t& ranges)
      : Forward(std::move(below)), points_(points), ranges_(ranges) {}
  Result<void> commit(const store::CommitBatch& batch) override {
    points_ = batch.points.size();
    ranges_ = batch.ranges.size();
    return Forward::commit(batch);
  }

 private:
  std::size_t& points_;
  std::size_t& ranges_;
};

TEST(Partitions, AreGuardedOnceHoweverManyIdsATransactionLooksForInThem) {
  constexpr std::size_t partitions = 10;
  constexpr std::size_t documents = 40;
  std::size_t points = 0;
  std::size_t ranges = 0;
  World w(std::make_unique<GuardCounter>(store::open_memory(), points, ranges));
  const auto c = w.collection("c", by_pk());
  for (std::size_t i = 0; i < documents; ++i) {
    must(w.put(c, "d" + std::to_string(i), R"({"pk":)" + std::to_string(i % partitions) + "}"));
  }
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (std::size_t i = 0; i < documents; ++i) {
      TRY(t.remove(c, DocumentKey::of("d" + std::to_string(i)), {}));
    }
    return {};
  }));
  EXPECT_EQ(w.list(c), "");
  EXPECT_LE(points, documents * partitions);
  EXPECT_LE(ranges, 3 * partitions);
}

TEST(Partitions, ThatOneTransactionSearchesAreBounded) {
  constexpr std::size_t searches_max =
      limits::transaction_searched_partitions_max / limits::searched_partitions_max;
  World w;
  const auto c = w.collection("c", by_pk());
  fill(w, c, 0, limits::searched_partitions_max);
  std::size_t searches = 0;
  const auto refused = w.database->transact([&](Transaction& t) -> Result<void> {
    for (; searches < 2 * searches_max; ++searches) {
      EXPECT_FALSE(t.is_full());
      const auto found = t.view().locate(*c, DocumentKey::of("none"), t.view().live());
      if (found) continue;
      EXPECT_TRUE(t.is_full());
      return tl::unexpected(found.error());
    }
    return {};
  });
  EXPECT_EQ(searches, searches_max);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::too_large);
  EXPECT_EQ(refused.error().field, "partition");
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

TEST(Partitions, TheHistoryOfADocumentWithoutOneIsItsOwn) {
  World w;
  CollectionChange change = by_pk();
  change.body->may_lack_partition = true;
  change.keep_history_for = Span::seconds(1'000);
  const auto c = w.collection("c", change);
  for (int i = 0; i < 2; ++i) must(w.put(c, "x", R"({"pk":1})"));
  must(w.put(c, "x", "{}"));
  View view = w.database->view();
  const auto versions = must(view.history(*w.now(c), DocumentKey::of("x")));
  ASSERT_EQ(versions.size(), 1u);
  EXPECT_EQ(versions.front().body.json(), "{}");
}

}  // namespace
}  // namespace mayfly
