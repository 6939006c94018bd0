// Bounds that several parts of the program use, each with its reason. The bounds of one part are in
// its own limits.h. A request that exceeds a bound gets an error that says what is too large or too
// many. Sizes are in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// --- documents ---
inline constexpr std::size_t document_bytes_max =
    2 << 20;  // as clients of document services expect; fits two rows of a remote engine
inline constexpr std::size_t document_depth_max = 128;  // recursion stays far below a 256 KiB stack
inline constexpr std::size_t document_fields_max =
    100'000;  // the members of one object; the directory stays small
inline constexpr std::size_t document_id_bytes_max = 1'023;  // the largest bound of all dialects
inline constexpr std::size_t routing_bytes_max =
    512;  // with the id it stays under the engines' key bound
inline constexpr std::size_t partition_key_components_max = 3;  // they share routing_bytes_max
inline constexpr std::size_t indexed_bytes_max =
    1'000;  // one indexed value; PostgreSQL's b-tree stops at 2,704
inline constexpr std::size_t author_bytes_max = 256;
inline constexpr std::size_t hold_reason_bytes_max = 1'024;  // a sentence and a file number
// Positions of one geometry. Comparing two hostile ones, in which each edge crosses all edges of
// the other, takes four seconds.
inline constexpr std::size_t shape_points_max = 1'024;

// --- lifetimes ---
inline constexpr std::int64_t ttl_seconds_max =
    2'147'483'647;  // 68 years: the maximum that the dialects share
