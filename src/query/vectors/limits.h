// Bounds of the indexes of vectors, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Links of a vector, how many candidates are kept while it finds its place, and while one is
// searched for: recall of the ten nearest of 100,000 is above 0.95 (docs/performance.md).
inline constexpr std::size_t vector_links_max = 16;
inline constexpr std::size_t vector_build_width = 128;
inline constexpr std::size_t vector_search_width = 512;
// Of one vector: services that offer such indexes have this bound.
inline constexpr std::size_t vector_dimensions_max = 4'096;
// What all of them take together; a collection that would not fit is answered by a scan.
inline constexpr std::size_t vector_indexes_bytes_max = std::size_t{512} << 20;
inline constexpr std::size_t vector_document_bytes = 320;  // of its key, which stands there twice
inline constexpr std::size_t vector_indexes_max = 64;
// Documents that were written since an index was brought up to date: each query reads them all, in
// a few milliseconds. With more, queries scan until the index has caught up.
inline constexpr std::size_t vector_tail_max = 1'000;
inline constexpr std::size_t vector_tail_wakes = 100;  // when there are as many, it is caught up
// Documents without a vector that can be compared, which a query may have to show first.
inline constexpr std::size_t vector_bare_max = 1'000;
// A query for more of the nearest is a scan.
inline constexpr std::size_t vector_nearest_max = 1'000;
// Candidates for each one that is asked for: some are dead, or filtered out.
inline constexpr std::size_t vector_candidates_factor = 4;
// What the job reads at once, and how long it works before others have their turn.
inline constexpr std::size_t vector_rows_at_once = 128;
inline constexpr Span vector_run_max = Span::seconds(2);

}  // namespace mayfly::limits
