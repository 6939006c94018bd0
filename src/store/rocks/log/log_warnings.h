// RocksDB's own log file. Its last warnings are kept in memory, because RocksDB names a damaged
// file only there while it replays the write-ahead log.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace rocksdb {
class Logger;
}

namespace mayfly::store {

// Threads: all members may be called from any thread.
class LogWarnings {
 public:
  void add(std::string line);
  // The last warnings, one in each line.
  std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> lines_;
};

// A logger that writes to `file`, which may be null, and adds warnings and errors to `warnings`.
std::shared_ptr<rocksdb::Logger> capturing_logger(std::shared_ptr<rocksdb::Logger> file,
                                                  std::shared_ptr<LogWarnings> warnings);

}  // namespace mayfly::store
