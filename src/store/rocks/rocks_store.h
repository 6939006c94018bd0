// Opens the engine for a single machine: RocksDB, with one commit at a time.
//
// On disk: one column family. Every row is stored as its key, and an 8-byte big-endian version
// before its value. The empty key, which no caller may use, has the version of the newest commit
// (engine/row_format.h). Beside RocksDB's files are the file MAYFLY, which identifies the directory
// and its format, and the durability watermark (log/durability_watermark.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "store/rocks/free_space.h"
#include "store/store.h"

namespace rocksdb {
class FileSystem;
}

namespace mayfly::store {

struct RocksOptions {
  std::string directory;
  std::size_t cache_bytes_max = 256 << 20;
  std::size_t write_buffer_bytes = 16 << 20;
  std::size_t recent_writes_max = limits::recent_writes_max;
  std::optional<std::uint64_t> free_disk_bytes_min = {};  // as in OpenOptions
  DiskProbe disk_probe = probe_disk;
  MonotonicClock monotonic = monotonic_now;
  std::shared_ptr<rocksdb::FileSystem> file_system = {};  // null: the machine's file system
};

// Fails as open() in store/open.h. Closing it makes every commit durable; open snapshots keep the
// directory locked until the last of them is destroyed.
Result<std::unique_ptr<Store>> open_rocks(const RocksOptions& options);

}  // namespace mayfly::store
