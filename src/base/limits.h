// Every bound in the program, each with its reason. A bound that a request can meet is answered
// with a clear error that names it; each row has a test. Sizes are bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// --- what a document may be ---
inline constexpr std::size_t document_bytes_max =
    2 << 20;  // Cosmos DB's bound; fits two remote engine rows
inline constexpr std::size_t document_depth_max = 128;  // recursion stays far below a 256 KiB stack
inline constexpr std::size_t document_fields_max =
    100'000;  // one object's members; the directory stays small
inline constexpr std::size_t document_id_bytes_max =
    1'023;  // Cosmos DB's bound, the widest of the dialects
inline constexpr std::size_t routing_bytes_max =
    512;  // with the id it stays under the engines' key bound
inline constexpr std::size_t indexed_bytes_max =
    1'000;  // one indexed value; PostgreSQL's b-tree stops at 2,704
inline constexpr std::size_t author_bytes_max = 256;

// --- what a lifetime may be ---
inline constexpr std::int64_t ttl_seconds_max =
    2'147'483'647;  // 68 years: what the dialects agree on
// 9999-12-31T23:59:59.999999Z: the last instant RFC 3339 can write.
inline constexpr Instant instant_max{253'402'300'799'999'999};
inline constexpr Instant instant_min{-62'135'596'800'000'000};  // 0001-01-01T00:00:00Z

// --- what a store holds ---
inline constexpr std::size_t databases_max = 10'000;           // the catalog lives in memory
inline constexpr std::size_t collections_max = 50'000;         // the same, over all databases
inline constexpr std::size_t indexes_per_collection_max = 64;  // each write pays for every index
inline constexpr std::size_t fields_per_index_max = 8;
inline constexpr std::size_t name_bytes_max = 255;
inline constexpr std::size_t policy_changes_max =
    4'096;  // a policy's past that deaths can still depend on

// --- what one request may ask ---
inline constexpr std::size_t request_head_bytes_max = 16 << 10;
inline constexpr std::size_t request_body_bytes_max =
    4 << 20;  // a document twice over; bulk has its own
inline constexpr std::size_t filter_depth_max = 64;
inline constexpr std::size_t filter_nodes_max = 4'096;
inline constexpr std::size_t page_rows_max = 1'000;
inline constexpr std::size_t page_rows_default = 100;
inline constexpr std::size_t page_offset_max = 100'000;  // further on, use a bookmark
inline constexpr std::size_t sort_rows_max = 200'000;  // rows one sort or group may hold in memory
inline constexpr std::size_t query_bytes_max = 64 << 20;  // what one request may hold in memory
inline constexpr std::size_t sort_keys_max = 8;
inline constexpr std::size_t bookmark_bytes_max = 16 << 10;
inline constexpr Span request_time_max = Span::seconds(30);
inline constexpr int commit_attempts_max = 16;  // lost races are retried before they are told

// --- what a transaction may hold ---
inline constexpr std::size_t transaction_rows_max = 100'000;
inline constexpr std::size_t transaction_bytes_max = 64 << 20;

inline constexpr std::size_t transaction_operations_max =
    1'000;  // of one request; the lock on commits is held for milliseconds

// --- what the command line does at once
inline constexpr std::size_t client_answer_bytes_max =
    32 << 20;  // a page of documents ends at a quarter of query_bytes_max, and one document
inline constexpr std::size_t import_line_bytes_max =
    4 << 20;  // the largest document, twice over for the escapes that its line may have
inline constexpr std::size_t import_batch_operations_max =
    500;  // written in one transaction; a broken line costs sending the rest of them again
inline constexpr std::size_t import_batch_bytes_max =
    1 << 20;  // with one more document it stays below request_body_bytes_max
inline constexpr int client_attempts_max = 5;  // of one request that an overloaded server puts off
inline constexpr std::int64_t export_pin_seconds_min =
    3'600;  // history kept for less may end before an export does: it is then not pinned
inline constexpr std::size_t backup_name_bytes_max = 100;  // with what we add, any disk takes it

// --- what a server holds ---
inline constexpr std::size_t connections_max = 10'000;
inline constexpr Span head_time_max =
    Span::seconds(10);  // a slow client may take this long over a request's head
inline constexpr Span body_time_max = Span::seconds(60);
inline constexpr Span idle_time_max = Span::seconds(120);
inline constexpr Span drain_time_max =
    Span::seconds(10);  // how long a shutdown waits for answers under way
inline constexpr std::size_t token_bytes_max = 8 << 10;  // half of a request's head
inline constexpr std::size_t metric_series_max =
    1'000;  // of one metric; further labels count as "other"
inline constexpr std::size_t pool_queue_max = 256;  // long requests waiting for a worker; then 503

// --- what housekeeping does at once ---
inline constexpr std::size_t sweep_batch_max = 512;  // deaths recorded in one commit
inline constexpr std::size_t store_page_rows_max =
    1'000;  // rows that cross the store's seam in one answer
inline constexpr std::size_t store_page_bytes_max = 256 << 10;
inline constexpr std::size_t recent_writes_max =
    200'000;  // keys whose last commit is remembered for guards
// Writes are refused while the disk has less than this free, and less than a twentieth of its size.
inline constexpr std::uint64_t free_disk_bytes_min = std::uint64_t{1} << 30;

}  // namespace mayfly::limits
