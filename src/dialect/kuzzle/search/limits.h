// All bounds on a search, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

// from + size, as in Elasticsearch; beyond that use search_after or a scroll. One page holds that
// many documents, or as many as fit a quarter of query_bytes_max.
inline constexpr std::size_t search_window_max = 10'000;
inline constexpr std::size_t search_page_default = 10;
inline constexpr std::size_t search_depth_max = 16;  // queries within queries
inline constexpr std::size_t search_clauses_max =
    256;  // of one search; each is evaluated for each row
inline constexpr std::size_t search_terms_max =
    4'096;  // in one `terms` or `ids`: looked for one by one
inline constexpr std::size_t search_words_max = 256;            // in one text that is searched for
inline constexpr std::size_t search_pattern_bytes_max = 1'000;  // of a regexp or wildcard
inline constexpr std::size_t search_text_bytes_max = 32 << 10;  // of one query_string
// Matches whose words are counted together, before any has a score.
inline constexpr std::size_t search_scored_at_once = 1'000;
inline constexpr std::size_t search_sorts_max = 8;  // sort_keys_max of a query
// In `_source`; each is compared with each field of each hit.
inline constexpr std::size_t search_source_patterns_max = 32;
inline constexpr std::size_t search_source_pattern_bytes_max = 128;
// Names and patterns of one highlight: each is looked for in each hit.
inline constexpr std::size_t highlight_fields_max = 32;
inline constexpr std::size_t highlight_fragments_max = 1'000;  // of one field of one hit
inline constexpr std::size_t highlight_tag_bytes_max = 128;    // it is repeated at each match
// The texts of one field in one document, as in Elasticsearch: all of them are searched, and their
// words are in memory.
inline constexpr std::size_t highlight_text_bytes_max = 1'000'000;
// The fragments of one page: as much as its documents.
inline constexpr std::size_t highlight_bytes_max = query_bytes_max / 4;
// Aggregations of one search: those with buckets are a query each.
inline constexpr std::size_t aggregations_max = 32;
inline constexpr std::size_t aggregation_depth_max = 4;
inline constexpr std::size_t aggregation_buckets_max = 10'000;  // in one answer, all together
inline constexpr std::size_t mapping_fields_max = 1'000;        // of one collection
// Fields that are copied to one: a search of that one looks in each.
inline constexpr std::size_t mapping_copies_max = 64;
inline constexpr std::size_t mapping_depth_max = 20;
// As JSON: writes of documents read it, also on event loops.
inline constexpr std::size_t mapping_bytes_max = std::size_t{256} << 10;

// Documents of one request from which fields are learnt. The fields of others are learnt with later
// requests.
inline constexpr std::size_t learnt_documents_max = 64;
// Learnt fields that are still to be committed, of all collections.
inline constexpr std::size_t learnt_waiting_bytes_max = 16 << 20;

// Open scrolls: each keeps its query and a position, but no documents.
inline constexpr std::size_t scrolls_max = 1'000;
inline constexpr std::size_t scrolls_bytes_max = 16 << 20;  // of their queries and positions
// Of one client, so that others keep theirs: its scroll that was idle longest is dropped.
inline constexpr std::size_t scrolls_of_client_max = 100;
inline constexpr std::size_t scrolls_of_client_bytes_max = 4 << 20;
inline constexpr Span scroll_keep_max = Span::seconds(86'400);
// Keys of documents deleted by query that are returned together.
inline constexpr std::size_t search_ids_max = 10'000;

}  // namespace mayfly::limits
