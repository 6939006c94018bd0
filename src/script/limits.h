// Bounds of scripts and of the processes that run them, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// For all scripts of a request; a worker waits meanwhile.
inline constexpr Span script_time_max = Span::seconds(5);

// Memory that a script holds after garbage has been collected.
inline constexpr std::size_t script_heap_bytes_max = 64 << 20;
// All writable memory of the process. Making JSON of the longest possible text takes 64 MiB at
// once, beside the text and what the script holds.
inline constexpr std::size_t script_data_bytes_max = 208 << 20;
// The most memory of the process: its data, and the used part of its code.
inline constexpr std::size_t script_peak_bytes_max = 256 << 20;
// Of the 8 MiB of the main thread's stack; our own code needs less than one.
inline constexpr std::size_t script_stack_bytes_max = 1 << 20;
// Garbage of earlier scripts before it is collected: that of some dozens.
inline constexpr std::size_t script_garbage_bytes_max = 8 << 20;
// Processor time before the system kills the process. A process that has worked half as long serves
// no other request.
inline constexpr Span script_work_max = Span::seconds(120);

// --- messages between the server and a script ---
// One value; twice the largest document.
inline constexpr std::size_t script_value_bytes_max = 4 << 20;
// One call with its values, and the result of a query.
inline constexpr std::size_t script_message_bytes_max = 16 << 20;
// The engine's own bound on the arguments of a call.
inline constexpr std::size_t script_values_max = 500'000;
// Of an exception, and of its trace; the rest is cut off.
inline constexpr std::size_t script_error_bytes_max = 4 << 10;
// The length of a text times that of the text searched for in it: the engine's search is quadratic.
// A second at worst; in the longest text, one can search for a thousand characters.
inline constexpr std::size_t script_search_work_max = std::size_t{1} << 31;

// In use at once: few requests run scripts at a time (base/threads/run_permit.h). Each needs a
// second process if a query of its script calls functions.
inline constexpr std::size_t script_processes_max = 64;
// Idle processes, beside the new one that has no scope yet. Each takes some megabytes.
inline constexpr std::size_t script_processes_kept_max = 4;

// In use at once, over all databases. Each needs a process, and requests need the processors first.
inline constexpr std::size_t runner_threads = 4;
// Each holds the input of its script, an event of at most a megabyte. If the queue is full, the
// senders try again.
inline constexpr std::size_t runner_tasks_waiting_max = 256;
inline constexpr std::size_t runner_tasks_waiting_of_one_max = 64;  // of one database

}  // namespace mayfly::limits
