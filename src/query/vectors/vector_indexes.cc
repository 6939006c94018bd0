#include "query/vectors/vector_indexes.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "db/rows/keys.h"
#include "query/run.h"

namespace mayfly::query {
namespace {

// Nothing where there is no vector that has a distance to others of the length.
std::optional<std::vector<float>> vector_in(const Document& document, const VectorField& of) {
  const Value value = field(document, Field{Part::body, of.path});
  if (!value.is(Kind::array) || value.array().size() != of.dimensions) return std::nullopt;
  std::vector<float> vector;
  vector.reserve(of.dimensions);
  bool is_zero = true;
  for (const Value& x : value.array()) {
    if (!x.is_number()) return std::nullopt;
    vector.push_back(static_cast<float>(x.number()));
    is_zero = is_zero && vector.back() == 0;
  }
  if (is_zero && of.metric == VectorMetric::cosine) return std::nullopt;
  return vector;
}

QueryPtr written_after(const CollectionPtr& collection, const Lens& lens, Instant through) {
  return filter(scan(collection, lens, std::nullopt),
                expr::greater(expr::metadata("written_at"), expr::literal(Value(through))));
}

}  // namespace

struct VectorIndexes::Built {
  explicit Built(VectorField f)
      : field(std::move(f)), graph(std::make_unique<VectorGraph>(field.dimensions, field.metric)) {}

  // The documents that have one vector, in the order of their creation.
  struct Point {
    Bytes identity;
    std::set<std::pair<Instant, Bytes>> documents;
  };
  struct Place {
    std::uint32_t point;
    Instant created_at;
  };

  const VectorField field;
  std::atomic<bool> is_ready{false};
  std::atomic<bool> has_no_room{false};  // for good: queries scan
  std::atomic<bool> has_expired{false};

  // Shared by who reads what follows; the job, which alone writes it, takes it for one document.
  std::shared_mutex mutex;
  std::unique_ptr<VectorGraph> graph;  // null: there was no room
  std::vector<Point> points;           // by the numbers of the graph
  std::map<Bytes, Place> documents;    // by their keys, encoded
  std::set<Bytes> bare;                // documents without a vector
  Instant through;                     // what was written up to then is in it

  // The job's own.
  Bytes next;  // where building goes on
  Bytes last_checked;
  std::optional<Bookmark> tail;  // where catching up goes on
  Instant tail_began;
  std::unordered_map<Bytes, std::uint32_t> numbers;  // of points, by their identities
  std::vector<std::uint32_t> free;                   // points whose documents have gone
  bool is_checked = false;  // nothing has been added since expired documents were taken out

  std::size_t bytes() const {
    return VectorGraph::bytes_of(points.size(), field.dimensions) +
           documents.size() * limits::vector_document_bytes;
  }
  void add_nearest(const std::vector<float>& vector, std::size_t wanted,
                   std::set<Bytes>& keys) const;
  Result<void> take(const Document& document);
  void drop(const Bytes& key);
  void begin_again();
  void give_up();

