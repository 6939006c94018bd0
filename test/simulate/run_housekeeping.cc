// Housekeeping under simulation: when it runs, what it must publish, and which rows it must leave.
#include <algorithm>

#include "base/check.h"
#include "db/expiry/sweeper.h"
#include "db/ledger/ledger.h"
#include "db/rows/keys.h"
#include "simulate/runner.h"

namespace mayfly::simulate {

void Runner::sweep(std::size_t ends_max) {
  const std::size_t failures = engine_->failures();
  const auto swept = database_->sweeper().run_due(ends_max);
  const bool is_fault = engine_->failures() > failures;
  if (!swept && !is_fault) fail_with("a sweep", "done", swept.error().message);
  note("swept " + std::to_string(swept.value_or(0)));
}

void Runner::sweep_with_faults(std::size_t ends_max) {
  if (schedule_random_.below(12) == 0) {
    static constexpr Fault::Kind kinds[] = {Fault::Kind::contended, Fault::Kind::no_space,
                                            Fault::Kind::unreadable};
    engine_->fail_next(
        {kinds[schedule_random_.below(3)], static_cast<int>(schedule_random_.below(4))});
  }
  sweep(ends_max);
  engine_->clear_faults();
}

// Adds the changes of ledgers up to slots, or makes a ledger from the documents.
void Runner::run_ledger_jobs() {
  if (schedule_random_.below(12) == 0) {
    engine_->fail_next({Fault::Kind::contended, static_cast<int>(schedule_random_.below(4))});
  }
  const std::size_t failures = engine_->failures();
  auto done = database_->ledger().fold_all();
  if (!database_->catalog()->all_collections().empty() && schedule_random_.below(6) == 0) {
    const auto& collections = database_->catalog()->all_collections();
    auto any = collections.begin();
    std::advance(any, schedule_random_.below(collections.size()));
    if (any != collections.end() && done) done = database_->ledger().make(any->first);
  }
  if (!done && engine_->failures() == failures) {
    fail_with("adding up ledgers", "done", done.error().message);
  }
  engine_->clear_faults();
  note(done ? "added up ledgers" : "added up some ledgers");
}

// A compaction of everything or of one table, which spares some rows.
void Runner::compact() {
  static constexpr int spared[] = {0, 0, 50, 90};
  engine_->spare(spared[schedule_random_.below(4)], schedule_random_.next());
  Bytes lo, hi;
  if (schedule_random_.below(2) == 0) {
    static constexpr char tables[] = "dhtiqfc";
    lo = Bytes(1, tables[schedule_random_.below(7)]);
    hi = after_prefix(lo);
  }
  if (schedule_random_.below(4) == 0) {
    CHECK(engine_->finish_slow_compaction().has_value());
  } else {
    CHECK(database_->store().compact(lo, hi).has_value());
  }
  if (schedule_random_.below(3) == 0) engine_->begin_slow_compaction();
  note("compacted, rows " + std::to_string(database_->store().stats().rows));
}

void Runner::housekeep() {
  // It works at the instant of the last answers, and is done before the next step begins.
  clock_.set(std::min(wall_, latest_));
  switch (options_.schedule) {
    case Schedule::never: break;
    case Schedule::eager:
      sweep_with_faults(1'000'000);
      engine_->spare(0, 1);
      CHECK(database_->store().compact({}, {}).has_value());
      break;
    case Schedule::sometimes:
    case Schedule::racing:
      if (schedule_random_.below(3) == 0) {
        sweep_with_faults(schedule_random_.below(4) == 0 ? 1'000'000
                                                         : 1 + schedule_random_.below(4));
      }
      if (schedule_random_.below(8) == 0) run_ledger_jobs();
      if (schedule_random_.below(8) == 0) compact();
      break;
  }
}

// Sweeps and compacts everything that is due: only rows that a reader can still see are left.
void Runner::sweep_and_count() {
  if (has_failed()) return;
  operation_ = "everything swept and compacted";
  sweep(1'000'000);
  sync();  // commits that a crash could undo do not allow dropping rows
  engine_->spare(0, 1);
  CHECK(database_->store().compact({}, {}).has_value());
  // Rows of queues go after the rows of logged ends that name them.
  CHECK(database_->store().compact({}, {}).has_value());
  check_records();
  const Bytes dropped = keys::all_dropped();
  const auto left = database_->store().read(
      {{}, {store::Range{.lo = dropped, .hi = after_prefix(dropped)}}}, nullptr);
  if (!left->scans.front().rows.empty())
    fail_with(operation_, "all that was dropped erased", "not all");
  const Instant now = database_->now();
  for (const std::string& name : model_.names()) {
    const CollectionModel& c = model_.at(name);
    const std::string missing = published_ends_.missing(c, now);
    if (!missing.empty()) fail_with(operation_, "each death told", missing);
    const std::string lacking = purged_.missing(c, now);
    if (!lacking.empty()) fail_with(operation_, "each purge recorded", lacking);
    // A planted defect has to be found from the answers.
    if (options_.plant == Plant::none) count_rows(c, now);
  }
}

void Runner::count_rows(const CollectionModel& c, Instant now) {
  RowCounts spare;
  const RowCounts expected = expected_rows(c, now, spare);
  RowCounts seen = counted_rows(*database_, c.id);
  const auto without = [](std::size_t& many, std::size_t spare, std::size_t least) {
    many -= std::min(spare, many - std::min(many, least));
  };
  without(seen.heads, spare.heads, expected.heads);
  without(seen.entries, spare.entries, expected.entries);
  without(seen.past, spare.past, expected.past);
  without(seen.queue, published_ends_.kept_expirations(c, now), expected.queue);
  // Those of indexes in FQL are not counted.
  RowCounts known = expected;
  if (c.fql) known.entries = known.past = seen.entries = seen.past = 0;
  if (seen != known) {
    fail_with(operation_ + ": rows of " + c.name, render(expected), render(seen));
  }
  const std::size_t events = stored_events(*database_, c.id, Instant::beginning()).size();
  if (events != published_ends_.kept(c, now)) {
    fail_with(operation_ + ": events of " + c.name, std::to_string(published_ends_.kept(c, now)),
              std::to_string(events));
  }
}

void Runner::finish() {
  held_.reset();
  latest_ = database_->now();
  begin_step();
  operation_ = "the end";
  check_everything();
  const Instant asked_at = latest_;
  sweep_and_count();
  if (has_failed()) return;
  // Long after, and once more from the rows on disk.
  wall_ = asked_at + Span::seconds(static_cast<std::int64_t>(workload_.below(100'000'000)));
  clock_.set(wall_);
  latest_ = database_->now();
  sweep_and_count();
  sync();
  if (has_failed()) return;
  wall_ = std::max(wall_, database_->now());
  crash(0, true);
  sweep_and_count();
  if (has_failed()) return;
  latest_ = asked_at + Span::seconds(200'000'000);
  wall_ = latest_;
  clock_.set(wall_);
  check_everything();
  outcome_.faults += engine_->failures();
  outcome_.ends_published = published_ends_.total();
  outcome_.purges = purged_.total();
}

}  // namespace mayfly::simulate
