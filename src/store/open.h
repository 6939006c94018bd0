// Opens a store by the path that the user specified.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "store/store.h"

namespace mayfly::store {

struct OpenOptions {
  std::string data;  // ":memory:", or a directory, which is created if it is missing
  std::size_t cache_bytes_max = 256 << 20;  // uncompressed blocks kept in memory
  std::size_t write_buffer_bytes = 16 << 20;
  // Writes are refused while the disk has less free space than this. Unset: a twentieth of its
  // size, at least eight write buffers, at most limits::free_disk_bytes_min. 0 never refuses.
  std::optional<std::uint64_t> free_disk_bytes_min = {};
  // How many recent writes are remembered, so that guards on later reads need not read the rows.
  std::size_t recent_writes_max = limits::recent_writes_max;
};

// Fails with invalid for a path that cannot be used, with corrupt if the data is damaged (the
// message names the file and the remedy) or its repair was interrupted, with no_space if the disk
// is full, and with internal if another process has it open.
Result<std::unique_ptr<Store>> open(const OpenOptions& options);

// The same during a repair of the directory (repair.h), while open() refuses it.
Result<std::unique_ptr<Store>> open_under_repair(const OpenOptions& options);

}  // namespace mayfly::store
