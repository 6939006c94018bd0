// Bounds of the binary (base/limits.h is the table of all others).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// Databases that /metrics names, in the order of their names; the others are one series, "other".
inline constexpr std::size_t metered_databases_max = 100;
// Of one collection, documents are counted up to this; beyond it their number is an estimate.
inline constexpr std::size_t counted_documents_max = 1'000;
// Rows that are counted between two looks at the time: they may be large, and all of it is read.
inline constexpr std::size_t counted_page_rows_max = 50;
// What a look takes of each second: the thread has to write the clock's floor, too.
inline constexpr Span look_time_max = Span::millis(10);
inline constexpr std::size_t collections_per_look_max = 100;  // each costs at least two searches
// How often, in seconds, the allocator is asked what it holds (that takes the longer the more it
// has freed), and documents are counted though nothing was committed (compaction erases some).
inline constexpr std::int64_t full_look_every = 10;

// One document of a foreign export, with the marks of its types; with import_batch_bytes_max it
// stays below what an API takes in one request, 8 MiB.
inline constexpr std::size_t export_document_bytes_max = std::size_t{6} << 20;
// Lists and pages within each other, in a file of an export: what is deeper is none.
inline constexpr std::size_t export_lists_max = 16;
// Documents that an import skips for one reason and that have a line each; and reasons that are
// counted: what has another reason beyond them has a line each time.
inline constexpr std::uint64_t import_refusals_shown_max = 5;
inline constexpr std::size_t import_reasons_max = 1'000;

}  // namespace mayfly::limits
