// The life of the process under simulation: it starts, crashes and starts again.
#include <algorithm>

#include "base/check.h"
#include "simulate/runner.h"
#include "store/wrappers/checked.h"

namespace mayfly::simulate {

namespace {

const std::vector<std::string> names{"first", "second", "third", "fourth"};
constexpr std::string_view name_of_fql = "fourth";

}  // namespace

Instant instant_of(store::Version version) {
  return {static_cast<std::int64_t>(version)};
}

std::string text_of(const Error& error) {
  std::string text = mayfly::name_of(error.code);
  return error.code == Code::exists ? text + " " + error.field : text;
}

IndexSpec spec_of(const IndexModel& index) {
  IndexSpec spec{.name = index.name,
                 .unique = index.is_unique ? Uniqueness::of_complete : Uniqueness::none};
  for (const char field : index.fields) {
    spec.fields.push_back({.field = Field::body(std::string_view(&field, 1)),
                           .is_descending = index.is_descending,
                           .null_is_greatest = index.null_is_greatest,
                           .is_each = field == 't'});
  }
  return spec;
}

void Runner::open() {
  auto engine = std::make_unique<Engine>(disk_, options_.plant);
  engine_ = engine.get();
  clock_.set(wall_);
  std::unique_ptr<store::Store> store = std::move(engine);
  // A planted defect has to be found from the answers, and must not stop the program.
  if (options_.plant == Plant::none) {
    store = std::make_unique<store::CheckedStore>(std::move(store));
  }
  auto opened = Database::open(std::move(store), clock_);
  CHECK(opened.has_value());
  database_ = std::move(*opened);
  fql_ = std::make_unique<FqlPort>(*database_, options_.plant);
  const Instant now = database_->now();
  if (now < latest_) {
    fail_with(operation_ + "\n  after the restart",
              "a now from " + std::to_string(latest_.micros) + " on", std::to_string(now.micros));
  }
  if (!has_failed()) latest_ = now;
}

void Runner::crash(std::uint64_t lost, bool keeps_all) {
  ++outcome_.crashes;
  held_.reset();
  outcome_.faults += engine_->failures();
  fql_.reset();
  database_.reset();
  engine_ = nullptr;
  const std::size_t unsynced = disk_.unsynced_foreground();
  const std::size_t losing = keeps_all ? 0 : lost % (unsynced + 1);
  if (losing > 0) pages_.clear();  // some of what they show may never have existed
  const Instant left = instant_of(disk_.crash(losing, schedule_random_.below(3)));
  while (!undo_.empty() && undo_.back().effective > left) {
    model_ = std::move(undo_.back().before);
    undo_.pop_back();
  }
  undo_.clear();
  published_ends_.roll_back(left);
  purged_.roll_back(left);
  note("crash, left " + std::to_string(left.micros));
  open();
}

std::optional<Instant> Runner::crash_within() {
  const Instant at = instant_of(*engine_->unknown());
  const bool is_kept = workload_.chance(50);
  if (is_kept) engine_->keep_unknown();
  wall_ = std::max(wall_, at);
  crash(workload_.below(100), is_kept);
  if (!is_kept) return std::nullopt;
  return at;
}

void Runner::sync() {
  database_->store().sync(database_->store().applied());
  undo_.clear();
}

void Runner::done(Model before, Instant effective) {
  undo_.push_back({effective, std::move(before)});
}

CollectionPtr Runner::collection(const std::string& name) {
  const CatalogPtr catalog = database_->catalog();
  return catalog->find_collection(catalog->databases().front()->id, name);
}

void Runner::create_missing() {
  engine_->set_foreground(true);
  engine_->clear_faults();
  for (const std::string& name : names) {
    const auto known = model_.names();
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (name == name_of_fql) {
      create_by_fql(name);
      continue;
    }
    const CollectionChange promises = workload_.first_policy();
    const std::vector<IndexModel> indexes = workload_.first_indexes();
    CollectionSpec spec{.name = name, .promises = promises};
    if (workload_.chance(50)) spec.default_counts_from = CountsFrom::write;
    for (const IndexModel& index : indexes) spec.indexes.push_back(spec_of(index));
    const DatabaseId home = database_->catalog()->databases().front()->id;
    const auto created = database_->create_collection(home, spec);
    if (!created) return fail_with("create " + name, "done", text_of(created.error()));
    Model before = model_;
    model_.create((*created)->id, spec, indexes, (*created)->created_at);
    done(std::move(before), (*created)->created_at);
  }
}

}  // namespace mayfly::simulate
