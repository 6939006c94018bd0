// Bounds of what db/ does by itself, each with its reason; bounds that other layers use are in
// base/limits.h. Private to db/.
#pragma once

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

// How long an event loop that finds a commit in progress keeps trying before it hands the request
// to a worker. A commit takes a fraction of this time, and handing over costs about as much as
// trying.
inline constexpr Span loop_commit_wait_max = Span{100};
// How long an event stays in a feed at most because one of its consumers has not read it yet.
inline constexpr Span feed_held_max = Span::seconds(366 * 86'400);
// After a failure, recording the ends of a collection is tried again: soon at first, since the
// cause may be temporary, then at growing intervals, since a damaged file does not repair itself.
inline constexpr Span sweep_retry_first = Span::seconds(1);
inline constexpr Span sweep_retry_max = Span::seconds(60);
inline constexpr std::size_t failing_sweeps_logged_max =
    10;  // collections with a log line of their own
// How often to check whether views are still open that read dropped rows.
inline constexpr Span dropped_rows_looked_at_every = Span::seconds(1);
// Indexes requested by queries: how many may wait to be made, and how many one collection may have.
inline constexpr std::size_t index_requests_max = 64;
inline constexpr std::size_t requested_indexes_per_collection_max = 16;
// How often a failing one is tried, with pauses that grow to a minute: a temporary cause has gone
// by then. After that it is not requested again; failures of so many indexes are remembered.
inline constexpr std::size_t index_request_tries_max = 8;
inline constexpr std::size_t failed_index_requests_max = 256;
// Entries that one document may have in one index. A write puts all of them, whatever it changes.
inline constexpr std::size_t entries_per_document_max = 1'000;
// Entries that one commit adds to an index that is being filled; or those of one document, if more.
inline constexpr std::size_t filled_bytes_max = 8 << 20;
// Documents that one commit of the sweeper moves to the trash: their bodies are copied there, and
// their entries are removed. One document is moved whatever its size.
inline constexpr std::size_t sweep_bytes_max = 8 << 20;
inline constexpr std::size_t sweep_heads_max = 16;  // read in one batch, of up to 2 MiB each

// Expirations that one row of logged ends stands for. A reader that begins within such a row reads
// all its ends, so a page of 100 events costs the reading of up to 162.
inline constexpr std::size_t logged_ends_max = 64;
inline constexpr std::size_t logged_ends_min = 2;              // a single one has a row of its own
inline constexpr std::size_t logged_ends_bytes_max = 1 << 20;  // as many of the longest keys
// A page of events reads one such row for as many events of the page.
inline constexpr std::size_t logged_ends_in_page = 8;
// Collections whose first such row compaction looks for again before it begins: some milliseconds.
inline constexpr std::size_t needed_ends_looked_up_max = 256;

// Changes that a ledger may have beside its slots before they are added up: a count reads them, in
// a millisecond or two. One commit adds up that many rows of them, in a few milliseconds, and fewer
// if they belong to more slots than this.
inline constexpr std::size_t ledger_pending_max = 2'048;
inline constexpr std::size_t ledger_rows_folded_max = 4'096;
inline constexpr std::size_t ledger_slots_folded_max = 8'192;
inline constexpr std::size_t ledger_foldings_known_max =
    64;  // that are not durable yet, or still read
// With more of them they are added up even while requests are refused for overload.
inline constexpr std::size_t ledger_pending_without_delay = 65'536;

// Bodies that are read in one batch by their keys, before their size is known: 32 MB of the largest
// documents.
inline constexpr std::size_t bodies_read_at_once = 16;
// A page of the trash or of the holds ends at as many bytes as a page of a query.
inline constexpr std::size_t list_page_bytes_max = query_bytes_max / 4;
// For ids without a partition, ten times searched_partitions_max: the searched range of each
// partition is compared again under the lock on commits, in some milliseconds.
inline constexpr std::size_t transaction_searched_partitions_max = 10'000;

}  // namespace mayfly::limits
