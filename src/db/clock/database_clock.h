// A database and its clock: what is written so that no restart goes behind an answer, and how far
// the time that readers see is from the wall clock. Threads: any.
#pragma once

#include "db/clock/commit_clock.h"
#include "db/database.h"

namespace mayfly {

// The version of Database::shown() up to which answers may leave.
store::Version durable_version(Database& database);
// Returns once durable_version() >= version. Writes a floor of the clock if that is needed. May
// block for a flush to disk.
void make_durable(Database& database, store::Version version);

// Writes a floor ahead of time under the machine's clock, and makes it durable. While a server gets
// requests the floor is renewed before it is reached, so that answers need not wait for it.
Result<void> persist_clock_ahead(Database& database);
// Moves the virtual clock that the database was opened with. The move is applied before the first
// reader sees it, so that answers that show it wait for it.
Result<void> move_clock(Database& database, ManualClock& clock, Instant to);
// How far the time that readers see is from the wall clock.
CommitClock::Distance clock_distance(Database& database);

}  // namespace mayfly
