// Bounds of the binary (base/limits.h has those of all layers).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// Databases with a series of their own in /metrics, in the order of names; the others share the
// series "other".
inline constexpr std::size_t metered_databases_max = 100;
// Documents of a collection are counted up to this number; beyond it the number is an estimate.
inline constexpr std::size_t counted_documents_max = 1'000;
// Rows that are counted between two checks of the time: rows may be large and are read whole.
inline constexpr std::size_t counted_page_rows_max = 50;
// The time of one look, each second: the thread must write the clock's floor, too.
inline constexpr Span look_time_max = Span::millis(10);
inline constexpr std::size_t collections_per_look_max = 100;  // each needs at least two searches
// How often, in seconds, the allocator's size is read (which takes longer the more it has freed),
// and documents are counted without a commit (compaction erases some).
inline constexpr std::int64_t full_look_every = 10;

// One document of another service's export, with its type tags; together with
// import_batch_bytes_max it stays below 8 MiB, the bound of a request.
inline constexpr std::size_t export_document_bytes_max = std::size_t{6} << 20;
// Nesting of lists and pages in a file of an export; a deeper one is malformed.
inline constexpr std::size_t export_lists_max = 16;
// How many skipped documents of one reason an import prints a line for, and how many reasons it
// counts. Beyond that many reasons, each document with a further reason gets a line.
inline constexpr std::uint64_t import_refusals_shown_max = 5;
inline constexpr std::size_t import_reasons_max = 1'000;

}  // namespace mayfly::limits
