// A database and its clock: what is written so that no restart goes behind an answer, and how far
// the time that readers are told is from the clock. Threads: any.
#pragma once

#include "db/clock/commit_clock.h"
#include "db/database.h"

namespace mayfly {

// Up to which mark of Database::shown() answers may leave.
store::Version durable_mark(Database& database);
// Returns once durable_mark() >= mark; writes a floor of the clock where the mark needs one. May
// block for a flush to disk.
void make_durable(Database& database, store::Version mark);

// Writes a floor ahead of time under the machine's clock, and makes it durable: while a server is
// asked it is renewed before it is reached, so that answers need not wait for it.
Result<void> persist_clock_ahead(Database& database);
// Moves the virtual clock that the database was opened with. The move is applied before the first
// reader sees it, so that the answers which show it wait for it.
Result<void> move_clock(Database& database, ManualClock& clock, Instant to);
// How far what readers are told is from the clock.
CommitClock::Distance clock_distance(Database& database);

}  // namespace mayfly
