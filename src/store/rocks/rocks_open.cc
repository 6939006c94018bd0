// Opens RocksDB: its options, each with its reason, and the checks before the first read.
#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/table_properties_collectors.h>
#include <rocksdb/wal_filter.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/service/kill_point.h"
#include "store/rocks/directory.h"
#include "store/rocks/engine/engine.h"
#include "store/rocks/engine/row_format.h"
#include "store/rocks/errors.h"
#include "store/rocks/log/durability_watermark.h"
#include "store/rocks/log/log_contents.h"
#include "store/rocks/log/log_warnings.h"

namespace mayfly::store {
namespace {

constexpr int filter_bits_per_key = 10;  // one read in a hundred of a file that lacks the key
// A file with this many removals among this many rows is compacted early, so that scans need not
// skip many of them.
constexpr std::size_t removals_window = 8'192;
constexpr std::size_t removals_max = 4'096;
// The share of the write buffer that shows that a key is absent without a search in it.
constexpr double buffer_bloom_share = 0.02;

// Reading is fastest with all files open. If the process may not open many, the rest is left to
// sockets.
int open_files_max() {
  constexpr rlim_t plenty = 16'384;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  return limit.rlim_cur >= plenty ? -1 : static_cast<int>(limit.rlim_cur / 2);
}

void set_durability(rocksdb::Options& options) {
  // A damaged record in the middle of the log must stop the opening. By default RocksDB would
  // silently omit what follows.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.track_and_verify_wals_in_manifest = true;
  options.manual_wal_flush =
      true;  // sync() writes and flushes the log once for all waiting callers
  options.recycle_log_file_num = 0;  // old bytes after the tail would look like damage
  options.paranoid_checks = true;
}

void set_table_format(rocksdb::Options& options, std::size_t cache_bytes_max) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(cache_bytes_max);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(filter_bits_per_key));
  table.whole_key_filtering = true;
  table.format_version = 5;
  // Indexes and filters are beside the cache, about 4 bytes for a row of 300. Reading them through
  // the cache would make the search for an absent key a third slower.
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.compression = rocksdb::kLZ4Compression;
}

void set_memory(rocksdb::Options& options, std::size_t write_buffer_bytes,
                std::shared_ptr<const RowHints> hints) {
  options.write_buffer_size = write_buffer_bytes;
  // An idle store should be small; RocksDB expects a buffer of many pieces.
  options.arena_block_size = std::min<std::size_t>(256 << 10, write_buffer_bytes / 8);
  options.max_write_buffer_number = 3;  // writers continue while one buffer is being flushed
  options.allow_concurrent_memtable_write = false;  // one commit at a time
  options.memtable_insert_with_hint_prefix_extractor = hinted_prefix(std::move(hints));
  options.memtable_whole_key_filtering = true;
  options.memtable_prefix_bloom_size_ratio = buffer_bloom_share;
}

void set_background(rocksdb::Options& options) {
  options.max_background_jobs = 2;
  // Compaction yields to requests.
  options.env->LowerThreadPoolCPUPriority(rocksdb::Env::LOW);
  options.env->LowerThreadPoolIOPriority(rocksdb::Env::LOW);
  options.bytes_per_sync = 1 << 20;  // no burst of dirty pages before a commit
  // The same for the log: commits that no client waits for (of the sweeper or an import) are
  // written to the disk before the flush that a client waits for.
  options.wal_bytes_per_sync = 512 << 10;
  options.level_compaction_dynamic_level_bytes = true;
  options.table_properties_collector_factories.push_back(
      rocksdb::NewCompactOnDeletionCollectorFactory(removals_window, removals_max));
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
}

// RocksDB and the objects that it uses until its end.
struct OpenDb {
  std::unique_ptr<rocksdb::Env> env;
  std::unique_ptr<rocksdb::WalFilter> log_end;
  std::unique_ptr<rocksdb::DB> db;  // destroyed first
};

rocksdb::Options options_for(const RocksOptions& rocks_options, rocksdb::Env* env,
                             std::shared_ptr<CompactionFilters> filters,
                             std::shared_ptr<const RowHints> hints,
                             std::shared_ptr<LogWarnings> warnings) {
  rocksdb::Options options;
  options.env = env;
  options.create_if_missing = true;
  set_durability(options);
  set_table_format(options, rocks_options.cache_bytes_max);
  set_memory(options, rocks_options.write_buffer_bytes, std::move(hints));
  set_background(options);
  // Expired rows leave the disk at most this long after their file was written, even without new
  // writes.
  options.periodic_compaction_seconds = limits::expired_rows_kept_seconds_max;
  options.compaction_filter_factory = filter_factory(std::move(filters));
  options.skip_stats_update_on_db_open = true;  // opening must not read every file
  options.max_open_files = open_files_max();
  options.max_file_opening_threads = 2;  // sixteen cost an empty store more than its files
  options.keep_log_file_num = 4;
  options.max_log_file_size = 4 << 20;
  std::shared_ptr<rocksdb::Logger> file;
  // We continue without a log file: it is only for diagnosis.
  rocksdb::CreateLoggerFromOptions(rocks_options.directory, options, &file).PermitUncheckedError();
  options.info_log = capturing_logger(std::move(file), std::move(warnings));
  return options;
}

