// DurabilityWatermark: the small file MAYFLY.promised beside RocksDB's files, with the version up
// to which commits have been acknowledged as durable. It is written after each flush of the log,
// but not flushed itself, so it causes no wait. After a crash of the process it has every
// acknowledged commit; after a loss of power it may lag behind; it is never ahead of the log. It
// shows that a log is missing or ends too early; otherwise such a log would look like one whose
// rest was never written.
//
//   file := slot slot      two, written alternately, so that one is always complete
//   slot := version (16 hexadecimal digits) ' ' its complement (the same) '\n'
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace rocksdb {
class FileSystem;
class FSRandomRWFile;
}  // namespace rocksdb

namespace mayfly::store {

// The version in the directory's file; 0 if there is no file or no complete slot.
Version read_durability_watermark(rocksdb::FileSystem& files, const std::string& directory);

// Threads: one at a time.
class DurabilityWatermark {
 public:
  // Opens the file, or creates it again if it is missing or damaged. Fails with invalid.
  static Result<std::unique_ptr<DurabilityWatermark>> open(rocksdb::FileSystem& files,
                                                           const std::string& directory);
  ~DurabilityWatermark();

  // Records that all commits up to this version are durable. If the file cannot be written, its
  // version lags behind, which is no error.
  void raise(Version version);
  // Makes the file itself durable; for the shutdown, when there is time to wait.
  void sync();

 private:
  DurabilityWatermark(std::unique_ptr<rocksdb::FSRandomRWFile> file, Version version);

  const std::unique_ptr<rocksdb::FSRandomRWFile> file_;
  Version version_;
  bool is_second_slot_ = false;
};

}  // namespace mayfly::store
