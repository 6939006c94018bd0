// What the kernel reports about this process.
#pragma once

#include <cstdint>

namespace mayfly::app {

struct ProcessMemory {
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t file_bytes = 0;  // part of resident_bytes: code, and mapped files
};
// Each is zero if the kernel does not report it. Threads: any.
ProcessMemory process_memory();
double process_cpu_seconds();
std::uint64_t process_open_files();
std::uint64_t process_open_files_max();
// Unix time by the machine's clock.
double process_start_seconds();

}  // namespace mayfly::app
