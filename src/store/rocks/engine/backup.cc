// RocksEngine: a copy of everything, made while commits continue.
#include <rocksdb/db.h>
#include <rocksdb/utilities/checkpoint.h>

#include <filesystem>
#include <limits>
#include <memory>

#include "store/rocks/directory.h"
#include "store/rocks/engine/engine.h"
#include "store/rocks/engine/row_format.h"
#include "store/rocks/errors.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

Result<void> checked(const rocksdb::Status& status) {
  if (status.ok()) return {};
  return tl::unexpected(error_of(status, "making a backup"));
}

Result<Backup> measure(const std::string& directory, Version version) {
  Backup made{.version = version};
  std::error_code error;
  for (fs::directory_iterator file(directory, error), end; !error && file != end;
       file.increment(error)) {
    made.bytes += file->file_size(error);
    ++made.files;
    if (error) break;
  }
  if (!error) return made;
  return fail(Code::internal, "measuring the backup in " + directory + ": " + error.message());
}

}  // namespace

Result<Backup> RocksEngine::backup(const std::string& directory) {
  std::error_code error;
  if (fs::exists(directory, error)) return fail(Code::exists, directory + " is there already");
  const fs::path parent = fs::path(directory).parent_path();
  if (error || !(parent.empty() || fs::is_directory(parent, error))) {
    return fail(Code::invalid, directory + " cannot be made: there is no directory to hold it");
  }
  TRY(free_space_.admit_write(0));
  // After the flush, the current rows are in tables, which are linked. So little must be copied
  // while commits wait.
  TRY(checked(db_->Flush(rocksdb::FlushOptions())));
  const Version version = TRY(copy_files(directory));
  TRY(write_marker(*db_->GetFileSystem(), directory));
  return measure(directory, version);
}

Result<Version> RocksEngine::copy_files(const std::string& directory) {
  rocksdb::Checkpoint* opened = nullptr;
  TRY(checked(rocksdb::Checkpoint::Create(db_.get(), &opened)));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(opened);
  // Appending to the log during the copy could cut the copied log within a record.
  const std::lock_guard lock(commit_mutex_);
  if (broken_) return tl::unexpected(*broken_);
  const Version version = applied();
  // Writes the same row again, or that there is none. RocksDB does not copy an empty log, and a
  // directory without a log is refused as damaged.
  const rocksdb::WriteOptions options;
  const rocksdb::Slice key(version_key.data(), version_key.size());
  const auto encoded = encode_version(version);
  TRY(checked(version == 0 ? db_->Delete(options, key)
                           : db_->Put(options, key, {encoded.data(), encoded.size()})));
  flush_log();
  constexpr auto no_more_flushes = std::numeric_limits<std::uint64_t>::max();
  TRY(checked(checkpoint->CreateCheckpoint(directory, no_more_flushes)));
  return version;
}

}  // namespace mayfly::store
