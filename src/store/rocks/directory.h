// The data directory: whether it is one, whether it is ours, and whether files are missing that
// RocksDB would not miss.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace rocksdb {
class FileLock;
class FileSystem;
class Status;
}  // namespace rocksdb

namespace mayfly::store {

// Makes the directory if it is missing and looks at what lies in it, before RocksDB does. Fails
// with invalid where it cannot be used, and with corrupt where RocksDB would quietly begin anew
// beside what it no longer finds.
Result<void> prepare_directory(rocksdb::FileSystem& files, const std::string& directory);

// What of its files is gone or has rotted that can be written again as it was. Fails with invalid
// where the directory is none of ours, and with corrupt where CURRENT is lost and no table of
// contents is there.
struct Replaceable {
  bool marker = false;
  std::string current;  // what CURRENT is to say; empty: it says it
  bool logs = false;    // none is there, where an empty one should be
};
Result<Replaceable> find_replaceable(rocksdb::FileSystem& files, const std::string& directory);
// Writes them.
Result<void> replace(rocksdb::FileSystem& files, const std::string& directory,
                     const Replaceable& lost);

// Held while the directory is looked at, so that nobody else works on it.
class DirectoryLock {
 public:
  explicit DirectoryLock(rocksdb::FileSystem& files) : files_(files) {}
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  void operator=(const DirectoryLock&) = delete;
  rocksdb::Status take(const std::string& directory);

 private:
  rocksdb::FileSystem& files_;
  rocksdb::FileLock* lock_ = nullptr;
};

// Marks the directory as ours, once RocksDB has been opened in it. Does nothing where it is marked
// already.
Result<void> mark_directory(rocksdb::FileSystem& files, const std::string& directory);

// The directory's logs of writes that hold anything, by their numbers, in order; none where it is
// new.
Result<std::vector<std::uint64_t>> logs_with_contents(rocksdb::FileSystem& files,
                                                      const std::string& directory);
std::string log_path(const std::string& directory, std::uint64_t number);

// Makes the names of the files in the directory durable, as they are now.
Result<void> make_names_durable(rocksdb::FileSystem& files, const std::string& directory);

// Writes a file of that directory whole: after a loss of power it is as it was or as it is to be.
Result<void> write_durably(rocksdb::FileSystem& files, const std::string& directory,
                           const std::string& path, const std::string& text);

}  // namespace mayfly::store