 private:
  Result<void> join(const Bytes& key, Instant created_at, const std::vector<float>& vector);
  Result<std::uint32_t> make_point(Bytes identity, const std::vector<float>& vector);
  void leave(const Bytes& key);
  void clear();
};

// The documents of the nearest points, point by point, until there are as many. Of the last point
// the first and the last of its documents, since rows of one distance may be asked for either way.
void VectorIndexes::Built::add_nearest(const std::vector<float>& vector, std::size_t wanted,
                                       std::set<Bytes>& keys) const {
  for (const std::uint32_t number : graph->near(vector, wanted)) {
    const auto& equal = points[number].documents;
    const std::size_t taken = std::min(wanted, equal.size());
    auto first = equal.begin();
    auto last = equal.rbegin();
    for (std::size_t i = 0; i < taken; ++i) {
      keys.insert((first++)->second);
      keys.insert((last++)->second);
    }
    wanted -= taken;
    if (wanted == 0) return;
  }
}

Result<void> VectorIndexes::Built::take(const Document& document) {
  const auto vector = vector_in(document, field);
  Bytes key(document.key);
  const std::unique_lock alone(mutex);
  if (vector) {
    bare.erase(key);
    return join(key, document.created_at, *vector);
  }
  leave(key);
  if (bare.size() <= limits::vector_bare_max) bare.insert(std::move(key));
  return {};
}

Result<void> VectorIndexes::Built::join(const Bytes& key, Instant created_at,
                                        const std::vector<float>& vector) {
  Bytes identity = graph->identity_of(vector);
  const auto before = documents.find(key);
  const bool stays = before != documents.end() && before->second.created_at == created_at &&
                     points[before->second.point].identity == identity;
  if (stays) return {};
  leave(key);
  const auto known = numbers.find(identity);
  const std::uint32_t number =
      known != numbers.end() ? known->second : TRY(make_point(std::move(identity), vector));
  points[number].documents.emplace(created_at, key);
  documents.emplace(key, Place{number, created_at});
  return {};
}

// In the place of one that has gone, if there is one.
Result<std::uint32_t> VectorIndexes::Built::make_point(Bytes identity,
                                                       const std::vector<float>& vector) {
  const bool is_new = free.empty();
  const auto number = is_new ? static_cast<std::uint32_t>(points.size()) : free.back();
  TRY(graph->put(number, vector));
  if (is_new) {
    points.emplace_back();
  } else {
    free.pop_back();
  }
  numbers.emplace(identity, number);
  points[number].identity = std::move(identity);
  return number;
}

void VectorIndexes::Built::leave(const Bytes& key) {
  const auto known = documents.find(key);
  if (known == documents.end()) return;
  const auto [number, created_at] = known->second;
  Point& point = points[number];
  point.documents.erase({created_at, key});
  documents.erase(known);
  if (!point.documents.empty()) return;
  numbers.erase(point.identity);
  graph->remove(number);
  free.push_back(number);
}

void VectorIndexes::Built::drop(const Bytes& key) {
  const std::unique_lock alone(mutex);
  bare.erase(key);
  leave(key);
}

void VectorIndexes::Built::clear() {
  points.clear();
  documents.clear();
  bare.clear();
  numbers.clear();
  free.clear();
}

// Of points that have gone the graph keeps the places.
void VectorIndexes::Built::begin_again() {
  const std::unique_lock alone(mutex);
  is_ready = false;
  graph = std::make_unique<VectorGraph>(field.dimensions, field.metric);
  clear();
  next.clear();
  last_checked.clear();
  tail.reset();
}

void VectorIndexes::Built::give_up() {
  const std::unique_lock alone(mutex);
  has_no_room = true;
  graph.reset();
  clear();
}

VectorIndexes::VectorIndexes(Database& database, std::size_t bytes_max)
    : database_(database), bytes_max_(bytes_max) {
  job_ = database.jobs().add({.name = "vector indexes",
                              .lane = JobLane::lengthy,
                              .run = [this](const JobRun& job) { return run(job); }});
}

VectorIndexes::~VectorIndexes() {
  job_.remove();
}

VectorIndexes::BuiltPtr VectorIndexes::find(const VectorField& field) {
  const std::lock_guard lock(mutex_);
  for (const BuiltPtr& built : list_) {
    if (built->field == field) return built;
  }
  const bool fits = field.dimensions > 0 && field.dimensions <= limits::vector_dimensions_max;
  if (!fits || list_.size() >= limits::vector_indexes_max) return nullptr;
  list_.push_back(std::make_shared<Built>(field));
  job_.wake();
  return nullptr;
}

std::size_t VectorIndexes::bytes() {
  const std::lock_guard lock(mutex_);
  std::size_t all = 0;
  for (const BuiltPtr& built : list_) all += built->has_no_room ? 0 : built->bytes();
  return all;
}

Result<std::optional<std::vector<DocumentKey>>> VectorIndexes::candidates(
    const VectorField& field, const std::vector<float>& vector, std::size_t count, View& view,
    const Meter& meter) {
  using Nothing = std::optional<std::vector<DocumentKey>>;
  if (vector.size() != field.dimensions || count > limits::vector_nearest_max) return Nothing();
  const BuiltPtr built = find(field);
  const CollectionPtr collection = view.catalog().collection(field.collection);
  if (!built || !collection || !built->is_ready || built->has_no_room) return Nothing();
  std::set<Bytes> keys;
  Instant through;
  {
    const std::shared_lock lock(built->mutex);
    if (built->graph == nullptr) return Nothing();
    through = built->through;
    const bool shows_bare = field.metric == VectorMetric::euclidean;
    if (through > view.now()) return Nothing();
    if (shows_bare && built->bare.size() > limits::vector_bare_max) return Nothing();
    const std::size_t wanted = limits::vector_candidates_factor * count;
    built->add_nearest(vector, wanted, keys);
    if (shows_bare) keys.insert(built->bare.begin(), built->bare.end());
  }
  const RowsPage tail = TRY(answer(written_after(collection, view.live(), through), view,
                                   {.rows_max = limits::vector_tail_max, .meter = meter}));
  if (tail.next || tail.rows.size() >= limits::vector_tail_wakes) job_.wake();
  if (tail.next) return Nothing();
  for (const Row& row : tail.rows) keys.insert(Bytes(row.document->key));
  std::vector<DocumentKey> found;
  for (const Bytes& key : keys) found.push_back(TRY(keys::decode_document_key(key)));
  return Nothing(std::move(found));
}

void VectorIndexes::lacks_living(const VectorField& field) {
  const BuiltPtr built = find(field);
  if (!built || !built->is_ready) return;
  built->has_expired = true;
  job_.wake();
}

Result<NextRun> VectorIndexes::run(const JobRun& run) {
  std::vector<BuiltPtr> list;
  {
    const CatalogPtr catalog = database_.catalog();
    const std::lock_guard lock(mutex_);
    std::erase_if(list_, [&](const BuiltPtr& built) {
      return catalog->collection(built->field.collection) == nullptr;
    });
    list = list_;
  }
  bool is_done = true;
  for (const BuiltPtr& built : list) {
    if (built->has_no_room || run.must_end()) continue;
    is_done = TRY(advance(*built, run)) && is_done;
  }
  return is_done ? NextRun::when_woken() : NextRun::immediately();
}

// Whether there is nothing left to do.
Result<bool> VectorIndexes::advance(Built& built, const JobRun& run) {
  const Instant end = monotonic_now() + limits::vector_run_max;
  while (!run.must_end() && monotonic_now() < end) {
    View view = database_.view();
    const CollectionPtr collection = view.catalog().collection(built.field.collection);
    if (!collection) return true;
    if (bytes() > bytes_max_ && !make_room(built)) return true;
    const bool is_done = !built.is_ready     ? TRY(build(built, collection, view))
                         : built.has_expired ? TRY(take_out_expired(built, collection, view))
                                             : TRY(catch_up(built, collection, view));
    if (is_done) return true;
  }
  return false;
}

// Whether there may be room once expired documents are out of it; a graph that is being built has
// none. Otherwise it is given up.
bool VectorIndexes::make_room(Built& built) {
  if (built.is_ready && !built.is_checked) {
    built.has_expired = true;
    return true;
  }
  const bool is_worth_it = !built.free.empty() && 4 * built.free.size() >= built.points.size();
  if (built.is_ready && is_worth_it) {
    built.begin_again();
    return true;
  }
  built.give_up();
  return false;
}

// Pages are read at different moments: what was written since the first is caught up with.
Result<bool> VectorIndexes::build(Built& built, const CollectionPtr& collection, View& view) {
  if (built.next.empty()) built.through = view.now();
  const DocumentPage page = TRY(view.scan(
      *collection, {.from = built.next, .rows_max = limits::vector_rows_at_once}, view.live()));
  for (const Document& document : page.documents) TRY(built.take(document));
  if (page.next) {
    built.next = *page.next;
    return false;
  }
  built.is_ready = true;
  return false;
}

// One page of what was written since. What is written while the pages are read is later than the
// view of the first, and belongs to the next time.
Result<bool> VectorIndexes::catch_up(Built& built, const CollectionPtr& collection, View& view) {
  if (!built.tail) built.tail_began = view.now();
  const RowsPage page =
      TRY(answer(written_after(collection, view.live(), built.through), view,
                 {.rows_max = limits::vector_rows_at_once, .bookmark = built.tail}));
  for (const Row& row : page.rows) TRY(built.take(*row.document));
  built.is_checked = built.is_checked && page.rows.empty();
  built.tail = page.next;
  if (built.tail) return false;
  const std::unique_lock alone(built.mutex);
  built.through = built.tail_began;
  return true;
}

Result<bool> VectorIndexes::take_out_expired(Built& built, const CollectionPtr& collection,
                                             View& view) {
  std::vector<Bytes> keys;
  auto at = built.documents.upper_bound(built.last_checked);
  for (; keys.size() < limits::vector_rows_at_once && at != built.documents.end(); ++at) {
    keys.push_back(at->first);
  }
  const bool has_more = at != built.documents.end();
  std::size_t asked = 0;
  while (asked < keys.size()) {
    const auto left = std::span<const Bytes>(keys).subspan(asked);
    const auto found = TRY(view.get_many(*collection, left, view.live()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) built.drop(left[i]);
    }
    asked += found.size();
  }
  built.last_checked = has_more ? keys.back() : Bytes();
  if (has_more) return false;
  built.has_expired = false;
  built.is_checked = true;
  if (2 * built.free.size() > built.points.size()) built.begin_again();
  return false;
}

}  // namespace mayfly::query
