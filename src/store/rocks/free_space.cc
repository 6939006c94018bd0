#include "store/rocks/free_space.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace mayfly::store {
namespace {

constexpr Span check_every = Span::seconds(1);
constexpr std::uint64_t removal_share = 16;

// The buffers waiting to be flushed, and the files of as many that are being compacted into one.
constexpr std::uint64_t flushed_buffers = 8;

}  // namespace

std::optional<DiskSpace> probe_disk(const std::string& directory) {
  struct statvfs disk = {};
  if (statvfs(directory.c_str(), &disk) != 0) return std::nullopt;
  const std::uint64_t block = disk.f_frsize;
  return DiskSpace{.free_bytes = block * disk.f_bavail, .total_bytes = block * disk.f_blocks};
}

FreeSpace::FreeSpace(std::string directory, DiskProbe probe, MonotonicClock monotonic,
                     Settings settings)
    : directory_(std::move(directory)),
      probe_(std::move(probe)),
      monotonic_(std::move(monotonic)),
      settings_(settings),
      next_check_at_(monotonic_().micros) {}

std::uint64_t FreeSpace::bytes_min_of(std::uint64_t total_bytes, std::size_t write_buffer_bytes) {
  const std::uint64_t needed =
      std::max<std::uint64_t>(total_bytes / 20, flushed_buffers * write_buffer_bytes);
  return std::min(limits::free_disk_bytes_min, needed);
}

FreeSpace::Room FreeSpace::check_disk() const {
  const std::optional<DiskSpace> disk = probe_(directory_);
  if (!disk) return Room::ample;  // a disk that does not report must not stop writers
  const std::uint64_t bytes_min =
      settings_.bytes_min.value_or(bytes_min_of(disk->total_bytes, settings_.write_buffer_bytes));
  if (disk->free_bytes >= bytes_min) return Room::ample;
  return disk->free_bytes >= bytes_min / removal_share ? Room::scarce : Room::none;
}

bool FreeSpace::is_check_due(std::size_t bytes) {
  const Instant now = monotonic_();
  std::int64_t due = next_check_at_.load(std::memory_order_relaxed);
  const bool has_written =
      bytes_since_check_.fetch_add(bytes) + bytes >= limits::free_disk_check_bytes;
  // The thread that advances the time makes the check.
  return (has_written || now.micros >= due) &&
         next_check_at_.compare_exchange_strong(due, (now + check_every).micros);
}

Result<void> FreeSpace::admit(Room needed, std::size_t bytes) {
  if (is_check_due(bytes)) {
    bytes_since_check_.store(0);
    room_.store(check_disk());
  }
  if (room_.load() >= needed) return {};
  return fail(Code::no_space,
              "the disk that holds the data is nearly full, so nothing more is written; free some "
              "space on it");
}

}  // namespace mayfly::store
