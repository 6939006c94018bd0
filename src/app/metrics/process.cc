#include "app/metrics/process.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace mayfly::app {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Start of the process, in ticks after the machine's start: the 22nd field of the line, which is
// the 20th after the name. The name may contain any character.
std::uint64_t start_ticks() {
  std::ifstream file("/proc/self/stat");
  const std::string line(std::istreambuf_iterator<char>(file), {});
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < 19; ++i) fields >> skipped;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

std::uint64_t machine_start_seconds() {
  std::ifstream file("/proc/stat");
  std::string word;
  std::uint64_t seconds = 0;
  while (file >> word) {
    if (word == "btime") {
      file >> seconds;
      break;
    }
  }
  return seconds;
}

}  // namespace

ProcessMemory process_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  std::uint64_t of_files = 0;
  file >> all >> resident >> of_files;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {all * page, resident * page, of_files * page};
}

double process_cpu_seconds() {
  rusage used = {};
  if (getrusage(RUSAGE_SELF, &used) != 0) return 0;
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

std::uint64_t process_open_files() {
  const char* folder = "/proc/self/fd";
  // Newer kernels report the number as the size of the folder; with older ones the entries are
  // counted.
  struct stat status = {};
  if (stat(folder, &status) == 0 && status.st_size > 0) {
    return static_cast<std::uint64_t>(status.st_size);
  }
  std::error_code error;
  std::uint64_t files = 0;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator one(folder, error); !error && one != end;
       one.increment(error)) {
    ++files;
  }
  return files;
}

std::uint64_t process_open_files_max() {
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

double process_start_seconds() {
  const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return static_cast<double>(machine_start_seconds()) +
         static_cast<double>(start_ticks()) / ticks_per_second;
}

}  // namespace mayfly::app
