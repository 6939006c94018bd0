#include "store/rocks/repair/tables.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/utilities/ldb_cmd.h>
#include <rocksdb/write_batch.h>

#include <cstdlib>
#include <filesystem>

#include "store/durable_files.h"
#include "store/rocks/engine/row_format.h"
#include "store/rocks/errors.h"
#include "store/rocks/repair/survey.h"

namespace mayfly::store {
namespace {

namespace fs = std::filesystem;

// Only RocksDB's own tool can change the list of tables of a database that cannot be opened.
Result<void> drop_from_list(const std::string& directory, const std::string& table) {
  const std::string number = std::to_string(std::strtoull(table.c_str(), nullptr, 10));
  const std::vector<std::string> words{"--db=" + directory, "unsafe_remove_sst_file", number};
  const std::unique_ptr<rocksdb::LDBCommand> command(rocksdb::LDBCommand::InitFromCmdLineArgs(
      words, tolerant_options(), rocksdb::LDBOptions(), nullptr));
  if (!command) return fail(Code::internal, "RocksDB does not know how to drop a table");
  command->Run();
  if (!command->GetExecuteState().IsFailed()) return {};
  return fail(Code::corrupt, fmt::format("{} cannot be taken out of the list of tables: {}", table,
                                         command->GetExecuteState().ToString()));
}

// Compares both databases key by key.
class RowSaver {
 public:
  RowSaver(rocksdb::DB& before, rocksdb::DB& after, RepairResult& repaired)
      : before_(before), after_(after), repaired_(repaired) {}

  // `found`: the row in a damaged table; used only if no database can read the key.
  Result<void> save(const rocksdb::Slice& key, std::optional<rocksdb::Slice> found = {}) {
    rocksdb::PinnableSlice was, is;
    const rocksdb::ReadOptions options;
    const rocksdb::Status had = before_.Get(options, before_.DefaultColumnFamily(), key, &was);
    const rocksdb::Status has = after_.Get(options, after_.DefaultColumnFamily(), key, &is);
    if (!has.ok() && !has.IsNotFound()) return tl::unexpected(error_of(has, "reading"));
    if (had.ok()) {
      if (has.ok() && was == is) return {};
      ++repaired_.saved;
      return done(after_.Put({}, key, was));
    }
    if (had.IsNotFound()) return has.ok() ? done(after_.Delete({}, key)) : Result<void>();
    if (has.ok() || found) ++repaired_.uncertain;
    if (!found || (has.ok() && version_of(is) >= version_of(*found))) return {};
    ++repaired_.saved;
    return done(after_.Put({}, key, *found));
  }

 private:
  static Version version_of(const rocksdb::Slice& stored) {
    const std::optional<StoredRow> row = decode_row({stored.data(), stored.size()});
    return row ? row->version : 0;
  }
  static Result<void> done(const rocksdb::Status& status) {
    if (status.ok()) return {};
    return tl::unexpected(error_of(status, "saving a row"));
  }

  rocksdb::DB& before_;
  rocksdb::DB& after_;
  RepairResult& repaired_;
};

// The keys of a damaged table: from its beginning up to the damage, and from its end back to it.
Result<void> save_readable(const std::string& path, RowSaver& saver) {
  rocksdb::SstFileReader reader{rocksdb::Options()};
  if (!reader.Open(path).ok()) return {};
  const std::unique_ptr<rocksdb::Iterator> row(reader.NewIterator({}));
  Bytes reached;
  for (row->SeekToFirst(); row->Valid(); row->Next()) {
    reached = row->key().ToString();
    TRY(saver.save(reached, row->value()));
  }
  for (row->SeekToLast(); row->Valid() && row->key().compare(reached) > 0; row->Prev()) {
    TRY(saver.save(row->key(), row->value()));
  }
  return {};
}

// The rows that are visible now between a damaged table's first and last key.
Result<void> save_visible(rocksdb::DB& after, const DamagedTable& table, RowSaver& saver) {
  const std::unique_ptr<rocksdb::Iterator> row(after.NewIterator({}));
  for (row->Seek(table.first); row->Valid() && row->key().compare(table.last) <= 0; row->Next()) {
    TRY(saver.save(row->key()));
  }
  if (row->status().ok()) return {};
  return tl::unexpected(error_of(row->status(), "reading"));
}

}  // namespace

Result<void> drop_tables(const std::string& directory, const std::vector<DamagedTable>& tables) {
  for (const DamagedTable& table : tables) TRY(drop_from_list(directory, table.file));
  std::error_code error;
  for (const DamagedTable& table : tables) fs::remove(fs::path(directory) / table.file, error);
  if (make_names_durable(directory)) return {};
  return fail(Code::internal, "making the names of the files in " + directory + " durable");
}

Result<void> save_rows(rocksdb::DB& before, rocksdb::DB& after, const std::string& directory_before,
                       const std::vector<DamagedTable>& tables, RepairResult& repaired) {
  RowSaver saver(before, after, repaired);
  for (const DamagedTable& table : tables) {
    TRY(save_readable(fs::path(directory_before) / table.file, saver));
    TRY(save_visible(after, table, saver));
  }
  return {};
}

}  // namespace mayfly::store
