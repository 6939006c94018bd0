#include "db/clock/database_clock.h"

#include <algorithm>

#include "base/check.h"
#include "base/service/kill_point.h"
#include "db/clock/clock_limits.h"
#include "db/database_state.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"

namespace mayfly {

Result<Instant> Database::State::write_floor(Span ahead, Instant at_least) {
  return committer.run(
      [&](Instant at) -> Result<void> {
        store::CommitBatch batch{.version = records::to_version(at),
                                 .space = store::CommitBatch::Space::less};
        const Instant through = at + ahead;
        batch.puts.push_back({keys::clock_floor(),
                              encode_clock_record(recorded_kind.value_or(clock_kind), through)});
        // No document has changed: only an answer that needs the floor waits for it.
        TRY(committer.apply(batch, Visible::no));
        floor.wrote(through, batch.version, *store);
        return {};
      },
      at_least);
}

Result<void> Database::persist_clock() {
  TRY(state_->write_floor(Span{0}));
  return {};
}

Result<void> persist_clock_ahead(Database& database) {
  Database::State& s = database.sweeper().of_database();
  const bool is_system = s.clock_kind == ClockKind::system;
  TRY(s.write_floor(is_system ? limits::clock_floor_ahead : Span{0}));
  KILL_POINT("clock.persisted");
  s.store->sync(s.store->applied());
  KILL_POINT("clock.synced");
  return {};
}

Result<void> Database::persist_clock_if_used() {
  const std::uint64_t asked = state_->foreground.load(std::memory_order_relaxed);
  if (asked == state_->foreground_at_persist) return {};
  state_->foreground_at_persist = asked;
  return persist_clock_ahead(*this);
}

store::Version durable_version(Database& database) {
  const Database::State& s = database.sweeper().of_database();
  return std::max(s.store->durable(), s.released_through.load());
}

void make_durable(Database& database, store::Version version) {
  Database::State& s = database.sweeper().of_database();
  const bool is_released = version > s.store->applied() && !persist_clock_ahead(database);
  s.store->sync(std::min(version, s.store->applied()));
  if (!is_released) return;
  // The engine accepts no writes any more. The data that it holds is still served: it is safe once
  // it is durable, and only the clock after a restart could be behind.
  s.released_through = std::max(s.released_through.load(), version);
}

Result<void> move_clock(Database& database, ManualClock& clock, Instant to) {
  Database::State& s = database.sweeper().of_database();
  CHECK(s.clock_kind == ClockKind::manual);
  TRY(s.write_floor(Span{0}, to));
  clock.set(to);
  return {};
}

CommitClock::Distance clock_distance(Database& database) {
  return database.sweeper().of_database().clock.distance();
}

}  // namespace mayfly
