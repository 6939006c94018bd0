// RocksDB's own log file, of which the last complaints are kept in memory: while the log of writes
// is replayed, RocksDB names a damaged file only there.
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
class Complaints {
 public:
  void add(std::string line);
  // The last of them, a line each.
  std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> lines_;
};

// A logger that writes to `file`, which may be null, and adds warnings and worse to `complaints`.
std::shared_ptr<rocksdb::Logger> listening_logger(std::shared_ptr<rocksdb::Logger> file,
                                                  std::shared_ptr<Complaints> complaints);

}  // namespace mayfly::store
