// Opening a store by what the user called it.
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
  std::string data;  // ":memory:", or a directory, which is made if it is missing
  std::size_t cache_bytes_max = 256 << 20;  // uncompressed blocks kept in memory
  std::size_t write_buffer_bytes = 16 << 20;
  // Writes are refused while the disk has less than this free. Unset: a twentieth of its size, no
  // less than two write buffers, at most limits::free_disk_bytes_min. 0 never refuses.
  std::optional<std::uint64_t> free_disk_bytes_min = {};
  // How many recent writes are remembered, so that guards read after them need no look at the rows.
  std::size_t recent_writes_max = limits::recent_writes_max;
};

// Fails with invalid for a path that cannot be used, corrupt where the data is damaged (the message
// names the file and the remedy) or its repair was interrupted, internal where another process
// holds it open.
Result<std::unique_ptr<Store>> open(const OpenOptions& options);

// The same while the directory is being repaired (repair.h), when open() refuses it.
Result<std::unique_ptr<Store>> open_under_repair(const OpenOptions& options);

}  // namespace mayfly::store
