// Bounds of this dialect alone, each with its reason, beside those of base/limits.h. They are
// separate because every file of the program includes those.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

inline constexpr std::size_t batch_operations_max = 100;  // Cosmos DB's bound on one batch
inline constexpr std::size_t patch_operations_max = 10;   // Cosmos DB's bound on one patch

// --- queries in SQL ---
inline constexpr std::size_t sql_query_bytes_max = 512 << 10;  // Cosmos DB's bound
inline constexpr std::size_t sql_query_depth_max =
    200;  // recursion over the tree; two levels of the parser each, within a megabyte of stack
inline constexpr std::size_t sql_query_nodes_max =
    65'536;  // some 20 MB; an IN of sql_in_items_max constructed pairs fits
inline constexpr std::size_t sql_logical_terms_max = 2'000;  // Cosmos DB's bound
inline constexpr std::size_t sql_in_items_max = 16'000;      // Cosmos DB's bound
inline constexpr std::size_t sql_joins_max = 10;             // Cosmos DB's bound
inline constexpr std::size_t sql_user_functions_max = 10;    // Cosmos DB's bound
// Each part of a rank is a query of its own, and each query computes the score of every part.
inline constexpr std::size_t rank_parts_max = 8;
inline constexpr std::size_t rank_keywords_max = 64;  // each is searched in every text

// A query that reads so many documents for a page requests an index of its path, if the policy
// includes it.
inline constexpr std::size_t index_requested_documents_min = 1'000;

// Of a container's definition in JSON, and of each list of paths in its policies. The catalog holds
// it in memory as long as the container exists.
inline constexpr std::size_t container_definition_bytes_max = 256 << 10;
inline constexpr std::size_t policy_paths_max = 1'500;  // Cosmos DB's bound on included paths
// Each of the lists of a container's policies for vectors and full texts.
inline constexpr std::size_t search_policy_rows_max = 100;
inline constexpr std::size_t computed_properties_max = 20;  // Cosmos DB's bound

inline constexpr std::size_t key_ranges_max =
    200;  // of one container: a million request units, which is as much as the service gives

// --- scripts of clients, beside script/limits.h ---
inline constexpr std::size_t script_log_bytes_max =
    4 << 10;  // escaped it is up to three times as long, and clients take heads of 16 KiB
inline constexpr std::size_t script_triggers_max = 10;  // that one request names

// --- answers ---
inline constexpr std::size_t feed_page_bytes_max =
    2 << 20;  // of a page: with the document that exceeds it, it is still below the service's 4 MiB
inline constexpr std::size_t changes_read_at_once =
    256;  // of a change feed of a range, between checks of the time: a millisecond's work
inline constexpr std::size_t batch_answer_bytes_max = 4 << 20;  // of documents that a batch reads

// Of a client encryption key in JSON: a wrapped key has some hundred bytes.
inline constexpr std::size_t encryption_key_bytes_max = 16 << 10;

// Attempts to find a free number for the rid of a new user. A number has 31 bits, and a database
// has far fewer users than that.
inline constexpr std::size_t user_numbers_tried_max = 16;

// --- attachments of documents ---
//
// Of one document: a query reads all of them, and each new one is compared with the others.
inline constexpr std::size_t attachments_max = 256;
inline constexpr std::size_t attachment_bytes_max =
    16 << 10;  // without its media; all of a document's are a few megabytes
inline constexpr std::size_t media_bytes_max = request_body_bytes_max;  // it is sent in one body
inline constexpr std::size_t media_piece_bytes_max =
    1 << 20;  // is one row, as text a third longer: below document_bytes_max
inline constexpr Span attachment_passes_every = Span::seconds(
    60);  // attachments of expired documents take space for so long; no reader sees them
inline constexpr std::size_t attachments_judged_max =
    10'000;  // of one container in one pass: a second's work for one thread
inline constexpr std::size_t attachments_judged_at_once = 64;  // on one view: a megabyte at most
inline constexpr std::size_t attachments_summed_max =
    10'000;  // for the media size that the account reports, each with a read of its document

}  // namespace mayfly::limits
