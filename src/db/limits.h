// Bounds of what db/ does by itself, each with its reason; those that others know stand in
// base/limits.h. Private to db/.
#pragma once

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

// An event loop that finds a commit under way looks again for as long before it leaves the request
// to a worker: a commit takes a fraction of it, and to hand over costs about as much as to look.
inline constexpr Span loop_commit_wait_max = Span{100};
// How long an event stays in a feed at most because one that must have it has not come so far.
inline constexpr Span feed_held_max = Span::seconds(366 * 86'400);
// After a failure the ends of a collection are tried again: at first soon, since it may have been a
// moment's, then ever later, since a damaged file does not repair itself.
inline constexpr Span sweep_retry_first = Span::seconds(1);
inline constexpr Span sweep_retry_max = Span::seconds(60);
inline constexpr std::size_t failing_sweeps_logged_max =
    10;  // collections with a line of their own
// How often it is asked whether the views are gone that still read what has been dropped.
inline constexpr Span dropped_rows_looked_at_every = Span::seconds(1);
// Of indexes that queries have asked for: those that wait to be made, and those of one collection.
inline constexpr std::size_t index_requests_max = 64;
inline constexpr std::size_t requested_indexes_per_collection_max = 16;
// How often one is tried that fails, with rests that grow to a minute: what passes by itself has
// passed by then. After that it is not asked for again; of so many this is known.
inline constexpr std::size_t index_request_tries_max = 8;
inline constexpr std::size_t failed_index_requests_max = 256;
// What one document may have in one index. A write puts all of them, whatever it changes.
inline constexpr std::size_t entries_per_document_max = 1'000;
// Entries that one commit adds to an index that is being filled, or those of one document.
inline constexpr std::size_t filled_bytes_max = 8 << 20;
// Documents that one commit of the sweeper moves to the trash: their bodies are copied there, and
// their entries go. One is moved whatever its size.
inline constexpr std::size_t sweep_bytes_max = 8 << 20;
inline constexpr std::size_t sweep_heads_max = 16;  // read at once, of up to 2 MiB each

// Changes that a ledger may have beside its slots before they are added up: a count reads them,
// in a millisecond or two. One commit adds up so many rows of them, in a few milliseconds,
// and fewer where they lie in more slots than this.
inline constexpr std::size_t ledger_pending_max = 2'048;
inline constexpr std::size_t ledger_rows_folded_max = 4'096;
inline constexpr std::size_t ledger_slots_folded_max = 8'192;
inline constexpr std::size_t ledger_foldings_known_max = 64;  // that are not durable, or still read

// Bodies that are read at once by their keys, before their bytes are looked at: of the largest
// documents 32 MB.
inline constexpr std::size_t bodies_read_at_once = 16;
// A page of the trash or of the holds ends at as many bytes as a page of a query does.
inline constexpr std::size_t list_page_bytes_max = query_bytes_max / 4;
// For ids without a partition, ten times searched_partitions_max: what each partition held is
// compared under the lock on commits, in some milliseconds.
inline constexpr std::size_t transaction_searched_partitions_max = 10'000;

}  // namespace mayfly::limits
