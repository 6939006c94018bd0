// Converts RocksDB's failures to our errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocksdb {
class Status;
}

namespace mayfly::store {

// `doing` says what was being done. The status must not be ok.
Error error_of(const rocksdb::Status& status, std::string_view doing);
// The same for opening the directory. `log_lines` are the warnings that RocksDB logged meanwhile:
// only they name the damaged file.
Error open_error_of(const rocksdb::Status& status, const std::string& directory,
                    const std::string& log_lines);
// The same for a repair that examines the directory: then only a backup helps.
Error repair_error_of(const rocksdb::Status& status, const std::string& directory,
                      const std::string& log_lines);
// The remedies for a refused directory, the cheapest first.
std::string advice_of_repair(const std::string& directory);
// The write-ahead log ends at `log_end`, and commits up to `acknowledged` were acknowledged as
// durable. `log` is the file that is damaged, truncated or missing.
Error log_error(const std::string& directory, const std::string& log, std::uint64_t log_end,
                std::uint64_t acknowledged, const std::string& log_lines);
// For bytes that passed their checksum but are not in our format.
Error malformed_row();

// Prints the reason and stops the program. It is not known whether the written data is durable, and
// a second sync could succeed although it is not.
[[noreturn]] void stop_unsynced(const rocksdb::Status& status);

}  // namespace mayfly::store
