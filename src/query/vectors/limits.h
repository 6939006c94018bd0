// Bounds of the indexes of vectors, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Links of a vector, candidates kept while one is inserted, and candidates kept while one is
// searched: recall of the ten nearest of 100,000 is above 0.95 (docs/performance.md).
inline constexpr std::size_t vector_links_max = 16;
inline constexpr std::size_t vector_build_width = 128;
inline constexpr std::size_t vector_search_width = 512;
// Dimensions of one vector: services that offer such indexes have this bound.
inline constexpr std::size_t vector_dimensions_max = 4'096;
// Memory of all indexes together; a collection that would not fit is answered by a scan.
inline constexpr std::size_t vector_indexes_bytes_max = std::size_t{512} << 20;
inline constexpr std::size_t vector_document_bytes = 320;  // for its key, which is stored twice
inline constexpr std::size_t vector_indexes_max = 64;
// Documents that were written since the index was last updated: each query reads them all, in a few
// milliseconds. If there are more, queries scan until the index has caught up.
inline constexpr std::size_t vector_tail_max = 1'000;
// From this many on, the job is woken to update the index.
inline constexpr std::size_t vector_tail_wakes = 100;
// Documents without a comparable vector, which a query may have to return first.
inline constexpr std::size_t vector_bare_max = 1'000;
// A query for more than this many of the nearest is a scan.
inline constexpr std::size_t vector_nearest_max = 1'000;
// Candidates for each requested document: some have expired or are filtered out.
inline constexpr std::size_t vector_candidates_factor = 4;
// How many rows the job reads at once, and how long it works before other jobs may run.
inline constexpr std::size_t vector_rows_at_once = 128;
inline constexpr Span vector_run_max = Span::seconds(2);

}  // namespace mayfly::limits
