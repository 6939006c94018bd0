#include "query/vectors/vector_indexes.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/random.h"
#include "query/testing.h"

namespace mayfly::query {
namespace {

using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

IndexSpec by_writing() {
  return {.name = "by writing", .fields = {{Field::metadata("written_at")}}};
}

std::string vector_json(const std::vector<float>& vector) {
  std::string text;
  for (const float x : vector) text += (text.empty() ? "" : ",") + std::to_string(x);
  return R"({"v":[)" + text + "]}";
}

// How many bytes an index of so many documents with vectors of two dimensions takes.
std::size_t bytes_of_documents(std::size_t count) {
  return VectorGraph::bytes_of(count, 2) + count * limits::vector_document_bytes;
}

class VectorIndexesTest : public ::testing::Test {
 protected:
  VectorField field(VectorMetric metric = VectorMetric::euclidean, std::size_t dimensions = 2) {
    return {c->id, Path::of("v"), metric, dimensions};
  }
  void put(const std::string& id, const std::vector<float>& vector, PutOptions options = {}) {
    must(w.put(c, id, vector_json(vector), options));
  }
  void build() {
    for (int runs = 0; w.database->jobs().run_due() > 0 && runs < 100; ++runs) {
    }
  }
  // The nearest documents among the candidates, nearest first; "-" if the index proposes none.
  std::string nearest(const std::vector<float>& vector, std::size_t count, VectorField of) {
    View view = w.database->view();
    const auto keys = must(indexes.candidates(of, vector, count, view, {}));
    if (!keys) return "-";
    const auto rows = make(Lookup{w.now(c), view.live(), *keys});
    Array point;
    for (const float x : vector) point.emplace_back(x);
    const auto by = expr::call("vector_distance", {expr::body("v"), expr::literal(Value(point))});
    return rows_of(slice(sort(rows, {{by}}, Ties::ascending), 0, count), view);
  }
  std::string nearest(const std::vector<float>& vector, std::size_t count) {
    return nearest(vector, count, field());
  }

