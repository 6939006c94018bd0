// Bounds that only this dialect meets, each with its reason, beside those of base/limits.h; apart
// from them because every file of the program includes those.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

inline constexpr std::size_t sql_user_functions_max = 10;  // Cosmos DB's bound

inline constexpr std::size_t computed_properties_max = 20;  // Cosmos DB's bound

// --- what a script of a client's may do ---
inline constexpr Span script_time_max = Span::seconds(5);  // Cosmos DB's bound; a worker waits
// Of one script, looked at now and then: each worker may run one.
inline constexpr std::size_t script_heap_bytes_max = 64 << 20;
// What it may allocate between two looks in one piece, or several large ones. Making JSON of a text
// as long as a value may be takes 64 MiB at once, beside the text.
inline constexpr std::size_t script_burst_bytes_max = 80 << 20;
// What it may allocate before its garbage is collected and what is left is counted.
inline constexpr std::size_t script_uncollected_bytes_max = 32 << 20;
// What the process may grow by while one script does its worst: the three above, and what lies in
// pieces that are never refused. A test looks at it.
inline constexpr std::size_t script_peak_bytes_max = 320 << 20;
inline constexpr std::size_t script_stack_bytes_max =
    1 << 20;  // of its thread's, which has eight; the server's own code needs less than one
inline constexpr std::size_t script_value_bytes_max =
    4 << 20;  // what crosses to the server at once, or is parsed; a document twice over
inline constexpr std::size_t script_log_bytes_max =
    4 << 10;  // escaped it is up to three times as long, and clients take heads of 16 KiB
inline constexpr std::size_t script_error_bytes_max =
    4 << 10;  // of an exception, and of its trace; nobody reads more
inline constexpr std::size_t script_triggers_max = 10;  // that one request names

}  // namespace mayfly::limits
