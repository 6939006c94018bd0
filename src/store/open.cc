#include "store/open.h"

#include "store/memory/memory_store.h"
#include "store/rocks/repair/mark.h"
#include "store/rocks/rocks_store.h"

namespace mayfly::store {

Result<std::unique_ptr<Store>> open(const OpenOptions& options) {
  if (options.data == ":memory:") return open_memory();
  if (options.data.empty()) return fail(Code::invalid, "the data directory has no name", "data");
  TRY(check_no_repair(options.data));
  return open_under_repair(options);
}

Result<std::unique_ptr<Store>> open_under_repair(const OpenOptions& options) {
  return open_rocks({.directory = options.data,
                     .cache_bytes_max = options.cache_bytes_max,
                     .write_buffer_bytes = options.write_buffer_bytes,
                     .recent_writes_max = options.recent_writes_max,
                     .free_disk_bytes_min = options.free_disk_bytes_min});
}

}  // namespace mayfly::store
