#include "store/rocks/repair/survey.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/wal_filter.h>

#include <filesystem>

#include "store/rocks/engine/row_format.h"
#include "store/rocks/errors.h"
#include "store/rocks/log/log_warnings.h"

namespace mayfly::store {

rocksdb::Options tolerant_options() {
  rocksdb::Options options;
  options.paranoid_checks = false;  // a missing or truncated table is no reason to stop
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.track_and_verify_wals_in_manifest = false;
  options.skip_stats_update_on_db_open = true;
  options.skip_checking_sst_file_sizes_on_db_open = true;
  // With all files open, RocksDB may use another path, which tolerates no missing file.
  options.max_open_files = 256;
  options.disable_auto_compactions = true;
  options.compression = rocksdb::kLZ4Compression;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  // Without a logger, it would create a log file in the directory.
  options.info_log = capturing_logger(nullptr, std::make_shared<LogWarnings>());
  return options;
}

Result<std::unique_ptr<rocksdb::DB>> open_tolerantly(const std::string& directory,
                                                     rocksdb::WalFilter* filter,
                                                     rocksdb::WALRecoveryMode mode) {
  rocksdb::Options options = tolerant_options();
  options.wal_recovery_mode = mode;
  options.wal_filter = filter;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, directory, &opened);
  std::unique_ptr<rocksdb::DB> db(opened);
  if (status.ok()) return db;
  return tl::unexpected(repair_error_of(status, directory, "it cannot be repaired; "));
}

std::optional<Version> version_in_tables(rocksdb::DB& db) {
  std::string stored;
  const rocksdb::Slice key(version_key.data(), version_key.size());
  if (!db.Get(rocksdb::ReadOptions(), key, &stored).ok()) return std::nullopt;
  const std::optional<StoredRow> row = decode_row(stored);
  return row ? std::optional<Version>(row->version) : std::nullopt;
}

std::string error_of_table(const std::string& path, std::uint64_t bytes) {
  std::error_code error;
  const std::uint64_t size_found = std::filesystem::file_size(path, error);
  if (error) return "it is missing";
  if (size_found != bytes) return fmt::format("it has {} bytes instead of {}", size_found, bytes);
  rocksdb::SstFileReader reader{rocksdb::Options()};
  rocksdb::Status status = reader.Open(path);
  if (status.ok()) status = reader.VerifyChecksum();
  return status.ok() ? "" : status.ToString();
}

}  // namespace mayfly::store
