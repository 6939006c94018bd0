// The data directory: whether it is one, whether it is ours, and whether files are missing that
// RocksDB would not miss.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace rocksdb {
class FileSystem;
}

namespace mayfly::store {

// Makes the directory if it is missing and looks at what lies in it, before RocksDB does. Fails
// with invalid where it cannot be used, and with corrupt where RocksDB would quietly begin anew
// beside what it no longer finds.
Result<void> prepare_directory(rocksdb::FileSystem& files, const std::string& directory);

// Marks the directory as ours, once RocksDB has been opened in it. Does nothing where it is marked
// already.
Result<void> mark_directory(rocksdb::FileSystem& files, const std::string& directory);

// The directory's logs of writes that hold anything, by their numbers, in order; none where it is
// new.
Result<std::vector<std::uint64_t>> logs_with_contents(rocksdb::FileSystem& files,
                                                      const std::string& directory);
std::string log_path(const std::string& directory, std::uint64_t number);

// Writes a file of that directory whole: after a loss of power it is as it was or as it is to be.
Result<void> write_durably(rocksdb::FileSystem& files, const std::string& directory,
                           const std::string& path, const std::string& text);

}  // namespace mayfly::store
