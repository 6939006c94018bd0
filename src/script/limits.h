// Bounds of scripts and of the processes that run them, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

inline constexpr Span script_time_max = Span::seconds(5);  // of a request's scripts; a worker waits

// --- one process ---
// Of what a script holds where garbage has been collected.
inline constexpr std::size_t script_heap_bytes_max = 64 << 20;
// Of all memory that the process may write. Making JSON of a text as long as a value may be takes
// 64 MiB at once, beside the text and what the script holds.
inline constexpr std::size_t script_data_bytes_max = 208 << 20;
// What the process takes of the machine at most: its data, and of its code what is in use.
inline constexpr std::size_t script_peak_bytes_max = 256 << 20;
inline constexpr std::size_t script_stack_bytes_max =
    1 << 20;  // of the main thread's, which has eight; the server's own code needs less than one
// What scripts leave behind, before it is collected: that of some dozens.
inline constexpr std::size_t script_rubbish_bytes_max = 8 << 20;
// Of the processor, before the system ends the process. A process that has worked half as long
// serves no other request.
inline constexpr Span script_work_max = Span::seconds(120);

// --- what crosses ---
inline constexpr std::size_t script_value_bytes_max = 4 << 20;  // one value; a document twice over
// One call with its values, and what a query answers.
inline constexpr std::size_t script_message_bytes_max = 16 << 20;
inline constexpr std::size_t script_values_max = 500'000;  // the engine's own bound of one call
inline constexpr std::size_t script_error_bytes_max =
    4 << 10;  // of an exception, and of its trace; more is not read
// The length of a text times that of what is searched in it: the engine's search is quadratic. A
// second at worst; in the longest text a thousand characters can be sought.
inline constexpr std::size_t script_search_work_max = std::size_t{1} << 31;

// --- all processes ---
// At once: few requests run scripts at a time (base/threads/run_permit.h), each with a second
// process where a script's query calls functions.
inline constexpr std::size_t script_processes_max = 64;
// Of those that serve no request, beside the one that has no scope yet. Each holds some megabytes.
inline constexpr std::size_t script_processes_kept_max = 4;

// --- scripts that no request waits for ---
// At once, of all databases; each holds a process, and the processors are there for requests first.
inline constexpr std::size_t runner_threads = 4;
// Each holds what its script is about, an event of at most a megabyte; their senders try again.
inline constexpr std::size_t runner_tasks_waiting_max = 256;
inline constexpr std::size_t runner_tasks_waiting_of_one_max = 64;  // of one database

}  // namespace mayfly::limits
