// The bounds of the memory storage, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mayfly::limits {

// A key: its document's id has 13 more characters, and stays below document_id_bytes_max.
inline constexpr std::size_t memory_key_bytes_max = 1'000;
// A text, or all members of a value: it is stored in one document, whose escapes need room.
inline constexpr std::size_t memory_value_bytes_max = 1 << 20;
// Members of one value, and of one request: each command on one reads or writes all, in
// milliseconds.
inline constexpr std::size_t memory_members_max = 10'000;
// Keys that one command names: each is a read, and in a transaction a guard.
inline constexpr std::size_t memory_keys_max = 1'000;
// The memory of all values that one request reads, and of its commands' answers together.
inline constexpr std::size_t memory_read_bytes_max = 16 << 20;
// A value that an event loop reads or writes. A larger one, whose escapes may take milliseconds, is
// handled by a worker.
inline constexpr std::size_t memory_loop_bytes_max = 64 << 10;
// A pattern is compared with each key or member, in at most this many steps for each byte.
inline constexpr std::size_t memory_pattern_bytes_max = 256;
// Commands of one `mexecute`: all of them are one transaction.
inline constexpr std::size_t memory_steps_max = 1'000;
// Keys of one page of a scan.
inline constexpr std::int64_t memory_scan_count_max = 1'000;
// Look-ups of other keys, and repetitions of members, by one `sort`: each is a read.
inline constexpr std::size_t memory_sort_lookups_max = 10'000;
// The text of a number of incrbyfloat: at most 4,933 digits before the point and 17 after it.
inline constexpr std::size_t memory_real_bytes_max = 5'000;
// How often a table that was dropped between look-up and use is created again.
inline constexpr int memory_table_attempts_max = 50;

}  // namespace mayfly::limits
