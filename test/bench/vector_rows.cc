// V1: the ten nearest of 100,000 vectors of 256 dimensions, by the index and by a scan.
#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/random.h"
#include "bench/engine.h"
#include "bench/rows.h"
#include "query/planning/planner.h"
#include "query/run.h"
#include "query/vectors/vector_indexes.h"

namespace mayfly::bench {
namespace {

constexpr std::size_t dimensions = 256;
constexpr std::size_t nearest = 10;
constexpr int points = 50;  // the number of searches

// Vectors of texts and pictures from models vary in far fewer directions than they have dimensions;
// here in 24, with a little noise in each dimension.
class Vectors {
 public:
  Vectors() : spread_(ways * dimensions) {
    for (float& x : spread_) x = number();
  }

  std::vector<float> next() {
    std::vector<float> made(dimensions);
    for (float& x : made) x = noise * number();
    for (std::size_t way = 0; way < ways; ++way) {
      const float along = number() + number() + number();
      for (std::size_t i = 0; i < dimensions; ++i) made[i] += along * spread_[way * dimensions + i];
    }
    return made;
  }

 private:
  static constexpr std::size_t ways = 24;
  static constexpr float noise = 0.1F;
  float number() { return static_cast<float>(random_.below(2'000'001)) / 1'000'000 - 1; }

  Random random_{7};
  std::vector<float> spread_;
};

std::string json_of(const std::vector<float>& vector) {
  std::string text = R"({"v":[)";
  for (const float x : vector) text += (text.back() == '[' ? "" : ",") + std::to_string(x);
  return text + "]}";
}

struct Searched {
  SystemClock clock;
  Engine engine;
  Vectors vectors;
  CollectionPtr collection;
  query::VectorIndexes indexes;
  std::vector<std::vector<float>> wanted;

  Searched(const std::string& directory, std::uint64_t documents)
      : engine(directory, clock), indexes(*engine.database) {
    const auto indexed = engine.database->create_index(
        engine.collection->id, {.name = "by writing", .fields = {{Field::metadata("written_at")}}});
    CHECK(indexed);
    collection = *indexed;
    constexpr std::uint64_t at_once = 500;
    for (std::uint64_t n = 0; n < documents; n += at_once) {
      const auto done = engine.database->transact([&](Transaction& t) -> Result<void> {
        for (std::uint64_t i = n; i < std::min(n + at_once, documents); ++i) {
          TRY(t.put(collection, DocumentKey::of(std::to_string(i)),
                    TRY(pack_json(json_of(vectors.next()))), {}));
        }
        return {};
      });
      CHECK(done);
    }
    engine.settle();
    for (int i = 0; i < points; ++i) wanted.push_back(vectors.next());
  }

  query::VectorField field() const {
    return {collection->id, Path::of("v"), query::VectorMetric::cosine, dimensions};
  }

  // Runs the job until it has nothing to do; gives the seconds.
  double build() {
    const Instant began = monotonic_now();
    View view = engine.database->view();
    CHECK(indexes.candidates(field(), wanted.front(), nearest, view, {}));
    while (engine.database->jobs().run_due(JobLane::lengthy) > 0) {
    }
    return double((monotonic_now() - began).micros) / 1e6;
  }

  std::vector<std::string> best_of(query::QueryPtr rows, const std::vector<float>& point,
                                   View& view) {
    Array literal;
    for (const float x : point) literal.emplace_back(x);
    const auto by = expr::call("vector_cosine", {expr::body("v"), expr::literal(Value(literal))});
    const auto page = query::answer(
        query::slice(query::sort(std::move(rows), {{by, true}}, query::Ties::ascending), 0,
                     nearest),
        view, {.rows_max = nearest});
    CHECK(page && page->rows.size() == nearest);
    std::vector<std::string> ids;
    for (const query::QueryRow& row : page->rows) ids.emplace_back(row.document->id);
    return ids;
  }

  std::vector<std::string> by_scan(const std::vector<float>& point) {
    View view = engine.database->view();
    return best_of(query::scan(collection, view.live()), point, view);
  }

  std::vector<std::string> by_index(const std::vector<float>& point) {
    View view = engine.database->view();
    const auto keys = indexes.candidates(field(), point, nearest, view, {});
    CHECK(keys && *keys);
    return best_of(query::make(query::Lookup{collection, view.live(), **keys}), point, view);
  }

  template <class Search>
  double millis(std::size_t searches, const Search& search) {
    const Instant began = monotonic_now();
    for (std::size_t i = 0; i < searches; ++i) search(wanted[i % wanted.size()]);
    return double((monotonic_now() - began).micros) / 1e3 / double(searches);
  }

  double recall() {
    std::size_t found = 0;
    for (const std::vector<float>& point : wanted) {
      const auto proposed = by_index(point);
      const std::set<std::string> known(proposed.begin(), proposed.end());
      for (const std::string& id : by_scan(point)) found += known.count(id);
    }
    return double(found) / double(nearest * wanted.size());
  }
};

}  // namespace

void add_vector_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("V1")) return;
  Searched searched(options.directory + "/vectors", options.documents_or(100'000));
  ReportRow built{.id = "V1",
                  .what = "building an index of vectors of 256 dimensions",
                  .unit = "s",
                  .goal = "-"};
  repeat(1, built, [&] { return searched.build(); });
  ReportRow row{.id = "V1",
                .what = "the 10 nearest of vectors of 256 dimensions",
                .unit = "ms",
                .against = "exact scan",
                .goal = "<= 0.1",
                .is_met = [](double ours, double theirs) { return ours <= 0.1 * theirs; }};
  constexpr std::size_t by_index = 50;
  constexpr std::size_t by_scan = 3;
  alternate(
      options.repetitions, row,
      [&] { return searched.millis(by_index, [&](const auto& p) { searched.by_index(p); }); },
      [&] { return searched.millis(by_scan, [&](const auto& p) { searched.by_scan(p); }); });
  ReportRow recall{.id = "V1",
                   .what = "of the 10 nearest, found by the index",
                   .unit = "of 1",
                   .goal = ">= 0.95",
                   .is_met = [](double ours, double) { return ours >= 0.95; }};
  repeat(1, recall, [&] { return searched.recall(); });
  rows.push_back(std::move(built));
  rows.push_back(std::move(row));
  rows.push_back(std::move(recall));
}

}  // namespace mayfly::bench
