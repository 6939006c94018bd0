// Tests of what the kernel reports about this process.
#include "app/metrics/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.h"

namespace mayfly::app {
namespace {

TEST(ProcessTest, MemoryIsPlausible) {
  const ProcessMemory memory = process_memory();
  EXPECT_GT(memory.file_bytes, 0U);
  EXPECT_GT(memory.resident_bytes, memory.file_bytes);
  EXPECT_GT(memory.virtual_bytes, memory.resident_bytes);
}

TEST(ProcessTest, AnOpenFileIsCounted) {
  const std::uint64_t before = process_open_files();
  const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  EXPECT_EQ(process_open_files(), before + 1);
  close(file);
  EXPECT_EQ(process_open_files(), before);
  EXPECT_GT(process_open_files_max(), before);
}

TEST(ProcessTest, StartTimeAndProcessorTimeArePlausible) {
  const double now = static_cast<double>(SystemClock().now().micros) / 1e6;
  EXPECT_LT(process_start_seconds(), now + 2);  // the machine's start is known in whole seconds
  EXPECT_GT(process_start_seconds(), now - 3'600);
  EXPECT_GT(process_cpu_seconds(), 0);
}

}  // namespace
}  // namespace mayfly::app
