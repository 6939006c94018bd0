// The data directory: checks that it is one, that it belongs to Mayfly, and that no files are
// missing whose loss RocksDB would not notice.
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

// Creates the directory if it is missing, and checks its contents before RocksDB opens it. A new
// directory gets the file MAYFLY.begun. Fails with invalid if it cannot be used, and with corrupt
// if the marker is damaged, or if files are missing and RocksDB would silently start an empty
// database.
Result<void> prepare_directory(rocksdb::FileSystem& files, const std::string& directory);

// Lost or damaged files that can be recreated without loss. Fails with invalid if the directory is
// no data directory of Mayfly, and with corrupt if CURRENT is lost and there is no manifest.
struct Replaceable {
  bool marker = false;  // the file MAYFLY
  std::string current;  // the new contents of CURRENT; empty: they are right
  bool logs = false;    // there is no log, but there should be an empty one
};
Result<Replaceable> find_replaceable(rocksdb::FileSystem& files, const std::string& directory);
// Writes the marker and CURRENT again, if they are lost. RocksDB itself creates the log when the
// directory is opened for writing.
Result<void> replace(rocksdb::FileSystem& files, const std::string& directory,
                     const Replaceable& lost);

// RocksDB's lock of a directory, held while it is examined, so that no other process uses it. A
// directory that is in use is a failure of take(). The destructor releases the lock.
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

// Writes the marker of Mayfly, after RocksDB has been opened in the directory, unless there is one;
// and removes MAYFLY.begun.
Result<void> write_marker(rocksdb::FileSystem& files, const std::string& directory);

// The numbers of the directory's write-ahead logs that are not empty, in order; none in a new
// directory.
Result<std::vector<std::uint64_t>> logs_with_contents(rocksdb::FileSystem& files,
                                                      const std::string& directory);
std::string log_path(const std::string& directory, std::uint64_t number);

// Makes the current names of the files in the directory durable.
Result<void> make_names_durable(rocksdb::FileSystem& files, const std::string& directory);

// Writes a file of that directory atomically: after a loss of power it has either the old or the
// new contents.
Result<void> write_durably(rocksdb::FileSystem& files, const std::string& directory,
                           const std::string& path, const std::string& text);

}  // namespace mayfly::store
