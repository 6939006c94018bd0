// Examines a damaged directory, and runs the steps of a repair in order.
#include "store/repair.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/file_system.h>
#include <rocksdb/wal_filter.h>

#include <algorithm>
#include <filesystem>

#include "store/durable_files.h"
#include "store/rocks/directory.h"
#include "store/rocks/engine/row_format.h"
#include "store/rocks/errors.h"
#include "store/rocks/log/durability_watermark.h"
#include "store/rocks/repair/mark.h"
#include "store/rocks/repair/survey.h"
#include "store/rocks/repair/tables.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;
using Db = std::unique_ptr<rocksdb::DB>;

constexpr auto up_to_the_damage = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
constexpr auto past_the_damage = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;

struct Logs {
  Version base = 0;          // the version in the tables
  Version whole = 0;         // the last commit that the logs lead to
  Version acknowledged = 0;  // according to everything readable
  Version newest = 0;        // the newest commit with any readable part
  std::string broken;
};

Result<Logs> read_logs(rocksdb::FileSystem& files, const std::string& directory) {
  LogContents all, whole;
  const auto watch_all = make_log_watch(all), watch_whole = make_log_watch(whole);
  TRY(open_tolerantly(directory, watch_all.get(), past_the_damage));
  const Db db = TRY(open_tolerantly(directory, watch_whole.get(), up_to_the_damage));
  Logs logs;
  logs.acknowledged = std::max(read_durability_watermark(files, directory), all.durable());
  // If the row cannot be read, the first commit of the log says which version preceded it.
  const Version otherwise = whole.commits.empty() ? logs.acknowledged : whole.beginning();
  logs.base = version_in_tables(*db).value_or(otherwise);
  const LogContents::End end = whole.end_from(logs.base);
  logs.whole = end.version;
  logs.newest = std::max({logs.acknowledged, all.newest(), logs.whole});
  const auto numbers = TRY(logs_with_contents(files, directory));
  const std::uint64_t last = numbers.empty() ? 0 : numbers.back();
  // The damaged log: the one with a gap between its commits, or else the last one.
  const LogContents::End gap = all.end_from(logs.base);
  const std::uint64_t broken = gap.log_number != 0 ? gap.log_number : last;
  logs.broken = broken == 0 ? "*.log" : fs::path(log_path(directory, broken)).filename().string();
  return logs;
}

std::vector<DamagedTable> damaged_tables(rocksdb::DB& db, const std::string& directory) {
  std::vector<rocksdb::LiveFileMetaData> live;
  db.GetLiveFilesMetaData(&live);
  std::vector<DamagedTable> damaged;
  for (const rocksdb::LiveFileMetaData& table : live) {
    const std::string name = fs::path(table.name).filename();
    std::string why = error_of_table(fs::path(directory) / name, table.size);
    if (why.empty()) continue;
    damaged.push_back(
        {name, std::move(why), table.smallestkey, table.largestkey, table.size, table.num_entries});
  }
  return damaged;
}

void read_requested(rocksdb::DB& db, BytesView prefix, Damage& damage) {
  const std::unique_ptr<rocksdb::Iterator> row(db.NewIterator({}));
  for (row->Seek({prefix.data(), prefix.size()});
       row->Valid() && row->key().starts_with({prefix.data(), prefix.size()}); row->Next()) {
    const rocksdb::Slice value = row->value();
    if (const auto stored = decode_row({value.data(), value.size()})) {
      damage.asked.emplace_back(row->key().ToString(), Bytes(stored->value));
    }
  }
}

bool is_of_the_data(const fs::directory_entry& file) {
  const std::string name = file.path().filename();
  return file.is_regular_file() && name != "LOCK" && name != repair_marker_name &&
         name != report_name;
}

Result<void> copy_files(const fs::path& from, const fs::path& to) {
  std::error_code error;
  for (const auto& file : fs::directory_iterator(from)) {
    if (!is_of_the_data(file)) continue;
    const fs::path copy = to / file.path().filename();
    // A table never changes; every other file may be written to.
    if (file.path().extension() == ".sst") fs::create_hard_link(file.path(), copy, error);
    const bool is_linked = file.path().extension() == ".sst" && !error;
    if (is_linked || copy_durably(file.path(), copy)) continue;
    return fail(Code::internal, "copying " + file.path().string() + " to " + copy.string());
  }
  if (make_names_durable(to)) return {};
  return fail(Code::internal, "making the names of the files in " + to.string() + " durable");
}

// Makes the copy of a directory, under the first free name.
Result<std::string> keep_copy(const std::string& directory) {
  std::error_code error;
  fs::path copy;
  for (int n = 1; copy.empty() || fs::exists(copy, error); ++n) {
    copy = fs::path(directory) / fmt::format("lost-{}", n);
  }
  const auto failed = [&](const std::string& why) {
    return fail(Code::internal, fmt::format("keeping a copy in {}: {}", copy.string(), why));
  };
  fs::create_directory(copy, error);
  if (error) return failed(error.message());
  TRY(copy_files(directory, copy));
  if (!make_names_durable(directory)) return failed("not on disk");
  return copy.string();
}

