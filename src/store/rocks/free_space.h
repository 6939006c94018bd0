// FreeSpace: refuses writes before the disk is full, while there is still room to make acknowledged
// commits durable and to remove data.
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

// Nullopt if the system does not report it.
using DiskProbe = std::function<std::optional<DiskSpace>(const std::string& directory)>;
std::optional<DiskSpace> probe_disk(const std::string& directory);

using MonotonicClock = std::function<Instant()>;

// Threads: all members may be called from any thread. An admission checks the disk if the last
// check is a second ago, or if limits::free_disk_check_bytes have been admitted since then, so that
// the store cannot fill the disk between two checks. Without admissions the disk is not checked.
class FreeSpace {
 public:
  // The space that writers must leave free on a disk of that size: a twentieth, but at least eight
  // write buffers, as flushes and compactions need, and at most limits::free_disk_bytes_min.
  static std::uint64_t bytes_min_of(std::uint64_t total_bytes, std::size_t write_buffer_bytes);

  struct Settings {
    std::size_t write_buffer_bytes = 0;
    std::optional<std::uint64_t> bytes_min = {};  // overrides bytes_min_of()
  };
  FreeSpace(std::string directory, DiskProbe probe, MonotonicClock monotonic, Settings settings);

  // `bytes` are about to be written; 0 only asks. Both fail with no_space. Removals free space in
  // the end, so they are admitted down to a sixteenth of the space that other writes must leave.
  Result<void> admit_write(std::size_t bytes) { return admit(Room::ample, bytes); }
  Result<void> admit_removal(std::size_t bytes) { return admit(Room::scarce, bytes); }

 private:
  enum class Room { none, scarce, ample };

  Result<void> admit(Room needed, std::size_t bytes);
  bool is_check_due(std::size_t bytes);
  Room check_disk() const;

  const std::string directory_;
  const DiskProbe probe_;
  const MonotonicClock monotonic_;
  const Settings settings_;
  std::atomic<std::int64_t> next_check_at_;
  std::atomic<std::uint64_t> bytes_since_check_{0};
  std::atomic<Room> room_{Room::ample};
};

}  // namespace mayfly::store
