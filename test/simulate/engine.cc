#include "simulate/engine.h"

#include <algorithm>

#include "base/check.h"
#include "db/ledger/changes.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"
#include "store/memory/memory_store.h"

namespace mayfly::simulate {

using store::CommitBatch;
using store::Version;

// --- the disk ---

std::unique_ptr<store::Store> Disk::load() const {
  std::map<Version, CommitBatch> commits;
  for (const auto& [key, row] : rows_) commits[row.version].puts.push_back({key, row.value});
  if (version_ != 0) commits[version_];
  auto loaded = store::open_memory();
  for (auto& [version, batch] : commits) {
    batch.version = version;
    CHECK(loaded->commit(batch).has_value());
  }
  return loaded;
}

void Disk::erase(BytesView lo, BytesView hi) {
  rows_.erase(rows_.lower_bound(Bytes(lo)),
              hi.empty() ? rows_.end() : rows_.lower_bound(Bytes(hi)));
}

void Disk::apply(const LogEntry& entry) {
  for (const Bytes& key : entry.removals) rows_.erase(key);
  for (const store::Put& put : entry.puts) rows_[put.key] = {entry.version, put.value};
  if (entry.erased) erase(entry.erased->first, entry.erased->second);
  version_ = std::max(version_, entry.version);
}

void Disk::flush(Version through) {
  std::size_t flushed = 0;
  while (flushed < log_.size() && log_[flushed].version <= through) apply(log_[flushed++]);
  log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(flushed));
}

std::size_t Disk::unsynced_foreground() const {
  return static_cast<std::size_t>(std::count_if(
      log_.begin(), log_.end(), [](const LogEntry& entry) { return entry.is_foreground; }));
}

Version Disk::crash(std::size_t lost, std::size_t more) {
  std::size_t kept = log_.size();
  while (lost > 0) lost -= log_[--kept].is_foreground ? 1 : 0;
  for (; more > 0 && kept > 0 && !log_[kept - 1].is_foreground; --more) --kept;
  for (std::size_t i = 0; i < kept; ++i) apply(log_[i]);
  log_.clear();
  return version_;
}

bool Disk::holds(BytesView key, Version version) const {
  const auto row = rows_.find(key);
  return row != rows_.end() && row->second.version == version;
}

void Disk::forget(BytesView key) {
  rows_.erase(rows_.find(key));
}

// --- dropping rows in a compaction ---

// Stands between the product's filters and the memory engine: removes dropped rows from the disk,
// and spares rows at random. The product must tolerate any choice among the rows that may be
// dropped.
struct Engine::Forgetting {
  Disk& disk;
  bool eats_history = false;
  std::map<Bytes, Bytes> published = {};  // by queue: the last published row; for a planted defect
  std::shared_ptr<store::ForgetFilterMaker> maker;
  std::unique_ptr<store::ForgetFilter> slow;  // made by a compaction that is not finished
  Version slow_through = 0;
  bool uses_slow = false;
  int spared_percent = 0;
  std::optional<Random> random;

  bool forgettable(const store::ForgetFilter& inner, BytesView key, BytesView value,
                   Version version) {
    bool may_go = inner.forgettable(key, value, version);
    if (eats_history && key[0] == static_cast<char>(keys::Table::history)) may_go = true;
    const auto queue = published.upper_bound(Bytes(key));
    if (queue != published.begin()) {
      const auto& [prefix, last] = *std::prev(queue);
      if (key.starts_with(prefix) && key <= last) may_go = true;
    }
    if (!disk.holds(key, version)) may_go = false;
    if (uses_slow && version > slow_through) may_go = false;
    if (may_go && random && random->below(100) < static_cast<std::uint64_t>(spared_percent)) {
      may_go = false;
    }
    if (may_go) disk.forget(key);
    return may_go;
  }
};

namespace {

// Asks the product's filter through `Forgetting`.
template <class Forgetting>
class Filter final : public store::ForgetFilter {
 public:
  Filter(Forgetting& forgetting, std::unique_ptr<store::ForgetFilter> inner)
      : forgetting_(forgetting), inner_(std::move(inner)) {}
  bool forgettable(BytesView key, BytesView value, Version version) const override {
    return forgetting_.forgettable(*inner_, key, value, version);
  }

