// Database and its clock: what is written so that no restart goes behind an answer.
#include <algorithm>

#include "base/check.h"
#include "base/kill_point.h"
#include "base/limits.h"
#include "db/database_state.h"
#include "db/keys.h"
#include "db/records.h"

namespace mayfly {

Result<Instant> Database::State::write_floor(Span ahead, Instant at_least) {
  return commit_alone(
      [&](Instant at) -> Result<void> {
        store::CommitBatch batch{.version = records::to_version(at),
                                 .space = store::CommitBatch::Space::less};
        const Instant through = at + ahead;
        batch.puts.push_back(
            {keys::clock_floor(), encode_clock_note(noted_kind.value_or(clock_kind), through)});
        const store::Version before = store->applied();
        TRY(store->commit(batch));
        // No document has changed: only who needs the floor waits for it.
        shown.pass_over(before, batch.version);
        floor.wrote(through, batch.version, *store);
        return {};
      },
      at_least);
}

Result<void> Database::persist_clock() {
  TRY(state_->write_floor(Span{0}));
  return {};
}

Result<void> Database::persist_clock_ahead() {
  const bool is_system = state_->clock_kind == ClockKind::system;
  TRY(state_->write_floor(is_system ? limits::clock_floor_ahead : Span{0}));
  KILL_POINT("clock.persisted");
  state_->store->sync(state_->store->applied());
  KILL_POINT("clock.synced");
  return {};
}

Result<void> Database::persist_clock_if_asked() {
  // A virtual clock moves by commits only, and answers wait for those.
  if (state_->clock_kind == ClockKind::manual) return {};
  const std::uint64_t asked = state_->foreground.load(std::memory_order_relaxed);
  if (asked == state_->foreground_at_persist) return {};
  state_->foreground_at_persist = asked;
  return persist_clock_ahead();
}

void Database::make_durable(store::Version mark) {
  store::Store& store = *state_->store;
  if (mark > store.applied() && !persist_clock_ahead()) {
    // The engine takes no writes any more. What it holds is still served: it is safe, and only the
    // restart's clock could be behind.
    state_->let_go_through = std::max(state_->let_go_through.load(), mark);
  }
  store.sync(std::min(mark, store.applied()));
}

Result<void> Database::move_clock(ManualClock& clock, Instant to) {
  CHECK(state_->clock_kind == ClockKind::manual);
  TRY(state_->write_floor(Span{0}, to));
  clock.set(to);
  return {};
}

}  // namespace mayfly