// 9999-12-31T23:59:59.999999Z: the last instant RFC 3339 can write.
inline constexpr Instant instant_max{253'402'300'799'999'999};
inline constexpr Instant instant_min{-62'135'596'800'000'000};  // 0001-01-01T00:00:00Z

// --- stores ---
inline constexpr std::size_t databases_max = 10'000;           // the catalog lives in memory
inline constexpr std::size_t collections_max = 50'000;         // the same, over all databases
inline constexpr std::size_t indexes_per_collection_max = 64;  // each write pays for every index
inline constexpr std::size_t fields_per_index_max =
    20;  // the longest unique key of a dialect has 16 paths, after 3 of its partition key
inline constexpr std::size_t cut_entry_bytes_max =
    512;  // of truncated values in one entry; with the longest document key it fits an engine's key
inline constexpr std::size_t name_bytes_max = 255;
inline constexpr std::size_t policy_changes_max =
    4'096;  // past policies that expirations can still depend on

// --- one request ---
inline constexpr std::size_t request_head_bytes_max = 16 << 10;
inline constexpr std::size_t request_body_bytes_max =
    4 << 20;  // twice the largest document; bulk requests have a bound of their own
inline constexpr std::size_t filter_depth_max = 64;
inline constexpr std::size_t filter_nodes_max = 4'096;
inline constexpr std::size_t page_rows_max = 1'000;
inline constexpr std::size_t page_rows_default = 100;
// For a forecast of a collection whose ledger is not built yet: so many rows are counted one by
// one, in half a second, and more are estimated; …
inline constexpr std::size_t forecast_rows_max = 500'000;
// … but in each stretch of time this many are counted nevertheless, to calibrate the estimate.
inline constexpr std::size_t forecast_sample_rows = 10'000;
inline constexpr std::size_t sort_rows_max = 200'000;  // rows one sort or group may hold in memory
inline constexpr std::size_t query_bytes_max = 64 << 20;  // what one request may hold in memory
inline constexpr std::size_t sort_keys_max = 8;
// The most index entries worth reading and sorting for each page; checked before a plan is made.
inline constexpr std::size_t guessed_entries_max = 1'000;
inline constexpr std::size_t bookmark_bytes_max = 16 << 10;
inline constexpr Span request_time_max = Span::seconds(30);
inline constexpr int commit_attempts_max =
    16;  // lost races are retried this often before they are reported
inline constexpr int commit_races_before_priority =
    4;  // after so many lost races other commits let a transaction commit first
inline constexpr Span commit_priority_wait_max =
    Span::millis(50);  // other commits wait at most this long for it

// --- transactions ---
inline constexpr std::size_t transaction_rows_max = 100'000;
inline constexpr std::size_t transaction_bytes_max = 64 << 20;

// --- the command line ---
inline constexpr std::size_t client_answer_bytes_max =
    32 << 20;  // a page of documents ends at a quarter of query_bytes_max, and one document
inline constexpr std::size_t import_line_bytes_max =
    4 << 20;  // the largest document, doubled because its line may contain escapes
inline constexpr std::size_t import_batch_operations_max =
    500;  // written in one transaction; after a bad line the others are sent again
inline constexpr std::size_t import_batch_bytes_max =
    1 << 20;  // with one more document it stays below request_body_bytes_max
inline constexpr int client_attempts_max = 5;  // of one request that an overloaded server refuses
inline constexpr std::int64_t export_pin_seconds_min =
    3'600;  // history kept for less may end before an export does: it is then not pinned
inline constexpr std::size_t backup_name_bytes_max =
    100;  // leaves room for the suffixes that we append on any file system

// --- servers ---
inline constexpr std::size_t connections_max = 10'000;
inline constexpr Span head_time_max =
    Span::seconds(10);  // for a slow client to send a request's head
// A body may take this long, and longer as long as its bytes arrive at this rate. A phone on a bad
// line is faster; a slower client only occupies a connection.
inline constexpr Span body_time_max = Span::seconds(10);
inline constexpr std::int64_t body_bytes_per_second_min = 1'000;
// A client that reads nothing of its response for so long has gone or is hostile.
inline constexpr Span send_time_max = Span::seconds(30);
inline constexpr Span idle_time_max = Span::seconds(60);
// Requests that have been read and whose responses have not been sent: running, or waiting for a
// worker or for the disk. A hundred keep the server busy. Five times as many wait about five times
// as long, and more would only wait longer.
inline constexpr std::size_t requests_max = 512;
// Bodies of requests and responses in memory at once, over all connections.
inline constexpr std::size_t exchange_bytes_max = 256 << 20;
inline constexpr Span drain_time_max =
    Span::seconds(10);  // how long a shutdown waits for responses in progress
// Streaming responses at once: half of the connections, so that other requests still find room.
inline constexpr std::size_t streams_max = 5'000;
// Unsent bytes for the client of a stream. A slower client is disconnected with its token to
// resume; the server does not buffer more.
inline constexpr std::size_t stream_unsent_bytes_max = 256 << 10;
// The same for a conversation over a WebSocket, whose client cannot resume: as much as one write
// may publish. It counts towards the bound of bodies, so a client with many conversations has less
// for each.
inline constexpr std::size_t conversation_unsent_bytes_max = 16 << 20;
inline constexpr std::size_t token_bytes_max = 8 << 10;  // half of a request's head
inline constexpr std::size_t metric_series_max =
    1'000;  // of one metric; further labels count as "other"
inline constexpr std::size_t pool_queue_max =
    256;  // long requests waiting for a worker; then throttled

// --- background work, at a time ---
inline constexpr std::uint64_t expired_rows_kept_seconds_max =
    7 * 86'400;  // on disk without a compaction; a file is rewritten once in that time
inline constexpr std::size_t sweep_batch_max = 512;  // expirations recorded in one commit
// Documents evicted from a trash in one batch; their keys are in memory meanwhile.
inline constexpr std::size_t trim_batch_max = 10'000;
// Held documents that one search for the next end skips at most.
inline constexpr std::size_t sweep_held_rows_max = 16;
// Expired rows of a collection that may wait for a regular compaction before one is started for
// them.
inline constexpr std::uint64_t expired_rows_before_compaction = 50'000;
inline constexpr Span sweep_pause_overloaded =
    Span::seconds(1);  // between two batches while the server refuses requests
inline constexpr std::size_t store_page_rows_max =
    1'000;  // rows that the store returns in one answer
inline constexpr std::size_t store_page_bytes_max = 256 << 10;
inline constexpr std::size_t recent_writes_max =
    32'768;  // keys whose last commit is remembered for guards, some 4 MB
// On a large disk, writes are refused while less space than this is free; on a smaller one a
// twentieth of the disk is enough (store::FreeSpace).
inline constexpr std::uint64_t free_disk_bytes_min = std::uint64_t{1} << 30;
// Bytes that may be written before the free space is checked again: little compared with the bound
// above.
inline constexpr std::uint64_t free_disk_check_bytes = 1 << 20;

}  // namespace mayfly::limits