 private:
  Forgetting& forgetting_;
  std::unique_ptr<store::ForgetFilter> inner_;
};

template <class Forgetting>
class Maker final : public store::ForgetFilterMaker {
 public:
  explicit Maker(std::shared_ptr<Forgetting> forgetting) : forgetting_(std::move(forgetting)) {}
  std::unique_ptr<store::ForgetFilter> make() override {
    auto inner = forgetting_->uses_slow ? std::move(forgetting_->slow) : forgetting_->maker->make();
    if (!inner) return nullptr;
    return std::make_unique<Filter<Forgetting>>(*forgetting_, std::move(inner));
  }

 private:
  std::shared_ptr<Forgetting> forgetting_;
};

bool is_in(BytesView key, keys::Table table) {
  return !key.empty() && key[0] == static_cast<char>(table);
}

// Makes rows of the trash's queue look as if nothing were held.
void hide_holds(store::ReadReply& reply) {
  for (store::Page& page : reply.scans) {
    store::Rows rows;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      const auto entry =
          is_in(row.key, keys::Table::queue) ? keys::decode_queue(row.key) : std::nullopt;
      const bool is_of_trash = entry && entry->queue == keys::Queue::trash;
      rows.append(row.key, is_of_trash ? BytesView{} : row.value, row.version);
    }
    page.rows = std::move(rows);
  }
}

// Whether this is the read with which a transaction that commits nothing checks that its reads are
// unchanged.
bool validates(const store::ReadBatch& batch) {
  return !batch.scans.empty() && batch.scans[0].keys_only && batch.scans[0].is_read_once;
}

// The answer of an empty store.
store::ReadReply nothing_in(const store::ReadBatch& batch) {
  store::ReadReply reply;
  for (const Bytes& key : batch.gets) reply.gets.append(key, {}, 0);
  reply.scans.resize(batch.scans.size());
  return reply;
}

}  // namespace

// --- the engine ---

Engine::Engine(Disk& disk, Plant plant)
    : Forward(disk.load()),
      disk_(disk),
      plant_(plant),
      forgetting_(new Forgetting{disk, plant == Plant::compaction_eats_history}),
      claimed_(disk.version()) {}

Engine::~Engine() = default;

void Engine::clear_faults() {
  foreground_ = {};
  other_ = {};
  has_read_failed_ = false;
}

bool Engine::take_read_fault() {
  foreground_.read.reset();
  return std::exchange(has_read_failed_, false);
}

std::optional<Version> Engine::unknown() const {
  if (!unknown_) return std::nullopt;
  return unknown_->version;
}

void Engine::keep_unknown() {
  CHECK(unknown_.has_value());
  disk_.append({unknown_->version, is_foreground_, unknown_->puts, unknown_->removals, {}});
}

bool Engine::is_by_foreground(const CommitBatch& batch) const {
  // The sweeper's first guard is the row of a queue; that of a transaction is a document.
  return is_foreground_ &&
         (batch.points.empty() || !is_in(batch.points[0].key, keys::Table::queue));
}

// Fails if a fault is due.
Result<void> Engine::pass(const CommitBatch& batch) {
  if (is_stopped_) return fail(Code::internal, "the engine has stopped writing");
  auto& fault = (is_by_foreground(batch) ? foreground_ : other_).commit;
  if (!fault || fault->after-- > 0) return {};
  const bool has_guards = !batch.points.empty() || !batch.ranges.empty();
  if (fault->kind == Fault::Kind::contended && !has_guards) return {};
  // What a transaction puts may depend on what has been swept; whether it fails must not.
  if (fault->kind == Fault::Kind::no_space && batch.puts.empty() && !has_guards) return {};
  const Fault::Kind kind = fault->kind;
  fault.reset();
  ++failures_;
  if (kind == Fault::Kind::contended) {
    ++contentions_;
    return fail(Code::contended, "a guard is said not to hold");
  }
  if (kind == Fault::Kind::no_space) return fail(Code::no_space, "the disk is said to be full");
  unknown_ = spoiled(batch);
  is_stopped_ = true;
  return fail(Code::internal, "the commit's outcome is unknown");
}

Result<void> Engine::pass_read() {
  auto& fault = (is_foreground_ ? foreground_ : other_).read;
  if (!fault || fault->after-- > 0) return {};
  fault.reset();
  ++failures_;
  if (is_foreground_) has_read_failed_ = true;
  return fail(Code::corrupt, "a file is said to be damaged");
}

