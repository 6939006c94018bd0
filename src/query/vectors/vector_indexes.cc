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

// The vector of the document; empty if it has none, or one without a distance to others.
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

struct VectorIndexes::VectorIndex {
  explicit VectorIndex(VectorField f)
      : field(std::move(f)), graph(std::make_unique<VectorGraph>(field.dimensions, field.metric)) {}

  // The documents with this very vector, in the order of their creation.
  struct Point {
    Bytes identity;
    std::set<std::pair<Instant, Bytes>> documents;
  };
  struct Location {
    std::uint32_t point;
    Instant created_at;
  };

  const VectorField field;
  std::atomic<bool> is_ready{false};
  std::atomic<bool> is_given_up{false};  // permanently: queries scan
  std::atomic<bool> has_expired{false};

  // Guards the members below. Readers share it. Only the job writes; it locks the mutex for one
  // document at a time.
  std::shared_mutex mutex;
  std::unique_ptr<VectorGraph> graph;    // null: given up
  std::vector<Point> points;             // by their number in the graph
  std::map<Bytes, Location> documents;   // by encoded key
  std::set<Bytes> without_vector;        // empty once there were too many
  bool has_many_without_vector = false;  // then queries scan, until the index is built again
  Instant through;                       // the index contains what was written up to then

  // Used by the job alone.
  Bytes next;  // where building continues
  Bytes last_checked;
  std::optional<Bookmark> tail;  // where catching up continues
  Instant tail_began;
  std::unordered_map<Bytes, std::uint32_t> numbers;  // of points, by their identities
  std::vector<std::uint32_t> free;                   // points without documents
  bool is_checked = false;  // no document was added since expired ones were removed

  std::size_t bytes() const {
    return VectorGraph::bytes_of(points.size(), field.dimensions) +
           documents.size() * limits::vector_document_bytes;
  }
  void add_nearest(const std::vector<float>& vector, std::size_t wanted_count,
                   std::set<Bytes>& keys) const;
  Result<void> add(const Document& document);
  void remove(const Bytes& key);
  void reset();
  void give_up();

 private:
  Result<void> insert_vector(const Bytes& key, Instant created_at,
                             const std::vector<float>& vector);
  Result<std::uint32_t> make_point(Bytes identity, const std::vector<float>& vector);
  void remove_vector(const Bytes& key);
  void clear();
};

// Adds the documents of the nearest points, point by point, until there are `count`. If the last
// point has more documents than needed, adds the first and the last of them, because a query may
// sort rows of equal distance either way.
void VectorIndexes::VectorIndex::add_nearest(const std::vector<float>& vector,
                                             std::size_t wanted_count,
                                             std::set<Bytes>& keys) const {
  for (const std::uint32_t number : graph->near(vector, wanted_count)) {
    const auto& equal = points[number].documents;
    const std::size_t taken = std::min(wanted_count, equal.size());
    auto first = equal.begin();
    auto last = equal.rbegin();
    for (std::size_t i = 0; i < taken; ++i) {
      keys.insert((first++)->second);
      keys.insert((last++)->second);
    }
    wanted_count -= taken;
    if (wanted_count == 0) return;
  }
}

Result<void> VectorIndexes::VectorIndex::add(const Document& document) {
  const auto vector = vector_in(document, field);
  Bytes key(document.key);
  const std::unique_lock alone(mutex);
  if (vector) {
    without_vector.erase(key);
    return insert_vector(key, document.created_at, *vector);
  }
  remove_vector(key);
  if (has_many_without_vector) return {};
  without_vector.insert(std::move(key));
  if (without_vector.size() <= limits::vector_bare_max) return {};
  without_vector.clear();
  has_many_without_vector = true;
  return {};
}

Result<void> VectorIndexes::VectorIndex::insert_vector(const Bytes& key, Instant created_at,
                                                       const std::vector<float>& vector) {
  Bytes identity = graph->identity_of(vector);
  const auto before = documents.find(key);
  const bool stays = before != documents.end() && before->second.created_at == created_at &&
                     points[before->second.point].identity == identity;
  if (stays) return {};
  remove_vector(key);
  const auto known = numbers.find(identity);
  const std::uint32_t number =
      known != numbers.end() ? known->second : TRY(make_point(std::move(identity), vector));
  points[number].documents.emplace(created_at, key);
  documents.emplace(key, Location{number, created_at});
  return {};
}

