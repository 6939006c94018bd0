// The file MAYFLY.repairing: exists in a data directory from the first change by a repair until its
// end, and names the copy of the original directory. REACHES DISK: its name and its contents.
// Writing and removing it are on disk when the call returns.
#pragma once

#include <string>

#include "base/result.h"

namespace rocksdb {
class FileSystem;
}

namespace mayfly::store {

inline constexpr const char* repair_marker_name = "MAYFLY.repairing";

// `copy` is the name of a directory within the directory.
Result<void> write_repair_marker(rocksdb::FileSystem& files, const std::string& directory,
                                 const std::string& copy);
Result<void> remove_repair_marker(const std::string& directory);
// Fails with corrupt if a repair was interrupted.
Result<void> check_no_repair(const std::string& directory);
// The copy that an interrupted repair made; empty if none was interrupted. Fails with corrupt if
// the copy is lost.
Result<std::string> copy_of_interrupted(const std::string& directory);

}  // namespace mayfly::store