// The version of the newest commit; 0 in a new directory.
Result<Version> newest_version(rocksdb::DB& db, const std::string& directory) {
  const rocksdb::ReadOptions options;
  std::string stored;
  const rocksdb::Status status =
      db.Get(options, rocksdb::Slice(version_key.data(), version_key.size()), &stored);
  if (status.ok()) {
    const std::optional<StoredRow> row = decode_row(stored);
    if (!row) return tl::unexpected(malformed_row());
    return row->version;
  }
  if (!status.IsNotFound()) return tl::unexpected(open_error_of(status, directory, ""));
  const std::unique_ptr<rocksdb::Iterator> any(db.NewIterator(options));
  any->SeekToFirst();
  if (!any->status().ok()) return tl::unexpected(open_error_of(any->status(), directory, ""));
  if (!any->Valid()) return 0;
  return fail(Code::invalid, directory + " holds the data of another program", "data");
}

struct LogVersions {
  Version base = 0;  // the version without the logs
  Version end = 0;   // the version that the logs lead to from there
};

// Reads the logs that a crash has left, before RocksDB replays and deletes them: they must lead to
// every acknowledged commit. Commits that were being written at a loss of power may follow,
// complete, torn or as garbage.
Result<LogVersions> examine_logs(rocksdb::FileSystem& files, rocksdb::Options options,
                                 const std::string& directory, std::uint64_t last_log,
                                 const LogWarnings& warnings) {
  DirectoryLock lock(files);
  rocksdb::Status status = lock.take(directory);
  if (!status.ok()) return tl::unexpected(open_error_of(status, directory, ""));
  LogContents contents;
  const std::unique_ptr<rocksdb::WalFilter> watch = make_log_watch(contents);
  options.wal_filter = watch.get();
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
  rocksdb::DB* opened = nullptr;
  status = rocksdb::DB::OpenForReadOnly(options, directory, &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  if (!status.ok()) return tl::unexpected(open_error_of(status, directory, warnings.text()));
  const Version base = TRY(newest_version(*db, directory));
  const LogContents::End end = contents.end_from(base);
  const Version acknowledged =
      std::max(read_durability_watermark(files, directory), contents.durable());
  if (end.version >= acknowledged) return LogVersions{base, end.version};
  const std::string log = log_path(directory, end.log_number != 0 ? end.log_number : last_log);
  return tl::unexpected(log_error(directory, log, end.version, acknowledged, warnings.text()));
}

}  // namespace

Result<std::unique_ptr<Store>> open_rocks(const RocksOptions& rocks_options) {
  const std::string& directory = rocks_options.directory;
  const auto files =
      rocks_options.file_system ? rocks_options.file_system : rocksdb::FileSystem::Default();
  TRY(prepare_directory(*files, directory));
  auto filters = std::make_shared<CompactionFilters>();
  auto hints = std::make_shared<RowHints>();
  auto warnings = std::make_shared<LogWarnings>();
  auto open = std::make_shared<OpenDb>();
  open->env = rocksdb::NewCompositeEnv(files);
  auto options = options_for(rocks_options, open->env.get(), filters, hints, warnings);
  Version expected = read_durability_watermark(*files, directory);
  if (const auto logs = TRY(logs_with_contents(*files, directory)); !logs.empty()) {
    const LogVersions log_versions =
        TRY(examine_logs(*files, options, directory, logs.back(), *warnings));
    expected = log_versions.end;
    // The logs are known to have every acknowledged commit, so the rest may be dropped: RocksDB
    // drops what follows a damaged record, and the filter drops what follows a gap between two
    // logs.
    options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
    open->log_end = make_log_end(log_versions.base);
    options.wal_filter = open->log_end.get();
  }
  rocksdb::DB* opened = nullptr;
  KILL_POINT("store.opening");
  const rocksdb::Status status = rocksdb::DB::Open(options, directory, &opened);
  open->db.reset(opened);
  if (!status.ok()) return tl::unexpected(open_error_of(status, directory, warnings->text()));
  const Version newest = TRY(newest_version(*open->db, directory));
  if (newest < expected) {
    return tl::unexpected(
        log_error(directory, directory + "/*.log", newest, expected, warnings->text()));
  }
  KILL_POINT("store.opened");
  auto watermark = TRY(DurabilityWatermark::open(*files, directory));
  TRY(write_marker(*files, directory));
  std::shared_ptr<rocksdb::DB> db(open, open->db.get());
  return std::make_unique<RocksEngine>(std::move(db), std::move(filters), std::move(watermark),
                                       std::move(hints), rocks_options, newest);
}

}  // namespace mayfly::store