// The batch with the planted defect.
CommitBatch Engine::spoiled(const CommitBatch& batch) const {
  CommitBatch spoiled = batch;
  const auto is_queue_row = [](const Bytes& key) { return is_in(key, keys::Table::queue); };
  if (plant_ == Plant::index_ignores_death) {
    for (store::Put& put : spoiled.puts) {
      if (!is_in(put.key, keys::Table::index)) continue;
      const auto entry = records::decode_entry(put.value, batch.version);
      put.value.clear();
      records::encode_entry(Never{}, entry->written_at, put.value);
    }
  }
  if (plant_ == Plant::sweeper_believes_queue) {
    if (is_by_foreground(batch)) std::erase_if(spoiled.removals, is_queue_row);
    std::erase_if(spoiled.points, [&](const auto& guard) { return is_queue_row(guard.key); });
  }
  if (plant_ == Plant::end_is_told_twice && !is_by_foreground(batch)) {
    std::erase_if(spoiled.removals, is_queue_row);
  }
  if (plant_ == Plant::clock_steps_back) {
    std::erase_if(spoiled.puts, [](const auto& put) { return put.key == keys::clock_floor(); });
  }
  if (plant_ == Plant::guards_are_ignored && is_by_foreground(batch)) {
    spoiled.points.clear();
    spoiled.ranges.clear();
  }
  if (plant_ == Plant::index_forgets_its_past) {
    std::erase_if(spoiled.puts, [](const auto& put) { return is_in(put.key, keys::Table::past); });
  }
  if (plant_ == Plant::purge_goes_unrecorded && !is_by_foreground(batch)) {
    std::erase_if(spoiled.puts, [](const auto& put) { return is_in(put.key, keys::Table::purge); });
  }
  if (plant_ == Plant::ledger_misses_removals && is_by_foreground(batch)) {
    std::erase_if(spoiled.puts, [](const auto& put) {
      if (!is_in(put.key, keys::Table::ledger)) return false;
      const auto changes = ledger::decode_changes(put.value);
      return changes && std::ranges::any_of(*changes, [](const auto& c) { return c.by < 0; });
    });
  }
  return spoiled;
}

Result<void> Engine::commit(const CommitBatch& batch) {
  TRY(pass(batch));
  if (plant_ == Plant::validation_sees_the_past && is_by_foreground(batch)) {
    before_last_ = inner().snapshot();
  }
  const CommitBatch written = plant_ == Plant::none ? batch : spoiled(batch);
  TRY(inner().commit(written));
  const bool is_lost =
      plant_ == Plant::clock_steps_back && written.puts.empty() && written.removals.empty();
  const bool is_foreground = is_by_foreground(batch);
  if (plant_ == Plant::dropped_rows_go_at_once) TRY(erase_dropped(batch));
  if (plant_ == Plant::feed_loses_its_rows) note_published(batch);
  if (!is_lost) disk_.append({batch.version, is_foreground, written.puts, written.removals, {}});
  if (is_foreground) commits_.push_back(batch.version);
  return {};
}

void Engine::note_published(const CommitBatch& batch) {
  for (const store::Put& put : batch.puts) {
    if (!put.key.starts_with(keys::all_watermarks())) continue;
    const auto watermark = keys::decode_watermark(put.key);
    const Bytes queue = keys::queue(watermark->collection, watermark->queue);
    forgetting_->published[queue] = queue + put.value;
  }
}

// Erases as if no view were open that still reads the rows.
Result<void> Engine::erase_dropped(const CommitBatch& batch) {
  const Bytes prefix = keys::all_dropped();
  for (const store::Put& put : batch.puts) {
    if (!put.key.starts_with(prefix)) continue;
    const CollectionId id = Reader(BytesView(put.key).substr(prefix.size())).u32();
    const Bytes heads = keys::table(keys::Table::head, id);
    TRY(inner().erase_range(heads, after_prefix(heads)));
  }
  return {};
}

Result<Version> Engine::get(BytesView key, Bytes& value, const store::Snapshot* snapshot) {
  TRY(pass_read());
  return inner().get(key, value, snapshot);
}

Version Engine::durable() const {
  return claimed_;
}

void Engine::sync(Version version) {
  if (plant_ != Plant::sync_is_a_lie) disk_.flush(version);
  claimed_ = std::max(claimed_, version);
}