  World w;
  CollectionPtr c = w.collection("c", {}, {by_writing()});
  VectorIndexes indexes{*w.database};
};

TEST_F(VectorIndexesTest, TheFirstQueryMakesTheJobBuildItForLaterQueries) {
  put("a", {0, 0});
  put("b", {1, 0});
  put("c", {9, 9});
  EXPECT_EQ(nearest({0, 0}, 2), "-");
  build();
  EXPECT_EQ(nearest({0, 0}, 2), "a b");
  EXPECT_EQ(nearest({8, 8}, 1), "c");
}

TEST_F(VectorIndexesTest, DocumentsWrittenSinceAreCandidates) {
  put("a", {0, 0});
  put("b", {5, 5});
  nearest({0, 0}, 1);
  build();
  put("new", {0.1F, 0});
  put("a", {7, 7});
  EXPECT_EQ(nearest({0, 0}, 2), "new b");
  EXPECT_EQ(nearest({7, 7}, 1), "a");
}

TEST_F(VectorIndexesTest, ExpiredAndRemovedDocumentsAreNotReturned) {
  put("a", {0, 0}, {.lifetime = At{second(2'000)}});
  put("b", {1, 0});
  put("c", {2, 0});
  nearest({0, 0}, 1);
  build();
  EXPECT_EQ(nearest({0, 0}, 3), "a b c");
  w.clock.set(second(2'000));
  must(w.remove(c, "b"));
  EXPECT_EQ(nearest({0, 0}, 3), "c");
  put("a", {3, 0});
  EXPECT_EQ(nearest({0, 0}, 3), "c a");
  indexes.report_expired(field());
  build();
  EXPECT_EQ(nearest({0, 0}, 3), "c a");
}

TEST_F(VectorIndexesTest, AViewOlderThanTheIndexScansAllDocuments) {
  put("a", {0, 0});
  nearest({0, 0}, 1);
  build();
  View before = w.database->view();
  w.clock.set(second(2'000));
  for (std::size_t i = 0; i < limits::vector_tail_wakes; ++i) put(std::to_string(i), {5, 5});
  nearest({0, 0}, 1);
  build();
  EXPECT_FALSE(must(indexes.candidates(field(), {0, 0}, 1, before, {})));
}

TEST_F(VectorIndexesTest, AfterTooManyWritesAllAreScannedUntilTheJobHasRun) {
  put("a", {0, 0});
  nearest({0, 0}, 1);
  build();
  for (std::size_t i = 0; i <= limits::vector_tail_max; ++i) {
    put(std::to_string(i), {5 + static_cast<float>(i) / 100, 5});
  }
  put("near", {0.5F, 0});
  EXPECT_EQ(nearest({0, 0}, 1), "-");
  build();
  EXPECT_EQ(nearest({0, 0}, 2), "a near");
  put("a", {6, 6});
  EXPECT_EQ(nearest({0, 0}, 1), "near");
}

TEST_F(VectorIndexesTest, DocumentsWithoutADistanceAreProposedWhereTheyComeFirst) {
  put("a", {0, 0});
  must(w.put(c, "bare", R"({"v":[1]})"));
  nearest({0, 0}, 1);
  nearest({0, 0}, 1, field(VectorMetric::cosine));
  build();
  EXPECT_EQ(nearest({0, 0}, 2), "bare a");
  View view = w.database->view();
  const auto keys = must(indexes.candidates(field(VectorMetric::cosine), {1, 0}, 2, view, {}));
  ASSERT_TRUE(keys);
  EXPECT_TRUE(keys->empty());  // a vector of length zero has no angle
}

TEST_F(VectorIndexesTest, BeyondItsBoundsAllDocumentsAreScanned) {
  put("a", {0, 0});
  nearest({0, 0}, 1);
  build();
  EXPECT_EQ(nearest({0, 0}, limits::vector_nearest_max + 1), "-");
  EXPECT_EQ(nearest({0, 0, 0}, 1), "-");
  const std::vector<float> long_one(limits::vector_dimensions_max + 1, 1);
  EXPECT_EQ(nearest(long_one, 1, field(VectorMetric::cosine, long_one.size())), "-");
  build();
  EXPECT_EQ(nearest(long_one, 1, field(VectorMetric::cosine, long_one.size())), "-");
  for (std::size_t i = 0; i < limits::vector_bare_max + 1; ++i) {
    must(w.put(c, "bare" + std::to_string(i), "{}"));
  }
  nearest({0, 0}, 1);
  build();
  EXPECT_EQ(nearest({0, 0}, 1), "-");
}

TEST_F(VectorIndexesTest, IfTooManyHaveNoVectorAllAreScannedAlsoOnceOneHas) {
  must(w.put(c, "z", "{}"));
  for (std::size_t i = 0; i < limits::vector_bare_max + 1; ++i) {
    must(w.put(c, "bare" + std::to_string(i), "{}"));
  }
  nearest({0, 0}, 1);
  build();
  put("bare0", {5, 5});
  nearest({0, 0}, 1);
  build();
  EXPECT_EQ(nearest({0, 0}, 1), "-");
}

TEST_F(VectorIndexesTest, ExpiredDocumentsWithoutAVectorAreRemoved) {
  put("a", {0, 0});
  nearest({0, 0}, 1);
  build();
  for (const std::int64_t round : {0, 1, 2}) {
    const Instant end = second(2'000 + round);
    for (std::size_t i = 0; i < limits::vector_bare_max / 2; ++i) {
      must(w.put(c, std::to_string(round) + "-" + std::to_string(i), "{}", At{end}));
    }
    nearest({0, 0}, 1);
    build();
    w.clock.set(end);
    indexes.report_expired(field());
    build();
  }
  EXPECT_EQ(nearest({0, 0}, 1), "a");
}

TEST_F(VectorIndexesTest, ThereAreNoMoreIndexesThanTheBound) {
  put("a", {1, 1});
  for (std::size_t i = 0; i < limits::vector_indexes_max; ++i) {
    VectorField other = field();
    other.path = Path::of("v" + std::to_string(i));
    nearest({0, 0}, 1, other);
  }
  nearest({0, 0}, 1);
  build();
  EXPECT_EQ(nearest({0, 0}, 1), "-");
}

TEST(VectorIndexesOfMemoryTest, AnIndexThatDoesNotFitIsGivenUp) {
  World w;
  const CollectionPtr c = w.collection("c", {}, {by_writing()});
  VectorIndexes indexes(*w.database, bytes_of_documents(200));
  for (int i = 0; i < 300; ++i) {
    must(w.put(c, std::to_string(i), vector_json({static_cast<float>(i), 0})));
  }
  const VectorField field{c->id, Path::of("v"), VectorMetric::euclidean, 2};
  for (int i = 0; i < 3; ++i) {
    View view = w.database->view();
    EXPECT_FALSE(must(indexes.candidates(field, {0, 0}, 1, view, {})));
    for (int runs = 0; w.database->jobs().run_due() > 0 && runs < 100; ++runs) {
    }
  }
}

TEST(VectorIndexesOfMemoryTest, ExpiredDocumentsDoNotFillIt) {
  World w;
  const CollectionPtr c = w.collection("c", {}, {by_writing()});
  VectorIndexes indexes(*w.database, bytes_of_documents(200));
  const VectorField field{c->id, Path::of("v"), VectorMetric::euclidean, 2};
  const auto is_served = [&] {
    View view = w.database->view();
    return must(indexes.candidates(field, {0, 0}, 10, view, {})).has_value();
  };
  for (int round = 0; round < 5; ++round) {
    const Instant end = second(2'000 + 1'000 * round);
    for (int i = 0; i < 150; ++i) {
      must(w.put(c, std::to_string(round) + "-" + std::to_string(i),
                 vector_json({static_cast<float>(i), 0}), At{end}));
    }
    is_served();
    for (int runs = 0; w.database->jobs().run_due() > 0 && runs < 100; ++runs) {
    }
    EXPECT_TRUE(is_served()) << round;
    w.clock.set(end);
  }
}

TEST_F(VectorIndexesTest, WhenMostDocumentsHaveExpiredItIsBuiltAgain) {
  for (int i = 0; i < 90; ++i)
    put("old" + std::to_string(i), {0, 0}, {.lifetime = At{second(2'000)}});
  put("a", {1, 0});
  put("b", {2, 0});
  nearest({0, 0}, 1);
  build();
  w.clock.set(second(2'000));
  EXPECT_EQ(nearest({0, 0}, 2), "");
  indexes.report_expired(field());
  build();
  EXPECT_EQ(nearest({0, 0}, 2), "a b");
}

TEST_F(VectorIndexesTest, TheIndexOfADroppedCollectionIsRemoved) {
  put("a", {0, 0});
  nearest({0, 0}, 1);
  build();
  must(w.database->drop_collection(c->id));
  View view = w.database->view();
  EXPECT_FALSE(must(indexes.candidates(field(), {0, 0}, 1, view, {})));
  indexes.report_expired(field());
  build();
}

// Vectors of 32 dimensions that vary in 8 directions, as the vectors of models do.
TEST_F(VectorIndexesTest, RecallOfTheTenNearestIsAtLeast95Percent) {
  constexpr std::size_t dimensions = 32;
  constexpr std::size_t ways = 8;
  Random random(7);
  const auto number = [&] { return static_cast<float>(random.below(2'000)) / 1'000 - 1; };
  std::vector<float> spread(dimensions * ways);
  for (float& x : spread) x = number();
  const auto vector = [&] {
    std::vector<float> made(dimensions);
    for (std::size_t way = 0; way < ways; ++way) {
      const float along = number();
      for (std::size_t i = 0; i < dimensions; ++i) made[i] += along * spread[way * dimensions + i];
    }
    return made;
  };
  for (int i = 0; i < 1'500; ++i) put(std::to_string(i), vector());
  const VectorField of = field(VectorMetric::euclidean, dimensions);
  nearest(vector(), 10, of);
  build();
  std::size_t found = 0;
  for (int i = 0; i < 20; ++i) {
    const std::vector<float> point = vector();
    View view = w.database->view();
    Array literal;
    for (const float x : point) literal.emplace_back(x);
    const auto by = expr::call("vector_distance", {expr::body("v"), expr::literal(Value(literal))});
    const auto all = sort(scan(w.now(c), view.live()), {{by}}, Ties::ascending);
    const auto exact = must(answer(slice(all, 0, 10), view, {.rows_max = 10}));
    const auto keys = must(indexes.candidates(of, point, 10, view, {}));
    ASSERT_TRUE(keys);
    EXPECT_LE(keys->size(), 10 * limits::vector_candidates_factor);
    for (const QueryRow& row : exact.rows) {
      found += std::count(keys->begin(), keys->end(), row.document->document_key());
    }
  }
  EXPECT_GE(found, 190);
}

// The first documents by distance and then by creation, of all or of the candidates.
std::string in_order(World& w, QueryPtr rows, const std::vector<float>& vector, std::size_t count,
                     bool is_descending) {
  Array point;
  for (const float x : vector) point.emplace_back(x);
  const auto by = expr::call("vector_distance", {expr::body("v"), expr::literal(Value(point))});
  View view = w.database->view();
  return rows_of(slice(sort(std::move(rows), {{by}, {expr::metadata("created_at"), is_descending}},
                            Ties::ascending),
                       0, count),
                 view);
}

struct Compared {
  std::string found;
  std::string exact;
};
Compared compare(World& w, VectorIndexes& indexes, const VectorField& of,
                 const std::vector<float>& vector, std::size_t count, bool is_descending = false) {
  View view = w.database->view();
  const auto keys = must(indexes.candidates(of, vector, count, view, {}));
  if (!keys) return {"-", ""};
  const CollectionPtr c = w.database->catalog()->collection(of.collection);
  return {in_order(w, make(Lookup{c, view.live(), *keys}), vector, count, is_descending),
          in_order(w, scan(c, view.live()), vector, count, is_descending)};
}

TEST_F(VectorIndexesTest, ThousandsOfEqualVectorsHideNoOthers) {
  const auto name = [](const char* what, int i) { return what + std::to_string(i); };
  for (int i = 0; i < 20; ++i) put(name("early", i), {static_cast<float>(i + 1), 1});
  for (int i = 0; i < 3'000; ++i) put(name("equal", i), {0, 0});
  for (int i = 0; i < 20; ++i) put(name("late", i), {static_cast<float>(-i - 1), 1});
  nearest({0, 0}, 1);
  build();
  const std::vector<float> points[] = {{0, 0}, {30, 1}, {-30, 1}, {0, 40}};
  for (const std::vector<float>& point : points) {
    for (const bool is_descending : {false, true}) {
      const auto [found, exact] = compare(w, indexes, field(), point, 60, is_descending);
      EXPECT_EQ(found, exact);
    }
  }
}

// The distances of the documents with these ids, in their order.
std::vector<double> distances(World& w, const CollectionPtr& c, const std::string& ids,
                              const std::vector<float>& from) {
  std::vector<double> all;
  std::istringstream words(ids);
  for (std::string id; words >> id;) {
    const auto document = must(w.database->get(w.now(c), DocumentKey::of(id)));
    const Value at = document ? document->body.at(Path::of("v")) : Value();
    if (!at.is(Kind::array)) return {-1};
    double sum = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double part = at.array()[i].number() - from[i];
      sum += part * part;
    }
    all.push_back(sum);
  }
  return all;
}

// Documents with few different vectors are added, changed and removed.
RC_GTEST_PROP(EqualVectorsTest, TheNearestAreThoseOfAScan, ()) {
  World w;
  const CollectionPtr c = w.collection("c", {}, {by_writing()});
  VectorIndexes indexes(*w.database);
  const VectorField of{c->id, Path::of("v"), VectorMetric::euclidean, 2};
  const auto vector = [] {
    return std::vector<float>{static_cast<float>(*rc::gen::inRange(0, 4)),
                              static_cast<float>(*rc::gen::inRange(0, 3))};
  };
  const auto build = [&] {
    indexes.report_expired(of);
    for (int runs = 0; w.database->jobs().run_due() > 0 && runs < 100; ++runs) {
    }
  };
  (void)compare(w, indexes, of, {0, 0}, 1);
  build();
  const int steps = *rc::gen::inRange(1, 150);
  for (int i = 0; i < steps; ++i) {
    const std::string id = std::to_string(*rc::gen::inRange(0, 80));
    const int act = *rc::gen::inRange(0, 20);
    if (act == 0) build();
    if (act < 4) {
      (void)w.remove(c, id);
    } else {
      must(w.put(c, id, vector_json(vector())));
    }
  }
  build();
  for (int i = 0; i < 3; ++i) {
    const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
    const bool is_descending = *rc::gen::arbitrary<bool>();
    const std::vector<float> near = vector();
    const auto [found, exact] = compare(w, indexes, of, near, count, is_descending);
    // If several vectors have the same distance, any of them may be returned.
    RC_ASSERT(distances(w, c, found, near) == distances(w, c, exact, near));
  }
}

}  // namespace
}  // namespace mayfly::query
