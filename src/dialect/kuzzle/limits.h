// The bounds that only the Kuzzle dialect meets, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Kuzzle's own bounds on one request.
inline constexpr std::size_t documents_fetch_max = 1'000;
inline constexpr std::size_t documents_write_max = 200;
// What one request deletes by a query or a truncation: one transaction, whose lock is held for a
// part of a second.
inline constexpr std::size_t documents_delete_max = 10'000;
// Of one bulk import: its documents are written in one transaction.
inline constexpr std::size_t bulk_lines_max = 20'000;
// How long a collection's past is kept, so that later pages of a scroll show what its first did.
inline constexpr Span scroll_history_for = Span::seconds(300);
// How long events are kept for those who are told of them; they are told at once.
inline constexpr Span realtime_feed_for = Span::seconds(600);
// Between two looks whether the trashcans are to be emptied.
inline constexpr Span collector_looks_every = Span::seconds(1);

}  // namespace mayfly::limits