Result<void> Engine::erase_range(BytesView lo, BytesView hi) {
  TRY(inner().erase_range(lo, hi));
  // Whole files may be removed immediately, before the log is synced.
  disk_.erase(lo, hi);
  disk_.append({applied(), is_foreground_, {}, {}, std::pair(Bytes(lo), Bytes(hi))});
  return {};
}

Result<store::ReadReply> Engine::read(const store::ReadBatch& batch,
                                      const store::Snapshot* snapshot) {
  auto may_read = pass_read();
  if (!may_read && plant_ == Plant::unreadable_is_empty) {
    has_read_failed_ = false;  // so the defect has to be found from the answers
    return nothing_in(batch);
  }
  TRY(may_read);
  const bool is_of_the_past = plant_ == Plant::validation_sees_the_past && validates(batch);
  store::ReadReply reply = TRY(inner().read(batch, is_of_the_past ? before_last_.get() : snapshot));
  if (plant_ == Plant::sweeper_ignores_holds && !is_foreground_) hide_holds(reply);
  if (plant_ != Plant::sweeper_believes_queue || is_foreground_) return reply;
  // Each queue row is returned as if it belonged to the version that is there now.
  for (store::Page& page : reply.scans) {
    store::Rows rows;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      store::Row row = page.rows[i];
      const auto entry =
          is_in(row.key, keys::Table::queue) ? keys::decode_queue(row.key) : std::nullopt;
      if (entry && keys::in_trash(entry->queue) != entry->queue) {
        Bytes value;
        const Bytes head = keys::head(*keys::collection_of(row.key), entry->key);
        const Version stands = TRY(inner().get(head, value, nullptr));
        if (stands != 0) row.version = stands;
      }
      rows.append(row.key, row.value, row.version);
    }
    page.rows = std::move(rows);
  }
  return reply;
}

// --- compaction ---

void Engine::set_forget(std::shared_ptr<store::ForgetFilterMaker> maker) {
  forgetting_->slow = nullptr;
  forgetting_->maker = maker;
  inner().set_forget(maker ? std::make_shared<Maker<Forgetting>>(forgetting_) : nullptr);
}

void Engine::spare(int percent, std::uint64_t seed) {
  forgetting_->spared_percent = percent;
  forgetting_->random.emplace(seed);
}

void Engine::begin_slow_compaction() {
  forgetting_->slow = forgetting_->maker->make();
  forgetting_->slow_through = applied();
}

Result<void> Engine::finish_slow_compaction() {
  if (!forgetting_->slow) return {};
  forgetting_->uses_slow = true;
  auto done = inner().compact({}, {});
  forgetting_->uses_slow = false;
  return done;
}

// --- planted defects ---

namespace {

struct PlantName {
  Plant plant;
  std::string_view name;
};
constexpr PlantName plant_names[] = {
    {Plant::none, "none"},
    {Plant::index_ignores_death, "index_ignores_death"},
    {Plant::sweeper_believes_queue, "sweeper_believes_queue"},
    {Plant::clock_steps_back, "clock_steps_back"},
    {Plant::compaction_eats_history, "compaction_eats_history"},
    {Plant::end_is_told_twice, "end_is_told_twice"},
    {Plant::sync_is_a_lie, "sync_is_a_lie"},
    {Plant::sweeper_ignores_holds, "sweeper_ignores_holds"},
    {Plant::index_forgets_its_past, "index_forgets_its_past"},
    {Plant::purge_goes_unrecorded, "purge_goes_unrecorded"},
    {Plant::guards_are_ignored, "guards_are_ignored"},
    {Plant::validation_sees_the_past, "validation_sees_the_past"},
    {Plant::unreadable_is_empty, "unreadable_is_empty"},
    {Plant::cursors_lose_their_snapshot, "cursors_lose_their_snapshot"},
    {Plant::feed_loses_its_rows, "feed_loses_its_rows"},
    {Plant::ledger_misses_removals, "ledger_misses_removals"},
    {Plant::dropped_rows_go_at_once, "dropped_rows_go_at_once"}};

}  // namespace

std::string_view name_of(Plant plant) {
  for (const PlantName& row : plant_names) {
    if (row.plant == plant) return row.name;
  }
  return "unknown";
}

std::optional<Plant> plant_named(std::string_view name) {
  for (const PlantName& row : plant_names) {
    if (row.name == name) return row.plant;
  }
  return std::nullopt;
}

}  // namespace mayfly::simulate
