// The file MAYFLY.repairing: stands in a data directory from when a repair begins to change it to
// when it has ended, and names the copy of the directory as it was before. REACHES DISK.
#pragma once

#include <string>

#include "base/result.h"

namespace rocksdb {
class FileSystem;
}

namespace mayfly::store {

inline constexpr const char* repair_mark_name = "MAYFLY.repairing";

// `copy` is a directory within the directory.
Result<void> mark_repair(rocksdb::FileSystem& files, const std::string& directory,
                         const std::string& copy);
Result<void> remove_repair_mark(const std::string& directory);
// Fails with corrupt where a repair was interrupted.
Result<void> check_no_repair(const std::string& directory);
// The copy that an interrupted repair has made; empty where none was interrupted. Fails with
// corrupt where the copy is gone.
Result<std::string> copy_of_interrupted(const std::string& directory);

}  // namespace mayfly::store
