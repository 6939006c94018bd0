// FreeSpace: refuses writes before the disk is full, while there is still room to make durable what
// was promised and to remove what takes the space.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly::store {

struct DiskSpace {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

// Nothing where the disk does not say.
using DiskProbe = std::function<std::optional<DiskSpace>(const std::string& directory)>;
std::optional<DiskSpace> probe_disk(const std::string& directory);

using MonotonicClock = std::function<Instant()>;

// Threads: all members may be called from any thread. The disk is asked once a second, and again
// whenever limits::free_disk_check_bytes have been written since, so that the store cannot fill it
// between two looks.
class FreeSpace {
 public:
  // Writers must leave at least this much free on a disk of that size: a twentieth, but no less
  // than what flushing and compacting eight write buffers takes, and at most
  // limits::free_disk_bytes_min.
  static std::uint64_t bytes_min_of(std::uint64_t total_bytes, std::size_t write_buffer_bytes);

  struct Settings {
    std::size_t write_buffer_bytes = 0;
    std::optional<std::uint64_t> bytes_min = {};  // instead of what bytes_min_of() says
  };
  FreeSpace(std::string directory, DiskProbe probe, MonotonicClock monotonic, Settings settings);

  // `bytes` is what is to be written. Both fail with no_space. Removals free space in the end, so
  // they are let through down to a sixteenth of what other writes must leave.
  Result<void> admit_write(std::size_t bytes) { return admit(Room::ample, bytes); }
  Result<void> admit_removal(std::size_t bytes) { return admit(Room::scarce, bytes); }

 private:
  enum class Room { none, scarce, ample };

  Result<void> admit(Room needed, std::size_t bytes);
  bool is_time_to_look(std::size_t bytes);
  Room look() const;

  const std::string directory_;
  const DiskProbe probe_;
  const MonotonicClock monotonic_;
  const Settings settings_;
  std::atomic<std::int64_t> look_again_at_;
  std::atomic<std::uint64_t> bytes_since_look_{0};
  std::atomic<Room> room_{Room::ample};
};

}  // namespace mayfly::store
