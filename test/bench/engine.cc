#include "bench/engine.h"

#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "bench/rows.h"
#include "store/open.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t at_once = 1'000;  // in one commit

}  // namespace

Engine::Engine(const std::string& directory, const Clock& clock) {
  auto store = store::open({.data = directory});
  CHECK(store);
  auto opened = Database::open(std::move(*store), clock);
  CHECK(opened);
  database = std::move(*opened);
  for (const auto& [id, found] : database->catalog()->all_collections()) collection = found;
  if (collection) return;
  const auto place = database->create_database("b");
  CHECK(place);
  const auto made = database->create_collection((*place)->id, {"c", {}, {}});
  CHECK(made);
  collection = *made;
}

void Engine::fill(const std::string& prefix, std::uint64_t from, std::uint64_t to,
                  const LifetimeOf& lifetime_of) {
  for (std::uint64_t n = from; n < to; n += at_once) {
    const auto done = database->transact([&](Transaction& t) -> Result<void> {
      for (std::uint64_t i = n; i < std::min(n + at_once, to); ++i) {
        Bytes packed = TRY(pack_json(sample_json(300, i)));
        const auto key = DocumentKey::of(prefix + std::to_string(i));
        TRY(t.put(collection, key, std::move(packed), {.lifetime = lifetime_of(i)}));
      }
      return {};
    });
    CHECK(done);
  }
}

void Engine::remove(const std::string& prefix, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t n = from; n < to; n += at_once) {
    const auto done = database->transact([&](Transaction& t) -> Result<void> {
      for (std::uint64_t i = n; i < std::min(n + at_once, to); ++i) {
        TRY(t.remove(collection, DocumentKey::of(prefix + std::to_string(i)), {}));
      }
      return {};
    });
    CHECK(done);
  }
}

void Engine::settle() {
  CHECK(database->store().compact({}, {}));
}

void Engine::change(const CollectionChange& change) {
  const auto changed = database->change_collection(collection->id, change);
  CHECK(changed);
  collection = *changed;
}

Instant filled_at() {
  static const Instant at = SystemClock().now();
  return at;
}

Instant first_death() {
  return filled_at() + Span::seconds(7 * 86'400);
}

std::string filled_data(const std::string& directory, std::uint64_t documents) {
  const std::string data = directory + "/filled-" + std::to_string(documents);
  if (std::filesystem::exists(data)) return data;
  const ManualClock clock(filled_at());
  Engine engine(data, clock);
  engine.fill("doc", 0, documents, [](std::uint64_t) { return Lifetime(Inherit{}); });
  engine.fill("dying", 0, documents / 10, [](std::uint64_t n) {
    return Lifetime(At{first_death() + Span::seconds(static_cast<std::int64_t>(n))});
  });
  engine.settle();
  return data;
}

void copy_data(const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  fs::create_directories(to);
  for (const fs::directory_entry& file : fs::directory_iterator(from)) {
    const fs::path target = fs::path(to) / file.path().filename();
    if (file.path().extension() == ".sst") {
      fs::create_hard_link(file.path(), target);
    } else if (file.path().filename() != "LOCK") {
      fs::copy_file(file.path(), target);
    }
  }
}

}  // namespace mayfly::bench
