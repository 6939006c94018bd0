// What the kernel says of this process.
#pragma once

#include <cstdint>

namespace mayfly::app {

struct ProcessMemory {
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t file_bytes = 0;  // of the resident ones: code, and files that are mapped
};
// Each is zero where the kernel does not say. Threads: any.
ProcessMemory process_memory();
double process_cpu_seconds();
std::uint64_t process_open_files();
std::uint64_t process_open_files_max();
// On the scale of Unix time, by the machine's clock.
double process_start_seconds();

}  // namespace mayfly::app
