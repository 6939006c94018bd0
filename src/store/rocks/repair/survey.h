// Survey: opens a data directory for reading only, despite any damage in it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/rocks/log/log_contents.h"

namespace rocksdb {
class DB;
class WalFilter;
enum class WALRecoveryMode : char;
struct Options;
}  // namespace rocksdb

namespace mayfly::store {

// Options that tolerate missing files, and leave the log unchanged.
rocksdb::Options tolerant_options();

// Fails with corrupt if the file that lists the tables is damaged.
Result<std::unique_ptr<rocksdb::DB>> open_tolerantly(const std::string& directory,
                                                     rocksdb::WalFilter* filter,
                                                     rocksdb::WALRecoveryMode mode);

// The version of the newest commit in the tables; nullopt if its row cannot be read.
std::optional<Version> version_in_tables(rocksdb::DB& db);

// The error of a table; empty if all of it can be read.
std::string error_of_table(const std::string& path, std::uint64_t bytes);

}  // namespace mayfly::store