// Writes the version row from which commits continue.
Result<void> raise_version(rocksdb::DB& db, const Logs& logs) {
  const std::optional<Version> in_tables = version_in_tables(db);
  if (in_tables && *in_tables >= logs.newest) return {};
  const Version previous = std::min(in_tables.value_or(logs.whole), logs.newest - 1);
  const auto row = encode_version_row({logs.newest, previous, previous});
  const rocksdb::Slice key(version_key.data(), version_key.size());
  const rocksdb::Status put =
      db.Put(rocksdb::WriteOptions(), key, rocksdb::Slice(row.data(), row.size()));
  if (put.ok()) return {};
  return tl::unexpected(error_of(put, "writing the version"));
}

Result<Db> open_to_write(const std::string& directory, rocksdb::WalFilter* filter) {
  rocksdb::Options options = tolerant_options();
  options.paranoid_checks = true;
  options.wal_filter = filter;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, directory, &opened);
  Db db(opened);
  if (!status.ok()) return tl::unexpected(repair_error_of(status, directory, ""));
  return db;
}

Result<void> lock(DirectoryLock& lock, const std::string& directory) {
  const rocksdb::Status taken = lock.take(directory);
  if (taken.ok()) return {};
  return tl::unexpected(repair_error_of(taken, directory, ""));
}

}  // namespace

Result<Damage> examine(const std::string& directory, const std::vector<Bytes>& prefixes) {
  const auto files = rocksdb::FileSystem::Default();
  DirectoryLock directory_lock(*files);
  Damage damage;
  damage.interrupted = TRY(copy_of_interrupted(directory));
  if (!damage.interrupted.empty()) {
    TRY(lock(directory_lock, directory));
    return damage;
  }
  const Replaceable lost = TRY(find_replaceable(*files, directory));
  TRY(lock(directory_lock, directory));
  if (lost.marker) damage.replaceable.push_back("the file MAYFLY is damaged or gone");
  damage.is_incomplete = !lost.current.empty();
  if (damage.is_incomplete) {
    damage.replaceable.push_back("the file CURRENT, which names the list of tables, is lost");
    return damage;
  }
  const Logs logs = TRY(read_logs(*files, directory));
  if (logs.whole < logs.acknowledged) {
    damage.log = {logs.broken, logs.whole, logs.acknowledged, lost.logs};
  } else if (lost.logs) {
    damage.replaceable.push_back("there is no log of the last writes (*.log)");
  }
  const auto end = make_log_end(logs.base);
  const Db db = TRY(open_tolerantly(directory, end.get(), up_to_the_damage));
  damage.tables = damaged_tables(*db, directory);
  for (const Bytes& prefix : prefixes) read_requested(*db, prefix, damage);
  return damage;
}

Result<RepairResult> repair(const std::string& directory, const Damage& damage) {
  const auto files = rocksdb::FileSystem::Default();
  RepairResult repaired;
  Logs logs;
  {
    DirectoryLock directory_lock(*files);
    TRY(lock(directory_lock, directory));
    repaired.kept_in = TRY(keep_copy(directory));
    TRY(write_repair_marker(*files, directory, fs::path(repaired.kept_in).filename()));
    TRY(replace(*files, directory, TRY(find_replaceable(*files, directory))));
    if (damage.is_incomplete) return repaired;
    logs = TRY(read_logs(*files, directory));
    TRY(drop_tables(directory, damage.tables));
  }
  repaired.newest = logs.newest;
  const auto end = make_log_end(logs.base);
  const Db db = TRY(open_to_write(directory, end.get()));
  if (!damage.tables.empty()) {
    const auto same_end = make_log_end(logs.base);
    const Db before = TRY(open_tolerantly(repaired.kept_in, same_end.get(), up_to_the_damage));
    TRY(save_rows(*before, *db, repaired.kept_in, damage.tables, repaired));
  }
  TRY(raise_version(*db, logs));
  rocksdb::Status closed = db->Flush(rocksdb::FlushOptions());
  if (closed.ok()) closed = db->FlushWAL(true);
  if (closed.ok()) closed = db->Close();
  if (!closed.ok()) return tl::unexpected(error_of(closed, "closing"));
  return repaired;
}

Result<void> end_repair(const std::string& directory) {
  return remove_repair_marker(directory);
}

Result<void> undo_repair(const std::string& directory) {
  const auto files = rocksdb::FileSystem::Default();
  DirectoryLock directory_lock(*files);
  TRY(lock(directory_lock, directory));
  const std::string name = TRY(copy_of_interrupted(directory));
  if (name.empty()) return {};  // another process has ended it meanwhile
  const fs::path copy = fs::path(directory) / name;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(directory)) {
    if (is_of_the_data(file)) fs::remove(file.path(), error);
  }
  TRY(copy_files(copy, directory));
  TRY(remove_repair_marker(directory));
  fs::remove_all(copy, error);
  return {};
}

}  // namespace mayfly::store
