// Survey: opening a data directory for reading only, whatever is damaged in it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/rocks/log/watch.h"

namespace rocksdb {
class DB;
class WalFilter;
enum class WALRecoveryMode : char;
struct Options;
}  // namespace rocksdb

namespace mayfly::store {

// What opens where something is missing, and leaves the log alone.
rocksdb::Options patient_options();

// Fails with corrupt where the file is damaged that says which tables there are.
Result<std::unique_ptr<rocksdb::DB>> open_patiently(const std::string& directory,
                                                    rocksdb::WalFilter* filter,
                                                    rocksdb::WALRecoveryMode mode);

// The version of the newest commit in the tables; nothing where its row cannot be read.
std::optional<Version> version_in_tables(rocksdb::DB& db);

// What is wrong with a table; empty where all of it can be read.
std::string complaint_of_table(const std::string& path, std::uint64_t bytes);

}  // namespace mayfly::store
