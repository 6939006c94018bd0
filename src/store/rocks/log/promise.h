// Promise: a small file beside RocksDB's that says up to which version commits have been promised
// to be durable. It is written after each flush of the log and not flushed itself, so it costs no
// wait; after a crash of the process it is exact, after a loss of power it may lag behind, and it
// is never ahead. With it a log that ends too early, or is not there, is noticed: without it that
// looks like a log of which the rest was never written.
//
//   file := slot slot      two, written in turn, so that one is whole whatever happens to the other
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

// What the directory's file says; 0 where there is none, or none of its slots is whole.
Version read_promise(rocksdb::FileSystem& files, const std::string& directory);

// Threads: one at a time.
class Promise {
 public:
  // Opens the file, or makes it anew where it is missing or damaged. Fails with invalid.
  static Result<std::unique_ptr<Promise>> open(rocksdb::FileSystem& files,
                                               const std::string& directory);
  ~Promise();

  // All commits up to this version are durable. Where it cannot be written the file says less than
  // it could, which is no error.
  void raise(Version version);
  // Makes the file itself durable; for the end, when somebody can wait for it.
  void sync();

 private:
  Promise(std::unique_ptr<rocksdb::FSRandomRWFile> file, Version version);

  const std::unique_ptr<rocksdb::FSRandomRWFile> file_;
  Version version_;
  bool is_second_slot_ = false;
};

}  // namespace mayfly::store