// Reuses a point without documents, if there is one.
Result<std::uint32_t> VectorIndexes::VectorIndex::make_point(Bytes identity,
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

void VectorIndexes::VectorIndex::remove_vector(const Bytes& key) {
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

void VectorIndexes::VectorIndex::remove(const Bytes& key) {
  const std::unique_lock alone(mutex);
  without_vector.erase(key);
  remove_vector(key);
}

void VectorIndexes::VectorIndex::clear() {
  points.clear();
  documents.clear();
  without_vector.clear();
  has_many_without_vector = false;
  numbers.clear();
  free.clear();
}

// Starts again with an empty graph, because a graph keeps the memory of removed points.
void VectorIndexes::VectorIndex::reset() {
  const std::unique_lock alone(mutex);
  is_ready = false;
  graph = std::make_unique<VectorGraph>(field.dimensions, field.metric);
  clear();
  next.clear();
  last_checked.clear();
  tail.reset();
}

void VectorIndexes::VectorIndex::give_up() {
  const std::unique_lock alone(mutex);
  is_given_up = true;
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

VectorIndexes::VectorIndexPtr VectorIndexes::find(const VectorField& field) {
  const std::lock_guard lock(mutex_);
  for (const VectorIndexPtr& index : list_) {
    if (index->field == field) return index;
  }
  const bool fits = field.dimensions > 0 && field.dimensions <= limits::vector_dimensions_max;
  if (!fits || list_.size() >= limits::vector_indexes_max) return nullptr;
  list_.push_back(std::make_shared<VectorIndex>(field));
  job_.wake();
  return nullptr;
}

std::size_t VectorIndexes::bytes() {
  const std::lock_guard lock(mutex_);
  std::size_t all = 0;
  for (const VectorIndexPtr& index : list_) all += index->is_given_up ? 0 : index->bytes();
  return all;
}

Result<std::optional<std::vector<DocumentKey>>> VectorIndexes::candidates(
    const VectorField& field, const std::vector<float>& vector, std::size_t count, View& view,
    const Meter& meter) {
  using Candidates = std::optional<std::vector<DocumentKey>>;
  if (vector.size() != field.dimensions || count > limits::vector_nearest_max) return Candidates();
  const VectorIndexPtr index = find(field);
  const CollectionPtr collection = view.catalog().collection(field.collection);
  if (!index || !collection || !index->is_ready || index->is_given_up) return Candidates();
  std::set<Bytes> keys;
  Instant through;
  {
    const std::shared_lock lock(index->mutex);
    if (index->graph == nullptr) return Candidates();
    through = index->through;
    const bool shows_without_vector = field.metric == VectorMetric::euclidean;
    if (through > view.now()) return Candidates();
    if (shows_without_vector && index->has_many_without_vector) return Candidates();
    const std::size_t wanted_count = limits::vector_candidates_factor * count;
    index->add_nearest(vector, wanted_count, keys);
    if (shows_without_vector)
      keys.insert(index->without_vector.begin(), index->without_vector.end());
  }
  const RowsPage tail = TRY(answer(written_after(collection, view.live(), through), view,
                                   {.rows_max = limits::vector_tail_max, .meter = meter}));
  if (tail.next || tail.rows.size() >= limits::vector_tail_wakes) job_.wake();
  if (tail.next) return Candidates();
  for (const QueryRow& row : tail.rows) keys.insert(Bytes(row.document->key));
  std::vector<DocumentKey> found;
  for (const Bytes& key : keys) found.push_back(TRY(keys::decode_document_key(key)));
  return Candidates(std::move(found));
}

void VectorIndexes::report_expired(const VectorField& field) {
  const VectorIndexPtr index = find(field);
  if (!index || !index->is_ready) return;
  index->has_expired = true;
  job_.wake();
}

Result<NextRun> VectorIndexes::run(const JobRun& run) {
  std::vector<VectorIndexPtr> list;
  {
    const CatalogPtr catalog = database_.catalog();
    const std::lock_guard lock(mutex_);
    std::erase_if(list_, [&](const VectorIndexPtr& index) {
      return catalog->collection(index->field.collection) == nullptr;
    });
    list = list_;
  }
  bool is_done = true;
  for (const VectorIndexPtr& index : list) {
    if (index->is_given_up || run.must_end()) continue;
    is_done = TRY(advance(*index, run)) && is_done;
  }
  return is_done ? NextRun::when_woken() : NextRun::immediately();
}

// Returns whether nothing remains to be done.
Result<bool> VectorIndexes::advance(VectorIndex& index, const JobRun& run) {
  const Instant end = monotonic_now() + limits::vector_run_max;
  while (!run.must_end() && monotonic_now() < end) {
    View view = database_.view();
    const CollectionPtr collection = view.catalog().collection(index.field.collection);
    if (!collection) return true;
    if (bytes() > bytes_max_ && !make_room(index)) return true;
    const bool is_done = !index.is_ready     ? TRY(build(index, collection, view))
                         : index.has_expired ? TRY(remove_expired(index, collection, view))
                                             : TRY(catch_up(index, collection, view));
    if (is_done) return true;
  }
  return false;
}

// Tries to make room by removing expired documents; returns false if it gives the index up. A graph
// that is being built has none to remove.
bool VectorIndexes::make_room(VectorIndex& index) {
  if (index.is_ready && !index.is_checked) {
    index.has_expired = true;
    return true;
  }
  const bool is_worth_it = !index.free.empty() && 4 * index.free.size() >= index.points.size();
  if (index.is_ready && is_worth_it) {
    index.reset();
    return true;
  }
  index.give_up();
  return false;
}

// Pages are read at different instants: catch_up() adds what was written since the first.
Result<bool> VectorIndexes::build(VectorIndex& index, const CollectionPtr& collection, View& view) {
  if (index.next.empty()) index.through = view.now();
  const DocumentPage page = TRY(view.scan(
      *collection, {.from = index.next, .rows_max = limits::vector_rows_at_once}, view.live()));
  for (const Document& document : page.documents) TRY(index.add(document));
  if (page.next) {
    index.next = *page.next;
    return false;
  }
  index.is_ready = true;
  return false;
}

// Adds one page of documents that were written since. Writes after the view of the first page
// belong to the next time.
Result<bool> VectorIndexes::catch_up(VectorIndex& index, const CollectionPtr& collection,
                                     View& view) {
  if (!index.tail) index.tail_began = view.now();
  const RowsPage page =
      TRY(answer(written_after(collection, view.live(), index.through), view,
                 {.rows_max = limits::vector_rows_at_once, .bookmark = index.tail}));
  for (const QueryRow& row : page.rows) TRY(index.add(*row.document));
  index.is_checked = index.is_checked && page.rows.empty();
  index.tail = page.next;
  if (index.tail) return false;
  const std::unique_lock alone(index.mutex);
  index.through = index.tail_began;
  return true;
}

// Removes those of the documents that are not alive any more.
Result<void> VectorIndexes::remove_missing(VectorIndex& index, const Collection& collection,
                                           View& view, std::span<const Bytes> keys) {
  for (std::size_t checked = 0; checked < keys.size();) {
    const auto left = keys.subspan(checked);
    const auto found = TRY(view.get_many(collection, left, view.live()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) index.remove(left[i]);
    }
    checked += found.size();
  }
  return {};
}

Result<bool> VectorIndexes::remove_expired(VectorIndex& index, const CollectionPtr& collection,
                                           View& view) {
  std::vector<Bytes> keys;
  auto at = index.documents.upper_bound(index.last_checked);
  for (; keys.size() < limits::vector_rows_at_once && at != index.documents.end(); ++at) {
    keys.push_back(at->first);
  }
  const bool has_more = at != index.documents.end();
  const Bytes last = has_more ? keys.back() : Bytes();
  if (!has_more) {
    keys.insert(keys.end(), index.without_vector.begin(), index.without_vector.end());
  }
  TRY(remove_missing(index, *collection, view, keys));
  index.last_checked = last;
  if (has_more) return false;
  index.has_expired = false;
  index.is_checked = true;
  if (2 * index.free.size() > index.points.size()) index.reset();
  return false;
}

}  // namespace mayfly::query
